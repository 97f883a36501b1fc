package io.adrastea.engine.operation;

import io.adrastea.error.TimeLimitException;
import io.adrastea.wait.Condition;

/**
 * What a program has started and completes later: the operation of a message, or the call of a collective. It goes back
 * to those that move it on when its outcome is kept; a persistent one is idle then, and starts again.
 */
public interface Pending {
  /** Keeps what has become of a pending one for the caller that has started it, before it is used for another one. */
  interface Outcome<T> {
    /** @param done it is complete, well or not */
    void keep(T subject, Pending done);
  }

  /**
   * What moves the pending ones of a kind on. It enters the gate by itself, except where it is asked as a condition.
   *
   * @param <P> that kind
   */
  interface Owner<P extends Pending> extends Condition<P> {
    /** As {@link Pending#start}. */
    <T> void start(P pending, Outcome<T> outcome, T subject);

    /** As {@link Pending#poll}. */
    <T> boolean poll(P pending, Outcome<T> outcome, T subject);

    /** As {@link Pending#finish}. */
    <T> void finish(P pending, long nanos, Outcome<T> outcome, T subject);

    /** As {@link Pending#finishOrWithdraw}. */
    <T> void finishOrWithdraw(P pending, long nanos, Outcome<T> outcome, T subject);

    /** As {@link Pending#withdraw}. */
    boolean withdraw(P pending);
  }

  /** Starts a persistent one; when it is complete at once, {@code outcome} may keep what has become of it. */
  <T> void start(Outcome<T> outcome, T subject);

  /** Whether it is over, well or not. Moves nothing on. */
  boolean isComplete();

  /**
   * Moves things on, and ends it if it is complete.
   *
   * @param outcome keeps what has become of it
   * @return whether it was complete
   */
  <T> boolean poll(Outcome<T> outcome, T subject);

  /**
   * Waits until it is complete, whether well or not, and ends it.
   *
   * @param nanos the longest wait, after which it goes on; {@link Long#MAX_VALUE}: there is no limit
   * @param outcome keeps what has become of it
   * @throws TimeLimitException when it was not complete then
   */
  <T> void finish(long nanos, Outcome<T> outcome, T subject);

  /** Waits like {@link #finish}; an interrupt, or the limit, takes it back if nothing of it has happened. */
  <T> void finishOrWithdraw(long nanos, Outcome<T> outcome, T subject);

  /**
   * Takes it back if nothing of it has happened; whether it was. It is complete then.
   *
   * @throws UnsupportedOperationException when others count on it
   */
  boolean withdraw();

  /** What a complete one has failed with; null: it has not. */
  RuntimeException failure();

  /** Whether a complete one was taken back. */
  boolean isCancelled();

  /** The rank whose absence keeps it from being complete; {@link Condition#NONE}: none does. Inside the gate. */
  int missing();

  /** Whether it waits for a rank that is gone. Inside the gate. */
  default boolean isStranded() {
    return missing() != Condition.NONE;
  }

  /** It cannot be completed any more, since that rank is gone. Inside the gate. */
  void fail(int gone);

  /** A number that changes whenever something moves that it depends on. Inside the gate. */
  long moves();

  /** Tells what it is and how far it is, in words: "receive from rank 1 with tag 7, 0 of 800 bytes". */
  @Override
  String toString();
}
