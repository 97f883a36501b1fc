package io.adrastea.engine.collective;

import io.adrastea.atomic.Words;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.layout.SlotMemberDescriptor;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What the members of a communicator that live agree on, whoever dies meanwhile [ULFM]. Each writes what it has to say
 * into its part of the slot. Who sees that every member has, or has closed the communicator, or is gone, makes a
 * decision of what there is, and stores it by a CAS over the decision before: so there is one, however differently
 * members saw who is gone, and it stays when who made it dies. It stays until all who live are in the next agreement,
 * so nobody misses it.
 *
 * <p>
 * The members call the same agreements in the same order. One that was interrupted is gone on with by the next call.
 * Without a death nobody waits for more than the last member to come.
 */
public final class Agreement implements Condition<Agreement> {
  /** Of the members that live, the first one makes a proposal for all. */
  public interface Proposer {
    /**
     * What the decision is to be, in the bits of {@link #PROPOSAL}.
     *
     * @param living members, in their order, this one first
     */
    long propose(int[] living);

    /** Another one was decided before. */
    void takeBack(long proposal);
  }

  /** What members agree on, and by which call. */
  private enum Step {
    FLAGS("agree()"), PROPOSED("shrink()"), CONFIRMED("shrink()");

    private final String call;

    Step(String call) {
      this.call = call;
    }
  }

  /** Bits of what can be proposed. */
  public static final long PROPOSAL = (1L << 52) - 1;

  private static final int SEQUENCE_SHIFT = 32;
  private static final int SHRUNK_SHIFT = 52;
  private static final int SEQUENCES = 1 << 30;
  private static final int SHRINKS = (1 << Long.SIZE - SHRUNK_SHIFT) - 1;
  private static final long SHRINK = 1L << 63;

  private final Resources resources;
  private final Gate gate;
  private final Waits waits;
  private final Liveness liveness;
  private final MemorySegment slot;
  private final Members members;
  private final int rank; // in the communicator
  private final int size;
  private int sequence; // of the last agreement; inside the gate, as what follows
  private int shrink; // number of the shrink: the one behind that of the decision before
  private Step begun; // the step of the agreement that has not ended, which the same call goes on with; null: none
  private long decision;
  private int awaited; // a member that has not come
  private Proposer proposer; // null: flags are agreed on
  private Thread inside;

  /**
   * That of a communicator.
   *
   * @param rank this one's number among the members
   * @param slot of the communicator, as it is mapped here
   */
  public Agreement(Resources resources, Waits waits, Members members, int rank, MemorySegment slot) {
    this.resources = resources;
    this.gate = resources.gate();
    this.waits = waits;
    this.liveness = resources.liveness();
    this.slot = slot;
    this.members = members;
    this.rank = rank;
    this.size = members.numbering().size();
  }

  /** The bits that all members have set which were there; at all the same. */
  public int agree(int flags) {
    return (int) run(Step.FLAGS, Integer.toUnsignedLong(flags), null);
  }

  /** A proposal of the first member that lives; at all the same. */
  public long decide(Proposer by) {
    return run(Step.PROPOSED, SHRINK, by) & PROPOSAL;
  }

  /** Whether all members that were there could use what was proposed; at all the same. */
  public boolean confirm(boolean usable) {
    return (run(Step.CONFIRMED, usable ? 1 : 0, null) & 1) != 0;
  }

  private long run(Step step, long word, Proposer by) {
    gate.enter();
    try {
      if (inside != null) {
        throw new ConcurrentUseException(
            "thread '%s' came to %s of rank %d while thread '%s' was in %s; one thread of a rank at a time does"
                .formatted(Thread.currentThread().getName(), step.call, rank, inside.getName(), begun.call));
      }
      if (begun != null && begun != step) {
        throw new IllegalStateException(
            "rank %d is in an agreement that was interrupted; call %s to its end before %s"
                .formatted(rank, begun.call, step.call));
      }
      return finish(step, word, by);
    } finally {
      gate.exit();
    }
  }

  private long finish(Step step, long word, Proposer by) {
    inside = Thread.currentThread();
    proposer = by;
    try {
      if (begun == null) {
        begin(step, word);
      }
      waits.await(this, this, waits.beginWaitForAll());
      begun = null;
      return decision;
    } finally {
      inside = null;
      proposer = null;
    }
  }

  private void begin(Step step, long word) {
    begun = step;
    sequence = sequence % SEQUENCES + 1; // never 0, which is what there is before the first
    if (proposer != null) {
      // SYNC slot-decided: acquire, as in `looks`; there is no other decision before this rank has come.
      shrink = (int) (Words.loadAcquireLong(slot, place()) >>> SHRUNK_SHIFT) % SHRINKS + 1; // never 0 either
    }
    // SYNC member-agreement: release, pairs with the acquire of who decides; orders what this rank did before.
    Words.storeReleaseLong(slot, wordOf(rank), word | (long) sequence << SEQUENCE_SHIFT);
    wakeAll();
  }

  private long wordOf(int member) {
    return SlotDescriptor.memberOffset(size, member) + SlotMemberDescriptor.AGREEMENT_OFFSET;
  }

  private void wakeAll() {
    for (int member = 0; member < size; member++) {
      int jobRank = members.numbering().jobRank(member);
      if (member != rank && !liveness.isGone(jobRank)) {
        resources.peers().link(jobRank).wake(jobRank);
      }
    }
  }

  /** What a member has to say; below zero, or above, where it has not come to this agreement. */
  private long word(int member) {
    // SYNC member-agreement: acquire, pairs with begin.
    return Words.loadAcquireLong(slot, wordOf(member));
  }

  private boolean hasCome(long word) {
    return (word & ~SHRINK) >>> SEQUENCE_SHIFT == sequence;
  }

  private long place() {
    return proposer == null ? SlotDescriptor.AGREED_OFFSET : SlotDescriptor.SHRUNK_OFFSET;
  }

  private boolean isOfNow(long decided) {
    return proposer == null
        ? decided >>> SEQUENCE_SHIFT == sequence
        : decided >>> SHRUNK_SHIFT == shrink;
  }

  @Override
  public boolean isMet(Agreement subject, int polls) {
    for (int poll = 0; poll < polls; poll++) {
      if (looks()) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  private boolean looks() {
    // SYNC slot-decided: acquire, pairs with the CAS of who decides; what it has made is there.
    long decided = Words.loadAcquireLong(slot, place());
    if (!isOfNow(decided) && allHaveComeOrGone()) {
      decide(decided);
      // SYNC slot-decided: acquire, as above.
      decided = Words.loadAcquireLong(slot, place());
    }
    decision = decided;
    return isOfNow(decided);
  }

  private boolean allHaveComeOrGone() {
    boolean all = true;
    for (int member = 0; member < size; member++) {
      long word = word(member);
      if (isOfAnother(word)) {
        // SYNC slot-decided: acquire, as in looks; who is at a later one has read the decision of this one, or threw.
        long decided = Words.loadAcquireLong(slot, place());
        if (!isOfNow(decided)) {
          throw mismatch(member);
        }
      }
      if (all && !hasCome(word) && !hasClosed(member) && !liveness.isGone(members.numbering().jobRank(member))) {
        awaited = member;
        all = false;
      }
    }
    return all;
  }

  /** Whether a member calls what does not belong to this one: the other of the two, or one that is later. */
  private boolean isOfAnother(long word) {
    long come = (word & ~SHRINK) >>> SEQUENCE_SHIFT;
    long ahead = Math.floorMod(come - sequence, (long) SEQUENCES);
    return ahead == 0 ? word < 0 != (proposer != null) : come != 0 && ahead < SEQUENCES / 2;
  }

  private CollectiveException mismatch(int member) {
    String call = begun.call;
    begun = null; // it cannot end
    int jobRank = members.numbering().jobRank(member);
    return new CollectiveException(
        member,
        jobRank,
        "%s of rank %d cannot be completed: rank %s calls another agreement; all call agree() and shrink() in the same "
            .formatted(call, rank, members.name(jobRank)) + "order");
  }

  /** It comes to no agreement any more. */
  private boolean hasClosed(int member) {
    long state = SlotDescriptor.memberOffset(size, member) + SlotMemberDescriptor.STATE_OFFSET;
    // SYNC member-state: acquire, pairs with the release of who closes; it has ended the agreements before.
    return Words.loadAcquire(slot, state) == SlotMemberDescriptor.CLOSED;
  }

  private void decide(long before) {
    if (proposer == null) {
      long flags = IntStream.range(0, size).mapToLong(this::word).filter(this::hasCome)
          .reduce(-1L, (left, right) -> left & right);
      store(before, (long) sequence << SEQUENCE_SHIFT | flags & 0xFFFF_FFFFL);
      return;
    }
    int[] living = IntStream.range(0, size)
        .filter(member -> hasCome(word(member)) && liveness.missing(members.numbering().jobRank(member)) < 0
            || member == rank)
        .toArray();
    if (living[0] != rank) {
      awaited = living[0];
      return;
    }
    long proposal = proposer.propose(living);
    if (!store(before, (long) shrink << SHRUNK_SHIFT | proposal)) {
      proposer.takeBack(proposal);
    }
  }

  private boolean store(long before, long after) {
    // SYNC slot-decided: acq_rel, pairs with the acquire of all members; orders what the proposal names, and what the
    // members did that have come.
    boolean stored = Words.casAcqRelLong(slot, place(), before, after);
    wakeAll();
    return stored;
  }

  /** Finds out about the one that is waited for; nobody is missed who is gone. */
  @Override
  public int missing(Agreement subject) {
    liveness.missing(members.numbering().jobRank(awaited));
    return NONE;
  }

  @Override
  public void fail(Agreement subject, int gone) {
    throw new IllegalStateException("an agreement misses nobody");
  }

  @Override
  public Waiting waiting(Agreement subject) {
    int jobRank = members.numbering().jobRank(awaited);
    return new Waiting(RankEntryDescriptor.IN_COLLECTIVE, jobRank, 0, members.name(jobRank));
  }

  /** Tells all members that the communicator is revoked. */
  public void revoke() {
    gate.requireOpen();
    // SYNC slot-revoked: release, pairs with the acquire of who begins a collective, or waits in vain.
    Words.storeRelease(slot, SlotDescriptor.REVOKED_OFFSET, 1);
    wakeAll();
  }

  /** Whether a member has. */
  public boolean isRevoked() {
    // SYNC slot-revoked: acquire, pairs with revoke.
    return Words.loadAcquire(slot, SlotDescriptor.REVOKED_OFFSET) != 0;
  }
}
