package io.adrastea.engine.collective;

import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.resources.Resources;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Upkeep;
import io.adrastea.wait.Waiter;
import io.adrastea.wait.Waits;

/**
 * Waits for the calls of one communicator's collectives: it steps on one that is waited for, and all beside it, while
 * messages move on, and finds out when a member is gone.
 */
final class CallWait extends CallOwner {
  private static final int COUNT_SHIFT = 32; // what others tell changes the upper half

  private final Liveness liveness;
  private final Movement movement;
  private final int number; // of the communicator, by which members tell each other what moves
  private final Outstanding outstanding;
  private final Ending ending;
  private final CallQueue queue;
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
    super(resources, waits, members, rank, entrance);
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    this.number = number;
    this.outstanding = outstanding;
    this.ending = ending;
    this.queue = queue;
    countPolls();
  }

  /** How often the first crossing of a call polls. */
  int polls() {
    return polls;
  }

  @Override
  void begin(Call call) {
    queue.begin(call, looksAtStart(call));
  }

  @Override
  int awaited(Call call) {
    return queue.awaited(call);
  }

  /**
   * A moment's looks at a short one take less than to come back for it: most end in the one crossing that begins them.
   */
  private int looksAtStart(Call call) {
    return polls > 1 && call.bytes() <= CallQueue.FEW ? Math.min(polls, CallQueue.MOST_SHORT_LOOKS) : 0;
  }

  @Override
  void goOn(Call call) {
    if (!call.isComplete() && !isLeft(call)) {
      queue.goOn(call, polls);
    }
  }

  @Override
  Waiter beginWait() {
    Waiter waiter = super.beginWait();
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

  /**
   * The collectives of one communicator end one after the other, or beside each other: any that moves is on the way to
   * all. Ranks that have long messages, which are moved on meanwhile, come to the collective afterwards.
   */
  @Override
  public long moves(Call call) {
    long all = queue.moves() + movement.ofMessages(Operation.ANY);
    for (int other = 0; other < size; other++) {
      all += movement.ofCollectives(members.numbering().jobRank(other), number) << COUNT_SHIFT;
    }
    return all;
  }
}
