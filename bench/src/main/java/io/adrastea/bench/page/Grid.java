package io.adrastea.bench.page;

import java.util.List;

/**
 * A table: numbers are aligned to the right, the first column to the left.
 *
 * @param caption what stands above it
 */
public record Grid(String caption, List<String> head, List<List<String>> rows) {
  /** Copies the lists. */
  public Grid {
    head = List.copyOf(head);
    rows = rows.stream().map(List::copyOf).toList();
  }

  String html() {
    StringBuilder html = new StringBuilder("<table>\n");
    html.append("<caption>").append(Html.escape(caption)).append("</caption>\n");
    html.append("<thead>").append(row("th", head)).append("</thead>\n<tbody>\n");
    rows.forEach(row -> html.append(row("td", row)));
    return html.append("</tbody>\n</table>\n").toString();
  }

  private static String row(String tag, List<String> cells) {
    StringBuilder row = new StringBuilder("<tr>");
    for (String cell : cells) {
      row.append("<%s>%s</%s>".formatted(tag, Html.escape(cell), tag));
    }
    return row.append("</tr>\n").toString();
  }
}
