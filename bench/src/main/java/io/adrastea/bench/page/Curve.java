package io.adrastea.bench.page;

import java.util.List;
import java.util.Set;

/**
 * A named line through points, x ascending. The same name has the same colour in all charts of a page. On a log axis a
 * value of 0 or less has no place: such points are left out.
 *
 * @param reference true for what others are compared with: drawn dashed and without a colour
 * @param starred the x of points that are to be distrusted: their markers are hollow, and their tips have a star
 */
public record Curve(String name, boolean reference, List<Double> x, List<Double> y, Set<Double> starred) {
  /** Refuses lists of different lengths. */
  public Curve {
    if (x.size() != y.size()) {
      throw new IllegalArgumentException(
          "curve %s has %d x and %d y".formatted(name, x.size(), y.size()));
    }
    x = List.copyOf(x);
    y = List.copyOf(y);
    starred = Set.copyOf(starred);
  }

  /** A curve whose points can all be trusted. */
  public Curve(String name, boolean reference, List<Double> x, List<Double> y) {
    this(name, reference, x, y, Set.of());
  }

  /** Makes a curve with a colour of its own. */
  public Curve(String name, List<Double> x, List<Double> y) {
    this(name, false, x, y);
  }
}
