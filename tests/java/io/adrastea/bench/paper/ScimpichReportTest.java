package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.datatypes.Noncontig;
import io.adrastea.bench.page.Curve;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScimpichReportTest {
  private static Report report() {
    return ScimpichReport.of(
        new GivenFigures(Noncontig.KIND)
            .add("ffm contiguous", 16, 250_000)
            .add("ffm by type", 16, 500_000)
            .add("ffm packed", 16, 1_000_000)
            .add("mpich contiguous", 16, 250_000)
            .add("mpich by type", 16, 2_500_000)
            .add("ffm contiguous", 128, 250_000)
            .add("ffm by type", 128, 200_000)
            .results(),
        List.of("openmpi is left out"));
  }

  @Test
  void bandwidthsStandBesideWhatThePaperStates() {
    assertEquals(
        List.of(
            List.of("16", "ffm", "1000", "500.0", "250.0", "0.50", "2.00", "2 x generic, from here on"),
            List.of("16", "mpich", "1000", "100.0", "-", "0.100", "-", ""),
            List.of("128", "ffm", "1000", "1250", "-", "1.25", "-", "0.90, and more from here on"),
            List.of("128", "mpich", "-", "-", "-", "-", "-", "")),
        report().tables().get(0).rows());
    assertEquals("openmpi is left out", report().said().get(0));
  }

  @Test
  void aCurveOfTheBandwidthAndOneOfItsPartOfOnePieceAreDrawn() {
    assertEquals(
        List.of("ffm contiguous", "ffm by type", "ffm packed", "mpich contiguous", "mpich by type"),
        report().charts().get(0).curves().stream().map(Curve::name).toList());
    Curve part = report().charts().get(1).curves().get(0);
    assertEquals(List.of(16.0, 128.0), part.x());
    assertEquals(0.5, part.y().get(0), 1e-4);
    assertEquals(1.25, part.y().get(1), 1e-4);
  }

  @Test
  void linesFitATerminal() {
    assertTrue(report().lines().stream().allMatch(line -> line.length() <= 120));
  }
}
