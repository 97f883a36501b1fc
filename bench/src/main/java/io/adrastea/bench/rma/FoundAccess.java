package io.adrastea.bench.rma;

import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.peer.JobFigures;
import io.adrastea.bench.peer.JobRows;
import io.adrastea.bench.peer.JobRun;
import java.util.ArrayList;
import java.util.List;

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

  /** Its rows and sentences. */
  JobRows rows() {
    return new JobRows(figures, access.word(), beside, access::accesses);
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

  /** What each of our variants takes of what it did in the same rounds, and of the calls of the system, in lines. */
  List<String> said() {
    JobRows rows = rows();
    List<String> lines = new ArrayList<>(rows.saidBeside());
    for (String variant : figures.ours()) {
      boolean shared = variant.contains(Memory.SHARED.word());
      if (access.isCopy() && !shared && !variant.contains(WITHOUT_CMA)) {
        lines.addAll(rows.said(variant, JobRun.FLOOR + "-cma", "the bare call of the system"));
        lines.addAll(rows.said(variant, JobRun.FLOOR + "-space", "the copy of the space alone"));
      }
      if (access == Access.ACCUMULATE_LOCKED && shared) {
        lines.addAll(rows.said(variant, JobRun.FLOOR, "a copy of as much"));
      }
    }
    return lines;
  }

  /** What a lock of each of our variants takes of its time with fewer ranks; nothing of other accesses. */
  List<String> saidOver(FoundAccess fewer) {
    if (access != Access.LOCK && access != Access.LOCK_ALL) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    for (String variant : figures.ours()) {
      JobFigures.ratio(figures.at(variant, 0), fewer.figures.at(variant, 0))
          .map(ratio -> JobRows.told(ratio, "%d ranks, %s: %s takes %s of its time with %d ranks; it is to be the same"
              .formatted(figures.ranks(), access.word(), variant, ratio, fewer.figures.ranks())))
          .ifPresent(lines::add);
    }
    return lines;
  }
}
