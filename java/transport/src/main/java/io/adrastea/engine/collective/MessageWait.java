package io.adrastea.engine.collective;

import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.resources.Resources;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Waits;

/**
 * Waits for the calls of one communicator's collectives by messages, and finds out when a member is gone.
 */
final class MessageWait extends CallOwner {
  private final Liveness liveness;
  private final Movement movement;
  private final Ending ending;
  private final MessageQueue queue;

  MessageWait(
      Resources resources, Waits waits, Members members, int rank, Ending ending, MessageQueue queue,
      Entrance entrance) {
    super(resources, waits, members, rank, entrance);
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    this.ending = ending;
    this.queue = queue;
  }

  @Override
  void begin(Call call) {
    queue.begin(call);
  }

  @Override
  int awaited(Call call) {
    return queue.awaited(call);
  }

  /** Waits until a call is complete, well or not. */
  void await(Call call) {
    if (!call.isComplete()) {
      waits.await(this, call, beginWait());
    }
  }

  @Override
  public boolean isMet(Call call, int polls) {
    if (!call.isComplete()) {
      queue.step();
    }
    return call.isComplete();
  }

  @Override
  public boolean isHopeless(Call call) {
    return members.isRevoked();
  }

  /** A member that has failed keeps all others from ending; one that has left only those that wait for it. */
  @Override
  public int missing(Call call) {
    if (call.isComplete()) {
      return NONE;
    }
    if (members.isRevoked()) {
      return members.numbering().jobRank(rank);
    }
    int failed = liveness.failedOf(members.numbering());
    return failed == Liveness.NONE ? queue.missing(call) : failed;
  }

  @Override
  public void fail(Call call, int gone) {
    if (members.isRevoked()) {
      ending.comesRevoked();
      queue.fail(call, ending.refusal(call.name()));
    } else {
      queue.fail(call, ending.gone(gone, call.name()));
    }
  }

  /** Ranks that have long messages, which are moved on meanwhile, come to the collective afterwards. */
  @Override
  public long moves(Call call) {
    return queue.moves() + movement.ofMessages(Operation.ANY);
  }
}
