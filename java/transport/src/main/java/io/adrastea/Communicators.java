package io.adrastea;

import io.adrastea.coll.Slot;
import io.adrastea.comm.InternalMessages;
import io.adrastea.context.ContextSlot;
import io.adrastea.context.Origin;
import io.adrastea.context.SlotPool;
import io.adrastea.core.SlotMember;
import io.adrastea.engine.collective.Agreement;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.collective.Form;
import io.adrastea.engine.group.Numbering;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.link.Nodes;
import io.adrastea.link.Peers;
import io.adrastea.payload.Contiguous;
import io.adrastea.ranktable.Capability;
import io.adrastea.ranktable.RankTable;
import io.adrastea.topology.Cache;
import io.adrastea.topology.CpuGroup;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Makes the communicators of one rank out of those that it has. Their members agree on a number and a slot in shared
 * memory: rank 0 of the new communicator, in a subset the lowest of the parent's ranks, takes both and tells the
 * others.
 */
final class Communicators {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final Peers peers;
  private final RankTable table;
  private final SlotPool slots;

  Communicators(Peers peers, RankTable table, SlotPool slots) {
    this.peers = peers;
    this.table = table;
    this.slots = slots;
  }

  /**
   * A communicator that is being made. Its maker tells the others 16 bytes: the id, below zero when there is none, and
   * where the slot lies. What keeps the maker from making it is thrown once it is told, so that nobody waits.
   */
  final class Making {
    static final int BYTES = 2 * Long.BYTES;
    private static final long NONE = -1;

    private final Origin[] origins;
    private final Numbering numbering;
    private final int self;
    private final int maker; // its number in the new communicator
    private final MemorySegment words = MemorySegment.ofArray(new byte[BYTES]);
    private ContextSlot slot; // of the maker; null: not made
    private RuntimeException failure; // of the maker

    /**
     * Prepares the making of a communicator, of which nothing has been told yet.
     *
     * @param maker its number in the new communicator
     * @param origins what it is made out of: they tell of members that give up
     */
    Making(Numbering numbering, int maker, Origin... origins) {
      this.origins = origins;
      this.numbering = numbering;
      this.self = numbering.rankOf(peers.self());
      this.maker = maker;
    }

    /** What this rank has to tell the others, if it is the maker. */
    MemorySegment words() {
      if (self == maker) {
        int[] localRanks = numbering.jobRanks().map(Communicators.this::localRank).toArray();
        try {
          slot = slots.make(localRanks).madeOutOf(origins);
        } catch (RuntimeException e) {
          failure = e;
        }
        words.set(LONG, 0, slot == null ? NONE : slot.id());
        words.set(LONG, Long.BYTES, slot == null ? 0 : slot.offset());
      }
      return words;
    }

    /** Whether the maker, which tells this at {@code offset}, has made it. */
    static boolean isMade(MemorySegment told, long offset) {
      return told.get(LONG, offset) >= 0;
    }

    /**
     * Opens it, once the maker has told, at {@code offset} of the words. Where this rank cannot, the others are told.
     */
    Communicator open(Communicator parent, MemorySegment told, long offset) {
      if (failure != null) {
        throw failure;
      }
      if (self == maker) {
        return parent.open(numbering, slot);
      }
      try {
        slot = enter((int) told.get(LONG, offset), told.get(LONG, offset + Long.BYTES));
      } catch (SegmentException | Error e) { // else the rank that kept this one out knows of it
        decline(parent, e);
        throw e;
      }
      try {
        return parent.open(numbering, slot);
      } catch (RuntimeException | Error e) {
        Communicators.this.close(slot, self);
        throw e;
      }
    }

    private ContextSlot enter(int id, long at) {
      if (id < 0) {
        throw new AdrasteaException(
            "rank %d of the new communicator (job rank %d) could not make it, and has thrown why"
                .formatted(maker, numbering.jobRank(maker)));
      }
      int owner = numbering.jobRank(maker);
      ContextSlot entered = slots.enter(id, localRank(owner), at, numbering.size(), self);
      if (entered == null) {
        throw new AdrasteaException(
            ("the new communicator, which rank %d of it (job rank %d) has made, was given up while it was made: that "
                + "rank has failed or was interrupted, or the others saw that this rank did not come any more")
                .formatted(maker, owner));
      }
      return entered.madeOutOf(origins);
    }

    /** What kept this rank, the maker, from making it; null: nothing. */
    RuntimeException failure() {
      return failure;
    }

    /** The call has failed: this rank is done with what it may have told already. */
    void withdraw() {
      if (self == maker && slot != null) {
        Communicators.this.withdraw(slot);
        slot = null;
      }
    }

    /**
     * The call has failed where another rank is the maker, and has told: a rank that comes in finds this one to be out.
     */
    void stayOut(MemorySegment told, long offset) {
      if (self != maker && isMade(told, offset)) {
        Communicators.this.stayOut(numbering.jobRank(maker), told.get(LONG, offset + Long.BYTES));
      }
    }
  }

  /** What members of a communicator that is made out of this one tell each other by. */
  Origin[] origins(Communicator parent, boolean byCollectives) {
    ContextSlot slot = parent.slot();
    return slot == null ? new Origin[0] : new Origin[] {origin(slot, byCollectives, parent.numbering().jobRanks())};
  }

  /** What members of a communicator that this rank may not be in tell each other by. */
  Origin origin(ContextSlot slot, boolean byCollectives, IntStream jobRanks) {
    return new Origin(slot, jobRanks.map(this::localRank).toArray(), byCollectives);
  }

  ContextSlot slotOfWorld() {
    return slots.ofWorld();
  }

  /** The slot of a communicator that this rank may not be in, as its local owner has it, to be looked at alone. */
  ContextSlot look(int id, int owner, long offset, int ranks) {
    return slots.look(id, owner, offset, ranks);
  }

  /**
   * This rank gives up the making of a communicator out of another one, and cannot tell the others in the new one. They
   * learn it from the old one, and so this rank makes no more of that, since they could not tell which it gave up.
   */
  static void decline(Communicator parent, Throwable cause) {
    ContextSlot slot = parent.slot();
    try {
      if (slot != null) {
        slot.decline(parent.rank());
      }
    } catch (RuntimeException more) { // the job was left meanwhile, which tells them too
      cause.addSuppressed(more);
    }
  }

  /** This rank, which has made a slot, gives up. */
  private void withdraw(ContextSlot slot) {
    Slot.close(slot.memory(), slot.ranks(), slot.memberOf(localRank(peers.self()))); // for those that came in already
    slots.withdraw(slot);
  }

  /** Makes a communicator with the same ranks in the same order. */
  Communicator dup(Communicator parent, Collectives collectives) {
    Making making = new Making(parent.numbering(), 0, origins(parent, true));
    try {
      MemorySegment words = making.words();
      collectives.bcast(Form.BLOCKING, new Contiguous(words, 0, Making.BYTES), 0, SlotMember.FOR_DUP);
      return making.open(parent, words, 0);
    } catch (RuntimeException | Error e) {
      making.withdraw();
      throw e;
    }
  }

  /**
   * Makes a communicator of some ranks of a parent, which call this, and no others. The lowest of them makes it,
   * whatever their order: so ranks that name the same in another order have the same maker, which tells each that it
   * differs, and one waits for lower ones alone: they never wait for each other.
   */
  Communicator subset(Communicator parent, InternalMessages inner, int tag, int... ranks) {
    if (tag < 0 || tag > InternalMessages.MAX_TAG) {
      throw new ArgumentException(Reason.TAG, "tag %d; allowed are 0 to %d".formatted(tag, InternalMessages.MAX_TAG));
    }
    parent.requireNotRevoked("subset");
    Numbering some = Numbering.of(peers.size(), parent.group().incl(ranks).jobRanks());
    if (!some.contains(peers.self())) {
      throw new ArgumentException(Reason.GROUP,
          "rank %d is not among the ranks %s of the subset; those alone call this that are"
              .formatted(parent.rank(), Arrays.toString(ranks)));
    }
    requireAble(parent, some, "subset");
    parent.requireMakes("subset");
    int maker = IntStream.of(ranks).min().getAsInt();
    Making making = new Making(some, some.rankOf(parent.jobRank(maker)), origins(parent, false));
    try {
      MemorySegment words = making.words();
      MemorySegment told = MemorySegment.ofArray(new byte[Making.BYTES + Integer.BYTES]);
      told.copyFrom(words);
      told.set(INT, Making.BYTES, Arrays.hashCode(ranks));
      if (parent.rank() != maker) {
        hear(parent, inner, maker, tag, told);
        requireSame(parent, told, maker, ranks);
      } else {
        tell(parent, inner, tag, told, making, ranks);
      }
      return making.open(parent, told, 0);
    } catch (RuntimeException | Error e) {
      making.withdraw();
      throw e;
    }
  }

  /**
   * Waits for what the maker of a subset tells. A rank that gives up says so, since it is told later all the same; but
   * not where the maker is gone, without which there is no subset, nor where it has not begun to wait.
   */
  private static void hear(
      Communicator parent, InternalMessages inner, int maker, int tag, MemorySegment told) {
    try {
      inner.hear(maker, tag, told);
    } catch (RankFailedException | ConcurrentUseException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      decline(parent, e);
      throw e;
    }
  }

  /**
   * The maker tells all others of a subset. When one of them cannot be told, those that remain learn that there is
   * none.
   */
  private static void tell(
      Communicator parent, InternalMessages inner, int tag, MemorySegment told, Making making, int... ranks) {
    RuntimeException failure = null;
    for (int other : ranks) {
      try {
        if (other != parent.rank()) {
          inner.tell(other, tag, told);
        }
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
        making.withdraw();
        told.set(LONG, 0, Making.NONE);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Refuses what another list of ranks was told with, and stays out of what that makes, so that nobody waits for it.
   */
  private void requireSame(Communicator parent, MemorySegment told, int maker, int... ranks) {
    if (told.get(INT, Making.BYTES) == Arrays.hashCode(ranks)) {
      return;
    }
    int lowest = parent.jobRank(maker);
    if (Making.isMade(told, 0)) {
      stayOut(lowest, told.get(LONG, Long.BYTES));
    }
    throw new CollectiveException(
        maker,
        lowest,
        "subset of rank %d names the ranks %s, and rank %s, the lowest of them, names others; all of them call it with "
            .formatted(parent.rank(), Arrays.toString(ranks), parent.numbering().name(lowest))
            + "the same ranks in the same order");
  }

  /** Comes in and closes at once what another rank has made, so that nobody waits for this one there. */
  private void stayOut(int maker, long at) {
    ContextSlot slot = slots.enter(localRank(maker), at);
    if (slot != null) {
      close(slot, slot.memberOf(localRank(peers.self())));
    }
  }

  /**
   * Makes a communicator of the ranks of the same color, by their keys and then in their old order; null without a
   * color.
   */
  Communicator split(Communicator parent, Collectives collectives, int color, int key) {
    return split(parent, collectives, color, key, 0);
  }

  /**
   * Makes a communicator of the ranks of the same color, in which the ranks of the parent below {@code first} come
   * before the others, by their keys among themselves.
   */
  Communicator split(Communicator parent, Collectives collectives, int color, int key, int first) {
    if (color < 0 && color != Communicator.NO_COLOR) {
      throw new ArgumentException(Reason.COLOR,
          "color %d; allowed are 0 to %d, and NO_COLOR (-1)".formatted(color, Integer.MAX_VALUE));
    }
    MemorySegment own = MemorySegment.ofArray(new byte[Long.BYTES]);
    own.set(INT, 0, color);
    own.set(INT, Integer.BYTES, key);
    MemorySegment colors = MemorySegment.ofArray(new byte[parent.size() * Long.BYTES]);
    collectives.allgather(
        Form.BLOCKING, new Contiguous(own, 0, Long.BYTES), new Contiguous(colors, 0, colors.byteSize()), Long.BYTES,
        SlotMember.FOR_SPLIT);
    int[] ranks = color == Communicator.NO_COLOR ? new int[] {parent.rank()} : ranksOf(color, colors, first);
    Making making =
        new Making(Numbering.of(peers.size(), parent.group().incl(ranks).jobRanks()), 0, origins(parent, true));
    try {
      MemorySegment words = color == Communicator.NO_COLOR ? making.words : making.words();
      MemorySegment all = MemorySegment.ofArray(new byte[parent.size() * Making.BYTES]);
      collectives.allgather(
          Form.BLOCKING, new Contiguous(words, 0, Making.BYTES), new Contiguous(all, 0, all.byteSize()), Making.BYTES,
          SlotMember.FOR_SPLIT);
      return color == Communicator.NO_COLOR ? null : making.open(parent, all, (long) ranks[0] * Making.BYTES);
    } catch (RuntimeException | Error e) {
      making.withdraw();
      throw e;
    }
  }

  /**
   * Makes a communicator of the ranks that live, and makes it again as long as not all of those have got it: its rank 0
   * may die before they come in.
   */
  Communicator shrink(Communicator parent, Agreement agreement) {
    while (true) {
      Shrinking shrinking = parent.shrinking() == null ? new Shrinking(parent) : parent.shrinking();
      parent.shrinking(shrinking); // also when this is interrupted
      if (!shrinking.isOpened()) {
        shrinking.open(agreement.decide(shrinking));
      }
      int all = agreement.confirm(shrinking.outcome());
      parent.shrinking(null);
      if (all == (Shrinking.IS_ABLE | Shrinking.IS_IN)) {
        return shrinking.made;
      }
      shrinking.giveUp();
      if ((all & Shrinking.IS_ABLE) == 0) {
        throw shrinking.failure != null
            ? shrinking.failure
            : new AdrasteaException("a rank that lives could not come in to the new communicator, and has thrown why");
      }
    }
  }

  /**
   * A shrink that has not ended: makes the slot for those that live; the proposal is where it lies. An interrupted call
   * leaves it with the parent, for the next one to go on with.
   */
  final class Shrinking implements Agreement.Proposer {
    private static final int OWNER_SHIFT = 40;
    private static final int GRAIN_SHIFT = 7; // shared allocations begin at multiples of 128
    private static final long NONE = 0;

    /** Bits of what the ranks confirm: this one has not failed to come in; and it is in. */
    static final int IS_ABLE = 1;

    static final int IS_IN = 2;

    private final Communicator parent;
    private ContextSlot own; // null: this rank has made none
    private RuntimeException failure; // of this rank, which was to make it, or to come in
    private boolean opened; // only the confirmation is left
    private Communicator made; // null: this rank was kept out, since the rank that made it died

    Shrinking(Communicator parent) {
      this.parent = parent;
    }

    @Override
    public long propose(int[] living) {
      int[] localRanks = IntStream.of(living).map(parent::jobRank).map(Communicators.this::localRank).toArray();
      try {
        own = slots.make(localRanks);
      } catch (RuntimeException e) {
        failure = e;
        return NONE;
      }
      return localRank(peers.self()) + 1L << OWNER_SHIFT | own.offset() >>> GRAIN_SHIFT;
    }

    @Override
    public void takeBack(long proposal) {
      if (own != null) {
        withdraw(own);
        own = null;
      }
      failure = null;
    }

    boolean isOpened() {
      return opened;
    }

    void open(long proposal) {
      parent.shrinking(null); // what fails now is not gone on with
      if (failure != null) {
        throw failure;
      }
      if (proposal == NONE) {
        throw new AdrasteaException("the first rank that lives could not make the communicator, and has thrown why");
      }
      try {
        made = own == null ? enter(proposal) : parent.open(numberingOf(own), own);
      } catch (RuntimeException e) {
        if (e instanceof SegmentException && !(e.getCause() instanceof IOException)) {
          throw e; // a rank that is broken has proposed that: nobody knows whether it confirms
        }
        failure = e; // which the others learn when they confirm
      }
      opened = true;
      parent.shrinking(this);
    }

    private Communicator enter(long proposal) {
      int owner = (int) (proposal >>> OWNER_SHIFT) - 1;
      ContextSlot slot = slots.enter(owner, (proposal & (1L << OWNER_SHIFT) - 1) << GRAIN_SHIFT);
      if (slot == null) {
        return null;
      }
      try {
        return parent.open(numberingOf(slot), slot);
      } catch (RuntimeException e) {
        close(slot, slot.memberOf(localRank(peers.self())));
        throw e;
      }
    }

    int outcome() {
      return (failure == null ? IS_ABLE : 0) | (made == null ? 0 : IS_IN);
    }

    /** Not all are in: nobody uses it. */
    void giveUp() {
      if (own != null) {
        own.bar();
      }
      if (made != null) {
        made.close();
      } else if (own != null) {
        withdraw(own);
      }
    }

    private Numbering numberingOf(ContextSlot slot) {
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
  }

  private static int[] ranksOf(int color, MemorySegment colors, int first) {
    return IntStream.range(0, (int) (colors.byteSize() / Long.BYTES))
        .filter(rank -> colors.get(INT, (long) rank * Long.BYTES) == color)
        .boxed()
        .sorted(Comparator.<Integer, Boolean>comparing(rank -> rank >= first)
            .thenComparing(rank -> colors.get(INT, (long) rank * Long.BYTES + Integer.BYTES)))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Number of the node of this rank. */
  int node() {
    return peers.nodes().node(peers.self());
  }

  /** The first CPU of the last cache that all CPUs of this rank share, or {@link Communicator#NO_COLOR}. */
  int cacheColor() {
    return cacheColor(Topology.of(table.cpus()), ownCpus());
  }

  private static int cacheColor(Topology topology, Cpus own) {
    return topology.lastCache(own.first()).map(Cache::cpus).filter(cpus -> cpus.and(own).equals(own))
        .map(Cpus::first).orElse(Communicator.NO_COLOR);
  }

  /** The NUMA node that has all CPUs of this rank, or {@link Communicator#NO_COLOR}. */
  int numaColor() {
    return numaColor(Topology.of(table.cpus()), ownCpus());
  }

  private static int numaColor(Topology topology, Cpus own) {
    return topology.nodes().stream().filter(node -> node.cpus().and(own).equals(own))
        .mapToInt(CpuGroup::number)
        .findFirst().orElse(Communicator.NO_COLOR);
  }

  /** What this rank shares with others: its node, NUMA node and last cache. */
  int[] place() {
    return place(node(), Topology.of(table.cpus()), ownCpus());
  }

  static int[] place(int node, Topology topology, Cpus own) {
    return new int[] {node, numaColor(topology, own), cacheColor(topology, own)};
  }

  private Cpus ownCpus() {
    return table.cpus(localRank(peers.self()));
  }

  /** This rank has closed a communicator. */
  void close(ContextSlot slot, int rank) {
    Slot.close(slot.memory(), slot.ranks(), rank);
    slots.close(slot, rank);
  }

  private int localRank(int jobRank) {
    return peers.nodes().localRank(jobRank);
  }

  /** Refuses ranks that do not share memory with this one, or cannot take part in what all ranks call. */
  void requireAble(Communicator parent, Numbering members, String call) {
    parent.requireOpen(call);
    Nodes nodes = peers.nodes();
    for (int i = 0; i < members.size(); i++) {
      int jobRank = members.jobRank(i);
      boolean shares = nodes.node(jobRank) == node() && peers.link(jobRank).sharesMemory();
      if (jobRank != peers.self() && (!shares || !table.has(localRank(jobRank), Capability.COLLECTIVES))) {
        throw new CapabilityException(
            parent.rankOf(jobRank),
            jobRank,
            "%s with rank %s, which %s".formatted(
                call,
                parent.numbering().name(jobRank),
                shares
                    ? table.lack(localRank(jobRank), Capability.COLLECTIVES)
                    : "shares no memory with this one; collectives, and new communicators, are of ranks that all do"));
      }
    }
  }
}
