package io.adrastea.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.page.Chart.Axis;
import java.util.List;
import java.util.Set;
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
    assertTrue(html.contains("<g class=\"curve ref\" data-curve=\"floor\" data-points=\"2\">"));
    assertTrue(html.contains("<g class=\"curve c0\" data-curve=\"ffm\""));
    assertTrue(html.contains("</svg>floor</li>"));
    assertTrue(html.contains("</svg>ffm</li>"));
  }

  @Test
  void leavesOutPointsThatALogAxisHasNoPlaceFor() {
    assertTrue(page(FFM).contains("data-curve=\"ffm\" data-points=\"2\""));
    String empty = page(new Curve("none", List.of(0.0), List.of(1.0)));
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
    assertEquals(2, html.split("curve c0\" data-curve=\"ffm\"", -1).length - 1);
    assertEquals(1, html.split("curve c1\" data-curve=\"java\"", -1).length - 1);
  }

  @Test
  void aCurveHasAsManyXAsY() {
    assertThrows(
        IllegalArgumentException.class, () -> new Curve("ffm", List.of(1.0, 2.0), List.of(1.0)));
  }
}
