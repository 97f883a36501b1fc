package io.adrastea.mapping;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Which rank takes which place of a grid, so that ranks that share a cache, a NUMA node or a node are beside each
 * other.
 *
 * <p>
 * The ranks of each group get a block of the grid, of all blocks that fit the one with the least surface, and in it
 * those of each smaller group a smaller block. Where groups differ in size, or no block fits, they follow each other
 * along a line that winds through the grid, so that each is connected. The old order stays when it is as good.
 */
public final class GridOrder {
  private final Places places;
  private final Grid grid;
  private final int[] order; // by place of the grid, the rank that takes it

  private GridOrder(Places places, Grid grid) {
    this.places = places;
    this.grid = grid;
    this.order = new int[grid.size()];
  }

  /**
   * The order for as many ranks as the grid has places.
   *
   * @return by place of the grid, the rank that takes it
   */
  public static int[] of(Places places, Grid grid) {
    int[] sorted = places.sorted();
    GridOrder blocks = new GridOrder(places, grid);
    blocks.fill(new int[grid.dimensions()], grid.dims(), 0, sorted);
    GridOrder line = new GridOrder(places, grid);
    line.wind(new int[grid.dimensions()], grid.dims(), sorted);
    int[] old = IntStream.range(0, grid.size()).toArray();
    return places.best(grid.graph(), old, blocks.order, line.order);
  }

  /** Gives ranks, sorted by groups, the places of a box. */
  private void fill(int[] origin, int[] box, int level, int... ranks) {
    if (level == places.levels()) {
      Grid inside = new Grid(box, new boolean[box.length]);
      for (int i = 0; i < ranks.length; i++) {
        order[place(origin, inside.coordinates(i))] = ranks[i];
      }
      return;
    }
    int group = sizeOfGroups(level, ranks);
    int[] block = group == 0 ? null : bestBlock(box, group);
    if (block == null) {
      wind(origin, box, ranks);
      return;
    }
    int[] counts = new int[box.length];
    Arrays.setAll(counts, d -> box[d] / block[d]);
    Grid blocks = new Grid(counts, new boolean[box.length]);
    for (int i = 0; i < blocks.size(); i++) {
      int[] at = blocks.coordinates(i);
      Arrays.setAll(at, d -> origin[d] + at[d] * block[d]);
      fill(at, block, level + 1, Arrays.copyOfRange(ranks, i * group, (i + 1) * group));
    }
  }

  /** How many ranks each group has; 0: they differ. */
  private int sizeOfGroups(int level, int... ranks) {
    int size = 1;
    while (size < ranks.length && places.group(level, ranks[size]) == places.group(level, ranks[0])) {
      size++;
    }
    for (int i = 0; i < ranks.length; i++) {
      boolean begins = i == 0 || places.group(level, ranks[i]) != places.group(level, ranks[i - 1]);
      if (begins != (i % size == 0)) {
        return 0;
      }
    }
    return ranks.length % size == 0 ? size : 0;
  }

  /** The block of so many places, of all that a box can be cut into, with the least between them; null: none. */
  private int[] bestBlock(int[] box, int places) {
    return search(box, new int[box.length], 0, places, null);
  }

  private int[] search(int[] box, int[] block, int dimension, int left, int[] best) {
    if (dimension == box.length) {
      return left == 1 && (best == null || surface(box, block) < surface(box, best)) ? block.clone() : best;
    }
    int[] found = best;
    for (int side = 1; side <= Math.min(left, box[dimension]); side++) {
      if (left % side == 0 && box[dimension] % side == 0) {
        block[dimension] = side;
        found = search(box, block, dimension + 1, left / side, found);
      }
    }
    return found;
  }

  /** How many steps there are between the blocks of a box. */
  private long surface(int[] box, int... block) {
    long all = Arrays.stream(box).asLongStream().reduce(1, (a, b) -> a * b);
    long steps = 0;
    for (int d = 0; d < box.length; d++) {
      int blocks = box[d] / block[d];
      boolean closed = blocks > 1 && grid.isPeriodic(d) && box[d] == grid.dim(d);
      steps += (closed ? blocks : blocks - 1) * (all / box[d]);
    }
    return steps;
  }

  /**
   * Gives ranks the places of a box along a line of steps to neighbours: a coordinate runs back where those before it
   * make an odd number (the reflected Gray code of mixed radix).
   */
  private void wind(int[] origin, int[] box, int... ranks) {
    Grid inside = new Grid(box, new boolean[box.length]);
    for (int i = 0; i < ranks.length; i++) {
      int[] at = inside.coordinates(i);
      int before = 0;
      for (int d = 0; d < box.length; d++) {
        int coordinate = at[d];
        at[d] = before % 2 == 0 ? coordinate : box[d] - 1 - coordinate;
        before = before * box[d] + coordinate;
      }
      order[place(origin, at)] = ranks[i];
    }
  }

  private int place(int[] origin, int... inside) {
    int[] at = new int[origin.length];
    Arrays.setAll(at, d -> origin[d] + inside[d]);
    return grid.place(at);
  }
}
