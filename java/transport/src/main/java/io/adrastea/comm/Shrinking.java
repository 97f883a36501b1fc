package io.adrastea.comm;

import io.adrastea.contextid.CommunicatorSlot;
import io.adrastea.contextid.Parents;
import io.adrastea.engine.collective.Agreement;
import io.adrastea.engine.group.Numbering;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.SegmentException;
import java.io.IOException;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The making of communicators of those ranks of a communicator that live. An interrupted call leaves its attempt for
 * the next one to go on with.
 */
public final class Shrinking {
  private static final int GRAIN_SHIFT = 7; // shared allocations begin at multiples of 128
  private static final long NONE = 0; // of a proposal

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
    Agreement agreement = parent.agreement("shrink");
    while (true) {
      Attempt attempt = unfinished == null ? new Attempt(parent.isInSlot() ? new InSlot() : new Apart()) : unfinished;
      unfinished = attempt; // also when this is interrupted
      if (!attempt.opened) {
        attempt.open(attempt.making.agree(agreement));
      }
      int all = agreement.confirm(attempt.outcome());
      unfinished = null;
      if (all == (IS_ABLE | IS_IN)) {
        return attempt.made;
      }
      attempt.making.giveUp(attempt.made);
      if ((all & IS_ABLE) == 0) {
        throw attempt.failure != null
            ? attempt.failure
            : new AdrasteaException("a rank that lives could not come in to the new communicator, and has thrown why");
      }
    }
  }

  /** One attempt, up to what this rank confirms. */
  private final class Attempt {
    private final Making making;
    private RuntimeException failure; // of this rank, which could not come in
    private boolean opened; // only the confirmation is left
    private CommunicatorState made; // null: this rank was kept out, since the rank that made it died

    Attempt(Making making) {
      this.making = making;
    }

    private void open(long proposal) {
      unfinished = null; // what fails now is not gone on with
      if (making.failure != null) {
        throw making.failure;
      }
      if (proposal == NONE) {
        throw new AdrasteaException("the first rank that lives could not make the communicator, and has thrown why");
      }
      try {
        made = making.open(proposal);
      } catch (RuntimeException e) {
        if (e instanceof SegmentException && !(e.getCause() instanceof IOException)) {
          throw e; // a rank that is broken has proposed that: nobody knows whether it confirms
        }
        failure = e; // which the others learn when they confirm
      }
      opened = true;
      unfinished = this;
    }

    private int outcome() {
      return (failure == null ? IS_ABLE : 0) | (made == null ? 0 : IS_IN);
    }
  }

  /** How those that live make the communicator. */
  private abstract class Making implements Agreement.Proposer {
    CommunicatorSlot own; // null: this rank has made none
    RuntimeException failure; // why this rank, which was to make it, could not; null: it could, or was not to

    /** The proposal that all have; {@link #NONE}: the rank that was to make it could not. */
    abstract long agree(Agreement agreement);

    /** Comes in; null: this rank was kept out, since the rank that made it has died. */
    abstract CommunicatorState open(long proposal);

    @Override
    public void takeBack(long proposal) {
      if (own != null) {
        parent.localRanks().withdraw(own);
        own = null;
      }
      failure = null;
    }

    /**
     * Not all are in: nobody uses it.
     *
     * @param made as this rank has opened it; null: it has not
     */
    void giveUp(CommunicatorState made) {
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

  /** Makes it in shared memory: the proposal is where the slot lies, which has the ranks that live. */
  private final class InSlot extends Making {
    private static final int OWNER_SHIFT = 40;

    @Override
    long agree(Agreement agreement) {
      return agreement.decide(this);
    }

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
    CommunicatorState open(long proposal) {
      return own == null ? enter(proposal) : parent.open(parent.localRanks().numbering(own), own);
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
  }

  /**
   * Makes it where ranks do not all share memory. They agree first on which of them are to be in, so many at a time as
   * flags there are. The first of these makes it, and the proposal is the id, and where the slot of the maker's node
   * lies; unless it finds that one of them does not come any more, so that they begin again.
   */
  private final class Apart extends Making {
    private static final int ID_SHIFT = 34; // an id has 30 bits
    private static final long AGAIN = -1; // one of those that were to be in has gone or has closed the parent

    private final BitSet living = new BitSet(); // in the parent
    private int asked; // members of whom it is agreed on whether they live
    private Numbering numbering; // of those that live; null: not agreed on yet
    private long agreed = AGAIN; // the proposal; AGAIN: none yet

    @Override
    long agree(Agreement agreement) {
      for (; asked < parent.size(); asked += Integer.SIZE) {
        int all = agreement.confirm(present(agreement));
        for (int i = 0; i < Integer.SIZE; i++) {
          living.set(asked + i, (all >>> i & 1) != 0);
        }
      }
      numbering = Numbering.of(parent.numbering().jobSize(), living.stream().map(parent::jobRank).toArray());
      agreed = agreement.decide(this);
      return agreed;
    }

    /** Which of the next members can come, as far as this rank knows, in as many bits. */
    private int present(Agreement agreement) {
      int flags = 0;
      for (int i = 0; i < Integer.SIZE && asked + i < parent.size(); i++) {
        int member = asked + i;
        boolean comes = member == parent.rank()
            || !agreement.hasClosed(member) && !parent.localRanks().farRanks().isGone(parent.jobRank(member));
        flags |= comes ? 1 << i : 0;
      }
      return flags;
    }

    @Override
    public long propose(int[] alive) {
      BitSet come = new BitSet();
      IntStream.of(alive).forEach(come::set);
      if (!come.equals(living) || living.nextSetBit(0) != parent.rank()) {
        return AGAIN;
      }
      try {
        own = asking(parent.localRanks().make(numbering, Parents.NONE));
      } catch (RuntimeException e) {
        failure = e;
        return NONE;
      }
      return (long) own.id() << ID_SHIFT | own.offset() >>> GRAIN_SHIFT;
    }

    private CommunicatorSlot asking(CommunicatorSlot slot) {
      return slot.asks(parent.localRanks().asker(parent.lineageOf(slot.id(), Parents.NONE)));
    }

    private int id() {
      return own == null ? (int) (agreed >>> ID_SHIFT) : own.id();
    }

    private int maker() {
      return numbering.jobRank(0);
    }

    private long place() {
      return (agreed & (1L << ID_SHIFT) - 1) << GRAIN_SHIFT;
    }

    @Override
    CommunicatorState open(long proposal) {
      if (proposal == AGAIN) {
        return null;
      }
      if (own != null || !parent.localRanks().isOnNode(maker())) {
        return parent.open(numbering, id(), own, Parents.NONE);
      }
      CommunicatorSlot slot = parent.localRanks().enter(id(), maker(), place(), numbering);
      if (slot == null) {
        return null;
      }
      try {
        return parent.open(numbering, id(), asking(slot), Parents.NONE);
      } catch (RuntimeException e) {
        parent.localRanks().close(slot, parent.localRanks().memberOf(numbering));
        throw e;
      }
    }

    @Override
    void giveUp(CommunicatorState made) {
      super.giveUp(made);
      if (made == null && own == null && agreed != AGAIN) {
        parent.localRanks().farRanks().refuse(id());
        parent.localRanks().farRanks().tellOut(id());
      }
    }
  }
}
