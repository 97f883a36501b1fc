package io.adrastea.comm;

import io.adrastea.coll.Slot;
import io.adrastea.contextid.CommunicatorSlot;
import io.adrastea.contextid.FarMembers;
import io.adrastea.contextid.Origin;
import io.adrastea.contextid.Parents;
import io.adrastea.contextid.SlotPool;
import io.adrastea.engine.Engine;
import io.adrastea.engine.group.Numbering;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.SegmentException;
import io.adrastea.peers.Peers;
import io.adrastea.ranktable.Capability;
import io.adrastea.ranktable.RankTable;
import io.adrastea.topology.Cache;
import io.adrastea.topology.CpuGroup;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The ranks of the node of this rank, as its communicators need them: where they run, what they can take part in, and
 * the slots of their communicators in shared memory. Slots tell of their members by local ranks; what is asked here
 * names ranks of the job.
 */
public final class LocalRanks {
  /** As the color of a split: this rank is in none of the new communicators. */
  public static final int NO_COLOR = -1;

  private final Peers peers;
  private final RankTable table;
  private final SlotPool slots;
  private final FarRanks farRanks;

  /**
   * The ranks of the node of an engine's rank.
   *
   * @param maker makes the pool of slots, by what it is to know of ranks of other nodes
   */
  public LocalRanks(Engine engine, Peers peers, RankTable table, Function<FarMembers, SlotPool> maker) {
    this.peers = peers;
    this.table = table;
    this.farRanks = new FarRanks(engine, peers);
    this.slots = maker.apply(farRanks);
    farRanks.begin(slots);
  }

  /** What asks members of this node, by their local ranks, whether they come. */
  IntConsumer asker(Lineage lineage) {
    return local -> farRanks.ask(lineage, jobRank(local));
  }

  /** What ranks that share no slot tell each other. */
  FarRanks farRanks() {
    return farRanks;
  }

  private int localRank(int jobRank) {
    return peers.nodes().localRank(jobRank);
  }

  /** The local rank of this one. */
  int localRank() {
    return localRank(peers.self());
  }

  /** The number of this rank in a group. */
  int rankIn(Numbering numbering) {
    return numbering.rankOf(peers.self());
  }

  // Slots

  /** Makes a slot for these ranks of the node, by their numbers in the job, in that order. */
  CommunicatorSlot make(IntStream jobRanks) {
    return slots.make(null, new int[0], jobRanks.map(this::localRank).toArray());
  }

  /** Takes a number for these ranks of the job, and makes a slot for those of them that are on this node. */
  CommunicatorSlot make(Numbering numbering, Parents parents) {
    return slots.make(
        parents, numbering.jobRanks().filter(rank -> !peers.isOnNode(rank)).toArray(),
        onNode(numbering).map(this::localRank).toArray());
  }

  private IntStream onNode(Numbering numbering) {
    return numbering.jobRanks().filter(peers::isOnNode);
  }

  /** The number of this rank among the members of a group that are on its node. */
  int memberOf(Numbering numbering) {
    return (int) onNode(numbering).takeWhile(rank -> rank != peers.self()).count();
  }

  /** Whether a rank of the job is on this node. */
  boolean isOnNode(int jobRank) {
    return peers.isOnNode(jobRank);
  }

  /** The rank of the job that is this local rank. */
  int jobRank(int localRank) {
    return peers.nodes().ranksOf(node())[localRank];
  }

  /**
   * Comes in to a slot that another rank of the node has made.
   *
   * @param maker its number in the job
   * @return null: this rank was kept out
   */
  CommunicatorSlot enter(int id, int maker, long offset, Numbering numbering) {
    int ranks = (int) onNode(numbering).count();
    return slots.enter(id, localRank(maker), offset, ranks, numbering.size() - ranks, memberOf(numbering));
  }

  /** A member was not told of a communicator that this rank has made, and never comes to it. */
  void isOut(int id, int jobRank) {
    if (!isOnNode(jobRank)) { // else it is kept out already
      slots.farIsOut(id, jobRank);
    }
  }

  /** Comes in to the slot that a local rank has made; null: this rank was kept out. */
  CommunicatorSlot enterOf(int localMaker, long offset) {
    return slots.enter(localMaker, offset);
  }

  /** Comes in and leaves at once what another rank of the job has made, so that nobody waits for this one there. */
  void stayOut(int maker, long offset) {
    CommunicatorSlot slot = slots.enter(localRank(maker), offset);
    if (slot != null) {
      leave(slot);
    }
  }

  /** This rank, which has made a slot, gives up. */
  void withdraw(CommunicatorSlot slot) {
    Slot.close(slot.memory(), slot.ranks(), slot.memberOf(localRank())); // for those that came in already
    slots.withdraw(slot);
  }

  /** This rank goes out of a slot that it has come in to. */
  void leave(CommunicatorSlot slot) {
    close(slot, slot.memberOf(localRank()));
  }

  /** This rank has closed a communicator. */
  void close(CommunicatorSlot slot, int member) {
    Slot.close(slot.memory(), slot.ranks(), member);
    slots.close(slot, member);
  }

  CommunicatorSlot slotOfWorld() {
    return slots.ofWorld();
  }

  /** The slot of a communicator that this rank may not be in, as its local owner has it, to be looked at alone. */
  CommunicatorSlot look(int id, int owner, long offset, int ranks) {
    return slots.look(id, owner, offset, ranks);
  }

  /** What members of a communicator that this rank may not be in tell each other by. */
  Origin origin(CommunicatorSlot slot, boolean byCollectives, IntStream jobRanks) {
    return new Origin(slot, jobRanks.map(this::localRank).toArray(), byCollectives);
  }

  /** The members of a slot, by their numbers in the job. */
  Numbering numbering(CommunicatorSlot slot) {
    int[] onNode = peers.nodes().ranksOf(node());
    int[] localRanks = IntStream.range(0, slot.ranks()).map(slot::localRank).toArray();
    if (IntStream.of(localRanks).anyMatch(rank -> rank < 0 || rank >= onNode.length)
        || IntStream.of(localRanks).distinct().count() < localRanks.length) {
      throw new SegmentException(
          "a slot says that its members are local ranks %s of %d; a rank that is broken has written to it"
              .formatted(Arrays.toString(localRanks), onNode.length));
    }
    return Numbering.of(peers.size(), IntStream.of(localRanks).map(rank -> onNode[rank]).toArray());
  }

  // Where ranks run

  /** Number of the node of this rank. */
  public int node() {
    return peers.nodes().node(peers.self());
  }

  /** Number of the node of a rank of the job. */
  public int node(int jobRank) {
    return peers.nodes().node(jobRank);
  }

  /** A number for the last cache that all CPUs of this rank share, or {@link #NO_COLOR}. */
  public int cacheColor() {
    return ofNode(cacheColor(Topology.of(table.cpus()), ownCpus()));
  }

  /** Tells colors of several nodes apart. */
  private int ofNode(int color) {
    return color == NO_COLOR ? NO_COLOR : color * peers.nodes().count() + node();
  }

  private static int cacheColor(Topology topology, Cpus own) {
    return topology.lastCache(own.first()).map(Cache::cpus).filter(cpus -> cpus.and(own).equals(own))
        .map(Cpus::first).orElse(NO_COLOR);
  }

  /** A number for the NUMA node that has all CPUs of this rank, or {@link #NO_COLOR}. */
  public int numaColor() {
    return ofNode(numaColor(Topology.of(table.cpus()), ownCpus()));
  }

  private static int numaColor(Topology topology, Cpus own) {
    return topology.nodes().stream().filter(node -> node.cpus().and(own).equals(own))
        .mapToInt(CpuGroup::number)
        .findFirst().orElse(NO_COLOR);
  }

  /** What this rank shares with others: its node, NUMA node and last cache. */
  int[] place() {
    return place(node(), Topology.of(table.cpus()), ownCpus());
  }

  static int[] place(int node, Topology topology, Cpus own) {
    return new int[] {node, numaColor(topology, own), cacheColor(topology, own)};
  }

  private Cpus ownCpus() {
    return table.cpus(localRank());
  }

  // What ranks can take part in

  /**
   * Refuses ranks that cannot take part in what all ranks call.
   *
   * @param numbers of the communicator, by which exceptions name them
   */
  void requireAble(Numbering numbers, Numbering members, String call) {
    Capability needed = shareSlots(members) ? Capability.COLLECTIVES : Capability.MATCHING;
    for (int i = 0; i < members.size(); i++) {
      int jobRank = members.jobRank(i);
      if (jobRank != peers.self() && !peers.abilities(jobRank).has(needed)) {
        throw new CapabilityException(
            numbers.rankOf(jobRank), jobRank,
            "%s with rank %s, which %s".formatted(call, numbers.name(jobRank), peers.abilities(jobRank).lack(needed)));
      }
    }
  }

  /** Whether all of them share slots with this rank. */
  boolean shareSlots(Numbering members) {
    return members.jobRanks().allMatch(peers::sharesSlots);
  }

  /** Refuses ranks that do not share memory with this one. */
  void requireShared(Numbering members, String call) {
    for (int i = 0; i < members.size(); i++) {
      int jobRank = members.jobRank(i);
      if (jobRank != peers.self() && !peers.sharesSlots(jobRank)) {
        throw new CapabilityException(
            i, jobRank,
            "%s with rank %s, which shares no memory with this one; it is of ranks that all do"
                .formatted(call, members.name(jobRank)));
      }
    }
  }
}
