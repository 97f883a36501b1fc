package io.adrastea.bench.rma;

import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.peer.JobFigures;
import io.adrastea.bench.peer.JobRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was found of one access with one number of ranks.
 *
 * @param beside what our ranks did in the same rounds, as it stands behind their names; may be empty
 */
record FoundAccess(Access access, List<String> beside, JobFigures figures) {
  private static final String WITHOUT_CMA = "java"; // the core whose windows over private memory their ranks serve

  /** Copies the list. */
  FoundAccess {
    beside = List.copyOf(beside);
  }

  /** The names of all variants that have a column, in their order. */
  List<String> columns() {
    return figures.variants().stream().filter(name -> !name.contains(" ")).toList();
  }

  /** The series whose ratios are told: that of our default core, or where we take no part, the best peer's. */
  private Optional<Series> base(int bytes) {
    return figures.ours().isEmpty() ? figures.bestPeer(bytes) : figures.base(bytes);
  }

  /** A row for each size: nanoseconds of an access in the order of {@code columns}, then ratios. */
  List<List<String>> rows(List<String> columns) {
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : figures.sizes()) {
      List<String> row = new ArrayList<>(List.of(access.word(), "" + bytes));
      columns.forEach(variant -> row.add(nanos(variant, bytes)));
      row.add(JobFigures.text(JobFigures.ratio(base(bytes), figures.at(JobRun.FLOOR, bytes))));
      if (!figures.ours().isEmpty()) {
        row.add(JobFigures.text(JobFigures.ratio(figures.bestPeer(bytes), base(bytes))));
      }
      rows.add(row);
      beside.forEach(word -> rows.add(besides(word, bytes, columns)));
    }
    return rows;
  }

  private List<String> besides(String word, int bytes, List<String> columns) {
    List<String> row = new ArrayList<>(List.of("  " + word, "" + bytes));
    columns.forEach(variant -> row.add(nanos(KindVariant.name(variant, word), bytes)));
    row.add(JobFigures.NONE);
    if (!figures.ours().isEmpty()) {
      row.add(JobFigures.NONE);
    }
    return row;
  }

  /** A row for each size of a walk: what each rank moves, in MiB/s, in the order of {@code columns}. */
  List<List<String>> bandwidths(List<String> columns) {
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : access.isSparse() ? figures.sizes() : List.<Integer>of()) {
      List<String> row = new ArrayList<>(List.of(access.word(), "" + bytes));
      columns.forEach(variant -> row.add(figures.at(variant, bytes).map(series -> mebibytes(series, bytes))
          .orElse(JobFigures.NONE)));
      rows.add(row);
    }
    return rows;
  }

  private String mebibytes(Series series, int bytes) {
    return Table.number(SparseWalks.mebibytes(bytes, series.nanos(50))) + series.star();
  }

  private String nanos(String variant, int bytes) {
    return figures.at(variant, bytes)
        .map(series -> Table.number(series.nanos(50) / access.accesses(bytes)) + series.star())
        .orElse(JobFigures.NONE);
  }

  /** What each of our variants takes of what it did in the same rounds, and of the calls of the system, in lines. */
  List<String> said() {
    List<String> lines = new ArrayList<>();
    for (String variant : figures.ours()) {
      for (String word : beside) {
        line(lines, variant, KindVariant.name(variant, word), "its " + word);
      }
      boolean shared = variant.contains(Memory.SHARED.word());
      if (access.isCopy() && !shared && !variant.contains(WITHOUT_CMA)) {
        line(lines, variant, JobRun.FLOOR + "-cma", "the bare call of the system");
        line(lines, variant, JobRun.FLOOR + "-space", "the copy of the space alone");
      }
      if (access == Access.ACCUMULATE_LOCKED && shared) {
        line(lines, variant, JobRun.FLOOR, "a copy of as much");
      }
    }
    return lines;
  }

  private void line(List<String> lines, String variant, String other, String words) {
    for (int bytes : figures.sizes()) {
      JobFigures.ratio(figures.at(variant, bytes), figures.at(other, bytes))
          .map(ratio -> told(ratio, "%d ranks, %s%s: %s takes %s of the time of %s".formatted(figures.ranks(),
              access.word(), bytes == 0 ? "" : " of " + Sizes.text(bytes), variant, ratio, words)))
          .ifPresent(lines::add);
    }
  }

  private static String told(Ratio ratio, String line) {
    return ratio.warm() ? line : line + ", " + Series.NO_VERDICT.formatted("");
  }

  /** What a lock of each of our variants takes of its time with fewer ranks; nothing of other accesses. */
  List<String> saidOver(FoundAccess fewer) {
    if (access != Access.LOCK && access != Access.LOCK_ALL) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    for (String variant : figures.ours()) {
      JobFigures.ratio(figures.at(variant, 0), fewer.figures.at(variant, 0))
          .map(ratio -> told(ratio, "%d ranks, %s: %s takes %s of its time with %d ranks; it is to be the same"
              .formatted(figures.ranks(), access.word(), variant, ratio, fewer.figures.ranks())))
          .ifPresent(lines::add);
    }
    return lines;
  }
}
