package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;
import static io.adrastea.spread.Schedule.STREAM;

import io.adrastea.spread.Spread.Kind;

/**
 * Gathers, scatters and alltoalls by messages of one member among others on several nodes, by way of one member of each
 * node, its leader. Only the two ends of a block know how long it is. So blocks travel behind their lengths
 * ({@link BlockStream}): those of a node in one message to another one, or by a binomial tree of nodes. Of a block that
 * is longer than what {@link Spread} sends so the length alone does, and the block goes straight, once the one that
 * takes it has seen that both say the same number. On a node blocks go straight, too.
 *
 * <p>
 * Mutable: it keeps numbers for the schedule that it fills, which is read before the next one is filled.
 */
public final class ExchangeRounds {
  private final Hierarchy hierarchy;
  private final Spread spread;
  private final int rank;
  private final int size;
  private final int node;
  private final int local; // on that
  private final int[] mates; // the members of that
  private final int nodes;
  private final int[] leaders; // by node
  private final long[] streams; // where one of each node lies, or of each level of the tree
  private final long[] ofNodes; // where that which comes from each node lies
  private final long[] ofMates; // where one of each member of the node lies
  private long most; // bytes of a block in a stream
  private boolean isTree; // of nodes, else they all send to the root's
  private int rootNode;
  private int led; // the level of the nodes that this one leads in the tree
  private long bytes; // of each block, where there are no lengths
  private long[] lengths; // of the blocks at the root by member; null: equal ones
  private long[] offsets;
  private long[] takenLengths; // those that this member takes in an alltoall; null: likewise
  private long[] takenOffsets;

  /** Makes those of one member of a communicator. */
  public ExchangeRounds(Hierarchy hierarchy, Spread spread, int rank) {
    this.hierarchy = hierarchy;
    this.spread = spread;
    this.rank = rank;
    this.size = hierarchy.size();
    this.node = hierarchy.node(rank);
    this.local = hierarchy.local(rank);
    this.mates = hierarchy.members(node);
    this.nodes = hierarchy.count();
    this.leaders = new int[nodes];
    this.streams = new long[Math.max(nodes, Integer.SIZE)];
    this.ofNodes = new long[nodes];
    this.ofMates = new long[mates.length];
  }

  private void lead(Kind kind, int root, long bytesOfEach, long[] lengthOf, long[] offsetOf) {
    most = spread.longest(kind);
    isTree = spread.leadersAlgorithm(kind) == Algorithm.BINOMIAL;
    for (int other = 0; other < nodes; other++) {
      leaders[other] = hierarchy.members(other)[0];
    }
    rootNode = hierarchy.node(root);
    leaders[rootNode] = root;
    led = isTree ? Halves.ledBy(node, rootNode, nodes) : node == rootNode ? nodes : 0;
    bytes = bytesOfEach;
    lengths = lengthOf;
    offsets = offsetOf;
  }

  // The tree of nodes: below one there are some of the levels before that which it leads, or places of nodes.

  /** The node that leads those at a level below this one; which may be this one, or none. */
  private int below(int level) {
    return isTree ? Halves.beside(node, level) : level;
  }

  private boolean isBelow(int level) {
    return below(level) < nodes && below(level) != node;
  }

  private int endBelow(int level) {
    return isTree ? Halves.end(below(level), level, nodes) : below(level) + 1;
  }

  private int above() {
    return leaders[isTree ? Halves.leader(node, led + 1, rootNode) : rootNode];
  }

  /** How many members some nodes have. */
  private int members(int first, int end) {
    return (end == nodes ? size : hierarchy.first(end)) - hierarchy.first(first);
  }

  private int membersBelow(int level) {
    return members(below(level), endBelow(level));
  }

  /** How many members this node has and those below it. */
  private int membersFromHere() {
    return members(node, node == rootNode || !isTree ? node + 1 : Halves.end(node, led, nodes));
  }

  private long length(int member) {
    return lengths == null ? bytes : lengths[member];
  }

  private long offset(int member) {
    return offsets == null ? member * bytes : offsets[member];
  }

  // Steps on streams

  private long stream(Schedule schedule, long blocks) {
    return schedule.stream(BlockStream.room(blocks, most));
  }

  private void send(Schedule schedule, int member, long stream, long blocks) {
    schedule.send(member, STREAM, stream, BlockStream.bytes(blocks, most));
  }

  /** Receives a stream. @return where it is */
  private long receive(Schedule schedule, int member, long blocks) {
    long stream = schedule.scratch(BlockStream.room(blocks, most));
    schedule.receive(member, STREAM, stream, BlockStream.bytes(blocks, most));
    return stream;
  }

  private void put(Schedule schedule, long stream, long at, long length) {
    schedule.put(stream, length <= most, at, length);
  }

  private void take(Schedule schedule, long stream, int giver, long at, long length) {
    schedule.take(stream, giver, length <= most, at, length);
  }

  // Gather and scatter

  /**
   * Fills the schedule of a gather.
   *
   * @param bytesOfEach of this member's block; at the root of each one, if these are equal
   * @param lengthOf at the root, the lengths of the blocks; null: they are equal, and lie one behind the other
   * @param offsetOf likewise, where they lie
   */
  public void gather(Schedule schedule, int root, long bytesOfEach, long[] lengthOf, long[] offsetOf) {
    schedule.begin();
    lead(Kind.GATHER, root, bytesOfEach, lengthOf, offsetOf);
    if (rank == root) {
      gatherAtRoot(schedule);
    } else if (node == rootNode) {
      schedule.send(root, INPUT, 0, bytes);
    } else {
      if (rank == leaders[node]) {
        gatherAtLeader(schedule);
      } else {
        long stream = stream(schedule, 1);
        put(schedule, stream, 0, bytes);
        send(schedule, leaders[node], stream, 1);
      }
      schedule.nextRound();
      schedule.send(root, INPUT, 0, bytes > most ? bytes : 0);
    }
  }

  private void receiveFromBelow(Schedule schedule) {
    for (int level = 0; level < led; level++) {
      if (isBelow(level)) {
        streams[level] = receive(schedule, leaders[below(level)], membersBelow(level));
      }
    }
  }

  private void gatherAtLeader(Schedule schedule) {
    for (int mate = 0; mate < mates.length; mate++) {
      if (mate != local) {
        ofMates[mate] = receive(schedule, mates[mate], 1);
      }
    }
    receiveFromBelow(schedule);
    long all = stream(schedule, membersFromHere());
    for (int mate = 0; mate < mates.length; mate++) {
      if (mate == local) {
        put(schedule, all, 0, bytes);
      } else {
        schedule.pass(ofMates[mate], mates[mate], all, 1);
      }
    }
    for (int level = 0; level < led; level++) {
      if (isBelow(level)) {
        schedule.pass(streams[level], leaders[below(level)], all, membersBelow(level));
      }
    }
    send(schedule, above(), all, membersFromHere());
  }

  private void gatherAtRoot(Schedule schedule) {
    for (int mate : mates) {
      if (mate != rank) {
        schedule.receive(mate, OUTPUT, offset(mate), length(mate));
      }
    }
    receiveFromBelow(schedule);
    schedule.copy(INPUT, 0, OUTPUT, offset(rank), length(rank));
    for (int level = 0; level < led; level++) {
      for (int other = below(level); isBelow(level) && other < endBelow(level); other++) {
        for (int member : hierarchy.members(other)) {
          take(schedule, streams[level], member, offset(member), length(member));
        }
      }
    }
    schedule.nextRound();
    for (int member = 0; member < size; member++) {
      if (isFar(member, length(member))) {
        schedule.receive(member, OUTPUT, offset(member), length(member));
      }
    }
  }

  /** Whether a block of this length from or to a member goes straight to another node. */
  private boolean isFar(int member, long length) {
    return hierarchy.node(member) != node && length > most;
  }

  /**
   * Fills the schedule of a scatter.
   *
   * @param bytesOfEach of this member's block; at the root of each one, if these are equal
   * @param lengthOf at the root, the lengths of the blocks; null: they are equal, and lie one behind the other
   * @param offsetOf likewise, where they lie
   */
  public void scatter(Schedule schedule, int root, long bytesOfEach, long[] lengthOf, long[] offsetOf) {
    schedule.begin();
    lead(Kind.SCATTER, root, bytesOfEach, lengthOf, offsetOf);
    if (rank == root) {
      scatterAtRoot(schedule);
    } else if (node == rootNode) {
      schedule.receive(root, OUTPUT, 0, bytes);
    } else {
      if (rank == leaders[node]) {
        scatterAtLeader(schedule, root);
      } else {
        take(schedule, receive(schedule, leaders[node], 1), root, 0, bytes);
      }
      schedule.nextRound();
      schedule.receive(root, OUTPUT, 0, bytes > most ? bytes : 0);
    }
  }

  /** Those that have most below them first. */
  private void sendBelow(Schedule schedule) {
    for (int level = led - 1; level >= 0; level--) {
      if (isBelow(level)) {
        send(schedule, leaders[below(level)], streams[level], membersBelow(level));
      }
    }
  }

  private void scatterAtRoot(Schedule schedule) {
    for (int level = 0; level < led; level++) {
      if (isBelow(level)) {
        streams[level] = stream(schedule, membersBelow(level));
        for (int other = below(level); other < endBelow(level); other++) {
          for (int member : hierarchy.members(other)) {
            put(schedule, streams[level], offset(member), length(member));
          }
        }
      }
    }
    sendBelow(schedule);
    for (int mate : mates) {
      if (mate != rank) {
        schedule.send(mate, INPUT, offset(mate), length(mate));
      }
    }
    schedule.copy(INPUT, offset(rank), OUTPUT, 0, length(rank));
    schedule.nextRound();
    for (int member = 0; member < size; member++) {
      if (isFar(member, length(member))) {
        schedule.send(member, INPUT, offset(member), length(member));
      }
    }
  }

  private void scatterAtLeader(Schedule schedule, int root) {
    long all = receive(schedule, above(), membersFromHere());
    for (int mate = 0; mate < mates.length; mate++) {
      if (mate == local) {
        take(schedule, all, root, 0, bytes);
      } else {
        ofMates[mate] = stream(schedule, 1);
        schedule.pass(all, above(), ofMates[mate], 1);
      }
    }
    for (int level = 0; level < led; level++) {
      if (isBelow(level)) {
        streams[level] = stream(schedule, membersBelow(level));
        schedule.pass(all, above(), streams[level], membersBelow(level));
      }
    }
    sendBelow(schedule);
    for (int mate = 0; mate < mates.length; mate++) {
      if (mate != local) {
        send(schedule, mates[mate], ofMates[mate], 1);
      }
    }
  }

  // Alltoall

  /** Fills the schedule of an alltoall of equal blocks, which lie one behind the other. */
  public void alltoall(Schedule schedule, long bytesOfEach) {
    alltoall(schedule, bytesOfEach, null, null, null, null);
  }

  /** Fills the schedule of an alltoall of blocks that have lengths and places of their own. */
  public void alltoall(
      Schedule schedule, long[] giveLengths, long[] giveOffsets, long[] takeLengths, long[] takeOffsets) {
    alltoall(schedule, 0, giveLengths, giveOffsets, takeLengths, takeOffsets);
  }

  private void alltoall(
      Schedule schedule, long bytesOfEach, long[] giveLengths, long[] giveOffsets, long[] takeLengths,
      long[] takeOffsets) {
    schedule.begin();
    lead(Kind.ALLTOALL, hierarchy.members(0)[0], bytesOfEach, giveLengths, giveOffsets);
    takenLengths = takeLengths;
    takenOffsets = takeOffsets;
    if (rank == leaders[node]) {
      collect(schedule);
      exchange(schedule, true);
      hand(schedule);
    } else {
      int far = size - mates.length;
      long given = stream(schedule, far);
      for (int other = 0; other < nodes; other++) {
        putAll(schedule, given, other);
      }
      send(schedule, leaders[node], given, far);
      exchange(schedule, false);
      schedule.nextRound();
      long taken = receive(schedule, leaders[node], far);
      for (int other = 0; other < nodes; other++) {
        for (int member : hierarchy.members(other)) {
          takeOf(schedule, taken, member);
        }
      }
    }
    exchangeFar(schedule);
  }

  private long takenLength(int member) {
    return takenLengths == null ? bytes : takenLengths[member];
  }

  private long takenOffset(int member) {
    return takenOffsets == null ? member * bytes : takenOffsets[member];
  }

  /** Puts the blocks for another node to a stream. */
  private void putAll(Schedule schedule, long stream, int other) {
    for (int member : hierarchy.members(other)) {
      if (other != node) {
        put(schedule, stream, offset(member), length(member));
      }
    }
  }

  private void takeOf(Schedule schedule, long stream, int member) {
    if (hierarchy.node(member) != node) {
      take(schedule, stream, member, takenOffset(member), takenLength(member));
    }
  }

  /** At a leader: makes a stream for each other node of what the members of this one give it. */
  private void collect(Schedule schedule) {
    for (int mate = 0; mate < mates.length; mate++) {
      if (mate != local) {
        ofMates[mate] = receive(schedule, mates[mate], size - mates.length);
      }
    }
    for (int other = 0; other < nodes; other++) {
      if (other != node) {
        int members = members(other, other + 1);
        streams[other] = stream(schedule, (long) mates.length * members);
        for (int mate = 0; mate < mates.length; mate++) {
          if (mate == local) {
            putAll(schedule, streams[other], other);
          } else {
            schedule.pass(ofMates[mate], mates[mate], streams[other], members);
          }
        }
      }
    }
  }

  /** Exchanges blocks on the node, and at a leader the streams with those of other nodes, some at once. */
  private void exchange(Schedule schedule, boolean leads) {
    for (int distance = 1; distance < Math.max(leads ? nodes : 0, mates.length); distance++) {
      if (distance % Operands.PARTNERS == 1) {
        schedule.nextRound();
      }
      if (leads && distance < nodes) {
        int to = (node + distance) % nodes;
        int from = Math.floorMod(node - distance, nodes);
        send(schedule, leaders[to], streams[to], (long) mates.length * members(to, to + 1));
        ofNodes[from] = receive(schedule, leaders[from], (long) mates.length * members(from, from + 1));
      }
      if (distance < mates.length) {
        int to = mates[(local + distance) % mates.length];
        int from = mates[Math.floorMod(local - distance, mates.length)];
        schedule.send(to, INPUT, offset(to), length(to));
        schedule.receive(from, OUTPUT, takenOffset(from), takenLength(from));
      }
    }
    schedule.copy(INPUT, offset(rank), OUTPUT, takenOffset(rank), length(rank));
  }

  /** At a leader: gives each member of the node what others have for it. */
  private void hand(Schedule schedule) {
    for (int mate = 0; mate < mates.length; mate++) {
      ofMates[mate] = mate == local ? 0 : stream(schedule, size - mates.length);
    }
    for (int other = 0; other < nodes; other++) {
      for (int member : hierarchy.members(other)) {
        for (int mate = 0; other != node && mate < mates.length; mate++) {
          if (mate == local) {
            takeOf(schedule, ofNodes[other], member);
          } else {
            schedule.pass(ofNodes[other], leaders[other], ofMates[mate], 1);
          }
        }
      }
    }
    for (int mate = 0; mate < mates.length; mate++) {
      if (mate != local) {
        send(schedule, mates[mate], ofMates[mate], size - mates.length);
      }
    }
  }

  /** Exchanges the blocks that are too long for a stream, some at once. */
  private void exchangeFar(Schedule schedule) {
    for (int distance = 1; distance < size; distance++) {
      int to = (rank + distance) % size;
      int from = Math.floorMod(rank - distance, size);
      if (distance % Operands.PARTNERS == 1) {
        schedule.nextRound();
      }
      if (isFar(to, length(to))) {
        schedule.send(to, INPUT, offset(to), length(to));
      }
      if (isFar(from, takenLength(from))) {
        schedule.receive(from, OUTPUT, takenOffset(from), takenLength(from));
      }
    }
  }
}
