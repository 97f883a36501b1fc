package io.adrastea.bench.page;

import io.adrastea.bench.page.RatioChart.Point;
import io.adrastea.bench.page.RatioChart.RatioCurve;
import io.adrastea.bench.page.RatioChart.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** One {@link RatioChart} as inline SVG, in one of two widths: the page shows the one that fits. */
final class RatioDrawing {
  /** What the axis holds at most; a curve beyond it is cut, and its label says where it goes. */
  private static final double MOST = 8;

  private static final double LEAST = 1 / MOST;
  private static final int TOP = 28;
  private static final int BELOW = 50;
  private static final int HEIGHT = 420;
  private static final double LABEL_GAP = 15;
  private static final int TICK_GAP = 28;
  private static final int TICK_ROWS = 2; // of names; numbers have one
  private static final int LONG_NUMBER = 5;
  private static final double LETTER = 7; // about the width of one in a tick
  private static final int LABEL_AT = 14; // behind the end of the curves

  private final RatioChart chart;
  private final Palette palette;
  private final Shape shape;
  private final int right;
  private final int bottom;
  private final Range range;
  private final StringBuilder svg = new StringBuilder();

  /** How wide a drawing is, and what of that is not for curves. */
  enum Shape {
    /** Made for a screen. */
    WIDE("wide", 640, 52, 164, 8),
    /** Made for a telephone. */
    NARROW("narrow", 370, 48, 146, 7);

    private final String look;
    private final int width;
    private final int left;
    private final int labels;
    private final int letter; // about the width of one in a label

    Shape(String look, int width, int left, int labels, int letter) {
      this.look = look;
      this.width = width;
      this.left = left;
      this.labels = labels;
      this.letter = letter;
    }
  }

  private record Label(RatioCurve curve, Point last, double wanted) {}

  RatioDrawing(RatioChart chart, Palette palette, Shape shape) {
    this.chart = chart;
    this.palette = palette;
    this.shape = shape;
    int longest = chart.curves().stream().mapToInt(curve -> curve.name().length() + " 0.00×*".length()).max().orElse(0);
    this.right = shape.width - Math.max(shape.labels, LABEL_AT + longest * shape.letter);
    this.bottom = TOP + (int) Math.max(HEIGHT - TOP - BELOW, LABEL_GAP * (chart.curves().size() + 1));
    this.range = Range.of(chart);
  }

  /**
   * What the axis of a chart shows.
   *
   * @param lowest the power of two that it begins with
   * @param highest the one that it ends with
   */
  record Range(int lowest, int highest) {
    static Range of(RatioChart chart) {
      double least = 0.5;
      double most = 2;
      for (RatioCurve curve : chart.curves()) {
        for (Point point : curve.points()) {
          least = Math.min(least, point.median());
          most = Math.max(most, point.median());
        }
      }
      return new Range((int) Math.floor(log2(Math.max(least, LEAST)) + 1e-9),
          (int) Math.ceil(log2(Math.min(most, MOST)) - 1e-9));
    }

    /** How far along the axis a ratio lies, from 0 to 1. */
    double part(double ratio) {
      return (Math.clamp(log2(ratio), lowest, highest) - lowest) / (highest - lowest);
    }
  }

  /** Both widths under one title; bars where there is one column. */
  static String figure(RatioChart chart, Palette palette) {
    if (chart.columns().size() == 1) {
      return Bars.figure(chart, Range.of(chart), palette);
    }
    StringBuilder figure = new StringBuilder("<figure class=\"ratio\">\n<figcaption>");
    figure.append(Html.escape(chart.title())).append("</figcaption>\n");
    for (Shape shape : Shape.values()) {
      figure.append(new RatioDrawing(chart, palette, shape).draw());
    }
    return figure.append("</figure>\n").toString();
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  private double x(int column) {
    double step = (double) (right - shape.left) / chart.columns().size();
    return shape.left + (column + 0.5) * step;
  }

  private double y(double ratio) {
    return bottom - range.part(ratio) * (bottom - TOP);
  }

  private boolean cut(double ratio) {
    return log2(ratio) > range.highest + 1e-9 || log2(ratio) < range.lowest - 1e-9;
  }

  private String draw() {
    svg.append(
        "<svg class=\"%s\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n"
            .formatted(shape.look, shape.width, bottom + BELOW, Html.escape(chart.title())));
    ground();
    columns();
    chart.curves().forEach(this::band);
    chart.curves().stream().sorted(Comparator.comparing(RatioDrawing::isOurs)).forEach(this::curve);
    labels();
    return svg.append("</svg>\n").toString();
  }

  private static boolean isOurs(RatioCurve curve) {
    return curve.role() == Role.OURS;
  }

  /** The part where others are faster is tinted; the lines of the axis. */
  private void ground() {
    svg.append("<rect class=\"faster\" x=\"%d\" y=\"%s\" width=\"%d\" height=\"%s\"/>\n".formatted(
        shape.left, Html.number(y(1)), right - shape.left, Html.number(bottom - y(1))));
    for (int power = range.lowest; power <= range.highest; power++) {
      double place = y(Math.pow(2, power));
      path(power == 0 ? "grid one" : "grid", "M%d %sL%d %s", shape.left, place, right, place);
      text("tick", shape.left - 6, place + 4, "end", Scale.label(Math.pow(2, power), 1000, new String[] {"×"}));
    }
    text("hint", shape.left, TOP - 9, "start", "slower than " + chart.base() + " ↑");
    text("hint", shape.left + 6, bottom - 7, "start", "faster than " + chart.base() + " ↓");
  }

  private void columns() {
    boolean names = chart.columns().stream().anyMatch(column -> column.length() > LONG_NUMBER);
    double[] free = new double[names ? TICK_ROWS : 1];
    for (int column = 0; column < chart.columns().size(); column++) {
      path("grid", "M%s %dL%s %d", x(column), TOP, x(column), bottom);
      tick(column, free);
    }
    text("axis", (shape.left + right) / 2.0, bottom + 44, "middle", chart.unit());
  }

  /** What a column is called, in the first row that has room for it; nothing where none has. */
  private void tick(int column, double[] free) {
    String name = chart.columns().get(column);
    double half = Math.max(TICK_GAP, name.length() * LETTER) / 2;
    for (int row = 0; row < free.length; row++) {
      if (x(column) - half >= free[row]) {
        text("tick", x(column), bottom + 15 + 13 * row, "middle", name);
        free[row] = x(column) + half;
        return;
      }
    }
  }

  private void band(RatioCurve curve) {
    List<Point> points = curve.points();
    if (points.size() < 2 || points.stream().allMatch(point -> point.low() == point.high())) {
      return;
    }
    StringBuilder area = new StringBuilder();
    points.forEach(point -> corner(area, x(point.column()), y(point.high())));
    points.reversed().forEach(point -> corner(area, x(point.column()), y(point.low())));
    svg.append("<path class=\"band %s\" d=\"%sZ\"/>\n".formatted(look(curve), area));
  }

  private static void corner(StringBuilder path, double x, double y) {
    path.append(path.isEmpty() ? 'M' : 'L').append(Html.number(x)).append(' ').append(Html.number(y));
  }

  private String look(RatioCurve curve) {
    String width = curve.name().equals(chart.base()) ? " base" : isOurs(curve) ? " ours" : "";
    return palette.look(curve.name()) + width;
  }

  private void curve(RatioCurve curve) {
    StringBuilder line = new StringBuilder();
    curve.points().forEach(point -> corner(line, x(point.column()), y(point.median())));
    svg.append("<g class=\"curve %s\" data-curve=\"%s\" data-points=\"%d\">\n"
        .formatted(look(curve), Html.escape(curve.name()), curve.points().size()));
    svg.append("<path class=\"line\" d=\"").append(line).append("\"/>\n");
    for (Point point : curve.points()) {
      if (curve.points().size() == 1 && point.low() < point.high()) {
        path("line", "M%s %sL%s %s", x(point.column()), y(point.low()), x(point.column()), y(point.high()));
      }
      String spread = point.low() < point.high()
          ? " (half of the rounds: %s to %s)".formatted(times(point.low()), times(point.high())) : "";
      svg.append("<path class=\"marker%s\" d=\"%s\"><title>%s, %s: %s%s</title></path>\n".formatted(
          Html.starred(point.starred()), marker(curve, point), Html.escape(curve.name()),
          Html.escape(chart.columns().get(point.column())), times(point.median()) + Html.star(point.starred()),
          spread));
    }
    svg.append("</g>\n");
  }

  /** An arrow where the axis ends before the curve does. */
  private String marker(RatioCurve curve, Point point) {
    if (!cut(point.median())) {
      return palette.marker(curve.name(), x(point.column()), y(point.median()));
    }
    boolean up = point.median() > 1;
    return "M%s %sl5 %dh-10z".formatted(
        Html.number(x(point.column())), Html.number(y(point.median())), up ? 8 : -8);
  }

  static String times(double ratio) {
    return String.format(Locale.ROOT, ratio < 10 ? "%.2f×" : "%.0f×", ratio);
  }

  /**
   * Draws each label at the end of its line, moved apart where ends are close; a thin line leads to a label that was
   * moved.
   */
  private void labels() {
    List<Label> labels = new ArrayList<>();
    for (RatioCurve curve : chart.curves()) {
      if (!curve.points().isEmpty()) {
        Point last = curve.points().getLast();
        labels.add(new Label(curve, last, y(last.median())));
      }
    }
    labels.sort(Comparator.comparingDouble((Label label) -> label.wanted)
        .thenComparing(Comparator.comparingDouble((Label label) -> label.last.median()).reversed()));
    double[] places = places(labels.stream().mapToDouble(label -> label.wanted).toArray(), bottom);
    double x = right + LABEL_AT;
    for (int i = 0; i < places.length; i++) {
      Label label = labels.get(i);
      String last = label.curve.name().equals(chart.base()) ? " = 1"
          : " " + times(label.last.median()) + Html.star(label.last.starred());
      svg.append("<g class=\"end %s\">\n".formatted(look(label.curve)));
      path("lead", "M%s %sL%d %sL%s %s", x(label.last.column()) + 6, label.wanted, right - 2, label.wanted, x - 3,
          places[i]);
      text("name", x, places[i] + 4, "start", label.curve.name() + last);
      svg.append("</g>\n");
    }
  }

  /**
   * Moves places apart.
   *
   * @param wanted ascending
   * @param bottom no place is below it as long as there is room for all
   */
  static double[] places(double[] wanted, double bottom) {
    double[] places = wanted.clone();
    for (int i = 1; i < places.length; i++) {
      places[i] = Math.max(places[i], places[i - 1] + LABEL_GAP);
    }
    double room = bottom;
    for (int i = places.length - 1; i >= 0 && places[i] > room; i--) {
      places[i] = room;
      room -= LABEL_GAP;
    }
    return places;
  }

  private void path(String look, String form, Object... places) {
    Object[] numbers = new Object[places.length];
    for (int i = 0; i < places.length; i++) {
      numbers[i] = Html.number(((Number) places[i]).doubleValue());
    }
    String data = form.replace("%d", "%s").formatted(numbers);
    svg.append("<path class=\"%s\" d=\"%s\"/>\n".formatted(look, data));
  }

  private void text(String look, double x, double y, String anchor, String text) {
    svg.append("<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
        .formatted(look, Html.number(x), Html.number(y), anchor, Html.escape(text)));
  }
}
