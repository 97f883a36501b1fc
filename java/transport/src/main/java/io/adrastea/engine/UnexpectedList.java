package io.adrastea.engine;

/** Unexpected messages in the order of their arrival, and the spent ones. */
final class UnexpectedList {
  private static final int KEPT = 1024;

  private UnexpectedMessage first;
  private UnexpectedMessage last;
  private UnexpectedMessage idle;
  private int kept;

  boolean isEmpty() {
    return first == null;
  }

  /** The first of all; null: there is none. */
  UnexpectedMessage first() {
    return first;
  }

  /** The first one that fits; null if there is none. */
  UnexpectedMessage find(int source, long match, long mask) {
    UnexpectedMessage message = first;
    while (message != null && !message.fits(source, match, mask)) {
      message = message.next;
    }
    return message;
  }

  /** Sees to it that the next {@link #add} takes no memory. */
  void reserve() {
    if (idle == null) {
      idle = new UnexpectedMessage();
      kept++;
    }
  }

  UnexpectedMessage add(int source, long match, long messageLength) {
    UnexpectedMessage message = idle == null ? new UnexpectedMessage() : idle;
    if (idle != null) {
      idle = idle.next;
      kept--;
    }
    message.begin(source, match, messageLength);
    message.previous = last;
    message.next = null;
    if (last == null) {
      first = message;
    } else {
      last.next = message;
    }
    last = message;
    return message;
  }

  void remove(UnexpectedMessage message) {
    if (message.previous == null) {
      first = message.next;
    } else {
      message.previous.next = message.next;
    }
    if (message.next == null) {
      last = message.previous;
    } else {
      message.next.previous = message.previous;
    }
    message.previous = null;
    message.next = null;
    if (kept < KEPT) {
      message.next = idle;
      idle = message;
      kept++;
    }
  }
}
