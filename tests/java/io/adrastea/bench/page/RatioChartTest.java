package io.adrastea.bench.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.page.Chart.Axis;
import io.adrastea.bench.page.RatioChart.Point;
import io.adrastea.bench.page.RatioChart.RatioCurve;
import io.adrastea.bench.page.RatioChart.Role;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first pictures of a comparison: how they are drawn and where they stand on the page. */
class RatioChartTest {
  private static RatioCurve curve(String name, Role role, double... ratios) {
    List<Point> points = IntStream.range(0, ratios.length)
        .mapToObj(i -> new Point(i, ratios[i] * 0.9, ratios[i], ratios[i] * 1.1)).toList();
    return new RatioCurve(name, role, points);
  }

  private static String page(RatioCurve... curves) {
    RatioChart ratios = new RatioChart("latency", "ffm", "bytes", List.of("8", "64"), List.of(curves));
    Curve raw = new Curve("ucx", List.of(8.0, 64.0), List.of(200.0, 210.0));
    Chart chart = new Chart("raw curves", Axis.bytes(), Axis.log("ns"), List.of(raw));
    Grid grid = new Grid("the table", List.of("variant"), List.of(List.of("ucx")));
    return new Page("title", List.of("the lead"), List.of(ratios), List.of(chart), List.of(grid),
        List.of("the machine"))
        .html();
  }

  private static final RatioCurve FFM = curve("ffm", Role.OURS, 1, 1);
  private static final RatioCurve FLOOR = curve("floor", Role.FLOOR, 0.7, 0.8);
  private static final RatioCurve UCX = curve("ucx", Role.PEER, 2, 1.5);

  @Test
  void shouldShowRatiosFirstFoldWhatIsBehindThemAndNameTheMachineLast() {
    String html = page(FFM, FLOOR, UCX);
    List<Integer> places = List.of(
        html.indexOf("the lead"), html.indexOf("class=\"ratio\""), html.indexOf("<summary>Curves and percentiles"),
        html.indexOf("raw curves"), html.indexOf("<summary>Figures"), html.indexOf("the table"),
        html.indexOf("the machine"));
    assertEquals(places.stream().sorted().toList(), places);
    assertFalse(places.contains(-1), places::toString);
    assertFalse(html.contains("<details open"));
  }

  @Test
  void shouldDrawOursThickTheFloorDashedAndASpreadAsABand() {
    String html = page(FFM, FLOOR, UCX);
    assertTrue(html.contains("<g class=\"curve o0 s0 base\" data-curve=\"ffm\" data-points=\"2\">"), html);
    assertTrue(html.contains("<g class=\"curve ref r0 s2\" data-curve=\"floor\""), html);
    assertTrue(html.contains("<g class=\"curve p0 s1\" data-curve=\"ucx\""), html);
    assertTrue(html.contains("<path class=\"band p0 s1\""), html);
    assertTrue(html.contains(".ref .line{stroke-dasharray"), html);
  }

  @Test
  void shouldLabelTheEndOfEachLineWithItsLastRatio() {
    String html = page(FFM, FLOOR, UCX);
    assertTrue(html.contains(">ffm = 1</text>"), html);
    assertTrue(html.contains(">ucx 1.50×</text>"), html);
    assertTrue(html.contains(">floor 0.80×</text>"), html);
  }

  @Test
  void shouldCutWhatIsFarAwayAndStillSayHowFar() {
    String html = page(FFM, curve("tcp", Role.PEER, 90, 40));
    assertTrue(html.contains(">tcp 40×</text>"), html);
    assertTrue(html.contains(">8×</text>"), html);
    assertFalse(html.contains(">16×</text>"), html);
  }

  @Test
  void shouldGiveAsManyPeersAsThereAreAColourEach() {
    RatioCurve[] curves = Arrays.stream("openmpi mpich ucx openmpi-java aeron agrona pipe unix tcp".split(" "))
        .map(name -> curve(name, Role.PEER, 2, 2)).toArray(RatioCurve[]::new);
    String html = page(curves);
    assertEquals(9, IntStream.range(0, 9).filter(i -> html.contains("<g class=\"curve p" + i + " ")).count());
    for (String rules : html.split("@media")) {
      List<String> colours = rules.lines().filter(line -> line.matches("\\.p\\d\\{.*"))
          .map(line -> line.replaceAll(".*--c", "")).toList();
      assertEquals(colours.stream().distinct().toList(), colours);
    }
  }

  @Test
  void shouldSwitchASeriesOffInAllPicturesWithoutAScript() {
    String html = page(FFM, FLOOR, UCX);
    assertTrue(html.contains("<input type=\"checkbox\" id=\"show1\" checked>ucx</label>"), html);
    assertTrue(html.contains("body:has(#show1:not(:checked)) .s1{display:none}"), html);
    // Twice as a curve, a band and a label (wide and narrow); below, a curve and its legend.
    assertEquals(8, html.split("class=\"[^\"]* s1\"|class=\"[^\"]* s1 ", -1).length - 1, html);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "src=", "href=", "url(", "@import", "<script", "NaN", "Infinity"})
  void shouldLoadNothingAndHaveAPlaceForEverything(String way) {
    assertFalse(page(FFM, FLOOR, UCX, curve("none", Role.PEER)).contains(way));
  }

  @Test
  void shouldMoveLabelsApartAndKeepThemAboveTheEnd() {
    assertArrayEquals(new double[] {10, 25, 100}, RatioDrawing.places(new double[] {10, 11, 100}, 200), 1e-9);
    assertArrayEquals(new double[] {70, 85, 100}, RatioDrawing.places(new double[] {98, 99, 100}, 100), 1e-9);
    assertArrayEquals(new double[] {55, 70, 85, 100}, RatioDrawing.places(new double[] {60, 61, 99, 100}, 100), 1e-9);
  }
}
