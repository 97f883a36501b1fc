package io.adrastea.mapping;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Where ranks run, as far as they share something: in groups, at levels from the coarsest (a node) to the finest (a
 * cache). A group of a level lies within one of the level before. Does not change.
 */
public final class Places {
  private final int size;
  private final int[][] groups; // by level, in it by rank

  private Places(int size, int[]... groups) {
    this.size = size;
    this.groups = groups;
  }

  /**
   * The places of ranks that have told what they share.
   *
   * @param told by rank: its node, and of several kinds of things inside a node which one it uses; kinds of which there
   * are fewer are the coarser ones
   */
  public static Places of(int[]... told) {
    int kinds = told[0].length;
    int[] coarseFirst = IntStream.range(0, kinds).boxed()
        .sorted(Comparator.comparingLong(kind -> kind == 0 ? 0 : things(kind, told)))
        .mapToInt(Integer::intValue)
        .toArray();
    int[][] groups = new int[kinds][told.length];
    for (int level = 0; level < kinds; level++) {
      Map<List<Integer>, Integer> numbers = new HashMap<>();
      for (int rank = 0; rank < told.length; rank++) {
        int around = level == 0 ? 0 : groups[level - 1][rank];
        int next = numbers.size();
        groups[level][rank] = numbers.computeIfAbsent(List.of(around, told[rank][coarseFirst[level]]), key -> next);
      }
    }
    return new Places(told.length, groups);
  }

  /** How many things of a kind there are on all nodes. */
  private static long things(int kind, int[]... told) {
    return Arrays.stream(told).map(rank -> List.of(rank[0], rank[kind])).distinct().count();
  }

  int size() {
    return size;
  }

  int levels() {
    return groups.length;
  }

  int group(int level, int rank) {
    return groups[level][rank];
  }

  /** All ranks, those of a group one behind the other, and else in their order. */
  int[] sorted() {
    Comparator<Integer> order = Comparator.comparingInt(rank -> 0);
    for (int[] level : groups) {
      order = order.thenComparingInt(rank -> level[rank]);
    }
    return IntStream.range(0, size).boxed().sorted(order).mapToInt(Integer::intValue).toArray();
  }

  /** The one of several orders in which the least lies between groups, at the coarsest level first; the first such. */
  int[] best(Graph graph, int[]... orders) {
    int[] best = orders[0];
    long[] least = between(graph, best);
    for (int[] order : orders) {
      long[] weight = between(graph, order);
      if (Arrays.compare(weight, least) < 0) {
        best = order;
        least = weight;
      }
    }
    return best;
  }

  /**
   * How much weight of a graph's edges lies between groups, by level.
   *
   * @param order by vertex, the rank that takes it
   */
  long[] between(Graph graph, int... order) {
    long[] weight = new long[groups.length];
    for (int level = 0; level < groups.length; level++) {
      for (int edge = 0; edge < graph.edges(); edge++) {
        if (groups[level][order[graph.source(edge)]] != groups[level][order[graph.destination(edge)]]) {
          weight[level] += graph.weight(edge);
        }
      }
    }
    return weight;
  }
}
