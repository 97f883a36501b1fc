package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Results;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaysReportTest {
  private static Results results() {
    return new GivenFigures(Kind.BARRIER)
        .add("floor", 2, 100)
        .add("ffm shared variables", 2, 120)
        .add("ffm messages", 2, 300)
        .add("ffm slots", 2, 90)
        .add("floor", 4, 100)
        .add("ffm shared variables", 4, 400)
        .add("ffm messages", 4, 2600)
        .add("ffm slots", 4, 200)
        .results();
  }

  private static Report report(Results results) {
    return new WaysReport(results, BarrierExperiment.shown(Mpich2BarrierCommand.MEETINGS, Mpich2BarrierCommand.FIGURE,
        Mpich2BarrierCommand.SAID)).report();
  }

  @Test
  void aRowHasAllWaysAndTheirRatios() {
    assertEquals(
        List.of(
            List.of("2", "ffm", "0.120", "1.20", "0.300", "2.50", "0.090", "0.75"),
            List.of("4", "ffm", "0.400", "4.00", "2.600", "6.50", "0.200", "0.50")),
        report(results()).tables().get(0).rows());
  }

  @Test
  void withoutAFloorThereIsNoRatioToIt() {
    Results without =
        new GivenFigures(Kind.BARRIER)
            .add("java shared variables", 8, 1000)
            .add("java messages", 8, 2000)
            .add("java slots", 8, 900)
            .results();
    assertEquals(
        List.of(List.of("8", "java", "1.000", "-", "2.000", "2.00", "0.900", "0.90")),
        report(without).tables().get(0).rows());
  }

  @Test
  void thePaperStandsBesideUs() {
    List<String> lines = report(results()).lines();
    String text = String.join("\n", lines);
    assertTrue(text.contains("0.4 us") && text.contains("2.6 us"), text);
    assertTrue(lines.stream().allMatch(line -> line.length() <= 100), text);
  }

  @Test
  void allWaysAndTheFloorAreDrawnOverTheRanks() {
    var curves = report(results()).charts().get(0).curves();
    assertEquals(4, curves.size());
    assertEquals(List.of(2.0, 4.0), curves.get(1).x());
    assertEquals(List.of(0.12, 0.4), curves.get(1).y());
  }

  @Test
  void anAlltoallHasARowForEachSizeAndNoRoundTrips() {
    Results alltoall =
        new GivenFigures(Kind.time("mvapich-alltoall"))
            .add("ffm messages by cells", 8, 4000)
            .add("ffm messages", 8, 2000)
            .add("ffm collective", 8, 400)
            .results();
    Report report = new WaysReport(alltoall, MvapichAlltoallCommand.SHOWN).report();
    assertEquals(List.of("bytes", "core", "messages by cells [us]", "messages [us]", "ratio", "collective [us]",
        "ratio"), report.tables().get(0).head());
    assertEquals(List.of(List.of("8", "ffm", "4.000", "2.000", "0.50", "0.400", "0.10")),
        report.tables().get(0).rows());
  }
}
