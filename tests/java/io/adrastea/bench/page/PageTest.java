package io.adrastea.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.page.Chart.Axis;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageTest {
  private static final Curve FLOOR =
      new Curve("floor", true, List.of(8.0, 4096.0), List.of(40.0, 300.0));
  private static final Curve FFM =
      new Curve("ffm", List.of(0.0, 8.0, 4096.0), List.of(50.0, 60.0, 500.0));

  private static String page(Curve... curves) {
    Chart chart = new Chart("Latency", Axis.bytes(), Axis.log("one way [ns]"), List.of(curves));
    Grid grid = new Grid("Figures", List.of("variant", "ns"), List.of(List.of("ffm", "60.0")));
    return new Page("A <title>", List.of("CPU & cache"), List.of(chart), List.of(grid)).html();
  }

  @Test
  void hasACurveAndALegendForEachVariant() {
    String html = page(FLOOR, FFM);
    assertTrue(html.contains("<g class=\"curve ref r0 s1\" data-curve=\"floor\" data-points=\"2\">"));
    assertTrue(html.contains("<g class=\"curve c0 s0\" data-curve=\"ffm\""));
    assertTrue(html.contains("</svg>floor</li>"));
    assertTrue(html.contains("</svg>ffm</li>"));
  }

  @Test
  void leavesOutPointsThatALogAxisHasNoPlaceFor() {
    assertTrue(page(FFM).contains("data-curve=\"ffm\" data-points=\"2\""));
    String empty = page(new Curve("none", List.of(0.0, 8.0), List.of(1.0, 0.0)));
    assertTrue(empty.contains("data-curve=\"none\" data-points=\"0\""));
    assertFalse(empty.contains("NaN"));
  }

  @Test
  void hasUnitsOnItsAxesAndSizesAsLabels() {
    String html = page(FLOOR);
    assertTrue(html.contains(">message size [bytes]</text>"));
    assertTrue(html.contains(">one way [ns]</text>"));
    assertTrue(html.contains(">4K</text>"));
  }

  @Test
  void escapesWhatIsNotItsOwn() {
    String html = page(new Curve("<b>", List.of(8.0), List.of(1.0)));
    assertFalse(html.contains("<b>"));
    assertTrue(html.contains("A &lt;title&gt;"));
    assertTrue(html.contains("CPU &amp; cache"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "src=", "href=", "url(", "@import", "<script"})
  void loadsNothing(String way) {
    assertFalse(page(FLOOR, FFM).contains(way));
  }

  @Test
  void isLightAndDark() {
    assertTrue(page(FLOOR).contains("@media (prefers-color-scheme:dark)"));
  }

  @Test
  void beginsWithoutTheSeriesThatAreOffAtFirst() {
    List<RatioChart.RatioCurve> curves = List.of(
        new RatioChart.RatioCurve("ffm", RatioChart.Role.OURS, List.of(new RatioChart.Point(0, 1, 1, 1))),
        new RatioChart.RatioCurve("mpi", RatioChart.Role.PEER, List.of(new RatioChart.Point(0, 2, 2, 2))));
    RatioChart chart = new RatioChart("t", "ffm", "shape", List.of("one"), curves);
    String html = new Page("t", List.of(), List.of(chart), List.of(), List.of(), List.of(), Set.of("mpi")).html();
    assertTrue(html.contains("id=\"show0\" checked>ffm</label>"), html);
    assertTrue(html.contains("id=\"show1\">mpi</label>"), html);
  }

  @Test
  void aNameHasOneColourInAllCharts() {
    Chart one = new Chart("1", Axis.bytes(), Axis.log("ns"), List.of(FLOOR, FFM));
    Curve other = new Curve("java", List.of(8.0), List.of(1.0));
    Chart two = new Chart("2", Axis.bytes(), Axis.linear("ns"), List.of(other, FFM));
    String html = new Page("t", List.of(), List.of(one, two), List.of()).html();
    assertEquals(2, html.split("curve c0 s0\" data-curve=\"ffm\"", -1).length - 1);
    assertEquals(1, html.split("curve c1 s1\" data-curve=\"java\"", -1).length - 1);
  }

  private static Curve curve(String name) {
    return new Curve(name, List.of(8.0, 64.0), List.of(50.0, 60.0));
  }

  private static RatioChart ratios(int ours, int peers, int columns) {
    List<RatioChart.RatioCurve> curves = new ArrayList<>();
    List<RatioChart.Point> points =
        IntStream.range(0, columns).mapToObj(column -> new RatioChart.Point(column, 0.9, 1, 1.1)).toList();
    IntStream.range(0, ours)
        .forEach(i -> curves.add(new RatioChart.RatioCurve("ours" + i, RatioChart.Role.OURS, points)));
    IntStream.range(0, peers)
        .forEach(i -> curves.add(new RatioChart.RatioCurve("peer" + i, RatioChart.Role.PEER, points)));
    IntStream.range(0, 2)
        .forEach(i -> curves.add(new RatioChart.RatioCurve("floor" + i, RatioChart.Role.FLOOR, points)));
    return new RatioChart("t", "ours0", "shape", IntStream.range(0, columns).mapToObj(String::valueOf).toList(),
        curves);
  }

  /** What a name looks like by the style sheet: its colour and how it is dashed. */
  private static Map<String, String> looks(String html, int ground) {
    Map<String, String> looks = new HashMap<>();
    String sheet = html.split("prefers-color-scheme:dark")[ground];
    for (Matcher curve = Pattern.compile("class=\"curve ([^\"]*)\" data-curve=\"([^\"]*)\"").matcher(html); curve
        .find();) {
      String look = "";
      for (String name : curve.group(1).split(" ")) {
        Matcher colour = Pattern.compile("\\." + name + "\\{--c:(#\\w+)\\}").matcher(sheet);
        Matcher dash = Pattern.compile("\\." + name + " \\.line\\{stroke-dasharray:([^}]*)\\}").matcher(html);
        look += colour.find() ? colour.group(1) : "";
        String dashes = "";
        while (dash.find()) { // the last rule wins
          dashes = " " + dash.group(1);
        }
        look += dashes;
      }
      looks.put(curve.group(2), look);
    }
    return looks;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void noTwoSeriesLookAlikeHoweverManyThereAre(int ground) {
    List<Curve> many = new ArrayList<>(List.of(new Curve("line", true, FLOOR.x(), FLOOR.y()), FLOOR));
    IntStream.range(0, 45).forEach(i -> many.add(curve("series" + i)));
    Map<String, String> plain = looks(page(many.toArray(Curve[]::new)), ground);
    assertEquals(47, plain.size());
    assertEquals(47, Set.copyOf(plain.values()).size(), plain::toString);
    String html = new Page("t", List.of(), List.of(ratios(14, 24, 3)), List.of(), List.of(), List.of()).html();
    Map<String, String> relative = new HashMap<>(looks(html.replaceAll(" (ours|base)\" data", "\" data"), ground));
    assertEquals(40, relative.size());
    assertEquals(40, Set.copyOf(relative.values()).size(), relative::toString);
  }

  private static List<String> shown(String html) {
    Matcher box = Pattern.compile("id=\"show\\d+\" checked>([^<]*)</label>").matcher(html);
    return box.results().map(one -> one.group(1)).toList();
  }

  @Test
  void beginsWithFewSeriesWhereThereAreMany() {
    String html = new Page("t", List.of(), List.of(ratios(5, 6, 3)), List.of(), List.of(), List.of()).html();
    assertEquals(List.of("ours0", "ours1", "ours2", "peer0", "peer1", "peer2", "floor0", "floor1"), shown(html));
    assertTrue(html.contains(">peer5</label>"), html);
    String all = new Page("t", List.of(), List.of(ratios(4, 2, 3)), List.of(), List.of(), List.of()).html();
    assertEquals(8, shown(all).size(), all);
    String plain = page(IntStream.range(0, 9).mapToObj(i -> curve("s" + i)).toArray(Curve[]::new));
    assertEquals(List.of("s0", "s1", "s2", "s3", "s4", "s5"), shown(plain));
  }

  @Test
  void oneSizeHasBarsInsteadOfACurve() {
    String html = page(new Curve("floor", true, List.of(0.0), List.of(25.0)),
        new Curve("ffm", false, List.of(0.0), List.of(100.0), Set.of(0.0)));
    assertFalse(html.contains("<svg"), html);
    assertTrue(html.contains("data-curve=\"floor\" data-points=\"1\" title=\"floor, 0: 25\">"), html);
    assertTrue(html.contains("<span class=\"fill\" style=\"left:0.0%;width:25.0%\">"), html);
    assertTrue(html.contains("<span class=\"value\">100*</span>"), html);
    String ratio = new Page("t", List.of(), List.of(ratios(1, 1, 1)), List.of(), List.of(), List.of()).html();
    assertFalse(ratio.contains("<svg"), ratio);
    assertTrue(ratio.contains("title=\"peer0, 0: 1.00×\""), ratio);
  }

  @Test
  void whatIsToBeDistrustedHasAStarInItsTipAndAHollowMarker() {
    String html = page(new Curve("ffm", false, List.of(8.0, 64.0), List.of(50.0, 60.0), Set.of(64.0)));
    assertTrue(html.contains("<title>ffm, 8: 50</title>"), html);
    assertTrue(html.contains("<title>ffm, 64: 60*</title>"), html);
    assertEquals(1, html.split("class=\"marker starred\"", -1).length - 1);
    RatioChart.RatioCurve cold = new RatioChart.RatioCurve("mpi", RatioChart.Role.PEER,
        List.of(new RatioChart.Point(0, 1, 1, 1), new RatioChart.Point(1, 2, 2, 2, true)));
    RatioChart chart = new RatioChart("t", "ffm", "shape", List.of("one", "two"), List.of(cold));
    String ratio = new Page("t", List.of(), List.of(chart), List.of(), List.of(), List.of()).html();
    assertTrue(ratio.contains("<title>mpi, one: 1.00×</title>"), ratio);
    assertTrue(ratio.contains("<title>mpi, two: 2.00×*</title>"), ratio);
  }

  @Test
  void aCurveHasAsManyXAsY() {
    assertThrows(
        IllegalArgumentException.class, () -> new Curve("ffm", List.of(1.0, 2.0), List.of(1.0)));
  }
}
