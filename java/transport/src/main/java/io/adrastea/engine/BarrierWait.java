package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.wait.Waiter;

/**
 * One rank's stay at the barrier of all ranks (000 section 3.4): it arrives and looks, and between bounded looks moves messages on,
 * so that a rank that waits here keeps nobody from getting here. Called with the guard entered.
 */
final class BarrierWait {
  private final Core core;
  private final Progress progress;
  private final Liveness liveness;
  private final Guard guard;
  private final int rank;
  private Thread inside; // at the barrier; guarded, and not null only while that thread waits

  BarrierWait(Core core, Progress progress, Liveness liveness, Guard guard, int rank) {
    this.core = core;
    this.progress = progress;
    this.liveness = liveness;
    this.guard = guard;
    this.rank = rank;
  }

  /** Returns when all ranks have arrived, or throws when one cannot any more. */
  void run() {
    if (inside != null) {
      throw new ConcurrentUseException(
          "thread '%s' came to the barrier of rank %d while thread '%s' was waiting at it; one thread of a rank is there at a time"
              .formatted(Thread.currentThread().getName(), rank, inside.getName()));
    }
    progress.show(); // also when all the others are here, and nothing is waited for
    checked(core.barrierArrive());
    Waiter waiter = progress.beginWait();
    if (!isOver(waiter)) {
      inside = Thread.currentThread();
      try {
        await(waiter);
      } finally {
        inside = null;
      }
    }
    progress.endWait(waiter);
  }

  private void await(Waiter waiter) {
    do {
      if (progress.stepOfWait(waiter)) {
        check();
      }
    } while (!isOver(waiter));
  }

  /** Looks in the core only while nobody else wants to come in. */
  private boolean isOver(Waiter waiter) {
    return checked(core.barrierWait(guard.isExclusive() ? progress.looks(waiter) : 1)) == 0;
  }

  /** A rank that is gone may have been the last to arrive: one more look tells. */
  private void check() {
    int gone = liveness.missingOfAll();
    if (gone != Liveness.NONE && checked(core.barrierWait(1)) != 0) {
      throw liveness.failure(gone, "barrier");
    }
  }

  private static int checked(int status) {
    if (status < 0 && status != Core.AGAIN) {
      throw Receiver.corrupt("core error " + -status);
    }
    return status;
  }
}
