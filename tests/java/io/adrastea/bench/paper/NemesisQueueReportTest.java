package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Results;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NemesisQueueReportTest {
  private static Results results() {
    return new GivenFigures(Kind.LATENCY)
        .add("floor", 8, 50)
        .add("queue without shadow head", 8, 300)
        .add("queue", 8, 250)
        .add("fastbox", 8, 75)
        .results();
  }

  /** Every count another one. */
  private static Map<Counted, Double> counts() {
    Map<Counted, Double> counts = new HashMap<>();
    for (Counted one : NemesisQueueReport.counted()) {
      counts.put(one, 10.0 + counts.size());
    }
    return counts;
  }

  @Test
  void queueOperationsStandBesideThePapers() {
    List<List<String>> rows = new NemesisQueueReport(results(), counts()).report().tables().get(0).rows();
    assertEquals(List.of("enqueue, others in the queue", "10.0", "11.0", "6"), rows.get(0));
    assertEquals(List.of("dequeue, the last one", "16.0", "17.0", "11"), rows.get(3));
  }

  @Test
  void eachWayHasItsCountsItsTimeAndItsGainOverTheWayBefore() {
    List<List<String>> rows = new NemesisQueueReport(results(), counts()).report().tables().get(1).rows();
    assertEquals(
        List.of("queue without shadow head", "18.0", "19.0", "37.0", "300.0"), rows.get(0).subList(0, 5));
    assertEquals(List.of("-", "-"), rows.get(0).subList(6, 8));
    assertEquals(List.of("queue", "20.0", "21.0", "41.0", "250.0"), rows.get(1).subList(0, 5));
    assertEquals(List.of("50.0", "200"), rows.get(1).subList(6, 8));
    assertTrue(rows.get(1).get(5).startsWith("5.00"), rows.get(1)::toString);
    assertEquals(List.of("fastbox", "22.0", "23.0", "45.0", "75.0"), rows.get(2).subList(0, 5));
    assertEquals(List.of("175.0", "500"), rows.get(2).subList(6, 8));
  }

  @Test
  void withoutCountsTheTimesStayAndWhatIsMissingIsSaid() {
    Report report = new NemesisQueueReport(results(), Map.of()).report();
    assertEquals(List.of("-", "-", "6"), report.tables().get(0).rows().get(0).subList(1, 4));
    assertEquals(
        List.of("fastbox", "-", "-", "-", "75.0"), report.tables().get(1).rows().get(2).subList(0, 5));
    assertTrue(report.said().get(0).contains("the package valgrind"), report.said()::toString);
  }

  @Test
  void linesFitATerminal() {
    for (String line : new NemesisQueueReport(results(), counts()).report().lines()) {
      assertTrue(line.length() <= 110, line);
    }
  }
}
