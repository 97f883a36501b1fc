package io.adrastea.mapping;

import java.util.Arrays;

/**
 * Edges between vertices 0 to size − 1, each with a source, a destination and a weight. An edge may occur several
 * times, and may end where it begins. Does not change.
 */
public final class Graph {
  private final int size;
  private final int[] sources;
  private final int[] destinations;
  private final int[] weights;

  /** Edges of weight 1. The arrays are not to be changed any more. */
  Graph(int size, int[] sources, int[] destinations) {
    this(size, sources, destinations, ones(sources.length));
  }

  /** Edges of vertices that there are. The arrays are not to be changed any more. */
  public Graph(int size, int[] sources, int[] destinations, int... weights) {
    this.size = size;
    this.sources = sources;
    this.destinations = destinations;
    this.weights = weights;
  }

  /** Weights of edges that have none. */
  public static int[] ones(int count) {
    int[] ones = new int[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  int size() {
    return size;
  }

  int edges() {
    return sources.length;
  }

  int source(int edge) {
    return sources[edge];
  }

  int destination(int edge) {
    return destinations[edge];
  }

  int weight(int edge) {
    return weights[edge];
  }

  /** By vertex, the first of its edges in {@link #edgesByVertex}; behind the last vertex, how many there are. */
  int[] firstEdges() {
    int[] first = new int[size + 1];
    for (int edge = 0; edge < sources.length; edge++) {
      first[sources[edge] + 1]++;
      first[destinations[edge] + 1]++;
    }
    Arrays.parallelPrefix(first, Integer::sum);
    return first;
  }

  /** The edges that begin or end at vertex 0, then those at vertex 1, and so on. */
  int[] edgesByVertex(int... firstEdges) {
    int[] next = firstEdges.clone();
    int[] all = new int[2 * sources.length];
    for (int edge = 0; edge < sources.length; edge++) {
      all[next[sources[edge]]++] = edge;
      all[next[destinations[edge]]++] = edge;
    }
    return all;
  }
}
