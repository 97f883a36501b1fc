package io.adrastea.engine;

import io.adrastea.error.TimeLimitException;
import io.adrastea.wait.Waiter;

/**
 * Waits for the completion of one operation, which comes with its message or with the absence of a rank that it depends
 * on, however busy the others keep this one. Called inside the gate.
 */
final class Completion {
  private final Waits waits;
  private final Bypass bypass;
  private final Lookout lookout;
  private final Liveness liveness;

  Completion(Waits waits, Bypass bypass, Lookout lookout, Liveness liveness) {
    this.waits = waits;
    this.bypass = bypass;
    this.lookout = lookout;
    this.liveness = liveness;
  }

  /** Waits until {@code operation} is complete, whether well or not. */
  void settle(Operation operation) {
    settle(operation, waits.beginWait(operation.peer()));
  }

  /**
   * The same with a limit.
   *
   * @param nanos from now; {@link Long#MAX_VALUE}: there is none, and no clock is read for it
   * @throws TimeLimitException when it is not complete then
   */
  void settle(Operation operation, long nanos) {
    if (nanos == Long.MAX_VALUE) {
      settle(operation);
      return;
    }
    Waiter waiter = waits.beginWait(operation.peer());
    waiter.limit(nanos);
    try {
      settle(operation, waiter);
    } finally {
      waiter.limitAt(0);
    }
  }

  /** The same, in a wait that has begun: what spins and yields it has had count. */
  void settle(Operation operation, Waiter waiter) {
    boolean judged = false;
    try {
      waits.show();
      while (!operation.isComplete() && !bypass.receivePosted(operation, waiter)) {
        if (!bypass.hear(operation, waiter)
            && (waits.stepOfWait(waiter, operation) || liveness.isGone(operation.peer()))) {
          lookout.check(operation);
          waits.judge(waiter, operation);
          judged = true;
        }
      }
      if (judged) {
        waits.requireSent(operation);
      }
    } finally {
      waits.endWait(waiter);
    }
  }
}
