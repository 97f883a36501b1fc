package io.adrastea.comm;

import io.adrastea.contextid.CommunicatorSlot;
import io.adrastea.contextid.Origin;
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

  private final LocalRanks localRanks;
  private final Origin[] origins;
  private final Numbering numbering;
  private final int self;
  private final int maker; // its number in the new communicator
  private final MemorySegment words = MemorySegment.ofArray(new byte[BYTES]);
  private CommunicatorSlot slot; // of the maker; null: not made
  private RuntimeException failure; // of the maker

  /**
   * Prepares the making of a communicator, of which nothing has been told yet.
   *
   * @param maker its number in the new communicator
   * @param origins what it is made out of: they tell of members that give up
   */
  CommunicatorMaking(LocalRanks localRanks, Numbering numbering, int maker, Origin... origins) {
    this.localRanks = localRanks;
    this.origins = origins;
    this.numbering = numbering;
    this.self = localRanks.rankIn(numbering);
    this.maker = maker;
  }

  /** What this rank has to tell the others, if it is the maker. */
  MemorySegment words() {
    if (self == maker) {
      try {
        slot = localRanks.make(numbering.jobRanks()).madeOutOf(origins);
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
  CommunicatorState open(CommunicatorState parent, MemorySegment told, long offset) {
    if (failure != null) {
      throw failure;
    }
    if (self == maker) {
      return parent.open(numbering, slot);
    }
    try {
      slot = enter((int) told.get(LONG, offset), told.get(LONG, offset + Long.BYTES));
    } catch (SegmentException | Error e) { // else the rank that kept this one out knows of it
      parent.decline(e);
      throw e;
    }
    try {
      return parent.open(numbering, slot);
    } catch (RuntimeException | Error e) {
      localRanks.close(slot, self);
      throw e;
    }
  }

  private CommunicatorSlot enter(int id, long at) {
    int owner = numbering.jobRank(maker);
    if (id < 0) {
      throw new AdrasteaException(
          "rank %d of the new communicator (job rank %d) could not make it, and has thrown why"
              .formatted(maker, owner));
    }
    CommunicatorSlot entered = localRanks.enter(id, owner, at, numbering.size(), self);
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
      localRanks.withdraw(slot);
      slot = null;
    }
  }

  /**
   * The call has failed where another rank is the maker, and has told: a rank that comes in finds this one to be out.
   */
  void stayOut(MemorySegment told, long offset) {
    if (self != maker && isMade(told, offset)) {
      localRanks.stayOut(numbering.jobRank(maker), told.get(LONG, offset + Long.BYTES));
    }
  }
}
