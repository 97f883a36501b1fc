package io.adrastea.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.RatioChart;
import io.adrastea.bench.page.RatioChart.Point;
import io.adrastea.bench.page.RatioChart.RatioCurve;
import io.adrastea.bench.page.RatioChart.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Stored figures become ratios to our default core. */
class GlanceTest {
  private final List<String> lines = new ArrayList<>(List.of(Csv.HEADER));

  private void given(String bench, String variant, int bytes, double... rounds) {
    lines.add("%s,%s,%d,p50,%s,ns".formatted(bench, variant, bytes, rounds[0]));
    for (int i = 0; i < rounds.length; i++) {
      lines.add("%s,%s,%d,round-%d,%s,ns".formatted(bench, variant, bytes, i + 1, rounds[i]));
    }
  }

  private List<RatioChart> ratios(String bench) {
    return new Glance(bench, Figures.of(lines).of(bench), Set.of("ffm", "java")).ratios();
  }

  private static RatioCurve curve(RatioChart chart, String name) {
    return chart.curves().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void shouldTakeRatiosWithinRoundsToTheFirstOfOurCores() {
    given("latency", "floor", 8, 50, 55, 50);
    given("latency", "ffm", 8, 100, 200, 100);
    given("latency", "java", 8, 120, 240, 120);
    given("latency", "openmpi-java", 8, 300, 400, 300);
    given("latency", "ffm", 64, 100, 100, 100);
    given("latency", "openmpi-java", 64, 110, 120, 130);
    RatioChart chart = ratios("latency").get(0);
    assertEquals("ffm", chart.base());
    assertEquals(List.of("8", "64"), chart.columns());
    assertEquals(new Point(0, 1, 1, 1), curve(chart, "ffm").points().get(0));
    assertEquals(new Point(0, 1.2, 1.2, 1.2), curve(chart, "java").points().get(0));
    Point peer = curve(chart, "openmpi-java").points().get(1);
    assertEquals(1.2, peer.median(), 1e-9);
    assertEquals(1.15, peer.low(), 1e-9);
    assertEquals(1.25, peer.high(), 1e-9);
    assertEquals(Role.OURS, curve(chart, "java").role());
    assertEquals(Role.PEER, curve(chart, "openmpi-java").role());
    assertEquals(Role.FLOOR, curve(chart, "floor").role());
  }

  @Test
  void shouldKnowOursByForcedWaysAndByOtherCallsToo() {
    given("rate", "ffm", 8, 50);
    given("rate", "ffm poll", 8, 25);
    given("rate", "ffm-array/ring", 8, 75);
    given("rate", "openmpi-java", 8, 100);
    RatioChart chart = ratios("rate").get(0);
    assertEquals(List.of(Role.OURS, Role.OURS, Role.OURS, Role.PEER),
        chart.curves().stream().map(RatioCurve::role).toList());
    assertEquals("ffm", chart.base());
  }

  @Test
  void shouldMarkWhatWasNotWarmAndSaySoAboveThePictures() {
    given("latency", "ffm", 8, 100);
    given("latency", "ucx", 8, 200);
    given("latency", "ffm", 64, 100);
    given("latency", "ucx", 64, 200);
    assertFalse(Report.page("t", lines, List.of()).html().contains("were not warm"));
    lines.add("latency,ffm,64,compiling,0.51,part");
    assertEquals(List.of(new Point(0, 2, 2, 2, false), new Point(1, 2, 2, 2, true)),
        curve(ratios("latency").get(0), "ucx").points());
    String html = Report.page("t", lines, List.of()).html();
    assertTrue(html.contains("were not warm: compilers were still at work. No verdict from them"), html);
    assertTrue(html.contains("<td>100.0*</td>"), html);
    assertTrue(html.contains("<td>2.00*</td>"), html);
  }

  @Test
  void shouldKeepNearAndFarRoundsApart() {
    given("latency", "floor", 8, 50, 200, 50);
    given("latency", "ffm", 8, 100, 300, 100);
    given("latency", "ucx", 8, 200, 450, 200);
    List<RatioChart> charts = ratios("latency");
    assertEquals(2, charts.size());
    assertTrue(charts.get(0).title().startsWith("latency, CPUs near in 2 of 3 rounds"), charts.get(0).title());
    assertTrue(charts.get(1).title().startsWith("latency, CPUs far in 1 of 3 rounds"), charts.get(1).title());
    assertEquals(2.0, curve(charts.get(0), "ucx").points().get(0).median(), 1e-9);
    assertEquals(1.5, curve(charts.get(1), "ucx").points().get(0).median(), 1e-9);
  }

  @Test
  void shouldCompareTimesOfRatesTooSoThatMoreIsAlwaysSlower() {
    for (String row : List.of("ffm,8,msgps,20000000", "ffm,8,p50,50", "ucx,8,msgps,10000000", "ucx,8,p50,100")) {
      lines.add("rate," + row + ",x");
    }
    assertEquals(new Point(0, 2, 2, 2), curve(ratios("rate").get(0), "ucx").points().get(0));
  }

  @Test
  void shouldHaveNoPictureOfWhatCarriesNoMessageOrHasNothingToCompare() {
    given("barrier", "ffm", 0, 100);
    given("barrier", "mpich", 0, 200);
    given("latency", "mpich", 8, 200);
    given("latency", "ucx", 8, 200);
    assertEquals(List.of(), ratios("barrier"));
    assertEquals(List.of(), ratios("latency"));
  }

  @Test
  void shouldHaveAColumnForAMessageOfNoBytes() {
    given("latency", "ffm", 0, 100);
    given("latency", "ucx", 0, 150);
    given("latency", "ffm", 1000, 100);
    assertEquals(List.of("0", "1000"), ratios("latency").get(0).columns());
  }

  @Test
  void shouldHaveCurvesOfWhatTheFiguresTell() {
    List<String> titles = new Glance("latency", Figures.of(StoredRun.lines()).of("latency"), Set.of("ffm"))
        .charts().stream().map(Chart::title).toList();
    assertEquals(List.of("latency: Median of batches [ns]", "latency: 99th percentile of batches [ns]"), titles);
  }

  @Test
  void shouldReadWhatARunStoresAndRefuseAnythingElseByItsLine() {
    assertEquals(List.of("latency", "bandwidth", "rate"), Figures.of(StoredRun.lines()).benches());
    List<String> told = new ArrayList<>(List.of("# machine: fast", "# jvm: none, of nobody"));
    told.addAll(StoredRun.lines());
    assertEquals(Figures.of(StoredRun.lines()), Figures.of(told));
    assertEquals(told.subList(0, 2), Figures.origin(told));
    assertRefused("the first line that is no comment must be", List.of("variant,ns"));
    assertRefused("line 2 is 'latency,ffm,8,p50,fast,ns'", List.of(Csv.HEADER, "latency,ffm,8,p50,fast,ns"));
    assertRefused("line 2 is 'latency,ffm'", List.of(Csv.HEADER, "latency,ffm"));
    assertRefused("latency of ffm at 8 bytes has no p50", List.of(Csv.HEADER, "latency,ffm,8,p99,1.0,ns"));
  }

  private static void assertRefused(String reason, List<String> lines) {
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> Figures.of(lines));
    assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
  }
}
