package io.adrastea.engine;

import io.adrastea.error.TimeLimitException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.wait.Waiter;

/** Looks for messages without receiving them. Called inside the gate. */
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
  void await(int source, long match, long mask, Receive.Result result) {
    await(waits.beginWait(source), source, match, mask, result);
  }

  /**
   * The same with a limit.
   *
   * @throws TimeLimitException when there is none then
   */
  void await(int source, long match, long mask, Receive.Result result, long nanos) {
    Waiter waiter = waits.beginWait(source);
    waiter.limit(nanos);
    try {
      await(waiter, source, match, mask, result);
    } finally {
      waiter.limitAt(0);
    }
  }

  private void await(Waiter waiter, int source, long match, long mask, Receive.Result result) {
    try {
      while (!find(source, match, mask, result)) {
        if (waits.stepOfWait(waiter)) {
          check(source, match, mask, result);
          waits.judge(waiter, RankEntryDescriptor.IN_PROBE, source, match, mask);
        }
      }
    } finally {
      waits.endWait(waiter);
    }
  }

  private void check(int source, long match, long mask, Receive.Result result) {
    int gone = lookout.gone(source);
    if (gone != Liveness.NONE && lookout.drain(gone) && !find(source, match, mask, result)
        && liveness.missing(source) == gone) {
      throw liveness.failure(gone, source, "probe");
    }
  }

  /** Whether a message that fits is there; {@code result} tells which. */
  boolean find(int source, long match, long mask, Receive.Result result) {
    UnexpectedMessage message = matching.find(source, match, mask);
    if (message == null) {
      return false;
    }
    message.probed = true;
    result.set(message.source, (int) message.match, message.messageLength);
    return true;
  }
}
