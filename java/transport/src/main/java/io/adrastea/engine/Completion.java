package io.adrastea.engine;

import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Send;
import io.adrastea.error.TimeLimitException;
import io.adrastea.transfer.Transfer;
import io.adrastea.transfer.Transfers;
import io.adrastea.wait.Waiter;

/**
 * Waits for the completion of one operation, which comes with its message or with the absence of a rank that it depends
 * on, however busy the others keep this one. Called inside the gate.
 */
final class Completion {
  private static final long ABANDON_NANOS = 1_000_000_000L;

  private final Gate gate;
  private final Liveness liveness;
  private final Progress progress;
  private final Rendezvous rendezvous;
  private final Waits waits;
  private final Bypass bypass;
  private final Lookout lookout;

  Completion(
      Context context, Progress progress, Rendezvous rendezvous, Waits waits, Bypass bypass, Lookout lookout) {
    this.gate = context.gate();
    this.liveness = context.liveness();
    this.progress = progress;
    this.rendezvous = rendezvous;
    this.waits = waits;
    this.bypass = bypass;
    this.lookout = lookout;
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

  /**
   * Ends an operation whose wait has thrown. The peer of a large message that is there may still use its memory: then
   * it is told, and waited for, for a while.
   *
   * @return whether nothing of the operation is left
   */
  boolean abandon(Operation operation, Throwable thrown) {
    // Of an error nothing is made: memory may be what lacks.
    RuntimeException failure = thrown instanceof RuntimeException cause ? cause : null;
    if (gate.isEnded()) { // nothing can be told to anybody any more
      operation.fail(failure);
      return operation.transfer() == null; // else its peer may still use the memory, which is kept with it
    }
    Transfer transfer = operation.transfer();
    if (transfer == null && isUnderWay(operation)) {
      operation.abandon(failure); // it stays in its place until its receiver could be told
      return false;
    }
    lookout.giveUp(operation, failure);
    return transfer == null || awaitEnd(transfer, thrown);
  }

  /** A send of which some pieces are out and others are not. */
  private static boolean isUnderWay(Operation operation) {
    return operation instanceof Send && operation.isBegun() && !operation.isComplete();
  }

  /**
   * Waits for the peer of a transfer that was given up; whether it is over. Others may come in meanwhile: they may end
   * the transfer, which is then another's in time, or the engine, after which nothing moves.
   */
  private boolean awaitEnd(Transfer transfer, Throwable thrown) {
    long deadline = System.nanoTime() + ABANDON_NANOS;
    try {
      while (!gate.isEnded() && transfer.owner == Transfers.ORPHAN && System.nanoTime() - deadline < 0) {
        rendezvous.check();
        if (!progress.step()) {
          Sleep.nap(gate);
        }
      }
    } catch (RuntimeException e) {
      thrown.addSuppressed(e);
    }
    return transfer.owner != Transfers.ORPHAN;
  }
}
