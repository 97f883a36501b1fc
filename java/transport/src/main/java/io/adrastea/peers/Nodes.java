package io.adrastea.peers;

import java.util.Arrays;
import java.util.stream.IntStream;

/** On which node each rank of a job is. The ranks of a node are numbered there in the order of their numbers. */
public final class Nodes {
  private final int[] nodes; // by rank
  private final int[] localRanks; // by rank

  private Nodes(int[] nodes) {
    this.nodes = nodes;
    this.localRanks = new int[nodes.length];
    int[] counts = new int[Arrays.stream(nodes).max().orElse(0) + 1];
    for (int rank = 0; rank < nodes.length; rank++) {
      localRanks[rank] = counts[nodes[rank]]++;
    }
  }

  /** All ranks of a job of that size on one node. */
  public static Nodes one(int size) {
    return new Nodes(new int[size]);
  }

  /** Ranks on several nodes. */
  public static Nodes of(int... nodes) {
    return new Nodes(nodes.clone());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Nodes that && Arrays.equals(nodes, that.nodes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(nodes);
  }

  @Override
  public String toString() {
    return "ranks on nodes " + Arrays.toString(nodes);
  }

  /** Number of ranks of the job. */
  public int size() {
    return nodes.length;
  }

  /** How many nodes there are. */
  public int count() {
    return Arrays.stream(nodes).max().orElse(-1) + 1;
  }

  /** Number of the node that a rank is on, from 0. */
  public int node(int rank) {
    return nodes[rank];
  }

  /** Number of a rank on its node, from 0. */
  public int localRank(int rank) {
    return localRanks[rank];
  }

  /** The ranks of a node, in the order of their numbers there. */
  public int[] ranksOf(int node) {
    return IntStream.range(0, nodes.length).filter(rank -> nodes[rank] == node).toArray();
  }
}
