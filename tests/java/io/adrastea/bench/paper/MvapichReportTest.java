package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.CpuPair;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.page.Grid;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MvapichReportTest {
  private static final PoolSettings SETTINGS = new PoolSettings(8192, 1 << 20);
  private static final CpuPair NEAR = new CpuPair(CpuPair.Distance.NEAR, 0, 1);
  private static final CpuPair FAR = new CpuPair(CpuPair.Distance.FAR, 0, 2);
  private static final List<Misses> MISSES =
      List.of(new Misses(PoolWay.PAIR, PoolWay.Move.STREAM, 65536, 2048.25, 1024));

  /** Every way takes 100 ns for each place in the order of ways, and ten times that where CPUs are far. */
  private static Results results(List<CpuPair> pairs) {
    GivenFigures figures = new GivenFigures(MvapichCommand.KIND).add("floor", 8192, 50);
    for (CpuPair pair : pairs) {
      for (PoolWay.Move move : PoolWay.Move.values()) {
        for (PoolWay way : PoolWay.values()) {
          if (SETTINGS.measures(way, 8192)) {
            long nanos = 100L * (1 + way.ordinal()) * (pair.equals(FAR) ? 10 : 1);
            figures.add(MvapichReport.name(way, move, pair, pairs), 8192, nanos);
          }
        }
      }
    }
    return figures.results();
  }

  private static MvapichReport report(List<CpuPair> pairs, List<Misses> misses) {
    List<NodeMemory> memory = Stream.of(2, 128).map(ranks -> NodeMemory.of(ranks, SETTINGS)).toList();
    return new MvapichReport(results(pairs), pairs, memory, misses, SETTINGS);
  }

  @Test
  void timesRatesAndRatiosStandByWay() {
    List<Grid> tables = report(List.of(NEAR), List.of()).report().tables();
    assertEquals(
        List.of("8192", "100.0", "200.0", "300.0", "-", "-", "-", "-", "800.0", "900.0"), tables.get(0).rows().get(0));
    assertEquals("81920", tables.get(1).rows().get(0).get(1), "MB/s of 8192 bytes in 100 ns");
    assertEquals(List.of("8192", "2.00", "3.00", "-", "-", "-", "-", "8.00", "9.00"), tables.get(2).rows().get(0));
    assertEquals("pool k=1", tables.get(3).head().get(2));
  }

  @Test
  void nearAndFarEachHaveTheirTables() {
    Report report = report(List.of(NEAR, FAR), List.of()).report();
    assertEquals("100.0", report.tables().get(0).rows().get(0).get(1));
    assertEquals("1000", report.tables().get(4).rows().get(0).get(1));
    String caption = report.tables().get(4).caption();
    assertTrue(caption.contains("far (MVAPICH 2006, Figs. 7, 12)"), caption);
    assertTrue(report.said().stream().anyMatch(line -> line.startsWith("CPUs 0 and 2, far")));
  }

  @Test
  void oneDistanceAloneIsSaidToBeAlone() {
    List<String> said = report(List.of(NEAR), MISSES).report().said();
    assertTrue(said.contains("  there is no pair of another distance among the CPUs of this run"), said::toString);
  }

  @Test
  void memoryStandsByRanks() {
    Grid memory = report(List.of(NEAR), List.of()).report().tables().get(4);
    assertEquals(List.of("2", "2.0", "2.1"), memory.rows().get(0).subList(0, 3));
    assertEquals(List.of("128", "16256", "636.0"), memory.rows().get(1).subList(0, 3));
  }

  @Test
  void missesStandInATableOrWhatIsMissingIsSaid() {
    Report counted = report(List.of(NEAR), MISSES).report();
    assertEquals(
        List.of("pair buffer stream", "65536", "2048", "1024"), counted.tables().get(5).rows().get(0));
    assertTrue(counted.said().stream().noneMatch(line -> line.contains("the package valgrind")));
    Report not = report(List.of(NEAR), List.of()).report();
    assertEquals(5, not.tables().size());
    assertTrue(not.said().get(0).contains("the package valgrind"), not.said().get(0));
  }

  @Test
  void theFiguresAreOneALine() {
    List<String> lines = report(List.of(NEAR), MISSES).csv();
    for (String line : List.of(
        "mvapich,cells latency,8192,p50,100.00,ns",
        "mvapich,pair buffer stream,8192,p50,900.00,ns",
        "mvapich,pair buffers,128,memory,17045651456,bytes",
        "mvapich,pair buffer stream,65536,first_misses,2048.25,misses",
        "mvapich,pair buffer stream,65536,last_misses,1024.00,misses")) {
      assertTrue(lines.contains(line), line);
    }
  }

  @Test
  void linesFitATerminal() {
    for (String line : report(List.of(NEAR, FAR), MISSES).report().lines()) {
      assertTrue(line.length() <= 110, line);
    }
  }
}
