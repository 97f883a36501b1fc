package io.adrastea.engine;

import io.adrastea.wait.Waiter;

/** Looks for messages without receiving them. Called with the guard entered. */
final class Probes {
  private final Matching matching;
  private final Waits waits;
  private final Lookout lookout;
  private final Liveness liveness;

  Probes(Matching matching, Waits waits, Lookout lookout, Liveness liveness) {
    this.matching = matching;
    this.waits = waits;
    this.lookout = lookout;
    this.liveness = liveness;
  }

  /** Waits for a message that fits. */
  void await(int source, long match, long mask, Received result) {
    Waiter waiter = waits.beginWait(source);
    while (!find(source, match, mask, result)) {
      if (waits.stepOfWait(waiter)) {
        check(source, match, mask, result);
      }
    }
    waits.endWait(waiter);
  }

  private void check(int source, long match, long mask, Received result) {
    int gone = lookout.gone(source);
    if (gone != Liveness.NONE && lookout.drain(gone) && !find(source, match, mask, result) && liveness.missing(source) == gone) {
      throw liveness.failure(gone, source, "probe");
    }
  }

  /** Whether a message that fits is there; {@code result} tells which. */
  boolean find(int source, long match, long mask, Received result) {
    UnexpectedMessage message = matching.find(source, match, mask);
    if (message == null) {
      return false;
    }
    result.set(message.source, (int) message.match, message.messageLength);
    return true;
  }
}
