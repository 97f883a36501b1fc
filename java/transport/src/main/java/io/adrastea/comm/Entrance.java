package io.adrastea.comm;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The way of this rank into communicators that are made out of one. It is closed before others are told that this rank
 * does not come any more: so either they are told, or it comes in. Any thread may call.
 */
final class Entrance {
  private static final int CLOSED = -1;

  private final AtomicInteger inside = new AtomicInteger(); // threads that are about to come in

  /** Begins to come in; false: others were told that this rank does not. */
  boolean enter() {
    return inside.getAndUpdate(count -> count == CLOSED ? CLOSED : count + 1) != CLOSED;
  }

  /** Ends what {@link #enter} began. */
  void leave() {
    inside.decrementAndGet();
  }

  /** Closes it, unless a thread is about to come in; whether it is closed. */
  boolean close() {
    return inside.compareAndSet(0, CLOSED) || inside.get() == CLOSED;
  }
}
