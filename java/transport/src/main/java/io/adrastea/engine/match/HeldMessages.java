package io.adrastea.engine.match;

import io.adrastea.engine.operation.Receive;

/**
 * Messages that a matched probe has taken: they wait for the receive that holds them, and no other gets them. What
 * still comes of one goes on to be copied aside.
 */
public final class HeldMessages {
  private final UnexpectedMessage.Pool spent;
  private UnexpectedMessage first; // in no order: a program holds few at a time

  HeldMessages(UnexpectedMessage.Pool spent) {
    this.spent = spent;
  }

  /** Takes a message from its list, for a receive. */
  public void add(Matching matching, UnexpectedMessage message, Receive holder) {
    matching.take(message);
    message.holder = holder;
    message.next = first;
    if (first != null) {
      first.previous = message;
    }
    first = message;
  }

  /** The message that a receive holds; null: it holds none. */
  public UnexpectedMessage of(Receive holder) {
    UnexpectedMessage message = first;
    while (message != null && message.holder != holder) {
      message = message.next;
    }
    return message;
  }

  /** A message goes to its receive, or is let go of. */
  public void remove(UnexpectedMessage message) {
    if (message.previous == null) {
      first = message.next;
    } else {
      message.previous.next = message.next;
    }
    if (message.next != null) {
      message.next.previous = message.previous;
    }
    message.previous = null;
    message.next = null;
    message.holder = null;
    spent.give(message);
  }

  /** The receive that holds one; null: none is held. */
  public Receive anyHolder() {
    return first == null ? null : first.holder;
  }

  /** Tells all callers that they have their messages no longer. */
  public void loseViews() {
    for (UnexpectedMessage message = first; message != null; message = message.next) {
      message.holder.loseView();
    }
  }
}
