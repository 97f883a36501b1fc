package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What queue, shadow head and fastbox cost and bring, beside what [Nemesis 2006] says. */
final class NemesisQueueReport {
  private static final String UNKNOWN = "-";

  private static final List<String> SAID =
      List.of(
          "Instructions are those that a caller adds to an inlined enqueue or dequeue, and those of a",
          "  call of send or receive with its arguments, when the message is there already; averages",
          "  of 1000 by callgrind. Ours check each offset read from shared memory before they use it,",
          "  add the address of the mapping to it (Nemesis 2006: \"an extra translation\") and tell errors.",
          "One way is half a round trip between two processes in C; a gain is over the line above,",
          "  the median of the differences within each round.",
          "Nemesis 2006: dual 2 GHz Xeon; 6 instructions for an enqueue, 11 for a dequeue; the shadow head",
          "  saves about 200 ns of a message's way, the fastbox about 500 ns.");

  /** A row of the first table. */
  private record Operation(String title, String state, String function, String paper) {
    Counted in(String program) {
      return new Counted(program, state, function);
    }
  }

  private static final List<Operation> OPERATIONS =
      List.of(
          new Operation("enqueue, others in the queue", "queue-busy", "counted_enqueue", "6"),
          new Operation("enqueue, queue empty", "queue-empty", "counted_enqueue", "6"),
          new Operation("dequeue, others in the queue", "queue-busy", "counted_dequeue", "11"),
          new Operation("dequeue, the last one", "queue-empty", "counted_dequeue", "11"));

  private final Results results;
  private final Figures figures;
  private final Map<Counted, Double> counts;

  /**
   * @param counts empty when nothing could be counted
   */
  NemesisQueueReport(Results results, Map<Counted, Double> counts) {
    this.results = results;
    this.figures = new Figures(results);
    this.counts = counts;
  }

  /** All that is to be counted. */
  static List<Counted> counted() {
    List<Counted> all = new ArrayList<>();
    for (Operation operation : OPERATIONS) {
      all.add(operation.in(Counted.PLAIN));
      all.add(operation.in(Counted.PROGRAM));
    }
    for (Way way : Way.values()) {
      all.add(way.send());
      all.add(way.receive());
    }
    return all;
  }

  Report report() {
    List<String> said = new ArrayList<>();
    if (counts.isEmpty()) {
      said.add(Callgrind.MISSING);
    }
    said.addAll(SAID);
    return new Report(List.of(operations(), messages()), List.of(), said);
  }

  private Grid operations() {
    List<List<String>> rows =
        OPERATIONS.stream()
            .map(
                operation -> List.of(
                    operation.title,
                    count(operation.in(Counted.PLAIN)),
                    count(operation.in(Counted.PROGRAM)),
                    operation.paper))
            .toList();
    return new Grid(
        "Without contention (Nemesis 2006, section 2.1.2): instructions",
        List.of("operation", "without shadow head", "with", "Nemesis 2006"),
        rows);
  }

  private Grid messages() {
    List<List<String>> rows = new ArrayList<>();
    Way before = null;
    for (Way way : Way.values()) {
      rows.add(
          List.of(
              way.title(),
              count(way.send()),
              count(way.receive()),
              counts.isEmpty() ? UNKNOWN : number(counts.get(way.send()) + counts.get(way.receive())),
              Table.number(series(way).nanos(50)),
              results.ratio(series(way)).map(Ratio::toString).orElse(UNKNOWN),
              before == null ? UNKNOWN : Table.number(gain(before, way)),
              way.gain()));
      before = way;
    }
    return new Grid(
        "A message of 8 bytes (Nemesis 2006, sections 3.1 and 3.2)",
        List.of("way", "send [instr.]", "receive", "both", "one way [ns]", "x floor", "gain [ns]", "Nemesis 2006 [ns]"),
        rows);
  }

  private Series series(Way way) {
    return figures.at(way.title(), NemesisQueueCommand.BYTES).orElseThrow();
  }

  private double gain(Way before, Way after) {
    List<Double> slow = series(before).medians();
    List<Double> fast = series(after).medians();
    double[] gains =
        IntStream.range(0, slow.size()).mapToDouble(i -> slow.get(i) - fast.get(i)).sorted().toArray();
    return (gains[(gains.length - 1) / 2] + gains[gains.length / 2]) / 2;
  }

  private String count(Counted what) {
    return counts.isEmpty() ? UNKNOWN : number(counts.get(what));
  }

  private static String number(double count) {
    return Table.number(count);
  }
}
