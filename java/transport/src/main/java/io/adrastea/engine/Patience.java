package io.adrastea.engine;

import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.operation.Send;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.wait.Waiter;

/**
 * What ends a wait before what it is for has come: an interrupt of its thread, or its limit. Asked only once a wait has
 * begun to rest. Called inside the gate.
 */
final class Patience {
  private final int rank;
  private final Rendezvous rendezvous;

  Patience(int rank, Rendezvous rendezvous) {
    this.rank = rank;
    this.rendezvous = rendezvous;
  }

  /**
   * Ends the wait for an operation when its time is over; but one that a call must see to its end, since memory of the
   * caller is in use, goes on.
   */
  void require(Waiter waiter, Operation operation) {
    if (operation.isComplete() || !isOver(waiter)) {
      return;
    }
    if (operation.isAwaited() && isBound(operation)) {
      if (operation instanceof Send send) {
        rendezvous.withdraw(send);
      }
      waiter.endure();
    } else {
      throw end("for a " + operation);
    }
  }

  /** After the wait for an operation: its send may have been cancelled. */
  void requireSent(Operation operation) {
    if (operation.isCancelled() && operation instanceof Send && operation.isAwaited()) {
      throw end("for a " + operation);
    }
  }

  /** Ends another wait when its time is over, a call of {@code RankEntryDescriptor.IN_…}. */
  void require(Waiter waiter, int call, int peer, long match, long mask) {
    if (isOver(waiter)) {
      throw end(HangReport.waiting(call, peer, match, mask));
    }
  }

  private static boolean isOver(Waiter waiter) {
    return Thread.currentThread().isInterrupted() || waiter.isOverLimit();
  }

  /**
   * A receive whose message has begun to arrive, which must not be lost; a send whose bytes its receiver may take at
   * any moment.
   */
  private static boolean isBound(Operation operation) {
    return operation instanceof Receive ? operation.isBegun() : operation.transfer() != null;
  }

  private RuntimeException end(Object what) {
    Thread thread = Thread.currentThread();
    return thread.isInterrupted()
        ? new InterruptedWaitException(
            "thread '%s' was interrupted while rank %d waited %s".formatted(thread.getName(), rank, what))
        : new TimeLimitException("the time limit came while rank %d waited %s".formatted(rank, what));
  }
}
