package io.adrastea.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines of cells, aligned: the first column to the left, the others to the right. */
final class Table {
  private static final String GAP = "  ";

  private final List<String[]> rows = new ArrayList<>();

  /** Adds a line; no cells make an empty one. */
  void row(String... cells) {
    rows.add(cells);
  }

  List<String> lines() {
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
  static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 999.95 ? "%.1f" : "%.0f", value);
  }

  /** The results, grouped by size. */
  static Table of(Results results) {
    Table table = new Table();
    boolean latency = results.kind() == Kind.LATENCY;
    table.row(latency ? LATENCY_HEADS : BANDWIDTH_HEADS);
    int bytes = -1;
    for (Series series : results.series()) {
      if (series.plan().bytes() != bytes && bytes >= 0) {
        table.row();
      }
      bytes = series.plan().bytes();
      String ratio = results.ratio(series).map(Ratio::toString).orElse("-");
      table.row(latency ? latencyCells(series, ratio) : bandwidthCells(series, ratio));
    }
    return table;
  }

  private static final String[] LATENCY_HEADS = {
    "variant", "bytes", "batch", "p50 [ns]", "p99 [ns]", "mean [ns]", "x floor"
  };
  private static final String[] BANDWIDTH_HEADS = {
    "variant", "bytes", "batch", "[MB/s]", "[messages/s]", "x floor"
  };

  private static String[] latencyCells(Series series, String ratio) {
    return new String[] {
      series.variant(),
      "" + series.plan().bytes(),
      "" + series.plan().exchanges(),
      number(series.nanos(50)),
      number(series.nanos(99)),
      number(series.meanNanos()),
      ratio
    };
  }

  private static String[] bandwidthCells(Series series, String ratio) {
    return new String[] {
      series.variant(),
      "" + series.plan().bytes(),
      "" + series.plan().exchanges(),
      number(series.megabytesPerSecond()),
      String.format(Locale.ROOT, "%.0f", series.messagesPerSecond()),
      ratio
    };
  }
}
