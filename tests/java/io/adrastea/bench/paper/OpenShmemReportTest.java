package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Figs. 5, 6 and 7 of the paper from given figures. */
class OpenShmemReportTest {
  private static Report report() {
    return new OpenShmemReport(new GivenFigures(Kind.time("openshmem"))
        .add("floor ping-pong", 16, 200)
        .add("floor rate of 2 PEs", 16, 1280)
        .add("ffm ping-pong", 16, 400)
        .add("ffm rate of 2 PEs", 16, 2560)
        .add("oshmem ping-pong", 16, 600)
        .add("ffm rate of 8 PEs", 16, 15360)
        .add("ffm ping-pong", 65536, 16_384)
        .results(), List.of(2, 8)).report(List.of("oshmem is left out with 8 PEs"));
  }

  /** A round trip has two ways. */
  @Test
  void aRowHasAverageLeastAndMostOfOneWay() {
    assertEquals(List.of("bytes", "floor ping-pong", "ffm ping-pong", "oshmem ping-pong", "the paper"),
        report().tables().get(0).head());
    assertEquals(List.of("16", "100.0 (100.0 to 100.0)", "200.0 (200.0 to 200.0)", "300.0 (300.0 to 300.0)",
        "about 200"), report().tables().get(0).rows().get(0));
  }

  @Test
  void theBandwidthIsThatOfOneWay() {
    assertEquals(List.of("64K", "-", "8000", "-", "-"), report().tables().get(1).rows().get(1));
  }

  /** Of two PEs each sends 128 messages, of eight 6 times as many. */
  @Test
  void theRateIsThatOfAPeWithItsPartners() {
    assertEquals(List.of("bytes", "floor rate of 2 PEs", "ffm rate of 2 PEs", "ffm rate of 8 PEs", "the paper"),
        report().tables().get(2).head());
    assertEquals(List.of(List.of("16", "100.0", "50.0", "50.0", "-")), report().tables().get(2).rows());
  }

  @Test
  void theErrorBarsOfThePaperAreCurves() {
    assertEquals(List.of("ffm ping-pong", "least", "most"),
        report().charts().get(1).curves().stream().map(curve -> curve.name()).toList());
    assertEquals(4, report().charts().size());
  }

  @Test
  void whatIsLeftOutAndThePaperStandBesideUs() {
    List<String> lines = report().said();
    assertEquals("oshmem is left out with 8 PEs", lines.getFirst());
    assertTrue(lines.stream().allMatch(line -> line.length() <= 104), lines::toString);
    assertTrue(String.join("\n", lines).contains("80 million messages of 8 bytes a second"));
  }
}
