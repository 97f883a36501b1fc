package io.adrastea.engine;

import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.send.Bursts;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Waits;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.peers.LinkBarrier;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.wait.Waiter;

/**
 * One rank's stay at the barrier of all ranks [MPICH2 2007, 3.4]: it arrives and polls, and between bounded polls moves
 * messages on, so that a rank that waits here keeps nobody from getting here. Called inside the gate.
 */
final class BarrierWait implements Condition<Members> {
  private final LinkBarrier barrier;
  private final Bursts bursts;
  private final Waits waits;
  private final Liveness liveness;
  private final Movement movement;
  private final int rank;
  private Thread inside; // at the barrier; inside the gate, and not null only while that thread waits

  BarrierWait(Resources resources, Bursts bursts, Waits waits) {
    this.bursts = bursts;
    this.barrier = resources.peers().barrier();
    this.waits = waits;
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    this.rank = resources.rank();
  }

  /** Returns when all ranks have arrived, or throws when one cannot any more. */
  void run(Members members) {
    if (inside != null) {
      throw new ConcurrentUseException(
          ("thread '%s' came to the barrier of rank %d while thread '%s' was waiting at it; one thread of a rank "
              + "is there at a time")
              .formatted(Thread.currentThread().getName(), rank, inside.getName()));
    }
    bursts.show(); // also when all the others are here, and nothing is waited for
    CoreStatus.checkedOrAgain(barrier.arrive());
    Waiter waiter = waits.beginWaitForAll();
    inside = Thread.currentThread();
    try {
      waits.await(this, members, waiter);
    } finally {
      inside = null;
    }
  }

  @Override
  public boolean isMet(Members members, int polls) {
    return CoreStatus.checkedOrAgain(barrier.await(polls)) == 0;
  }

  @Override
  public int missing(Members members) {
    return liveness.missingOfAll(members.numbering());
  }

  @Override
  public void fail(Members members, int gone) {
    throw liveness.failure(members, gone, "barrier");
  }

  /** Long messages that are moved on meanwhile: ranks that have them come to the barrier afterwards. */
  @Override
  public long moves(Members members) {
    return movement.ofMessages(Operation.ANY);
  }

  @Override
  public Waiting waiting(Members members) {
    return new Waiting(RankEntryDescriptor.IN_BARRIER, Operation.ANY, 0);
  }
}
