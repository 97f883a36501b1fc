package io.adrastea.bench.measure;

import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lines of cells, aligned: the first column to the left, the others to the right. */
public final class Table {
  private static final String GAP = "  ";

  private final List<String[]> rows = new ArrayList<>();

  /** Adds a line; no cells make an empty one. */
  public void row(String... cells) {
    rows.add(cells);
  }

  public List<String> lines() {
    int[] widths = widths();
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private int[] widths() {
    int[] widths = new int[rows.stream().mapToInt(row -> row.length).max().orElse(0)];
    for (String[] row : rows) {
      for (int column = 0; column < row.length; column++) {
        widths[column] = Math.max(widths[column], row[column].length());
      }
    }
    return widths;
  }

  private static String line(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.length; column++) {
      String pad = " ".repeat(widths[column] - row[column].length());
      line.append(column == 0 ? row[column] + pad : GAP + pad + row[column]);
    }
    return line.toString().stripTrailing();
  }

  /** A figure with as many digits as it deserves: one decimal below 1000, then none. */
  public static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 999.95 ? "%.1f" : "%.0f", value);
  }

  /** The results, grouped by size; a ratio for each placement of the CPUs that was met. */
  public static Table of(Results results) {
    Table table = new Table();
    table.row(head(results));
    int bytes = -1;
    for (Series series : results.series()) {
      if (series.plan().bytes() != bytes && bytes >= 0) {
        table.row();
      }
      bytes = series.plan().bytes();
      table.row(cells(results, series));
    }
    return table;
  }

  /** A grid as lines: an empty one, the caption, the head and the rows. */
  public static List<String> text(Grid grid) {
    Table table = new Table();
    table.row(grid.head().toArray(String[]::new));
    grid.rows().forEach(row -> table.row(row.toArray(String[]::new)));
    List<String> text = new ArrayList<>(List.of("", grid.caption()));
    text.addAll(table.lines());
    return text;
  }

  /** The line above {@link #cells}. */
  static String[] head(Results results) {
    List<String> head = new ArrayList<>(List.of("variant", "bytes", "batch"));
    if (!results.kind().isTime()) {
      head.addAll(List.of("[MB/s]", "[messages/s]"));
      if (manyPairs(results)) {
        head.add("of all pairs");
      }
    }
    head.addAll(List.of("p50 [ns]", "p99", "p99.9", "max"));
    if (results.kind().isTime()) {
      head.add("mean");
    }
    head.addAll(results.groups().two() ? List.of("x near", "x far") : List.of("x floor"));
    return head.toArray(String[]::new);
  }

  /** One series. */
  static String[] cells(Results results, Series series) {
    List<String> cells =
        new ArrayList<>(
            List.of(
                series.variant(), "" + series.plan().bytes(), "" + series.plan().exchanges()));
    if (!results.kind().isTime()) {
      cells.add(number(series.megabytesPerSecond()) + series.star());
      cells.add(whole(series.messagesPerSecond()) + series.star());
      if (manyPairs(results)) {
        cells.add(whole(series.messagesPerSecond() * series.pairs()));
      }
    }
    for (double percentile : new double[] {50, 99, 99.9, 100}) {
      cells.add(number(series.nanos(percentile)) + (percentile == 50 ? series.star() : ""));
    }
    if (results.kind().isTime()) {
      cells.add(number(series.meanNanos()));
    }
    for (int group = 0; group < Math.max(1, results.groups().rounds().size()); group++) {
      cells.add(ratio(results, series, group));
    }
    return cells.toArray(String[]::new);
  }

  private static boolean manyPairs(Results results) {
    return results.series().stream().anyMatch(series -> series.pairs() > 1);
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }

  private static String ratio(Results results, Series series, int group) {
    Optional<Ratio> ratio =
        results.groups().two() ? results.ratio(series, group) : results.ratio(series);
    return ratio.map(Ratio::toString).orElse("-");
  }
}
