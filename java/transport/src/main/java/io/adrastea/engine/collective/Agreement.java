package io.adrastea.engine.collective;

import io.adrastea.coll.SlotAgreement;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.peers.Peers;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waits;
import java.util.stream.IntStream;

/**
 * What the members of a communicator that live agree on, whoever dies meanwhile [ULFM]: the waits around
 * {@link SlotAgreement} or, where they do not all share memory, {@link MessageSteps}, which tell how that is decided.
 *
 * <p>
 * The members call the same agreements in the same order. One that was interrupted is gone on with by the next call.
 * Without a death nobody waits for more than the last member to come.
 */
public final class Agreement implements Condition<Agreement> {
  /** The first of the members that live makes a proposal for all. */
  public interface Proposer {
    /**
     * What the decision is to be, in the bits of {@link SlotAgreement#PROPOSAL}.
     *
     * @param living members, in their order, this one first
     */
    long propose(int[] living);

    /** Another proposal was decided before. */
    void takeBack(long proposal);
  }

  private final Gate gate;
  private final Waits waits;
  private final Liveness liveness;
  private final Peers peers;
  private final AgreementSteps steps; // inside the gate, as what follows
  private final Members members;
  private final int rank; // in the communicator
  private final int size;
  private AgreementStep begun; // the step of the agreement that has not ended, which the same call goes on with; null:
                               // none
  private int awaited; // a member that has not come
  private Proposer proposer; // null: flags are agreed on
  private Thread inside;
  private boolean over; // there are no more

  /**
   * Makes the agreements of a communicator.
   *
   * @param rank this one's number among the members
   * @param steps by which they come to a decision
   */
  Agreement(Resources resources, Waits waits, Members members, int rank, AgreementSteps steps) {
    this.gate = resources.gate();
    this.waits = waits;
    this.liveness = resources.liveness();
    this.peers = resources.peers();
    this.steps = steps;
    this.members = members;
    this.rank = rank;
    this.size = members.numbering().size();
  }

  /** The bits that all members have set which were there; at all the same. */
  public int agree(int flags) {
    return (int) run(AgreementStep.FLAGS, Integer.toUnsignedLong(flags), null);
  }

  /** A proposal of the first member that lives; at all the same. */
  public long decide(Proposer by) {
    return run(AgreementStep.PROPOSED, 0, by);
  }

  /** What all members that were there say of what was proposed, as {@link #agree}, in the same call as that. */
  public int confirm(int flags) {
    return (int) run(AgreementStep.CONFIRMED, Integer.toUnsignedLong(flags), null);
  }

  private long run(AgreementStep step, long word, Proposer by) {
    gate.enter();
    try {
      if (over) {
        throw new IllegalStateException(
            "%s of rank %d in %s: the communicator is closed; it has no ranks any more"
                .formatted(step.call, rank, members.label()));
      }
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

  private long finish(AgreementStep step, long word, Proposer by) {
    inside = Thread.currentThread();
    proposer = by;
    try {
      if (begun == null) {
        steps.begin(step, (int) word);
        begun = step;
      }
      waits.await(this, this, waits.beginWaitForAll());
      begun = null;
      return steps.decision();
    } finally {
      inside = null;
      proposer = null;
    }
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
    int found = steps.look();
    awaited = steps.other();
    switch (found) {
      case SlotAgreement.UNDECIDED -> propose();
      case SlotAgreement.MISMATCH -> throw mismatch(awaited);
      default -> {}
    }
    return found == SlotAgreement.DECIDED;
  }

  /**
   * The first member that lives proposes; the others wait for it. Each asks anew which of those that had come are gone.
   */
  private void propose() {
    int[] living = IntStream.range(0, size).filter(steps::lives).toArray();
    if (living[0] != rank) {
      awaited = living[0];
      return;
    }
    long proposal = proposer.propose(living);
    if (!steps.propose(proposal)) {
      proposer.takeBack(proposal);
    }
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

  /** Finds out about the one that is waited for; a member that is gone is not missed. */
  @Override
  public int missing(Agreement subject) {
    members.settle();
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
    return new Waiting(
        RankEntryDescriptor.IN_COLLECTIVE, jobRank, 0, peers.whereabouts(members.name(jobRank), jobRank));
  }

  /** Takes no more; one that a thread waits in goes on. Called inside the gate, as what follows. */
  void refuseMore() {
    over = true;
  }

  /** Whether no thread waits in one. */
  boolean isIdle() {
    return inside == null;
  }

  /** Refuses to end them while a thread waits in one. */
  void requireIdle() {
    if (inside != null) {
      throw new IllegalStateException(
          "thread '%s' is in %s of rank %d; it is to come back before the communicator is closed"
              .formatted(inside.getName(), begun.call, rank));
    }
  }

  /** Whether a member is known to come to no more of them. Any thread may ask. */
  public boolean hasClosed(int member) {
    gate.enter();
    try {
      return steps.hasClosed(member);
    } finally {
      gate.exit();
    }
  }

  /** A member comes to no more of them, as it has told by other messages. Called inside the gate. */
  void isOut(int member) {
    steps.isOut(member);
  }

  /** There are no more. Called inside the gate, while no thread waits in one. */
  void end() {
    over = true;
    steps.end();
  }

  /** Tells all members that the communicator is revoked. */
  public void revoke() {
    gate.requireOpen();
    steps.revoke();
  }

  /** Whether a member has. */
  public boolean isRevoked() {
    return steps.isRevoked();
  }
}
