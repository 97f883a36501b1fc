package io.adrastea.mapping;

import java.util.stream.IntStream;

/**
 * Which rank takes which vertex of a graph, so that ranks that share a cache, a NUMA node or a node have the heavy
 * edges between them.
 *
 * <p>
 * Ranks are gone through group by group. Each takes of the vertices that are left the one with the most weight to those
 * that its own cache has already, else its NUMA node, else its node. (To find the best order takes too long: it is the
 * partition of a graph.) The old order stays when it is as good.
 */
public final class GraphOrder {
  private final Places places;
  private final Graph graph;
  private final int[] first;
  private final int[] edges;
  private final long[][] weights; // by level, of each vertex to those that the group of the level has taken
  private final boolean[] taken;

  private GraphOrder(Places places, Graph graph) {
    this.places = places;
    this.graph = graph;
    this.first = graph.firstEdges();
    this.edges = graph.edgesByVertex(first);
    this.weights = new long[places.levels()][graph.size()];
    this.taken = new boolean[graph.size()];
  }

  /**
   * The order for as many ranks as the graph has vertices.
   *
   * @return by vertex, the rank that takes it
   */
  public static int[] of(Places places, Graph graph) {
    int[] old = IntStream.range(0, graph.size()).toArray();
    return places.best(graph, old, new GraphOrder(places, graph).greedy());
  }

  private int[] greedy() {
    int[] order = new int[graph.size()];
    int[] ranks = places.sorted();
    for (int i = 0; i < ranks.length; i++) {
      for (int level = 0; level < places.levels(); level++) {
        if (i > 0 && places.group(level, ranks[i]) != places.group(level, ranks[i - 1])) {
          weights[level] = new long[graph.size()]; // another group, which has none yet
        }
      }
      int vertex = heaviest();
      order[vertex] = ranks[i];
      take(vertex);
    }
    return order;
  }

  /** The vertex to take next: the finest level counts most, and of equal ones the first is taken. */
  private int heaviest() {
    int best = -1;
    for (int vertex = 0; vertex < taken.length; vertex++) {
      if (!taken[vertex] && (best < 0 || isHeavier(vertex, best))) {
        best = vertex;
      }
    }
    return best;
  }

  private boolean isHeavier(int one, int other) {
    for (int level = weights.length - 1; level >= 0; level--) {
      if (weights[level][one] != weights[level][other]) {
        return weights[level][one] > weights[level][other];
      }
    }
    return false;
  }

  private void take(int vertex) {
    taken[vertex] = true;
    for (int i = first[vertex]; i < first[vertex + 1]; i++) {
      int edge = edges[i];
      int beside = graph.source(edge) == vertex ? graph.destination(edge) : graph.source(edge);
      for (long[] level : weights) {
        level[beside] += graph.weight(edge);
      }
    }
  }
}
