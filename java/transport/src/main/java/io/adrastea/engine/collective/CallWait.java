package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.resources.Resources;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Upkeep;
import io.adrastea.wait.Waiter;
import io.adrastea.wait.Waits;

/**
 * Waits for the calls of one communicator's collectives: it steps on one that is waited for, and all beside it, while
 * messages move on, and finds out when a member is gone. It takes calls back that are over. Called inside the gate,
 * which what requests call enters by itself.
 */
final class CallWait implements Pending.Owner<Call> {
  private static final int NOBODY = -1;
  private static final int COUNT_SHIFT = 32; // what others tell changes the upper half

  /** The way of all calls to the queue. */
  interface Entrance {
    /** Refuses a call that something stands in the way of; enters the slot before the first one. */
    void requireStartable(int kind, int element);
  }

  private final Gate gate;
  private final Waits waits;
  private final Liveness liveness;
  private final Movement movement;
  private final int number; // of the communicator, by which members tell each other what moves
  private final Outstanding outstanding;
  private final Entrance entrance;
  private final Members members;
  private final int rank; // in the communicator
  private final int size;
  private final Ending ending;
  private final CallQueue queue;
  private final CallPool pool;
  private int polls; // in the first crossing, as of the last wait

  /**
   * @param number of the communicator, by which members tell each other what moves
   * @param outstanding what each step of progress goes on with
   * @param members of the communicator
   * @param rank of this one among them
   * @param ending why there are no more calls
   */
  CallWait(
      Resources resources, Waits waits, int number, Outstanding outstanding, Members members, int rank, Ending ending,
      CallQueue queue, Entrance entrance) {
    this.gate = resources.gate();
    this.waits = waits;
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    this.number = number;
    this.outstanding = outstanding;
    this.entrance = entrance;
    this.members = members;
    this.rank = rank;
    this.size = members.numbering().size();
    this.ending = ending;
    this.queue = queue;
    this.pool = new CallPool(this, rank, size);
    countPolls();
  }

  CallPool pool() {
    return pool;
  }

  /** How often the first crossing of a call polls. */
  int polls() {
    return polls;
  }

  /** Starts one that was described; null: it has ended, and its call is free for another one. */
  Call started(Call call) {
    queue.begin(call, looksAtStart(call));
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
      queue.begin(call, looksAtStart(call));
    } finally {
      gate.exit();
    }
  }

  /**
   * A moment's looks at a short one take less than to come back for it: most end in the one crossing that begins them.
   */
  private int looksAtStart(Call call) {
    return polls > 1 && call.bytes() <= CallQueue.FEW ? Math.min(polls, CallQueue.MOST_SHORT_LOOKS) : 0;
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
    if (!call.isComplete() && !isLeft(call)) {
      queue.goOn(call, polls);
    }
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
    Waiter waiter = size == 2 ? waits.beginWait(members.numbering().jobRank(1 - rank)) : waits.beginWaitForAll();
    countPolls();
    return waiter;
  }

  /** What a wait knows of the CPUs decides how often the first crossing of the next call polls. */
  private void countPolls() {
    polls = gate.isExclusive() ? Math.max(1, gate.waiter().pollsAtOnce()) : 1;
  }

  @Override
  public boolean isMet(Call call, int polls) {
    if (!call.isComplete() && !isLeft(call)) {
      call.moved(queue.goOn(call, gate.isExclusive() && outstanding.isAllOf(queue) ? gate.waiter().polls() : polls));
    }
    return call.isComplete();
  }

  /** Whether the calling thread, which waits for it, leaves it to the progress thread. */
  private boolean isLeft(Call call) {
    boolean left = !gate.isExclusive() && waits.isAttended();
    if (left) {
      call.leave();
    }
    return left;
  }

  @Override
  public boolean step(Call call, Upkeep upkeep) {
    return !gate.waiter().leaves() && upkeep.step() | call.hasMoved();
  }

  /** A member that has failed keeps all others from ending; one that has left only those that wait for it. */
  @Override
  public int missing(Call call) {
    if (call.isComplete()) {
      return NONE;
    }
    members.settle();
    int failed = liveness.failedOf(members.numbering());
    int other = queue.awaited(call);
    return failed != Liveness.NONE || other < 0 ? failed : liveness.missing(members.numbering().jobRank(other));
  }

  @Override
  public void fail(Call call, int gone) {
    queue.fail(call, ending.gone(gone, call.name()));
  }

  @Override
  public boolean losesNothing(Call call) {
    return call.form() != Form.BLOCKING || call.kind() == SlotMember.BARRIER;
  }

  /**
   * The collectives of one communicator end one after the other, or beside each other: any that moves is on the way to
   * all. Ranks that have long messages, which are moved on meanwhile, come to the collective afterwards.
   */
  @Override
  public long moves(Call call) {
    long all = queue.moves() + movement.ofMessages(NOBODY);
    for (int other = 0; other < size; other++) {
      all += movement.ofCollectives(members.numbering().jobRank(other), number) << COUNT_SHIFT;
    }
    return all;
  }

  @Override
  public Waiting waiting(Call call) {
    if (call.kind() == SlotMember.BARRIER) {
      return new Waiting(RankEntryDescriptor.IN_BARRIER, NOBODY, 0);
    }
    int other = queue.awaited(call);
    int jobRank = other < 0 ? NOBODY : members.numbering().jobRank(other);
    return new Waiting(RankEntryDescriptor.IN_COLLECTIVE, jobRank, 0, other < 0 ? null : members.name(jobRank));
  }

  @Override
  public String words(Call call) {
    return call.kind() == SlotMember.BARRIER ? waiting(call).toString()
        : "in the %s, %s".formatted(call, waiting(call));
  }
}
