package io.adrastea.engine;

/**
 * Messages that nobody has asked for yet, and whose senders are gone before all was sent: who asks for one hears of it,
 * and those behind it are not kept waiting. Called inside the gate.
 */
final class CutShort {
  private final Matching matching;
  private final LargeReceives large;
  private final Liveness liveness;

  CutShort(Matching matching, LargeReceives large, Liveness liveness) {
    this.matching = matching;
    this.large = large;
    this.liveness = liveness;
  }

  /** A rank that is gone, of which a message is not all there; {@link Liveness#NONE}: there is no such rank. */
  int find() {
    UnexpectedMessage message = liveness.isAnyGone() ? matching.firstUnexpected() : null;
    while (message != null && !(liveness.isGone(message.source) && lacks(message))) {
      message = message.next;
    }
    return message == null ? Liveness.NONE : message.source;
  }

  /** All that this rank had sent is in. The receive of each message that lacks something fails. */
  void end(int gone) {
    for (UnexpectedMessage message = matching.firstUnexpected(); message != null; message = message.next) {
      if (message.source == gone && lacks(message)) {
        end(message);
      }
    }
  }

  /**
   * Whether bytes of it are still to come by themselves: not of a large one that is yet to be fetched, which may be
   * possible.
   */
  private static boolean lacks(UnexpectedMessage message) {
    return message.fetch == null ? message.transfer == null && !message.isWhole() : !message.fetch.isComplete();
  }

  private void end(UnexpectedMessage message) {
    String receive =
        "receive of its message of %d bytes with tag %d".formatted(message.messageLength, (int) message.match);
    RuntimeException failure = liveness.failure(message.source, receive);
    if (message.fetch == null) {
      message.failure = failure;
      message.aborted = true;
    } else {
      large.giveUp(message.fetch);
      message.fetch.fail(failure);
    }
  }
}
