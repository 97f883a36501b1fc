package io.adrastea.bench.page;

import java.util.List;

/**
 * Curves over one pair of axes.
 *
 * @param title what is shown
 * @param x the horizontal axis
 * @param y the vertical axis
 */
public record Chart(String title, Axis x, Axis y, List<Curve> curves) {
  /**
   * How an axis is labelled and divided.
   *
   * @param label what and in which unit, as in {@code one way [ns]}
   * @param base 2 or 10 for a log axis with ticks at powers of it (2: sizes, labelled 64, 4K, 1M), 0 for a linear one
   */
  public record Axis(String label, int base) {
    /** Message sizes on a log axis. */
    public static Axis bytes() {
      return new Axis("message size [bytes]", 2);
    }

    /** A log axis. */
    public static Axis log(String label) {
      return new Axis(label, 10);
    }

    /** A linear axis from 0. */
    public static Axis linear(String label) {
      return new Axis(label, 0);
    }
  }

  /** Copies the list. */
  public Chart {
    curves = List.copyOf(curves);
  }
}
