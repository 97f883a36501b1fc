package io.adrastea.bench.compare;

import io.adrastea.bench.measure.Groups;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What one kind of run found, as the peers' table: each variant beside the best of our cores and beside the floor.
 *
 * @param cores the names of our variants
 */
record Comparison(Results results, Set<String> cores) {
  private static final String NONE = "-";

  /** Our variant with the least median at that size. */
  Optional<Series> bestCore(int bytes) {
    return results.series().stream()
        .filter(one -> cores.contains(one.variant()) && one.plan().bytes() == bytes)
        .min(Comparator.comparingDouble(one -> one.nanos(50)));
  }

  /** Times slower than our best core for a time, the part of its rate for a rate. */
  Optional<Ratio> toCore(Series one) {
    boolean time = results.kind().isTime();
    return bestCore(one.plan().bytes())
        .map(
            core -> time
                ? Ratio.of(one, core)
                : Ratio.of(core, one));
  }

  /** The names of the columns. */
  List<String> head() {
    List<String> head = new ArrayList<>(List.of("variant", "bytes"));
    if (results.kind().isTime()) {
      head.addAll(List.of("p50 [ns]", "mean"));
    } else {
      head.addAll(List.of("[MB/s]", "[messages/s]"));
    }
    head.add("x best core");
    Groups groups = results.groups();
    if (groups.two()) {
      head.addAll(List.of("x floor near", "x floor far"));
    } else {
      head.add("x floor");
    }
    return head;
  }

  /** A row for each variant and size. */
  List<List<String>> rows() {
    return results.series().stream().map(this::row).toList();
  }

  private List<String> row(Series one) {
    List<String> row = new ArrayList<>(List.of(one.variant(), "" + one.plan().bytes()));
    if (results.kind().isTime()) {
      row.add(Table.number(one.nanos(50)) + one.star());
      row.add(Table.number(one.meanNanos()));
    } else {
      row.add(Table.number(one.megabytesPerSecond()) + one.star());
      row.add(String.format(Locale.ROOT, "%.0f", one.messagesPerSecond()) + one.star());
    }
    row.add(text(toCore(one)));
    if (results.groups().two()) {
      row.add(text(results.ratio(one, 0)));
      row.add(text(results.ratio(one, 1)));
    } else {
      row.add(text(results.ratio(one)));
    }
    return row;
  }

  private static String text(Optional<Ratio> ratio) {
    return ratio.map(Ratio::toString).orElse(NONE);
  }

  /** The table for a terminal, an empty line between two sizes. */
  List<String> lines() {
    Table table = new Table();
    table.row(head().toArray(String[]::new));
    String bytes = null;
    for (List<String> row : rows()) {
      if (bytes != null && !bytes.equals(row.get(1))) {
        table.row();
      }
      bytes = row.get(1);
      table.row(row.toArray(String[]::new));
    }
    return table.lines();
  }
}
