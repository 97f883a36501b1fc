package io.adrastea.cli.info;

import java.io.PrintWriter;
import java.util.List;

/**
 * A part of what is told.
 *
 * @param title its first line
 * @param rows below it, each of as many columns; the last column of a row may be of any width
 */
record Section(String title, List<List<String>> rows) {
  private static final String INDENT = "  ";
  private static final String GAP = "  ";

  void print(PrintWriter out) {
    out.println(title);
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(INDENT);
      for (int column = 0; column < row.size() - 1; column++) {
        String cell = row.get(column);
        line.append(cell).append(" ".repeat(width(column) - cell.length())).append(GAP);
      }
      out.println(line.append(row.get(row.size() - 1)).toString().stripTrailing());
    }
    out.println();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
