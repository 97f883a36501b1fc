package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.page.Curve;
import java.util.List;
import org.junit.jupiter.api.Test;

class NetpipeReportTest {
  private static Report report() {
    return NetpipeReport.of(
        new GivenFigures(Kind.LATENCY)
            .add("floor", 0, 50)
            .add("ffm", 0, 200)
            .add("floor", 128, 60)
            .add("ffm", 128, 250)
            .add("ffm", 1 << 20, 100_000)
            .results());
  }

  @Test
  void latencyStandsBesideThePapers() {
    assertEquals(
        List.of(
            List.of("0", "50.0", "200.0", "341"),
            List.of("128", "60.0", "250.0", "just over 500")),
        report().tables().get(0).rows());
  }

  @Test
  void bandwidthIsBytesOverTheOneWayTime() {
    List<List<String>> rows = report().tables().get(1).rows();
    assertEquals(List.of("1048576", "-", "10000", "peak over 1500"), rows.get(1));
    assertEquals("128", rows.get(0).get(0)); // there is no bandwidth of nothing
  }

  @Test
  void thereIsNoPeakAmongSmallMessages() {
    Report small = NetpipeReport.of(new GivenFigures(Kind.LATENCY).add("ffm", 8, 200).results());
    assertEquals("-", small.tables().get(1).rows().get(0).get(2));
  }

  @Test
  void latencyIsDrawnTo64BytesAndTheFloorAsAReference() {
    List<Curve> curves = report().charts().get(0).curves();
    assertEquals(List.of("floor", "ffm"), curves.stream().map(Curve::name).toList());
    assertTrue(curves.get(0).reference());
    assertEquals(List.of(0.0), curves.get(1).x());
    assertEquals(List.of(128.0, 1048576.0), report().charts().get(1).curves().get(1).x());
  }

  @Test
  void linesFitATerminal() {
    assertTrue(report().lines().stream().allMatch(line -> line.length() <= 100));
  }
}
