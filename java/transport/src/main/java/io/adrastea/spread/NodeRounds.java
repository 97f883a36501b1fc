package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;
import static io.adrastea.spread.Schedule.SCRATCH;

import io.adrastea.spread.Spread.Kind;
import io.adrastea.spread.Spread.Reach;

/**
 * Collectives by messages of one member among others on several nodes. Members of a node exchange messages over its
 * memory. Between nodes go those of one member of each, its leader [MPICH2 2007, 3.4]: the lowest one, or the root. Of
 * much data each member of a node has a stripe, and talks to those that have it on other nodes. In both each node gives
 * and takes as few bytes as it can.
 *
 * <p>
 * What members of a node combine before it goes to other nodes is in rank order where their numbers are consecutive.
 * Where it is not, or brackets are not free, the operands travel to whoever combines them from the left.
 *
 * <p>
 * Mutable: it keeps numbers for the schedule that it fills, which is read before the next one is filled.
 */
public final class NodeRounds {
  private final Hierarchy hierarchy;
  private final int rank;
  private final int node;
  private final int local; // on that
  private final int[] mates; // the members of that
  private final int count; // of these
  private final int nodes;
  private final Cheapest within; // the node
  private final Cheapest between; // nodes
  private final int[] leaders; // by node
  private int leader; // of this node, by its number there
  private final int[] partners; // by node: the member that has the stripe of this one there
  private long stripeAt;
  private long stripeLength;
  private final long[] nodeLengths; // of the blocks of all members of a node
  private final long[] nodeOffsets; // of the first of them, in the order of nodes
  private final long[] lengths; // of the blocks of the members of this node
  private final long[] offsets; // behind the first of them
  private long all; // bytes of all blocks

  /** Makes those of one member of a communicator. */
  public NodeRounds(Hierarchy hierarchy, LinkClass link, int rank) {
    this.hierarchy = hierarchy;
    this.rank = rank;
    this.node = hierarchy.node(rank);
    this.local = hierarchy.local(rank);
    this.mates = hierarchy.members(node);
    this.count = mates.length;
    this.nodes = hierarchy.count();
    this.within = new Cheapest(count, LinkClass.MEMORY, 1);
    this.between = Spread.between(hierarchy, link);
    this.leaders = new int[nodes];
    this.partners = new int[nodes];
    this.nodeLengths = new long[nodes];
    this.nodeOffsets = new long[nodes];
    this.lengths = new long[count];
    this.offsets = new long[count];
    for (int other = 0; other < nodes; other++) {
      int[] members = hierarchy.members(other);
      partners[other] = members[Math.min(local, members.length - 1)];
    }
  }

  /** The lowest member of each node leads it, but of the node of the root that. */
  private void leadBy(int root) {
    for (int other = 0; other < nodes; other++) {
      leaders[other] = hierarchy.members(other)[0];
    }
    leaders[hierarchy.node(root)] = root;
    leader = hierarchy.local(leaders[node]);
  }

  private void leadByLast() {
    for (int other = 0; other < nodes; other++) {
      int[] members = hierarchy.members(other);
      leaders[other] = members[members.length - 1];
    }
    leader = count - 1;
  }

  private boolean leads() {
    return local == leader;
  }

  /** The members of this node, with these buffers. */
  private void onNode(Schedule schedule, int input, long inputAt, int output, long outputAt) {
    schedule.part(mates, input, inputAt, output, outputAt);
  }

  private void amongLeaders(Schedule schedule, int input, long inputAt, int output, long outputAt) {
    schedule.part(leaders, input, inputAt, output, outputAt);
  }

  private void bcastOnNode(Schedule schedule, int buffer, long at, long bytes) {
    onNode(schedule, buffer, at, buffer, at);
    BcastRounds.fill(
        schedule, within.algorithm(Kind.BCAST, bytes, true), leader, local, count, bytes, Spread.SEGMENT);
  }

  /** Fills the schedule of a barrier: by a tree to the leader, by dissemination among leaders, and back. */
  public void barrier(Schedule schedule) {
    schedule.begin();
    leadBy(0);
    onNode(schedule, INPUT, 0, OUTPUT, 0);
    int led = Halves.ledBy(local, leader, count);
    for (int level = 0; level < led; level++) {
      if (Halves.beside(local, level) < count) {
        schedule.signalFrom(Halves.beside(local, level));
      }
    }
    schedule.nextRound();
    if (leads()) {
      amongLeaders(schedule, INPUT, 0, OUTPUT, 0);
      BarrierRounds.fill(schedule, node, nodes);
      onNode(schedule, INPUT, 0, OUTPUT, 0);
    } else {
      int above = Halves.leader(local, led + 1, leader);
      schedule.signalTo(above);
      schedule.signalFrom(above);
    }
    schedule.nextRound();
    for (int level = led - 1; level >= 0; level--) {
      if (Halves.beside(local, level) < count) {
        schedule.signalTo(Halves.beside(local, level));
      }
    }
    schedule.whole();
  }

  /** Fills the schedule of a bcast. */
  public void bcast(Schedule schedule, Reach reach, int root, long bytes) {
    schedule.begin();
    leadBy(root);
    if (reach == Reach.STRIPES) {
      bcastInStripes(schedule, root, bytes);
    } else {
      if (leads()) {
        amongLeaders(schedule, OUTPUT, 0, OUTPUT, 0);
        BcastRounds.fill(
            schedule, between.algorithm(Kind.BCAST, bytes, true), hierarchy.node(root), node, nodes, bytes,
            Spread.SEGMENT);
      }
      bcastOnNode(schedule, OUTPUT, 0, bytes);
    }
    schedule.whole();
  }

  private void bcastInStripes(Schedule schedule, int root, long bytes) {
    boolean hasRoot = node == hierarchy.node(root);
    if (hasRoot) {
      bcastOnNode(schedule, OUTPUT, 0, bytes);
    }
    cut(schedule, bytes, 1);
    if (stripeLength > 0) {
      schedule.part(partners, OUTPUT, stripeAt, OUTPUT, stripeAt);
      BcastRounds.fill(
          schedule, between.algorithm(Kind.BCAST, stripeLength, true), hierarchy.node(root), node, nodes, stripeLength,
          Spread.SEGMENT);
    }
    if (!hasRoot) {
      tellStripes(schedule, bytes, 1);
    }
  }

  /** Cuts data into stripes, of which as many members of each node have one as the smallest node has members. */
  private void cut(Schedule schedule, long bytes, long element) {
    schedule.parts.cut(hierarchy.least(), count, bytes, element);
    stripeAt = schedule.parts.first(local);
    stripeLength = schedule.parts.length(local);
  }

  /** Gives all members of the node the stripes that lie in the outputs of those that have one. */
  private void tellStripes(Schedule schedule, long bytes, long element) {
    cut(schedule, bytes, element);
    onNode(schedule, OUTPUT, 0, OUTPUT, 0);
    schedule.nextRound();
    Places.tell(schedule, local, Places.ALL);
  }

  /** Combines this member's stripe of the operands of its node, from the left. @return where it is in scratch memory */
  private long combineStripe(Schedule schedule, long bytes, long element) {
    cut(schedule, bytes, element);
    onNode(schedule, INPUT, 0, OUTPUT, 0);
    return Operands.combinePart(schedule, local, count);
  }

  /**
   * Fills the schedule of an allreduce.
   *
   * @param anyBrackets the members of a node may combine their operands before they meet those of others
   */
  public void allreduce(Schedule schedule, Reach reach, boolean anyBrackets, long bytes, long element) {
    schedule.begin();
    leadBy(0);
    if (!anyBrackets) {
      long at = operands(schedule, bytes, false);
      if (leads()) {
        combine(schedule, at, hierarchy.size(), bytes);
      }
      bcastOnNode(schedule, OUTPUT, 0, bytes);
    } else if (reach == Reach.STRIPES) {
      long at = combineStripe(schedule, bytes, element);
      if (stripeLength > 0) {
        schedule.part(partners, SCRATCH, at, OUTPUT, stripeAt);
        AllreduceRounds.fill(
            schedule, between.algorithm(Kind.ALLREDUCE, stripeLength, true), node, nodes, stripeLength, element);
      }
      tellStripes(schedule, bytes, element);
    } else {
      boolean combines = reduceOnNode(schedule, OUTPUT, 0, bytes, element);
      if (leads()) {
        amongLeaders(schedule, combines ? OUTPUT : INPUT, 0, OUTPUT, 0);
        AllreduceRounds.fill(
            schedule, between.algorithm(Kind.ALLREDUCE, bytes, true), node, nodes, bytes, element);
      }
      bcastOnNode(schedule, OUTPUT, 0, bytes);
    }
    schedule.whole();
  }

  /**
   * Combines the operands of the node at its leader, in rank order.
   *
   * @return whether there are others; else nothing is done
   */
  private boolean reduceOnNode(Schedule schedule, int to, long at, long bytes, long element) {
    if (count > 1) {
      onNode(schedule, INPUT, 0, to, at);
      ReduceRounds.fill(
          schedule, within.algorithm(Kind.REDUCE, bytes, true), leader, local, count, bytes, element);
    }
    return count > 1;
  }

  /** Fills the schedule of a reduce; only the root has an output. */
  public void reduce(Schedule schedule, Reach reach, boolean anyBrackets, int root, long bytes, long element) {
    schedule.begin();
    leadBy(root);
    if (!anyBrackets) {
      reduceOperands(schedule, root, bytes);
    } else if (reach == Reach.STRIPES) {
      reduceInStripes(schedule, root, bytes, element);
    } else {
      boolean isRoot = rank == root;
      long at = leads() && !isRoot && count > 1 ? schedule.scratch(bytes) : 0;
      int to = isRoot ? OUTPUT : SCRATCH;
      boolean combines = reduceOnNode(schedule, to, at, bytes, element);
      if (leads()) {
        amongLeaders(schedule, combines ? to : INPUT, at, OUTPUT, 0);
        ReduceRounds.fill(
            schedule, between.algorithm(Kind.REDUCE, bytes, true), hierarchy.node(root), node, nodes, bytes, element);
      }
    }
    schedule.whole();
  }

  private void reduceInStripes(Schedule schedule, int root, long bytes, long element) {
    long at = combineStripe(schedule, bytes, element);
    int rootNode = hierarchy.node(root);
    boolean isRoot = rank == root;
    long result = node == rootNode && !isRoot ? schedule.scratch(stripeLength) : 0;
    if (stripeLength > 0) {
      schedule.part(partners, SCRATCH, at, isRoot ? OUTPUT : SCRATCH, isRoot ? stripeAt : result);
      ReduceRounds.fill(
          schedule, between.algorithm(Kind.REDUCE, stripeLength, true), rootNode, node, nodes, stripeLength, element);
    }
    if (node == rootNode) {
      cut(schedule, bytes, element);
      onNode(schedule, SCRATCH, result, OUTPUT, 0);
      if (!isRoot) {
        schedule.send(leader, INPUT, 0, stripeLength);
      }
      for (int other = 0; isRoot && other < count; other++) {
        if (other != local) {
          schedule.receive(other, OUTPUT, schedule.parts.first(other), schedule.parts.length(other));
        }
      }
    }
  }

  private void reduceOperands(Schedule schedule, int root, long bytes) {
    blocks(null, bytes);
    boolean isRoot = rank == root;
    long at = isRoot ? schedule.scratch(all) : leads() ? schedule.scratch(nodeLengths[node]) : 0;
    long own = isRoot ? at + nodeOffsets[node] : at;
    gatherOnNode(schedule, SCRATCH, own, bytes);
    if (isRoot) {
      amongLeaders(schedule, SCRATCH, own, SCRATCH, at);
      GatherRounds.fill(schedule, node, nodeLengths, nodeOffsets);
      combine(schedule, at, hierarchy.size(), bytes);
    } else if (leads()) {
      amongLeaders(schedule, SCRATCH, own, SCRATCH, at);
      GatherRounds.fill(schedule, hierarchy.node(root), nodeLengths[node]);
    }
  }

  /** Fills the schedule of a scan, or of an exscan. */
  public void scan(Schedule schedule, boolean anyBrackets, boolean exclusive, long bytes, long element) {
    schedule.begin();
    if (anyBrackets) {
      long segment = Spread.segment(element);
      leadByLast();
      boolean keeps = exclusive && leads() && count > 1;
      long total = keeps ? schedule.scratch(bytes) : 0;
      if (keeps) {
        schedule.copy(INPUT, 0, SCRATCH, total, bytes); // which the output may lie over
      }
      onNode(schedule, INPUT, 0, OUTPUT, 0);
      ScanRounds.fill(
          schedule, within.algorithm(Kind.SCAN, bytes, true), exclusive, local, count, bytes, segment);
      schedule.whole();
      if (keeps) {
        schedule.combine(true, OUTPUT, 0, SCRATCH, total, bytes);
      }
      addOfNodesBefore(schedule, exclusive, keeps ? SCRATCH : exclusive ? INPUT : OUTPUT, total, bytes, segment);
    } else {
      leadBy(0);
      long at = operands(schedule, bytes, true);
      bcastOnNode(schedule, SCRATCH, at, all);
      combine(schedule, at, exclusive ? rank : rank + 1, bytes);
    }
    schedule.whole();
  }

  /** Combines on the left what the nodes before this one have, whose last members know those of their nodes. */
  private void addOfNodesBefore(
      Schedule schedule, boolean exclusive, int total, long totalAt, long bytes, long segment) {
    long before = schedule.scratch(node > 0 ? bytes : 0);
    if (leads()) {
      amongLeaders(schedule, total, totalAt, SCRATCH, before);
      ScanRounds.fill(schedule, between.algorithm(Kind.SCAN, bytes, true), true, node, nodes, bytes, segment);
    }
    if (node == 0) {
      return;
    }
    bcastOnNode(schedule, SCRATCH, before, bytes);
    schedule.whole();
    if (exclusive && local == 0) {
      schedule.copy(SCRATCH, before, OUTPUT, 0, bytes);
    } else {
      schedule.combine(true, SCRATCH, before, OUTPUT, 0, bytes);
    }
  }

  /** Fills the schedule of a reduce_scatter of blocks that have lengths of their own, which all members know. */
  public void reduceScatter(Schedule schedule, long[] lengthOf, long element) {
    blocks(lengthOf, 0);
    scatterReduced(schedule, lengthOf[rank], element);
  }

  /** Fills the schedule of a reduce_scatter of blocks of equal length. */
  public void reduceScatter(Schedule schedule, long bytes, long element) {
    blocks(null, bytes);
    scatterReduced(schedule, bytes, element);
  }

  private void scatterReduced(Schedule schedule, long length, long element) {
    schedule.begin();
    leadBy(0);
    long at = leads() && count > 1 ? schedule.scratch(all) : 0;
    boolean combines = reduceOnNode(schedule, SCRATCH, at, all, element);
    long result = leads() ? schedule.scratch(nodeLengths[node]) : 0;
    if (leads()) {
      amongLeaders(schedule, combines ? SCRATCH : INPUT, at, SCRATCH, result);
      ReduceScatterRounds.fill(schedule, between.algorithm(Kind.REDUCE_SCATTER, all, true), node, nodeLengths);
    }
    onNode(schedule, SCRATCH, result, OUTPUT, 0);
    if (leads()) {
      ScatterRounds.fill(schedule, leader, lengths, offsets);
    } else {
      ScatterRounds.fill(schedule, leader, length);
    }
    schedule.whole();
  }

  /** Fills the schedule of an allgather of blocks of equal length. */
  public void allgather(Schedule schedule, Reach reach, long bytes) {
    schedule.begin();
    leadBy(0);
    if (reach == Reach.STRIPES) {
      allgatherInStripes(schedule, bytes);
    } else if (hierarchy.isConsecutive()) {
      blocks(null, bytes);
      gatherAll(schedule, OUTPUT, 0, bytes);
    } else {
      blocks(null, bytes);
      long at = schedule.scratch(all);
      gatherAll(schedule, SCRATCH, at, bytes);
      for (int member = 0; member < hierarchy.size(); member++) {
        schedule.copy(SCRATCH, at + place(member) * bytes, OUTPUT, member * bytes, bytes);
      }
    }
    schedule.whole();
  }

  /** Fills the schedule of an allgather of blocks that have lengths and places of their own, which all members know. */
  public void allgather(Schedule schedule, long[] lengthOf, long[] offsetOf) {
    schedule.begin();
    leadBy(0);
    blocks(lengthOf, 0);
    long at = schedule.scratch(all);
    gatherAll(schedule, SCRATCH, at, lengthOf[rank]);
    for (int other = 0; other < nodes; other++) {
      for (int member : hierarchy.members(other)) {
        schedule.copy(SCRATCH, at, OUTPUT, offsetOf[member], lengthOf[member]);
        at += lengthOf[member];
      }
    }
    schedule.whole();
  }

  /** Gives all members the blocks of all, in the order of nodes. */
  private void gatherAll(Schedule schedule, int to, long at, long length) {
    gatherOnNode(schedule, to, at + nodeOffsets[node], length);
    gatherAmongLeaders(schedule, to, at);
    bcastOnNode(schedule, to, at, all);
    schedule.whole();
  }

  /** Gives the leader the blocks of its node. */
  private void gatherOnNode(Schedule schedule, int to, long at, long length) {
    onNode(schedule, INPUT, 0, to, at);
    if (leads()) {
      GatherRounds.fill(schedule, leader, lengths, offsets);
    } else {
      GatherRounds.fill(schedule, leader, length);
    }
  }

  private void gatherAmongLeaders(Schedule schedule, int to, long at) {
    if (leads()) {
      amongLeaders(schedule, to, at + nodeOffsets[node], to, at);
      AllgatherRounds.fill(
          schedule, between.algorithm(Kind.ALLGATHER_BY_PARTS, all, true), node, nodeLengths, nodeOffsets);
    }
  }

  /**
   * Each member's block goes around the nodes among those that have its number there, and what has come is told on the
   * node while the next one comes.
   */
  private void allgatherInStripes(Schedule schedule, long bytes) {
    schedule.copy(INPUT, 0, OUTPUT, rank * bytes, bytes);
    int ahead = partners[(node + 1) % nodes];
    int behind = partners[Math.floorMod(node - 1, nodes)];
    for (int step = 0; step < nodes; step++) {
      int[] members = hierarchy.members(Math.floorMod(node - step, nodes));
      schedule.nextRound();
      if (step < nodes - 1) {
        schedule.send(ahead, OUTPUT, members[local] * bytes, bytes);
        schedule.receive(behind, OUTPUT, partners[Math.floorMod(node - step - 1, nodes)] * bytes, bytes);
      }
      for (int distance = 1; distance < count; distance++) {
        int from = Math.floorMod(local - distance, count);
        schedule.send(mates[(local + distance) % count], OUTPUT, members[local] * bytes, bytes);
        schedule.receive(mates[from], OUTPUT, members[from] * bytes, bytes);
      }
    }
  }

  /**
   * Gives the leaders the operands of all, in the order of nodes.
   *
   * @param toAll all members are to have room for them
   * @return where they are in scratch memory
   */
  private long operands(Schedule schedule, long bytes, boolean toAll) {
    blocks(null, bytes);
    long at = leads() || toAll ? schedule.scratch(all) : 0;
    gatherOnNode(schedule, SCRATCH, at + nodeOffsets[node], bytes);
    gatherAmongLeaders(schedule, SCRATCH, at);
    schedule.whole();
    return at;
  }

  /** Combines the operands of the first members from the left, and puts the result to the output. */
  private void combine(Schedule schedule, long at, int members, long bytes) {
    schedule.whole();
    for (int member = 1; member < members; member++) {
      schedule.combine(false, SCRATCH, at + place(member) * bytes, SCRATCH, at, bytes);
    }
    if (members > 0) {
      schedule.copy(SCRATCH, at, OUTPUT, 0, bytes);
    }
  }

  /** The place of a member where those of a node lie one behind the other; that of member 0 is the first one. */
  private long place(int member) {
    return hierarchy.first(hierarchy.node(member)) + hierarchy.local(member);
  }

  /** Where the blocks of members lie, in the order of nodes; null: all have so many bytes. */
  private void blocks(long[] lengthOf, long bytes) {
    all = 0;
    for (int other = 0; other < nodes; other++) {
      nodeOffsets[other] = all;
      for (int member : hierarchy.members(other)) {
        all += lengthOf == null ? bytes : lengthOf[member];
      }
      nodeLengths[other] = all - nodeOffsets[other];
    }
    long at = 0;
    for (int mate = 0; mate < count; mate++) {
      lengths[mate] = lengthOf == null ? bytes : lengthOf[mates[mate]];
      offsets[mate] = at;
      at += lengths[mate];
    }
  }
}
