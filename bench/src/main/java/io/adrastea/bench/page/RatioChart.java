package io.adrastea.bench.page;

import java.util.List;

/**
 * How far others are from one series, which is 1 everywhere: a column for each case, a log2 axis from below to above 1.
 *
 * @param base the name of the series that is 1
 * @param columns what stands below each column
 * @param unit what a column is, as in {@code message size [bytes]}
 */
public record RatioChart(
    String title, String base, String unit, List<String> columns, List<RatioCurve> curves) {
  /** Whose a curve is; it decides how the curve is drawn. */
  public enum Role {
    /** Thick. */
    OURS,
    /** It has a colour of its own. */
    PEER,
    /** It is dashed, without a colour. */
    FLOOR
  }

  /**
   * A ratio and the range it was found in.
   *
   * @param column the number of the column, from 0
   * @param starred whether it is to be distrusted: its marker is hollow, and its tip has a star
   */
  public record Point(int column, double low, double median, double high, boolean starred) {
    /** A point that can be trusted. */
    public Point(int column, double low, double median, double high) {
      this(column, low, median, high, false);
    }
  }

  /** A named line through points, in the order of the columns. */
  public record RatioCurve(String name, Role role, List<Point> points) {
    /** Copies the list. */
    public RatioCurve {
      points = List.copyOf(points);
    }
  }

  /** Copies the lists. */
  public RatioChart {
    columns = List.copyOf(columns);
    curves = List.copyOf(curves);
  }
}
