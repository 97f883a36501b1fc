package io.adrastea.spread;

import java.util.Arrays;

/**
 * On which nodes the members of a communicator are. Nodes are numbered in the order of their lowest members, and the
 * lowest member of a node leads it. Does not change.
 */
public final class Hierarchy {
  private final int[] nodes; // by member
  private final int[] locals; // by member: its number on its node
  private final int[][] members; // by node, in rank order
  private final int[] firsts; // by node: how many members the nodes before it have
  private final int most; // members of a node
  private final int least;
  private final boolean consecutive;

  private Hierarchy(int[] nodes, int[] locals, int[][] members) {
    this.nodes = nodes;
    this.locals = locals;
    this.members = members;
    this.firsts = new int[members.length];
    for (int node = 1; node < members.length; node++) {
      firsts[node] = firsts[node - 1] + members[node - 1].length;
    }
    this.most = Arrays.stream(members).mapToInt(ofNode -> ofNode.length).max().orElse(0);
    this.least = Arrays.stream(members).mapToInt(ofNode -> ofNode.length).min().orElse(0);
    this.consecutive = Arrays.stream(members).allMatch(ofNode -> ofNode[ofNode.length - 1] - ofNode[0] < ofNode.length);
  }

  /**
   * Finds out which members share a node.
   *
   * @param nodeOf a number of the node of each member, in any numbering
   */
  public static Hierarchy of(int... nodeOf) {
    int size = nodeOf.length;
    int[] sorted = Arrays.stream(nodeOf).distinct().sorted().toArray();
    int[] numbers = new int[sorted.length];
    Arrays.fill(numbers, -1);
    int[] nodes = new int[size];
    int[] locals = new int[size];
    int[] counts = new int[sorted.length];
    int known = 0;
    for (int member = 0; member < size; member++) {
      int place = Arrays.binarySearch(sorted, nodeOf[member]);
      if (numbers[place] < 0) {
        numbers[place] = known++;
      }
      nodes[member] = numbers[place];
      locals[member] = counts[nodes[member]]++;
    }
    int[][] members = new int[known][];
    for (int node = 0; node < known; node++) {
      members[node] = new int[counts[node]];
    }
    for (int member = 0; member < size; member++) {
      members[nodes[member]][locals[member]] = member;
    }
    return new Hierarchy(nodes, locals, members);
  }

  /** Number of members. */
  public int size() {
    return nodes.length;
  }

  /** Number of nodes. */
  public int count() {
    return members.length;
  }

  /** Members of the node that has the most. */
  public int most() {
    return most;
  }

  /** Members of the node that has the fewest. */
  public int least() {
    return least;
  }

  /** Whether the members of each node have consecutive numbers, so that nodes in order have members in order. */
  public boolean isConsecutive() {
    return consecutive;
  }

  /** The node of a member. */
  public int node(int member) {
    return nodes[member];
  }

  /** The number of a member on its node, from 0. */
  public int local(int member) {
    return locals[member];
  }

  /** The members of a node in the order of their numbers; not to be changed. */
  int[] members(int node) {
    return members[node];
  }

  /** How many members the nodes before one have. */
  int first(int node) {
    return firsts[node];
  }
}
