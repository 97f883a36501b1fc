package io.adrastea.bench.page;

import java.util.List;

/**
 * A self-contained page: nothing is loaded from a network, light and dark as the reader's system wants it.
 *
 * @param title the headline
 * @param notes lines below it: the machine, the method
 * @param charts the pictures
 * @param tables what stands below them
 */
public record Page(String title, List<String> notes, List<Chart> charts, List<Grid> tables) {
  /** Copies the lists. */
  public Page {
    notes = List.copyOf(notes);
    charts = List.copyOf(charts);
    tables = List.copyOf(tables);
  }

  /** The whole page as text, to be written as UTF-8. */
  public String html() {
    Palette palette = new Palette(charts);
    StringBuilder html = new StringBuilder();
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.append("<meta name=\"viewport\" content=\"width=device-width\">\n");
    html.append("<title>").append(Html.escape(title)).append("</title>\n");
    html.append("<style>\n").append(Style.sheet()).append("</style>\n</head>\n<body>\n");
    html.append("<h1>").append(Html.escape(title)).append("</h1>\n<p class=\"notes\">");
    html.append(Html.escape(String.join("\n", notes))).append("</p>\n<div class=\"charts\">\n");
    charts.forEach(chart -> html.append(new Drawing(chart, palette).figure()));
    html.append("</div>\n<div class=\"tables\">\n");
    tables.forEach(table -> html.append(table.html()));
    return html.append("</div>\n</body>\n</html>\n").toString();
  }
}
