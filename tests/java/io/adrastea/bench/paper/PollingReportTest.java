package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.page.Curve;
import io.adrastea.bench.page.Grid;
import java.util.List;
import org.junit.jupiter.api.Test;

class PollingReportTest {
  private static Report report() {
    return new PollingReport(
        new GivenFigures(Polling.KIND)
            .add("C by source", 2, 50)
            .add("C from any source", 2, 60)
            .add("channel", 2, 7)
            .add("bitmap", 2, 2)
            .add("counters", 2, 3)
            .add("each box", 2, 4)
            .add("ffm", 2, 55)
            .add("C by source", 256, 51)
            .add("C from any source", 256, 61)
            .add("channel", 256, 8)
            .add("bitmap", 256, 3)
            .add("counters", 256, 90)
            .add("each box", 256, 200)
            .results())
        .report();
  }

  @Test
  void messagesAndLooksAreApartByTheNumberOfRanks() {
    Grid messages = report().tables().get(0);
    assertEquals(List.of("ranks", "C by source", "C from any source", "ffm"), messages.head());
    assertEquals(List.of("2", "50.0", "60.0", "55.0"), messages.rows().get(0));
    assertEquals(List.of("256", "51.0", "61.0", "-"), messages.rows().get(1));
    Grid looks = report().tables().get(1);
    assertEquals(List.of("ranks", "channel", "bitmap", "counters", "each box"), looks.head());
    assertEquals(List.of("256", "8.0", "3.0", "90.0", "200.0"), looks.rows().get(1));
  }

  @Test
  void curvesGoOverTheRanks() {
    Curve ffm = report().charts().get(0).curves().get(2);
    assertEquals("ffm", ffm.name());
    assertEquals(List.of(2.0), ffm.x());
    assertEquals(List.of(2.0, 256.0), report().charts().get(1).curves().get(0).x());
  }

  @Test
  void linesFitATerminal() {
    assertTrue(report().lines().stream().allMatch(line -> line.length() <= 100));
  }
}
