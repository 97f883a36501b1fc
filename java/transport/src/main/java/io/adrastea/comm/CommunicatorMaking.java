package io.adrastea.comm;

import io.adrastea.contextid.CommunicatorSlot;
import io.adrastea.contextid.Origin;
import io.adrastea.contextid.Parents;
import io.adrastea.engine.group.Numbering;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.SegmentException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A communicator that is being made. Its maker tells the others 16 bytes: the id, below zero when there is none, and
 * where the slot lies. What keeps the maker from making it is thrown once it is told, so that nobody waits.
 */
final class CommunicatorMaking {
  static final int BYTES = 2 * Long.BYTES;

  /** In the place of the id: the maker has made nothing. */
  static final long NONE = -1;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final CommunicatorState parent;
  private final LocalRanks localRanks;
  private final Parents parents;
  private final Origin[] origins; // none: members that give up are asked by messages
  private final Numbering numbering;
  private final int self;
  private final int maker; // its number in the new communicator
  private final MemorySegment words = MemorySegment.ofArray(new byte[BYTES]);
  private CommunicatorSlot slot; // of the maker; null: not made
  private RuntimeException failure; // of the maker

  /**
   * Prepares the making of a communicator, of which nothing has been told yet.
   *
   * @param parent of which this rank makes it
   * @param maker its number in the new communicator
   * @param parents all that it is made out of
   * @param origins the slots of that, which tell of members that give up; none: they are asked by messages
   */
  CommunicatorMaking(
      CommunicatorState parent, Numbering numbering, int maker, Parents parents, Origin... origins) {
    this.parent = parent;
    this.localRanks = parent.localRanks();
    this.parents = parents;
    this.origins = origins;
    this.numbering = numbering;
    this.self = localRanks.rankIn(numbering);
    this.maker = maker;
  }

  /** Prepares the making of one out of one other. */
  CommunicatorMaking(CommunicatorState parent, Numbering numbering, int maker, boolean byCollectives) {
    this(
        parent, numbering, maker, Parents.of(parent.id(), byCollectives), parent.origins(byCollectives));
  }

  /** What this rank has to tell the others, if it is the maker. */
  MemorySegment words() {
    if (self == maker) {
      try {
        slot = known(localRanks.make(numbering, parents));
      } catch (RuntimeException e) {
        failure = e;
      }
      words.set(LONG, 0, slot == null ? NONE : slot.id());
      words.set(LONG, Long.BYTES, slot == null ? 0 : slot.offset());
    }
    return words;
  }

  private CommunicatorSlot known(CommunicatorSlot made) {
    if (origins.length > 0) {
      return made.madeOutOf(origins);
    }
    return made.asks(localRanks.asker(parent.lineageOf(made.id(), parents)));
  }

  /** Whether the maker, which tells this at {@code offset}, has made it. */
  static boolean isMade(MemorySegment told, long offset) {
    return told.get(LONG, offset) >= 0;
  }

  /**
   * Opens it, once the maker has told, at {@code offset} of the words. Where this rank cannot, the others are told.
   */
  CommunicatorState open(MemorySegment told, long offset) {
    if (failure != null) {
      throw failure;
    }
    if (self == maker) {
      return parent.open(numbering, slot.id(), slot, parents);
    }
    int id = (int) told.get(LONG, offset);
    if (id < 0) {
      throw new AdrasteaException(
          "rank %d of the new communicator (job rank %d) could not make it, and has thrown why"
              .formatted(maker, numbering.jobRank(maker)));
    }
    Entrance entrance = parent.entrance(parents.byCollectives());
    if (!entrance.enter()) {
      stayOut(told, offset);
      throw givenUp();
    }
    try {
      return enter(id, told.get(LONG, offset + Long.BYTES));
    } finally {
      entrance.leave();
      parent.endMaking();
    }
  }

  private CommunicatorState enter(int id, long at) {
    boolean near = localRanks.isOnNode(numbering.jobRank(maker));
    CommunicatorState opened = null;
    try {
      if (near) {
        slot = entered(id, at);
      }
      opened = parent.open(numbering, id, slot, parents);
      return opened;
    } finally {
      if (opened == null) {
        leave(id, near);
      }
    }
  }

  private CommunicatorSlot entered(int id, long at) {
    CommunicatorSlot entered;
    try {
      entered = localRanks.enter(id, numbering.jobRank(maker), at, numbering);
    } catch (SegmentException | Error e) {
      parent.decline(e);
      throw e;
    }
    if (entered == null) { // the rank that kept this one out knows of it
      throw givenUp();
    }
    return known(entered);
  }

  /** This rank was told of it, and does not have it. */
  private void leave(int id, boolean near) {
    localRanks.farRanks().refuse(id);
    if (slot != null) {
      localRanks.close(slot, localRanks.memberOf(numbering));
    } else if (!near) {
      localRanks.farRanks().tellOut(id);
    }
  }

  private AdrasteaException givenUp() {
    return new AdrasteaException(
        ("the new communicator, which rank %d of it (job rank %d) has made, was given up while it was made: that "
            + "rank has failed or was interrupted, or the others saw that this rank did not come any more")
            .formatted(maker, numbering.jobRank(maker)));
  }

  /** What kept this rank, the maker, from making it; null: nothing. */
  RuntimeException failure() {
    return failure;
  }

  /** The call has failed: this rank is done with what it may have told already. */
  void withdraw() {
    if (self == maker && slot != null) {
      localRanks.withdraw(slot);
      slot = null;
    }
  }

  /**
   * The call has failed where another rank is the maker, and has told: a rank that comes in finds this one to be out.
   */
  void stayOut(MemorySegment told, long offset) {
    if (self == maker || !isMade(told, offset)) {
      return;
    }
    int id = (int) told.get(LONG, offset);
    localRanks.farRanks().refuse(id);
    if (localRanks.isOnNode(numbering.jobRank(maker))) {
      localRanks.stayOut(numbering.jobRank(maker), told.get(LONG, offset + Long.BYTES));
    } else {
      localRanks.farRanks().tellOut(id);
    }
  }
}
