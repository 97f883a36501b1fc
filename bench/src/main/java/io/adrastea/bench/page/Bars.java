package io.adrastea.bench.page;

import io.adrastea.bench.page.RatioChart.Point;
import io.adrastea.bench.page.RatioChart.RatioCurve;
import java.util.List;

/**
 * A chart with one size, or one case: a curve of one point shows nothing, so each series has a bar with its name and
 * its figure. A series that is switched off leaves no gap.
 */
final class Bars {
  private static final double WHOLE = 100; // percent

  private final Palette palette;
  private final StringBuilder html = new StringBuilder();

  private Bars(Palette palette) {
    this.palette = palette;
  }

  /** Whether all points of a chart are of one size. */
  static boolean fit(Chart chart) {
    return chart.curves().stream().flatMap(curve -> curve.x().stream()).distinct().count() == 1;
  }

  /** Bars from 0 on. */
  static String figure(Chart chart, Palette palette) {
    Bars bars = new Bars(palette);
    double x = chart.curves().stream().flatMap(curve -> curve.x().stream()).findFirst().orElseThrow();
    bars.begin("bars", chart.title(), "%s: %s; %s".formatted(chart.x().label(), plain(x), chart.y().label()));
    List<Curve> curves = chart.curves().stream().filter(curve -> !curve.x().isEmpty()).toList();
    double most = curves.stream().mapToDouble(curve -> curve.y().get(0)).max().orElse(1);
    for (Curve curve : curves) {
      double value = curve.y().get(0);
      boolean starred = !curve.starred().isEmpty();
      bars.bar(curve.name(), "", plain(x), plain(value), starred, 0, value / most * WHOLE, "");
    }
    return bars.end();
  }

  /** Bars from 1 on, to the right where a series takes longer than the base, with the range of the middle half. */
  static String figure(RatioChart chart, RatioDrawing.Range range, Palette palette) {
    Bars bars = new Bars(palette);
    String base = chart.base();
    bars.begin("bars ratio", chart.title(), "%s: %s; left of the line faster than %s, right of it slower"
        .formatted(chart.unit(), chart.columns().get(0), base));
    double one = range.part(1) * WHOLE;
    for (RatioCurve curve : chart.curves()) {
      if (!curve.points().isEmpty()) {
        Point point = curve.points().get(0);
        double end = range.part(point.median()) * WHOLE;
        double low = range.part(point.low()) * WHOLE;
        double high = range.part(point.high()) * WHOLE;
        String marks = "<span class=\"one\" style=\"left:%s%%\"></span><span class=\"range\" style=\"%s\"></span>"
            .formatted(Html.number(one), place(low, high));
        bars.bar(curve.name(), curve.name().equals(base) ? " base" : "", chart.columns().get(0),
            RatioDrawing.times(point.median()), point.starred(), Math.min(one, end), Math.max(one, end), marks);
      }
    }
    return bars.end();
  }

  private void begin(String look, String title, String below) {
    html.append("<figure class=\"%s\">\n<figcaption>%s</figcaption>\n<p class=\"axis\">%s</p>\n"
        .formatted(look, Html.escape(title), Html.escape(below)));
  }

  private void bar(String name, String look, String column, String value, boolean starred, double from, double to,
      String marks) {
    html.append("<div class=\"bar curve %s%s%s\" data-curve=\"%s\" data-points=\"1\" title=\"%s, %s: %s\">".formatted(
        palette.look(name), look, Html.starred(starred), Html.escape(name), Html.escape(name), Html.escape(column),
        value + Html.star(starred)));
    html.append("<span class=\"name\">%s</span><span class=\"track\"><span class=\"fill\" style=\"%s\"></span>%s</span>"
        .formatted(Html.escape(name), place(from, to), marks));
    html.append("<span class=\"value\">%s</span></div>\n".formatted(value + Html.star(starred)));
  }

  private static String place(double from, double to) {
    return "left:%s%%;width:%s%%".formatted(Html.number(from), Html.number(to - from));
  }

  private static String plain(double value) {
    return Html.number(value).replaceAll("\\.0$", "");
  }

  private String end() {
    return html.append("</figure>\n").toString();
  }
}
