package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InstructionReportTest {
  private static InstructionReport report() {
    Map<Counted, Double> counts = new HashMap<>();
    counts.put(new Counted("channel-box", "counted_send"), 40.25);
    counts.put(new Counted("channel-box", "counted_receive"), 60.0);
    counts.put(new Counted("channel-box-poll", "counted_send"), 41.0);
    counts.put(new Counted("channel-box-poll", "counted_poll"), 50.0);
    counts.put(new Counted("channel-box-poll", "counted_take"), 12.0);
    counts.put(new Counted("channel-queue", "counted_send"), 100.0);
    counts.put(new Counted("channel-queue", "counted_receive"), 200.0);
    counts.put(new Counted("channel-queue-poll", "counted_send"), 101.0);
    counts.put(new Counted("channel-queue-poll", "counted_poll"), 150.0);
    counts.put(new Counted("channel-queue-poll", "counted_take"), 20.0);
    assertEquals(counts.keySet(), new java.util.HashSet<>(InstructionReport.counted()));
    return new InstructionReport(counts);
  }

  @Test
  void oursStandAboveTheTablesOfThePapers() {
    List<List<String>> rows = report().report().tables().get(0).rows();
    assertEquals(List.of("ours, fastbox", "40.3", "60.0", "100.3"), rows.get(0));
    assertEquals(List.of("ours, fastbox, no BP", "41.0", "62.0", "103.0"), rows.get(1));
    assertEquals(List.of("ours, queue", "100.0", "200.0", "300.0"), rows.get(2));
    assertEquals(List.of("ours, queue, no BP", "101.0", "170.0", "271.0"), rows.get(3));
    assertTrue(rows.contains(List.of("MPICH2 2007: MPICH2 Nemesis", "241", "259", "500")));
    assertTrue(rows.contains(List.of("Nemesis 2006: MPICH2 Nemesis", "278", "815", "1093")));
  }

  @Test
  void theFiguresAreOneALine() {
    List<String> lines = report().csv();
    assertEquals("bench,variant,bytes,metric,value,unit", lines.get(0));
    assertEquals("mpich2-instructions,ours fastbox,8,send,40.25,instructions", lines.get(1));
    assertEquals("mpich2-instructions,ours queue no BP,8,receive,170.00,instructions", lines.get(8));
  }

  @Test
  void linesFitATerminal() {
    assertTrue(report().report().lines().stream().allMatch(line -> line.length() <= 100));
  }
}
