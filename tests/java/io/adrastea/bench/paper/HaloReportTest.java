package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Results;
import java.util.List;
import org.junit.jupiter.api.Test;

class HaloReportTest {
  private static final Kind KIND = new Kind("halo", Kind.Figure.TIME, 1, 1, List.of());

  private static Results results() {
    return new GivenFigures(KIND)
        .add("ffm send-receive", 8, 2000)
        .add("ffm non-blocking", 8, 1500)
        .add("ffm persistent", 8, 1750)
        .add("ffm send-receive", 512, 3000)
        .add("ffm non-blocking", 512, 4000)
        .add("ffm persistent", 512, 5000)
        .results();
  }

  @Test
  void aRowHasTheTimesOfTheAlgorithmsAndTheBest() {
    Report report = HaloReport.of(results());
    assertEquals(
        List.of(
            List.of("2", "ffm", "2.00", "1.50", "1.75", "non-blocking"),
            List.of("128", "ffm", "3.00", "4.00", "5.00", "send-receive")),
        report.tables().get(0).rows());
  }

  @Test
  void thePaperStandsBesideUs() {
    List<String> lines = HaloReport.of(results()).lines();
    String text = String.join("\n", lines);
    assertTrue(
        text.contains("best by send-receive at 1, non-blocking at 1, persistent at 0 of 2"), text);
    assertTrue(text.contains("1.5 to 2.6 times faster"), text);
    assertTrue(lines.stream().allMatch(line -> line.length() <= 100), text);
  }

  @Test
  void everyAlgorithmOfACoreHasACurveOverTheTile() {
    var curves = HaloReport.of(results()).charts().get(0).curves();
    assertEquals(3, curves.size());
    assertEquals(List.of(2.0, 128.0), curves.get(0).x());
    assertEquals(List.of(2.0, 3.0), curves.get(0).y());
  }
}
