package io.adrastea.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One chart as inline SVG, with its legend. */
final class Drawing {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;
  private static final int LEFT = 72;
  private static final int RIGHT = WIDTH - 24;
  private static final int TOP = 14;
  private static final int BOTTOM = HEIGHT - 54;

  private final Chart chart;
  private final Palette palette;
  private final Scale x;
  private final Scale y;
  private final StringBuilder svg = new StringBuilder();

  private record Point(double x, double y, boolean starred) {}

  private Drawing(Chart chart, Palette palette) {
    this.chart = chart;
    this.palette = palette;
    List<Point> all = chart.curves().stream().flatMap(curve -> points(curve).stream()).toList();
    this.x = new Scale(chart.x().base(), all.stream().map(Point::x).toList(), LEFT, RIGHT);
    this.y = new Scale(chart.y().base(), all.stream().map(Point::y).toList(), BOTTOM, TOP);
  }

  /** What of a curve has a place on these axes. */
  private List<Point> points(Curve curve) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < curve.x().size(); i++) {
      Point point = new Point(curve.x().get(i), curve.y().get(i), curve.starred().contains(curve.x().get(i)));
      if (Scale.fits(chart.x().base(), point.x) && Scale.fits(chart.y().base(), point.y)) {
        points.add(point);
      }
    }
    return points;
  }

  /** The picture with its legend; bars where all points are of one size. */
  static String figure(Chart chart, Palette palette) {
    return Bars.fit(chart) ? Bars.figure(chart, palette) : new Drawing(chart, palette).figure();
  }

  private String figure() {
    String title = Html.escape(chart.title());
    svg.append("<figure>\n<figcaption>").append(title).append("</figcaption>\n");
    svg.append(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n"
            .formatted(WIDTH, HEIGHT, title));
    x.ticks().forEach(this::verticalLine);
    y.ticks().forEach(this::horizontalLine);
    text("axis", (LEFT + RIGHT) / 2.0, HEIGHT - 12, "middle", "", chart.x().label());
    double middle = (TOP + BOTTOM) / 2.0;
    String turned = " transform=\"rotate(-90 16 %s)\"".formatted(Html.number(middle));
    text("axis", 16, middle, "middle", turned, chart.y().label());
    chart.curves().forEach(this::curve);
    svg.append("</svg>\n");
    legend();
    return svg.append("</figure>\n").toString();
  }

  private void verticalLine(Scale.Tick tick) {
    double place = x.at(tick.value());
    line(place, TOP, place, BOTTOM);
    text("tick", place, BOTTOM + 18, "middle", "", tick.label());
  }

  private void horizontalLine(Scale.Tick tick) {
    double place = y.at(tick.value());
    line(LEFT, place, RIGHT, place);
    text("tick", LEFT - 8, place + 4, "end", "", tick.label());
  }

  private void line(double x1, double y1, double x2, double y2) {
    svg.append(
        "<path class=\"grid\" d=\"M%s %sL%s %s\"/>\n"
            .formatted(
                Html.number(x1), Html.number(y1), Html.number(x2), Html.number(y2)));
  }

  private void text(
      String look, double x, double y, String anchor, String more, String text) {
    svg.append(
        "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\"%s>%s</text>\n"
            .formatted(look, Html.number(x), Html.number(y), anchor, more, Html.escape(text)));
  }

  private void curve(Curve curve) {
    StringBuilder path = new StringBuilder();
    StringBuilder markers = new StringBuilder();
    for (Point point : points(curve)) {
      double px = x.at(point.x);
      double py = y.at(point.y);
      path.append(path.isEmpty() ? 'M' : 'L').append(Html.number(px)).append(' ');
      path.append(Html.number(py));
      markers.append(
          "<path class=\"marker%s\" d=\"%s\"><title>%s, %s: %s</title></path>\n"
              .formatted(
                  Html.starred(point.starred),
                  palette.marker(curve.name(), px, py),
                  Html.escape(curve.name()),
                  plain(point.x),
                  plain(point.y) + Html.star(point.starred)));
    }
    svg.append(
        "<g class=\"curve %s\" data-curve=\"%s\" data-points=\"%d\">\n"
            .formatted(
                palette.look(curve.name()), Html.escape(curve.name()), points(curve).size()));
    svg.append("<path class=\"line\" d=\"").append(path).append("\"/>\n");
    svg.append(markers).append("</g>\n");
  }

  private static String plain(double value) {
    return String.format(Locale.ROOT, "%.1f", value).replaceAll("\\.0$", "");
  }

  private void legend() {
    svg.append("<ul class=\"legend\">\n");
    for (Curve curve : chart.curves()) {
      svg.append(
          ("<li class=\"%s\"><svg viewBox=\"0 0 34 12\" aria-hidden=\"true\"><path class=\"line\""
              + " d=\"M1 6H33\"/><path class=\"marker\" d=\"%s\"/></svg>%s</li>\n")
              .formatted(
                  palette.look(curve.name()),
                  palette.marker(curve.name(), 17, 6),
                  Html.escape(curve.name())));
    }
    svg.append("</ul>\n");
  }
}
