package io.adrastea.comm;

import io.adrastea.contextid.CommunicatorSlot;
import io.adrastea.engine.collective.Agreement;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.SegmentException;
import java.io.IOException;
import java.util.stream.IntStream;

/**
 * The making of communicators of those ranks of a communicator that live. An interrupted call leaves its attempt for
 * the next one to go on with.
 */
public final class Shrinking {
  private static final int OWNER_SHIFT = 40;
  private static final int GRAIN_SHIFT = 7; // shared allocations begin at multiples of 128
  private static final long NONE = 0;

  /** A bit of what the ranks confirm: this one has not failed to come in. */
  private static final int IS_ABLE = 1;

  /** A bit of what the ranks confirm: this one is in. */
  private static final int IS_IN = 2;

  private final CommunicatorState parent;
  private Attempt unfinished; // that was interrupted, or goes on; null: none

  public Shrinking(CommunicatorState parent) {
    this.parent = parent;
  }

  /**
   * Makes a communicator of the ranks that live, and makes it again as long as not all of those have got it: its rank 0
   * may die before they come in.
   */
  public CommunicatorState run() {
    parent.requireSlot("shrink");
    Agreement agreement = parent.agreement("shrink");
    while (true) {
      Attempt attempt = unfinished == null ? new Attempt() : unfinished;
      unfinished = attempt; // also when this is interrupted
      if (!attempt.opened) {
        attempt.open(agreement.decide(attempt));
      }
      int all = agreement.confirm(attempt.outcome());
      unfinished = null;
      if (all == (IS_ABLE | IS_IN)) {
        return attempt.made;
      }
      attempt.giveUp();
      if ((all & IS_ABLE) == 0) {
        throw attempt.failure != null
            ? attempt.failure
            : new AdrasteaException("a rank that lives could not come in to the new communicator, and has thrown why");
      }
    }
  }

  /** One attempt: makes the slot for those that live; the proposal is where it lies. */
  private final class Attempt implements Agreement.Proposer {
    private CommunicatorSlot own; // null: this rank has made none
    private RuntimeException failure; // of this rank, which was to make it, or to come in
    private boolean opened; // only the confirmation is left
    private CommunicatorState made; // null: this rank was kept out, since the rank that made it died

    @Override
    public long propose(int[] living) {
      try {
        own = parent.localRanks().make(IntStream.of(living).map(parent::jobRank));
      } catch (RuntimeException e) {
        failure = e;
        return NONE;
      }
      return parent.localRanks().localRank() + 1L << OWNER_SHIFT | own.offset() >>> GRAIN_SHIFT;
    }

    @Override
    public void takeBack(long proposal) {
      if (own != null) {
        parent.localRanks().withdraw(own);
        own = null;
      }
      failure = null;
    }

    private void open(long proposal) {
      unfinished = null; // what fails now is not gone on with
      if (failure != null) {
        throw failure;
      }
      if (proposal == NONE) {
        throw new AdrasteaException("the first rank that lives could not make the communicator, and has thrown why");
      }
      try {
        made = own == null ? enter(proposal) : parent.open(parent.localRanks().numbering(own), own);
      } catch (RuntimeException e) {
        if (e instanceof SegmentException && !(e.getCause() instanceof IOException)) {
          throw e; // a rank that is broken has proposed that: nobody knows whether it confirms
        }
        failure = e; // which the others learn when they confirm
      }
      opened = true;
      unfinished = this;
    }

    private CommunicatorState enter(long proposal) {
      int owner = (int) (proposal >>> OWNER_SHIFT) - 1;
      long offset = (proposal & (1L << OWNER_SHIFT) - 1) << GRAIN_SHIFT;
      CommunicatorSlot slot = parent.localRanks().enterOf(owner, offset);
      if (slot == null) {
        return null;
      }
      try {
        return parent.open(parent.localRanks().numbering(slot), slot);
      } catch (RuntimeException e) {
        parent.localRanks().leave(slot);
        throw e;
      }
    }

    private int outcome() {
      return (failure == null ? IS_ABLE : 0) | (made == null ? 0 : IS_IN);
    }

    /** Not all are in: nobody uses it. */
    private void giveUp() {
      if (own != null) {
        own.bar();
      }
      if (made != null) {
        made.close();
      } else if (own != null) {
        parent.localRanks().withdraw(own);
      }
    }
  }
}
