package io.adrastea.comm;

import io.adrastea.coll.Slot;
import io.adrastea.contextid.CommunicatorSlot;
import io.adrastea.contextid.Origin;
import io.adrastea.contextid.SlotPool;
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

  public LocalRanks(Peers peers, RankTable table, SlotPool slots) {
    this.peers = peers;
    this.table = table;
    this.slots = slots;
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

  /** Makes a slot for these ranks of the job, in that order. */
  CommunicatorSlot make(IntStream jobRanks) {
    return slots.make(jobRanks.map(this::localRank).toArray());
  }

  /**
   * Comes in to a slot that another rank of the job has made.
   *
   * @param member this rank's number among its members
   * @return null: this rank was kept out
   */
  CommunicatorSlot enter(int id, int maker, long offset, int ranks, int member) {
    return slots.enter(id, localRank(maker), offset, ranks, member);
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

  /** The first CPU of the last cache that all CPUs of this rank share, or {@link #NO_COLOR}. */
  public int cacheColor() {
    return cacheColor(Topology.of(table.cpus()), ownCpus());
  }

  private static int cacheColor(Topology topology, Cpus own) {
    return topology.lastCache(own.first()).map(Cache::cpus).filter(cpus -> cpus.and(own).equals(own))
        .map(Cpus::first).orElse(NO_COLOR);
  }

  /** The NUMA node that has all CPUs of this rank, or {@link #NO_COLOR}. */
  public int numaColor() {
    return numaColor(Topology.of(table.cpus()), ownCpus());
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
   * Refuses ranks that do not share memory with this one, or cannot take part in what all ranks call.
   *
   * @param numbers of the communicator, by which exceptions name them
   */
  void requireAble(Numbering numbers, Numbering members, String call) {
    for (int i = 0; i < members.size(); i++) {
      int jobRank = members.jobRank(i);
      boolean shares = peers.isOnNode(jobRank) && peers.sharesMemory(jobRank);
      if (jobRank != peers.self() && (!shares || !peers.abilities(jobRank).has(Capability.COLLECTIVES))) {
        throw new CapabilityException(
            numbers.rankOf(jobRank),
            jobRank,
            "%s with rank %s, which %s".formatted(
                call,
                numbers.name(jobRank),
                shares
                    ? peers.abilities(jobRank).lack(Capability.COLLECTIVES)
                    : "shares no memory with this one; agreements, and new communicators, are of ranks that all do"));
      }
    }
  }
}
