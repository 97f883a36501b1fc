package io.adrastea.bench.page;

import java.util.List;
import java.util.Set;

/**
 * A self-contained page: nothing is loaded from a network, light and dark as the reader's system wants it. Each series
 * can be switched off. Ratio charts come first, and all else is folded below them.
 *
 * @param title the headline
 * @param lead lines below it
 * @param ratios what answers at a glance
 * @param charts the pictures
 * @param tables what stands below them
 * @param notes lines at the end: the machine, the method
 * @param off names of series that are switched off at first; none: a page of many series begins with few of them
 */
public record Page(
    String title,
    List<String> lead,
    List<RatioChart> ratios,
    List<Chart> charts,
    List<Grid> tables,
    List<String> notes,
    Set<String> off) {
  /** Copies the lists. */
  public Page {
    lead = List.copyOf(lead);
    ratios = List.copyOf(ratios);
    charts = List.copyOf(charts);
    tables = List.copyOf(tables);
    notes = List.copyOf(notes);
    off = Set.copyOf(off);
  }

  /** A page that begins with few series. */
  public Page(
      String title, List<String> lead, List<RatioChart> ratios, List<Chart> charts, List<Grid> tables,
      List<String> notes) {
    this(title, lead, ratios, charts, tables, notes, Set.of());
  }

  /** A page without ratio charts, whose machine and method stand above its pictures. */
  public Page(String title, List<String> lead, List<Chart> charts, List<Grid> tables) {
    this(title, lead, List.of(), charts, tables, List.of());
  }

  /** The whole page as text, to be written as UTF-8. */
  public String html() {
    Palette palette = new Palette(ratios, charts);
    StringBuilder html = new StringBuilder();
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.append("<meta name=\"viewport\" content=\"width=device-width\">\n");
    html.append("<title>").append(Html.escape(title)).append("</title>\n");
    html.append("<style>\n").append(Style.sheet());
    html.append(palette.rules()).append("</style>\n</head>\n<body>\n");
    html.append("<h1>").append(Html.escape(title)).append("</h1>\n").append(lines(lead));
    html.append(palette.switches(off.isEmpty() ? palette.asides() : off));
    if (!ratios.isEmpty()) {
      html.append("<div class=\"charts\">\n");
      ratios.forEach(chart -> html.append(RatioDrawing.figure(chart, palette)));
      html.append("</div>\n");
    }
    html.append(folded("Curves and percentiles", pictures(palette)));
    html.append(folded("Figures", grids()));
    return html.append(lines(notes)).append("</body>\n</html>\n").toString();
  }

  private static String lines(List<String> lines) {
    return lines.isEmpty() ? "" : "<p class=\"notes\">" + Html.escape(String.join("\n", lines)) + "</p>\n";
  }

  /** What stands open on a page without ratio charts. */
  private String folded(String summary, String content) {
    if (content.isEmpty() || ratios.isEmpty()) {
      return content;
    }
    return "<details>\n<summary>" + summary + "</summary>\n" + content + "</details>\n";
  }

  private String pictures(Palette palette) {
    if (charts.isEmpty()) {
      return "";
    }
    StringBuilder pictures = new StringBuilder("<div class=\"charts\">\n");
    charts.forEach(chart -> pictures.append(Drawing.figure(chart, palette)));
    return pictures.append("</div>\n").toString();
  }

  private String grids() {
    if (tables.isEmpty()) {
      return "";
    }
    StringBuilder html = new StringBuilder("<div class=\"tables\">\n");
    tables.forEach(table -> html.append(table.html()));
    return html.append("</div>\n").toString();
  }
}
