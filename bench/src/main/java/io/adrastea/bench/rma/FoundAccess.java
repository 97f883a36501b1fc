package io.adrastea.bench.rma;

import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What was found of one access with one number of ranks.
 *
 * @param ours the names of our variants, that of the default core first; may be empty
 * @param peers the names of those beside us
 */
record FoundAccess(Access access, int ranks, Results results, List<String> ours, List<String> peers) {
  private static final String NONE = "-";

  /** Copies the lists. */
  FoundAccess {
    ours = List.copyOf(ours);
    peers = List.copyOf(peers);
  }

  private List<Integer> sizes() {
    return results.series().stream().map(one -> one.plan().bytes()).distinct().toList();
  }

  /** The names of all variants, in their order. */
  List<String> variants() {
    return results.series().stream().map(Series::variant).distinct().toList();
  }

  private Optional<Series> at(String variant, int bytes) {
    return results.series().stream()
        .filter(one -> one.variant().equals(variant) && one.plan().bytes() == bytes)
        .findFirst();
  }

  private Optional<Series> best(List<String> variants, int bytes) {
    return variants.stream().flatMap(variant -> at(variant, bytes).stream())
        .min(Comparator.comparingDouble(one -> one.nanos(50)));
  }

  /** The series whose ratios are told: that of our default core, or where we take no part, the best peer's. */
  private Optional<Series> base(int bytes) {
    return ours.stream().findFirst().map(name -> at(name, bytes)).orElseGet(() -> best(peers, bytes));
  }

  private static String ratio(Optional<Series> over, Optional<Series> under) {
    return over.isPresent() && under.isPresent() ? Ratio.of(over.get(), under.get()).toString() : NONE;
  }

  /** A row for each size: nanoseconds of an access in the order of {@code columns}, then ratios. */
  List<List<String>> rows(List<String> columns) {
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : sizes()) {
      List<String> row = new ArrayList<>(List.of(access.word(), "" + bytes));
      columns.forEach(variant -> row.add(at(variant, bytes).map(series -> nanos(series, bytes)).orElse(NONE)));
      row.add(ratio(base(bytes), at(FloorVariant.NAME, bytes)));
      if (!ours.isEmpty()) {
        row.add(ratio(best(peers, bytes), base(bytes)));
      }
      rows.add(row);
    }
    return rows;
  }

  /** A row for each size of a walk: what each rank moves, in MiB/s, in the order of {@code columns}. */
  List<List<String>> bandwidths(List<String> columns) {
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : access.isSparse() ? sizes() : List.<Integer>of()) {
      List<String> row = new ArrayList<>(List.of(access.word(), "" + bytes));
      columns.forEach(variant -> row.add(at(variant, bytes).map(series -> mebibytes(series, bytes)).orElse(NONE)));
      rows.add(row);
    }
    return rows;
  }

  private String mebibytes(Series series, int bytes) {
    double walked = (double) access.accesses(bytes) * bytes / (1 << 20);
    return Table.number(walked * 1e9 / series.nanos(50)) + series.star();
  }

  private String nanos(Series series, int bytes) {
    return Table.number(series.nanos(50) / access.accesses(bytes)) + series.star();
  }

  /** Figures, one a line: the bench of a line is the access and the number of ranks, as in {@code put/2}. */
  List<String> csv() {
    return results.series().stream()
        .flatMap(one -> Csv.lines("%s/%d".formatted(access.word(), ranks), one.plan().bytes(), one).stream())
        .toList();
  }
}
