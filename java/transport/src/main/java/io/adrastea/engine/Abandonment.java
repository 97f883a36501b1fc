package io.adrastea.engine;

import io.adrastea.lmt.Transfer;
import io.adrastea.lmt.Transfers;

/** What becomes of an operation whose wait has thrown. Called with the guard entered. */
final class Abandonment {
  private static final long ABANDON_NANOS = 1_000_000_000L;

  private final Progress progress;
  private final Lookout lookout;
  private final Sender sender;
  private final Rendezvous rendezvous;
  private final Openness openness;

  Abandonment(Progress progress, Lookout lookout, Sender sender, Rendezvous rendezvous, Openness openness) {
    this.progress = progress;
    this.lookout = lookout;
    this.sender = sender;
    this.rendezvous = rendezvous;
    this.openness = openness;
  }

  /**
   * Ends an operation whose wait has thrown. The peer of a large message that is there may still use its memory: then it is told, and
   * waited for, for a while.
   *
   * @return whether nothing of the operation is left
   */
  boolean abandon(Operation operation, Throwable thrown) {
    RuntimeException failure = thrown instanceof RuntimeException cause ? cause : null; // of an error nothing is made: memory may be what lacks
    if (openness.isEnded()) { // nothing can be told to anybody any more
      operation.fail(failure);
      return true;
    }
    Transfer transfer = operation.transfer;
    if (transfer == null && isUnderWay(operation)) {
      sender.callOffLater(operation, failure);
      return false;
    }
    lookout.giveUp(operation, failure);
    return transfer == null || awaitEnd(transfer, thrown);
  }

  /** A send of which some pieces are out and others are not. */
  private static boolean isUnderWay(Operation operation) {
    return !operation.receive && operation.begun && !operation.isComplete();
  }

  /** Waits for the peer of a transfer that was given up; whether it is over. */
  private boolean awaitEnd(Transfer transfer, Throwable thrown) {
    long deadline = System.nanoTime() + ABANDON_NANOS;
    try {
      while (transfer.owner == Transfers.ORPHAN && System.nanoTime() - deadline < 0) {
        if (!progress.step()) {
          Sleep.nap(this);
        }
        rendezvous.check();
      }
    } catch (RuntimeException e) {
      thrown.addSuppressed(e);
    }
    return transfer.owner != Transfers.ORPHAN;
  }
}
