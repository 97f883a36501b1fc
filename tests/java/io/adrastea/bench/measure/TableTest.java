package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.page.Grid;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void alignsNamesLeftAndFiguresRight() {
    Table table = new Table();
    table.row("name", "ns");
    table.row();
    table.row("a", "1234");
    assertEquals(List.of("name    ns", "", "a     1234"), table.lines());
  }

  @Test
  void aGridStandsBelowAnEmptyLineAndItsCaption() {
    Grid grid = new Grid("time of a call", List.of("name", "ns"), List.of(List.of("a", "1234")));
    assertEquals(List.of("", "time of a call", "name    ns", "a     1234"), Table.text(grid));
  }

  @Test
  void groupsLatencyBySizeWithRatiosBeside() {
    Results results =
        Given.results(
            Kind.LATENCY,
            Given.series(Kind.LATENCY, "floor", 0, 40, 40),
            Given.series(Kind.LATENCY, "ffm", 0, 80, 80),
            Given.series(Kind.LATENCY, "ffm", 8, 2000, 2000));
    assertEquals(
        List.of(
            "variant  bytes  batch  p50 [ns]   p99  p99.9   max  mean      x floor",
            "floor        0     10      40.0  40.0   40.0  40.0  40.0  1.00 +-0.00",
            "ffm          0     10      80.0  80.0   80.0  80.0  80.0  2.00 +-0.00",
            "",
            "ffm          8     10      2000  2000   2000  2000  2000            -"),
        Table.of(results).lines());
  }

  @Test
  void bandwidthShowsRatesWithUnits() {
    Results results =
        Given.results(Kind.BANDWIDTH, Given.series(Kind.BANDWIDTH, "java", 1000, 100));
    assertEquals(
        List.of(
            "variant  bytes  batch  [MB/s]  [messages/s]  p50 [ns]    p99  p99.9    max  x floor",
            "java      1000     10   10000      10000000     100.0  100.0  100.0  100.0        -"),
        Table.of(results).lines());
  }

  @Test
  void twoPlacementsOfTheCpusHaveARatioEach() {
    Results results =
        Given.results(
            Kind.LATENCY,
            Given.series(Kind.LATENCY, "floor", 8, 40, 200, 40),
            Given.series(Kind.LATENCY, "ffm", 8, 80, 600, 80));
    List<String> lines = Table.of(results).lines();
    assertTrue(lines.get(0).matches(".* x near +x far"), lines.get(0));
    assertTrue(lines.get(2).matches("ffm .* 2.00 \\+-0.00 +3.00"), lines.get(2));
  }

  @Test
  void fitsIn100Columns() {
    Series wide = Given.series(Kind.LATENCY, "ffm-java", 1 << 30, 999_999_999, 999_999_999);
    for (String line : Table.of(Given.results(Kind.LATENCY, wide)).lines()) {
      assertTrue(line.length() <= 100, line);
    }
  }

  @Test
  void figuresHaveADecimalOnlyBelow1000() {
    assertEquals("999.9", Table.number(999.94));
    assertEquals("1000", Table.number(999.96));
    assertEquals("0.0", Table.number(0));
  }
}
