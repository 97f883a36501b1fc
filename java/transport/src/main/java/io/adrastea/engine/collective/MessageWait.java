package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.resources.Resources;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Waiter;
import io.adrastea.wait.Waits;

/**
 * Waits for the calls of one communicator's collectives by messages, and finds out when a member is gone. It takes
 * calls back that are over. Called inside the gate, which what requests call enters by itself.
 */
final class MessageWait implements Pending.Owner<Call> {
  private final Gate gate;
  private final Waits waits;
  private final Liveness liveness;
  private final Movement movement;
  private final CallWait.Entrance entrance;
  private final Members members;
  private final int rank; // in the communicator
  private final int size;
  private final Ending ending;
  private final MessageQueue queue;
  private final CallPool pool;

  MessageWait(
      Resources resources, Waits waits, Members members, int rank, Ending ending, MessageQueue queue,
      CallWait.Entrance entrance) {
    this.gate = resources.gate();
    this.waits = waits;
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    this.entrance = entrance;
    this.members = members;
    this.rank = rank;
    this.size = members.numbering().size();
    this.ending = ending;
    this.queue = queue;
    this.pool = new CallPool(this, rank, size);
  }

  CallPool pool() {
    return pool;
  }

  /** Starts one that was described; null: it has ended, and its call is free for another one. */
  Call started(Call call) {
    queue.begin(call);
    if (!call.isComplete() || call.hasFailed()) {
      return call;
    }
    pool.give(call);
    return null;
  }

  /** Waits until a call is complete, well or not. */
  void await(Call call) {
    if (!call.isComplete()) {
      waits.await(this, call, beginWait());
    }
  }

  /** Begins a wait for all others, or for the only one. */
  private Waiter beginWait() {
    return size == 2 ? waits.beginWait(members.numbering().jobRank(1 - rank)) : waits.beginWaitForAll();
  }

  /** A persistent one. What has become of it is kept when it is asked for. */
  @Override
  public <T> void start(Call call, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      entrance.requireStartable(call.kind(), call.element());
      queue.begin(call);
    } finally {
      gate.exit();
    }
  }

  @Override
  public <T> boolean poll(Call call, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      boolean complete = call.isComplete() || completes(call);
      if (complete) {
        end(call, outcome, subject);
      }
      return complete;
    } finally {
      gate.exit();
    }
  }

  /** Moves things on; whether a call is complete then. */
  private boolean completes(Call call) {
    waits.step();
    if (!call.isComplete() && call.enterCheck(waits.pollInVain())) {
      waits.check(this, call);
    }
    return call.isComplete();
  }

  @Override
  public <T> void finish(Call call, long nanos, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      settle(call, nanos);
      end(call, outcome, subject);
    } finally {
      gate.exit();
    }
  }

  private void settle(Call call, long nanos) {
    if (call.isComplete()) {
      return;
    }
    Waiter waiter = beginWait();
    if (nanos != Long.MAX_VALUE) {
      waiter.limit(nanos);
    }
    try {
      waits.await(this, call, waiter);
    } finally {
      waiter.limitAt(0);
    }
  }

  /** It goes on in any case. */
  @Override
  public <T> void finishOrWithdraw(Call call, long nanos, Pending.Outcome<T> outcome, T subject) {
    finish(call, nanos, outcome, subject);
  }

  @Override
  public boolean withdraw(Call call) {
    throw Call.isCounted();
  }

  /** Ends a call that is complete, once what has become of it is kept. */
  private <T> void end(Call call, Pending.Outcome<T> outcome, T subject) {
    outcome.keep(subject, call);
    if (call.form() == Form.PREPARED) {
      call.end();
    } else {
      pool.give(call);
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

  @Override
  public boolean losesNothing(Call call) {
    return call.form() != Form.BLOCKING || call.kind() == SlotMember.BARRIER;
  }

  /** Ranks that have long messages, which are moved on meanwhile, come to the collective afterwards. */
  @Override
  public long moves(Call call) {
    return queue.moves() + movement.ofMessages(Operation.ANY);
  }

  @Override
  public Waiting waiting(Call call) {
    if (call.kind() == SlotMember.BARRIER) {
      return new Waiting(RankEntryDescriptor.IN_BARRIER, Operation.ANY, 0);
    }
    int other = queue.awaited(call);
    int jobRank = other < 0 ? Operation.ANY : members.numbering().jobRank(other);
    return new Waiting(RankEntryDescriptor.IN_COLLECTIVE, jobRank, 0, other < 0 ? null : members.name(jobRank));
  }

  @Override
  public String words(Call call) {
    return call.kind() == SlotMember.BARRIER ? waiting(call).toString()
        : "in the %s, %s".formatted(call, waiting(call));
  }
}
