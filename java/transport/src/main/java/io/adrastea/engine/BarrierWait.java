package io.adrastea.engine;

import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.send.Bursts;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waits;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.link.LinkBarrier;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.wait.Waiter;

/**
 * One rank's stay at the barrier of all ranks [MPICH2 2007, 3.4]: it arrives and polls, and between bounded polls moves
 * messages on, so that a rank that waits here keeps nobody from getting here. Called inside the gate.
 */
final class BarrierWait {
  private final LinkBarrier barrier;
  private final Progress progress;
  private final Bursts bursts;
  private final Waits waits;
  private final Liveness liveness;
  private final Gate gate;
  private final int rank;
  private Thread inside; // at the barrier; inside the gate, and not null only while that thread waits

  BarrierWait(Resources resources, Progress progress, Bursts bursts, Waits waits) {
    this.progress = progress;
    this.bursts = bursts;
    this.barrier = resources.peers().barrier();
    this.waits = waits;
    this.liveness = resources.liveness();
    this.gate = resources.gate();
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
    if (!isOver(waiter)) {
      inside = Thread.currentThread();
      try {
        await(waiter, members);
      } finally {
        inside = null;
        waits.endWait(waiter);
      }
    }
  }

  private void await(Waiter waiter, Members members) {
    do {
      if (waits.afterStep(waiter, progress.step())) {
        check(members);
        waits.judge(waiter, RankEntryDescriptor.IN_BARRIER, Operation.ANY, 0);
      }
    } while (!isOver(waiter));
  }

  /** Polls in the core only while nobody else wants to come in. */
  private boolean isOver(Waiter waiter) {
    return CoreStatus.checkedOrAgain(barrier.await(gate.isExclusive() ? progress.polls(waiter) : 1)) == 0;
  }

  /** A rank that is gone may have been the last to arrive: one more poll tells. */
  private void check(Members members) {
    int gone = liveness.missingOfAll(members.group());
    if (gone != Liveness.NONE && CoreStatus.checkedOrAgain(barrier.await(1)) != 0) {
      throw liveness.failure(members, gone, "barrier");
    }
  }
}
