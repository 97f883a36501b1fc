package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.resources.Resources;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.peers.Peers;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waiter;
import io.adrastea.wait.Waits;

/**
 * By what requests start, ask for and wait for the calls of one communicator's collectives, in whatever way these go.
 * It takes calls back that are over. Called inside the gate, which what requests call enters by itself.
 */
abstract class CallOwner implements Pending.Owner<Call> {
  /** The way of all calls to the queue. */
  interface Entrance {
    /** Refuses a call that something stands in the way of; enters the slot before the first one. */
    void requireStartable(int kind, int element);
  }

  final Gate gate;
  final Waits waits;
  final Members members;
  final int rank; // in the communicator
  final int size;
  private final Peers peers;
  private final Entrance entrance;
  private final CallPool pool;

  CallOwner(Resources resources, Waits waits, Members members, int rank, Entrance entrance) {
    this.gate = resources.gate();
    this.waits = waits;
    this.members = members;
    this.rank = rank;
    this.size = members.numbering().size();
    this.peers = resources.peers();
    this.entrance = entrance;
    this.pool = new CallPool(this, rank, size);
  }

  /** Begins a call that was described. */
  abstract void begin(Call call);

  /** A member that a call waits for; -1: none, or several. */
  abstract int awaited(Call call);

  /** Goes on with a call at once, before it is waited for. */
  void goOn(Call call) {}

  CallPool pool() {
    return pool;
  }

  /** Starts one that was described; null: it has ended, and its call is free for another one. */
  Call started(Call call) {
    begin(call);
    if (!call.isComplete() || call.hasFailed()) {
      return call;
    }
    pool.give(call);
    return null;
  }

  /** A persistent one. What has become of it is kept when it is asked for. */
  @Override
  public <T> void start(Call call, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      entrance.requireStartable(call.kind(), call.element());
      begin(call);
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
    goOn(call);
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

  /** Begins a wait for all others, or for the only one. */
  Waiter beginWait() {
    return size == 2 ? waits.beginWait(members.numbering().jobRank(1 - rank)) : waits.beginWaitForAll();
  }

  @Override
  public boolean losesNothing(Call call) {
    return call.form() != Form.BLOCKING || call.kind() == SlotMember.BARRIER;
  }

  @Override
  public Waiting waiting(Call call) {
    if (call.kind() == SlotMember.BARRIER) {
      return new Waiting(RankEntryDescriptor.IN_BARRIER, Operation.ANY, 0);
    }
    int other = awaited(call);
    if (other < 0) {
      return new Waiting(RankEntryDescriptor.IN_COLLECTIVE, Operation.ANY, 0);
    }
    int jobRank = members.numbering().jobRank(other);
    return new Waiting(
        RankEntryDescriptor.IN_COLLECTIVE, jobRank, 0, peers.whereabouts(members.name(jobRank), jobRank));
  }

  @Override
  public String words(Call call) {
    return call.kind() == SlotMember.BARRIER ? waiting(call).toString()
        : "in the %s, %s".formatted(call, waiting(call));
  }
}
