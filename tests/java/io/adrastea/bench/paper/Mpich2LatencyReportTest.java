package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.page.Curve;
import io.adrastea.config.Tunable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class Mpich2LatencyReportTest {
  private static final int MIB = 1 << 20;

  private static Report report() {
    return new Mpich2LatencyReport(
        new GivenFigures(Kind.LATENCY)
            .add("floor", 0, 50)
            .add("line", 0, 80)
            .add("ffm", 0, 200)
            .add("ffm no bypass", 0, 230)
            .add("ffm no LMT", 0, 201)
            .add("openmpi", 0, 300)
            .add("ffm", 16384, 3000)
            .add("ffm no bypass", 16384, 3000)
            .add("ffm no LMT", 16384, 2000)
            .add("ffm", MIB, 100_000)
            .add("ffm no bypass", MIB, 100_000)
            .add("ffm no LMT", MIB, 200_000)
            .add("openmpi", MIB, 125_000)
            .results(),
        List.of("mpich is left out: it sleeps"))
        .report();
  }

  @Test
  void latencyIsShownWithAndWithoutTheBypass() {
    assertEquals(
        List.of("bytes", "floor", "ffm", "ffm no bypass", "openmpi"),
        report().tables().get(0).head());
    assertEquals(
        List.of(List.of("0", "50.0", "200.0", "230.0", "300.0")), report().tables().get(0).rows());
  }

  @Test
  void bandwidthIsShownWithAndWithoutLmt() {
    assertEquals(
        List.of("bytes", "floor", "ffm", "ffm no LMT", "openmpi"),
        report().tables().get(1).head());
    assertEquals(
        List.of("1048576", "-", "10000", "5000", "8000"), report().tables().get(1).rows().get(1));
  }

  @Test
  void theDifferencesStandBesideThePapers() {
    List<String> said = report().said();
    assertEquals("mpich is left out: it sleeps", said.get(0));
    assertEquals("ffm: the bypass saves 30.0 ns at 0 bytes (MPICH2 2007: about 62 ns at 0)", said.get(1));
    assertEquals(
        "ffm: LMT adds 5000 MiB/s at 1048576 bytes (MPICH2 2007: about 130 for large messages)",
        said.get(2));
    assertEquals("ffm: slower with LMT, in bytes: 16384 (MPICH2 2007: 16 KiB)", said.get(3));
  }

  @Test
  void nothingIsSaidOfSizesThatWereNotMeasured() {
    List<String> large =
        new Mpich2LatencyReport(
            new GivenFigures(Kind.LATENCY)
                .add("ffm", MIB, 10)
                .add("ffm no bypass", MIB, 10)
                .add("ffm no LMT", MIB, 10)
                .results(),
            List.of())
            .report()
            .said();
    assertTrue(large.stream().noneMatch(line -> line.contains("the bypass saves")), large::toString);
  }

  @Test
  void theCurvesAreThoseOfTheTables() {
    assertEquals(
        List.of("floor", "ffm", "ffm no LMT", "openmpi"),
        report().charts().get(1).curves().stream().map(Curve::name).toList());
  }

  @Test
  void whatIsSwitchedOffAreSettingsThatExist() {
    List<String> known = Tunable.all().stream().map(Tunable::property).toList();
    List<String> used = new ArrayList<>();
    for (Optimization one : Optimization.values()) {
      used.addAll(one.settings().keySet());
    }
    assertEquals(2, used.size());
    assertTrue(known.containsAll(used), used + " in " + known);
  }

  @Test
  void linesFitATerminal() {
    assertTrue(report().lines().stream().allMatch(line -> line.length() <= 100));
  }
}
