package io.adrastea.mapping;

import java.util.Arrays;

/**
 * A grid of places in any number of dimensions, each open or periodic. Places are numbered by their coordinates, the
 * last of which runs fastest. Does not change.
 */
public final class Grid {
  /** No place: beyond an open border. */
  public static final int NONE = -1;

  private final int[] dims;
  private final boolean[] periodic;
  private final int[] strides;
  private final int size;

  /**
   * A grid whose arguments were checked: as many of the one as of the other, dimensions of at least 1 whose product is
   * an int.
   */
  public Grid(int[] dims, boolean... periodic) {
    this.dims = dims.clone();
    this.periodic = periodic.clone();
    this.strides = new int[dims.length];
    int places = 1;
    for (int d = dims.length - 1; d >= 0; d--) {
      strides[d] = places;
      places *= dims[d];
    }
    this.size = places;
  }

  public int size() {
    return size;
  }

  public int dimensions() {
    return dims.length;
  }

  public int dim(int dimension) {
    return dims[dimension];
  }

  public int[] dims() {
    return dims.clone();
  }

  public boolean isPeriodic(int dimension) {
    return periodic[dimension];
  }

  public boolean[] periodic() {
    return periodic.clone();
  }

  public int[] coordinates(int place) {
    int[] coordinates = new int[dims.length];
    for (int d = 0; d < dims.length; d++) {
      coordinates[d] = coordinate(place, d);
    }
    return coordinates;
  }

  private int coordinate(int place, int dimension) {
    return place / strides[dimension] % dims[dimension];
  }

  /** The place at coordinates, which wrap in periodic dimensions; {@link #NONE}: it is beyond an open border. */
  public int place(int... coordinates) {
    int place = 0;
    for (int d = 0; d < dims.length; d++) {
      int at = wrapped(coordinates[d], d);
      if (at < 0) {
        return NONE;
      }
      place += at * strides[d];
    }
    return place;
  }

  private int wrapped(long coordinate, int dimension) {
    int dim = dims[dimension];
    if (periodic[dimension]) {
      return (int) Math.floorMod(coordinate, (long) dim);
    }
    return coordinate >= 0 && coordinate < dim ? (int) coordinate : NONE;
  }

  /** The place that is some steps away in a dimension; {@link #NONE}: it is beyond an open border. */
  public int beside(int place, int dimension, long steps) {
    int from = coordinate(place, dimension);
    int to = wrapped(from + steps, dimension);
    return to < 0 ? NONE : place + (to - from) * strides[dimension];
  }

  /** In each dimension the place before this one, then the one behind; {@link #NONE} beyond an open border. */
  public int[] neighbors(int place) {
    int[] neighbors = new int[2 * dims.length];
    for (int d = 0; d < dims.length; d++) {
      neighbors[2 * d] = beside(place, d, -1);
      neighbors[2 * d + 1] = beside(place, d, 1);
    }
    return neighbors;
  }

  /** The dimensions that are kept alone. */
  public Grid sub(boolean... keep) {
    int[] kept = new int[dims.length];
    boolean[] keptPeriodic = new boolean[dims.length];
    int count = 0;
    for (int d = 0; d < dims.length; d++) {
      if (keep[d]) {
        kept[count] = dims[d];
        keptPeriodic[count++] = periodic[d];
      }
    }
    return new Grid(Arrays.copyOf(kept, count), Arrays.copyOf(keptPeriodic, count));
  }

  /** Number, among the grids that {@link #sub} makes, of the one that a place is in: by the coordinates not kept. */
  public int numberOfSub(int place, boolean... keep) {
    int number = 0;
    for (int d = 0; d < dims.length; d++) {
      if (!keep[d]) {
        number = number * dims[d] + coordinate(place, d);
      }
    }
    return number;
  }

  /** Each step of 1 in each dimension, between different places, once. */
  Graph graph() {
    int[] from = new int[size * dims.length];
    int[] to = new int[from.length];
    int count = 0;
    for (int place = 0; place < size; place++) {
      for (int d = 0; d < dims.length; d++) {
        int next = beside(place, d, 1);
        if (next != NONE && next != place) {
          from[count] = place;
          to[count++] = next;
        }
      }
    }
    return new Graph(size, Arrays.copyOf(from, count), Arrays.copyOf(to, count));
  }

  /** Describes the grid, as in {@code 4 x 2 (periodic) x 3}. */
  @Override
  public String toString() {
    if (dims.length == 0) {
      return "no dimensions";
    }
    StringBuilder words = new StringBuilder();
    for (int d = 0; d < dims.length; d++) {
      words.append(d == 0 ? "" : " x ").append(dims[d]).append(periodic[d] ? " (periodic)" : "");
    }
    return words.toString();
  }
}
