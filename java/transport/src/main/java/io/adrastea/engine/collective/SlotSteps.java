package io.adrastea.engine.collective;

import io.adrastea.coll.Slot;
import io.adrastea.coll.SlotAgreement;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.peers.Peers;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;

/** Agreements through a slot, as {@link SlotAgreement} tells. This wakes the members that may sleep for them. */
final class SlotSteps implements AgreementSteps {
  private final Peers peers;
  private final Liveness liveness;
  private final Members members;
  private final int rank; // in the communicator
  private final Slot slot;
  private final SlotAgreement steps;
  private final IntPredicate gone = this::isGone;

  /**
   * @param rank this one's number among the members
   * @param slot of the communicator, as it is mapped here
   */
  SlotSteps(Resources resources, Members members, int rank, MemorySegment slot) {
    this.peers = resources.peers();
    this.liveness = resources.liveness();
    this.members = members;
    this.rank = rank;
    this.slot = new Slot(slot, rank, members.numbering().jobSize());
    this.steps = new SlotAgreement(this.slot);
  }

  private boolean isGone(int member) {
    return liveness.isGone(members.numbering().jobRank(member));
  }

  private void wakeAll() {
    for (int member = 0; member < members.numbering().size(); member++) {
      if (member != rank && !isGone(member)) {
        peers.sleeper().wake(members.numbering().jobRank(member));
      }
    }
  }

  @Override
  public void begin(AgreementStep step, int flags) {
    if (step == AgreementStep.PROPOSED) {
      steps.beginProposal();
    } else {
      steps.beginFlags(flags);
    }
    wakeAll();
  }

  @Override
  public int look() {
    int found = steps.look(gone);
    if (found == SlotAgreement.DECIDED && steps.isOwn()) {
      wakeAll();
    }
    return found;
  }

  @Override
  public int other() {
    return steps.other();
  }

  @Override
  public long decision() {
    return steps.decision();
  }

  @Override
  public boolean lives(int member) {
    return member == rank
        || steps.hasCome(member) && liveness.missing(members.numbering().jobRank(member)) == Liveness.NONE;
  }

  @Override
  public boolean propose(long proposal) {
    return steps.propose(proposal);
  }

  @Override
  public void revoke() {
    slot.revoke();
    wakeAll();
  }

  @Override
  public boolean isRevoked() {
    return slot.isRevoked();
  }

  /** It has said so in the slot, which each look reads. */
  @Override
  public boolean hasClosed(int member) {
    return false;
  }

  /** The slot tells it. */
  @Override
  public void isOut(int member) {}

  /** A member that closes the communicator says so in the slot. */
  @Override
  public void end() {}
}
