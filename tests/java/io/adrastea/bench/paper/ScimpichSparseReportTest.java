package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Figs. 9, 11 and 12 of the paper from given figures. */
class ScimpichSparseReportTest {
  private static Report report() {
    return new ScimpichSparseReport(new GivenFigures(Kind.time("scimpich-sparse"))
        .add("floor put", 8, 16_384_000)
        .add("ffm-shared put", 8, 32_768_000)
        .add("ffm/cma put", 8, 65_536_000)
        .add("openmpi-shared put", 8, 49_152_000)
        .add("mpich-create put", 8, 163_840_000)
        .add("ffm-shared get", 8, 16_384_000)
        .add("ffm-shared put by 2 ranks", 8, 125_000_000)
        .add("ffm-shared put by 8 ranks", 8, 250_000_000)
        .add("ffm-shared put", 131072, 1_000_000)
        .add("ffm-shared put by 2 ranks", 131072, 1_000_000)
        .results(), List.of(2, 8)).report(List.of("mpich-shared is left out"));
  }

  @Test
  void aRowHasTheTimeOfAnAccessAndTheBestPeers() {
    List<List<String>> rows = report().tables().get(0).rows();
    assertEquals(List.of("bytes", "floor", "ffm-shared", "ffm/cma", "openmpi-shared", "mpich-create",
        "best peer/ffm-shared (time)"), report().tables().get(0).head());
    assertEquals(List.of("8", "1000", "2000", "4000", "3000", "10000", "1.50"), rows.get(0));
    // A histogram of four digits rounds the million up.
    assertEquals(List.of("128K", "-", "1000031", "-", "-", "-", "-"), rows.get(1));
  }

  /** A walk of 256 KiB has 128 KiB in it. */
  @Test
  void theBandwidthIsThatOfAllAccesses() {
    List<List<String>> rows = report().tables().get(1).rows();
    assertEquals("125.0", rows.get(1).get(2));
  }

  @Test
  void eachNumberOfRanksHasATableAndItsPeakBesideThePapers() {
    List<List<String>> peaks = report().tables().get(6).rows();
    assertEquals(List.of(List.of("2", "125.0", "120"), List.of("8", "0.5", "62.8 to 120.8")), peaks);
    assertEquals(5, report().charts().size());
    assertEquals(2, report().charts().getLast().curves().size());
  }

  @Test
  void whatIsLeftOutAndThePaperStandBesideUs() {
    List<String> lines = report().said();
    assertEquals("mpich-shared is left out", lines.getFirst());
    assertTrue(lines.stream().allMatch(line -> line.length() <= 100), lines::toString);
    assertTrue(String.join("\n", lines).contains("5 to 28 MiB/s for 8 bytes"));
  }
}
