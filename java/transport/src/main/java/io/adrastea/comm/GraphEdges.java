package io.adrastea.comm;

import io.adrastea.mapping.Graph;
import java.util.Arrays;

/**
 * All edges of a graph topology that is being made, by the rank that they begin or end at: the same on all ranks. Each
 * rank has told its own by broadcasts, or all have named the same.
 */
public final class GraphEdges {
  private final int[][] sources;
  private final int[][] sourceWeights;
  private final int[][] destinations;
  private final int[][] destinationWeights;

  private GraphEdges(int size) {
    this.sources = new int[size][];
    this.sourceWeights = new int[size][];
    this.destinations = new int[size][];
    this.destinationWeights = new int[size][];
  }

  /** Makes the edges that are named at both ends; each rank has told how many sources and destinations it has. */
  public static GraphEdges adjacent(
      TopologyMaking making, int size, int[] sources, int[] sourceWeights, int[] destinations,
      int[] destinationWeights) {
    GraphEdges edges = new GraphEdges(size);
    int[] own = joined(sources, sourceWeights, destinations, destinationWeights);
    for (int rank = 0; rank < size; rank++) {
      int in = making.told(rank, 0);
      int out = making.told(rank, 1);
      int[] told = in + out == 0 ? new int[0] : making.tell(rank, 2 * (in + out), own);
      edges.sources[rank] = Arrays.copyOfRange(told, 0, in);
      edges.sourceWeights[rank] = Arrays.copyOfRange(told, in, 2 * in);
      edges.destinations[rank] = Arrays.copyOfRange(told, 2 * in, 2 * in + out);
      edges.destinationWeights[rank] = Arrays.copyOfRange(told, 2 * in + out, 2 * (in + out));
    }
    edges.requireBothEnds(making);
    return edges;
  }

  /** Makes the edges that any rank has named; each has told how many. */
  public static GraphEdges distributed(
      TopologyMaking making, int size, int[] sources, int[] degrees, int[] destinations, int[] weights) {
    GraphEdges edges = new GraphEdges(size);
    int[] own = joined(begins(sources, degrees), destinations, weights);
    int[][] told = new int[size][];
    int[] in = new int[size];
    int[] out = new int[size];
    for (int rank = 0; rank < size; rank++) {
      int count = making.told(rank, 0);
      told[rank] = count == 0 ? new int[0] : making.tell(rank, 3 * count, own);
      for (int edge = 0; edge < count; edge++) {
        out[told[rank][edge]]++;
        in[told[rank][count + edge]]++;
      }
    }
    for (int rank = 0; rank < size; rank++) {
      edges.sources[rank] = new int[in[rank]];
      edges.sourceWeights[rank] = new int[in[rank]];
      edges.destinations[rank] = new int[out[rank]];
      edges.destinationWeights[rank] = new int[out[rank]];
    }
    Arrays.fill(in, 0);
    Arrays.fill(out, 0);
    for (int[] all : told) {
      int count = all.length / 3;
      for (int edge = 0; edge < count; edge++) {
        int from = all[edge];
        int to = all[count + edge];
        int weight = all[2 * count + edge];
        edges.destinations[from][out[from]] = to;
        edges.destinationWeights[from][out[from]++] = weight;
        edges.sources[to][in[to]] = from;
        edges.sourceWeights[to][in[to]++] = weight;
      }
    }
    return edges;
  }

  /**
   * Makes the edges that all ranks have named alike. Sources of a rank that are its destinations, too, are in the order
   * of these; the others follow, ascending.
   */
  public static GraphEdges whole(int[] index, int... neighbors) {
    int size = index.length;
    GraphEdges edges = new GraphEdges(size);
    for (int rank = 0; rank < size; rank++) {
      edges.destinations[rank] = Arrays.copyOfRange(neighbors, rank == 0 ? 0 : index[rank - 1], index[rank]);
      edges.destinationWeights[rank] = Graph.ones(edges.destinations[rank].length);
    }
    int[][] senders = edges.senders();
    int[] left = new int[size]; // edges from each rank to the one that is looked at; 0 again behind it
    for (int rank = 0; rank < size; rank++) {
      int[] ordered = new int[senders[rank].length];
      int next = 0;
      for (int sender : senders[rank]) {
        left[sender]++;
      }
      for (int[] some : new int[][] {edges.destinations[rank], senders[rank]}) {
        for (int sender : some) {
          if (left[sender] > 0) {
            left[sender]--;
            ordered[next++] = sender;
          }
        }
      }
      edges.sources[rank] = ordered;
      edges.sourceWeights[rank] = Graph.ones(ordered.length);
    }
    return edges;
  }

  /** By edge, the rank that it begins at. */
  private static int[] begins(int[] sources, int... degrees) {
    int[] begins = new int[Arrays.stream(degrees).sum()];
    int next = 0;
    for (int i = 0; i < sources.length; i++) {
      Arrays.fill(begins, next, next + degrees[i], sources[i]);
      next += degrees[i];
    }
    return begins;
  }

  private static int[] joined(int[]... arrays) {
    return Arrays.stream(arrays).flatMapToInt(Arrays::stream).toArray();
  }

  /** Refuses, on all ranks, edges that are not named as often by the rank that they end at as by the other. */
  private void requireBothEnds(TopologyMaking making) {
    int[][] senders = senders();
    for (int to = 0; to < sources.length; to++) {
      int[] named = sources[to].clone();
      Arrays.sort(named);
      int differing = Arrays.mismatch(named, senders[to]);
      if (differing >= 0) {
        int from = Math.min(
            differing < named.length ? named[differing] : Integer.MAX_VALUE,
            differing < senders[to].length ? senders[to][differing] : Integer.MAX_VALUE);
        throw making.differs(
            to,
            "names rank %d as a source %d times, and rank %d names it as a destination %d times; an edge is to be "
                .formatted(from, count(named, from), from, count(senders[to], from)) + "named at both of its ends");
      }
    }
  }

  /** By rank, those that name it as a destination, ascending. */
  private int[][] senders() {
    int[] counts = new int[sources.length];
    Arrays.stream(destinations).flatMapToInt(Arrays::stream).forEach(to -> counts[to]++);
    int[][] senders = new int[sources.length][];
    Arrays.setAll(senders, to -> new int[counts[to]]);
    Arrays.fill(counts, 0);
    for (int from = 0; from < sources.length; from++) {
      for (int to : destinations[from]) {
        senders[to][counts[to]++] = from;
      }
    }
    return senders;
  }

  private static long count(int[] ranks, int rank) {
    return Arrays.stream(ranks).filter(one -> one == rank).count();
  }

  public int[] sources(int rank) {
    return sources[rank];
  }

  public int[] sourceWeights(int rank) {
    return sourceWeights[rank];
  }

  /** By rank, those that it sends to. */
  public int[][] destinations() {
    return destinations;
  }

  public int[] destinations(int rank) {
    return destinations[rank];
  }

  public int[] destinationWeights(int rank) {
    return destinationWeights[rank];
  }

  /** Each edge once, with the weight that the rank named that it begins at. */
  public Graph graph() {
    int[] begins = new int[Arrays.stream(destinations).mapToInt(one -> one.length).sum()];
    int next = 0;
    for (int rank = 0; rank < destinations.length; rank++) {
      Arrays.fill(begins, next, next + destinations[rank].length, rank);
      next += destinations[rank].length;
    }
    return new Graph(destinations.length, begins, joined(destinations), joined(destinationWeights));
  }
}
