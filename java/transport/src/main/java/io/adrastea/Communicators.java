package io.adrastea;

import io.adrastea.context.ContextSlot;
import io.adrastea.context.SlotPool;
import io.adrastea.engine.collective.Agreement;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.group.Numbering;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.CapabilityException;
import io.adrastea.link.Nodes;
import io.adrastea.link.Peers;
import io.adrastea.ranktable.Capability;
import io.adrastea.ranktable.RankTable;
import io.adrastea.topology.Cache;
import io.adrastea.topology.CpuGroup;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Makes the communicators of one rank out of those that it has. Their members agree on a number and a slot in shared
 * memory: rank 0 of the new communicator takes both and tells the others.
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
   * A communicator that is being made. Its rank 0 tells the others 16 bytes: the id, below zero when there is none, and
   * where the slot lies. What keeps rank 0 from making it is thrown once it is told, so that nobody waits.
   */
  private final class Making {
    private static final int BYTES = 2 * Long.BYTES;
    private static final long NONE = -1;

    private final Numbering numbering;
    private final int self;
    private final MemorySegment words = MemorySegment.ofArray(new byte[BYTES]);
    private ContextSlot slot; // of rank 0; null: not made
    private RuntimeException failure; // of rank 0

    Making(Numbering numbering) {
      this.numbering = numbering;
      this.self = numbering.rankOf(peers.self());
    }

    /** What this rank has to tell the others, if it is rank 0. */
    MemorySegment words() {
      if (self == 0) {
        int[] localRanks = numbering.jobRanks().map(Communicators.this::localRank).toArray();
        try {
          slot = slots.make(localRanks);
        } catch (RuntimeException e) {
          failure = e;
        }
        words.set(LONG, 0, slot == null ? NONE : slot.id());
        words.set(LONG, Long.BYTES, slot == null ? 0 : slot.offset());
      }
      return words;
    }

    /** Opens it, once rank 0 has told, at {@code offset} of the words. */
    Communicator open(Communicator parent, MemorySegment told, long offset) {
      if (failure != null) {
        throw failure;
      }
      if (self != 0) {
        slot = enter((int) told.get(LONG, offset), told.get(LONG, offset + Long.BYTES));
      }
      return parent.open(numbering, slot);
    }

    private ContextSlot enter(int id, long at) {
      if (id < 0) {
        throw new AdrasteaException(
            "rank 0 of the new communicator (job rank %d) could not make it, and has thrown why"
                .formatted(numbering.jobRank(0)));
      }
      int owner = numbering.jobRank(0);
      ContextSlot entered = slots.enter(id, localRank(owner), at, numbering.size(), self);
      if (entered == null) {
        throw new AdrasteaException(
            "rank 0 of the new communicator (job rank %d) has failed, or has given up, while it was made"
                .formatted(owner));
      }
      return entered;
    }

    /** The call has failed: this rank is done with what it may have told already. */
    void withdraw() {
      if (self == 0 && slot != null) {
        slots.withdraw(slot);
      }
    }
  }

  /** One with the same ranks in the same order. */
  Communicator dup(Communicator parent, Collectives collectives) {
    Making making = new Making(parent.numbering());
    try {
      MemorySegment words = making.words();
      collectives.bcast(words, 0, null, Making.BYTES, 0);
      return making.open(parent, words, 0);
    } catch (RuntimeException | Error e) {
      making.withdraw();
      throw e;
    }
  }

  /** One of some ranks of a parent, which call this, and no others. */
  Communicator subset(Communicator parent, InternalMessages inner, int tag, int... ranks) {
    if (tag < 0 || tag > InternalMessages.MAX_TAG) {
      throw new IllegalArgumentException("tag %d; allowed are 0 to %d".formatted(tag, InternalMessages.MAX_TAG));
    }
    parent.requireNotRevoked("subset");
    Numbering some = Numbering.of(peers.size(), parent.group().incl(ranks).jobRanks());
    if (!some.contains(peers.self())) {
      throw new IllegalArgumentException(
          "rank %d is not among the ranks %s of the subset; those alone call this that are"
              .formatted(parent.rank(), Arrays.toString(ranks)));
    }
    requireAble(parent, some, "subset");
    Making making = new Making(some);
    try {
      MemorySegment words = making.words();
      if (parent.rank() != ranks[0]) {
        inner.hear(ranks[0], tag, words);
      } else {
        for (int other = 1; other < ranks.length; other++) {
          inner.tell(ranks[other], tag, words);
        }
      }
      return making.open(parent, words, 0);
    } catch (RuntimeException | Error e) {
      making.withdraw();
      throw e;
    }
  }

  /** The ranks of the same color, by their keys and then in their old order; null for the color of none. */
  Communicator split(Communicator parent, Collectives collectives, int color, int key) {
    if (color < 0 && color != Communicator.NO_COLOR) {
      throw new IllegalArgumentException(
          "color %d; allowed are 0 to %d, and NO_COLOR (-1)".formatted(color, Integer.MAX_VALUE));
    }
    MemorySegment own = MemorySegment.ofArray(new byte[Long.BYTES]);
    own.set(INT, 0, color);
    own.set(INT, Integer.BYTES, key);
    MemorySegment colors = MemorySegment.ofArray(new byte[parent.size() * Long.BYTES]);
    collectives.allgather(own, 0, null, colors, 0, null, Long.BYTES);
    int[] ranks = color == Communicator.NO_COLOR ? new int[] {parent.rank()} : ranksOf(color, colors);
    Making making = new Making(Numbering.of(peers.size(), parent.group().incl(ranks).jobRanks()));
    try {
      MemorySegment words = color == Communicator.NO_COLOR ? making.words : making.words();
      MemorySegment all = MemorySegment.ofArray(new byte[parent.size() * Making.BYTES]);
      collectives.allgather(words, 0, null, all, 0, null, Making.BYTES);
      return color == Communicator.NO_COLOR ? null : making.open(parent, all, (long) ranks[0] * Making.BYTES);
    } catch (RuntimeException | Error e) {
      making.withdraw();
      throw e;
    }
  }

  /**
   * One of the ranks that live, and again as long as not all of those have got it: its rank 0 may die before they come
   * in.
   */
  Communicator shrink(Communicator parent, Agreement agreement) {
    while (true) {
      Shrinking shrinking = parent.shrinking() == null ? new Shrinking(parent) : parent.shrinking();
      parent.shrinking(shrinking); // also when this is interrupted
      if (!shrinking.isOpened()) {
        shrinking.open(agreement.decide(shrinking));
      }
      boolean all = agreement.confirm(shrinking.made != null);
      parent.shrinking(null);
      if (all) {
        return shrinking.made;
      }
      if (shrinking.made != null) {
        shrinking.made.close();
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

    private final Communicator parent;
    private ContextSlot own; // null: this rank has made none
    private RuntimeException failure; // of this rank, which was to make it
    private boolean opened; // only the confirmation is left
    private Communicator made; // null: this rank was kept out, since who has made it died

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
        slots.withdraw(own);
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
      ContextSlot slot = own;
      if (slot == null) {
        int owner = (int) (proposal >>> OWNER_SHIFT) - 1;
        slot = slots.enter(owner, (proposal & (1L << OWNER_SHIFT) - 1) << GRAIN_SHIFT);
      }
      made = slot == null ? null : parent.open(numberingOf(slot), slot);
      opened = true;
      parent.shrinking(this);
    }

    private Numbering numberingOf(ContextSlot slot) {
      int[] onNode = peers.nodes().ranksOf(node());
      int[] jobRanks = IntStream.range(0, slot.ranks()).map(member -> onNode[slot.localRank(member)]).toArray();
      return Numbering.of(peers.size(), jobRanks);
    }
  }

  private static int[] ranksOf(int color, MemorySegment colors) {
    return IntStream.range(0, (int) (colors.byteSize() / Long.BYTES))
        .filter(rank -> colors.get(INT, (long) rank * Long.BYTES) == color)
        .boxed()
        .sorted(Comparator.comparingInt(rank -> colors.get(INT, (long) rank * Long.BYTES + Integer.BYTES)))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Number of the node of this rank. */
  int node() {
    return peers.nodes().node(peers.self());
  }

  /** The first CPU of the last cache that all CPUs of this rank share, or {@link Communicator#NO_COLOR}. */
  int cacheColor() {
    Cpus own = table.cpus(localRank(peers.self()));
    return Topology.of(table.cpus()).lastCache(own.first()).map(Cache::cpus).filter(cpus -> cpus.and(own).equals(own))
        .map(Cpus::first).orElse(Communicator.NO_COLOR);
  }

  /** The NUMA node that has all CPUs of this rank, or {@link Communicator#NO_COLOR}. */
  int numaColor() {
    Cpus own = table.cpus(localRank(peers.self()));
    return Topology.of(table.cpus()).nodes().stream().filter(node -> node.cpus().and(own).equals(own))
        .mapToInt(CpuGroup::number)
        .findFirst().orElse(Communicator.NO_COLOR);
  }

  /** This rank has closed a communicator. */
  void close(ContextSlot slot, int rank) {
    slots.close(slot, rank);
  }

  private int localRank(int jobRank) {
    return peers.nodes().localRank(jobRank);
  }

  /** Refuses C ranks, which do not agree. */
  void requireAgreeing(Communicator parent, String call) {
    requireAble(parent, parent.numbering(), call);
    for (int i = 0; i < parent.size(); i++) {
      int jobRank = parent.jobRank(i);
      if (table.isOfC(localRank(jobRank))) {
        throw new CapabilityException(
            i,
            jobRank,
            "%s with rank %s, which is a C rank: those do not agree; allowed is a communicator of Java ranks alone"
                .formatted(call, parent.numbering().name(jobRank)));
      }
    }
  }

  /** Refuses ranks that do not share memory with this one, or cannot take part in what all ranks call. */
  void requireAble(Communicator parent, Numbering members, String call) {
    parent.requireOpen();
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
