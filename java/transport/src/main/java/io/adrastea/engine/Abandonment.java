package io.adrastea.engine;

import io.adrastea.transfer.Transfer;
import io.adrastea.transfer.Transfers;

/**
 * What becomes of an operation that cannot go on: a rank that it depends on is gone, or its wait has thrown. Called
 * inside the gate.
 */
final class Abandonment {
  private static final long ABANDON_NANOS = 1_000_000_000L;

  private final Progress progress;
  private final Receiver receiver;
  private final Sender sender;
  private final Rendezvous rendezvous;
  private final Gate gate;

  Abandonment(Progress progress, Receiver receiver, Sender sender, Rendezvous rendezvous, Gate gate) {
    this.progress = progress;
    this.receiver = receiver;
    this.sender = sender;
    this.rendezvous = rendezvous;
    this.gate = gate;
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
    giveUp(operation, failure);
    return transfer == null || awaitEnd(transfer, thrown);
  }

  /** Ends an operation that is not complete: nothing of it is left. */
  void giveUp(Operation operation, RuntimeException failure) {
    if (operation.isComplete()) {
      return;
    }
    if (operation instanceof Receive receive) {
      receiver.giveUp(receive, failure);
    } else {
      sender.giveUp((Send) operation, failure);
    }
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
