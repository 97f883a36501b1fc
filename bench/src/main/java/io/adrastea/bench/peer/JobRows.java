package io.adrastea.bench.peer;

import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * The rows of a table, and the sentences, of one thing that all ranks do, with one number of ranks.
 *
 * @param word its name in tables
 * @param beside what our ranks did in the same rounds, as it stands behind their names; may be empty
 * @param parts how many share the time of an exchange, by bytes
 */
public record JobRows(JobFigures figures, String word, List<String> beside, IntUnaryOperator parts) {
  /** Copies the list. */
  public JobRows {
    beside = List.copyOf(beside);
  }

  /** The names of all variants that have a column, in their order. */
  public List<String> columns() {
    return figures.variants().stream().filter(name -> !name.contains(" ")).toList();
  }

  /** The series whose ratios are told: that of our default core, or where we take no part, the best peer's. */
  private Optional<Series> base(int bytes) {
    return figures.ours().isEmpty() ? figures.bestPeer(bytes) : figures.base(bytes);
  }

  /** A row for each size: nanoseconds in the order of {@code columns}, then ratios. */
  public List<List<String>> rows(List<String> columns) {
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : figures.sizes()) {
      List<String> row = new ArrayList<>(List.of(word, "" + bytes));
      columns.forEach(variant -> row.add(nanos(variant, bytes)));
      row.add(JobFigures.text(JobFigures.ratio(base(bytes), figures.at(JobRun.FLOOR, bytes))));
      if (!figures.ours().isEmpty()) {
        row.add(JobFigures.text(JobFigures.ratio(figures.bestPeer(bytes), base(bytes))));
      }
      rows.add(row);
      beside.forEach(other -> rows.add(besides(other, bytes, columns)));
    }
    return rows;
  }

  private List<String> besides(String other, int bytes, List<String> columns) {
    List<String> row = new ArrayList<>(List.of("  " + other, "" + bytes));
    columns.forEach(variant -> row.add(nanos(KindVariant.name(variant, other), bytes)));
    row.add(JobFigures.NONE);
    if (!figures.ours().isEmpty()) {
      row.add(JobFigures.NONE);
    }
    return row;
  }

  private String nanos(String variant, int bytes) {
    return figures.at(variant, bytes)
        .map(series -> Table.number(series.nanos(50) / parts.applyAsInt(bytes)) + series.star())
        .orElse(JobFigures.NONE);
  }

  /** What each of our variants takes of the time of what it did in the same rounds, in lines. */
  public List<String> saidBeside() {
    List<String> lines = new ArrayList<>();
    for (String variant : figures.ours()) {
      for (String other : beside) {
        lines.addAll(said(variant, KindVariant.name(variant, other), "its " + other));
      }
    }
    return lines;
  }

  /**
   * What a variant takes of the time of another one, a line for each size that both have.
   *
   * @param words what the other one is
   */
  public List<String> said(String variant, String other, String words) {
    List<String> lines = new ArrayList<>();
    for (int bytes : figures.sizes()) {
      JobFigures.ratio(figures.at(variant, bytes), figures.at(other, bytes))
          .map(ratio -> told(ratio, "%d ranks, %s%s: %s takes %s of the time of %s".formatted(figures.ranks(), word,
              bytes == 0 ? "" : " of " + Sizes.text(bytes), variant, ratio, words)))
          .ifPresent(lines::add);
    }
    return lines;
  }

  /** A line with a ratio, and that it is no verdict where figures were not warm. */
  public static String told(Ratio ratio, String line) {
    return ratio.warm() ? line : line + ", " + Series.NO_VERDICT.formatted("");
  }

  /**
   * The table of several things with one number of ranks.
   *
   * @param what they are, one
   */
  public static Grid grid(String what, List<JobRows> all) {
    JobFigures first = all.get(0).figures();
    List<String> variants = all.stream().flatMap(one -> one.columns().stream()).distinct().toList();
    List<String> head = new ArrayList<>(List.of(what, "bytes"));
    variants.forEach(variant -> head.add(variant + (variant.equals(variants.get(0)) ? " [ns]" : "")));
    head.addAll(first.ours().isEmpty() ? List.of("best peer/floor")
        : List.of(first.ours().get(0) + "/floor", "best peer/" + first.ours().get(0)));
    return new Grid("%d ranks: time of one, median".formatted(first.ranks()), head,
        all.stream().flatMap(one -> one.rows(variants).stream()).toList());
  }
}
