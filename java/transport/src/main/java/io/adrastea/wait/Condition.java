package io.adrastea.wait;

import io.adrastea.ranktable.Waiting;

/**
 * What a thread can wait for ({@link Waits#await}): a message, a barrier, any words in shared memory that others write.
 * One object serves any number of waits at a time: what a wait is for, its subject, is handed in, so that a wait makes
 * no object. All methods are called inside the gate.
 *
 * <p>
 * A thread that brings a condition about without a message wakes those that may sleep for it ({@code Sleeper.wake}, and
 * {@link Waits#wakeWordSleeper} of a condition that {@link #isOnWords}); then a wait finds it at once, else after
 * {@link Waits#MOST_NANOS} at the latest.
 *
 * @param <T> what tells one wait from another: an operation, a slot, an address
 */
public interface Condition<T> {
  /** No rank. */
  int NONE = -1;

  /**
   * Whether it is there. Asked between steps of progress, so it takes its time in no other way than by polling.
   *
   * @param polls how often it may poll at a stretch, one at least
   */
  boolean isMet(T subject, int polls);

  /** Moves things on between two polls; whether anything moved. */
  default boolean step(T subject, Upkeep upkeep) {
    return upkeep.step();
  }

  /**
   * Whether others bring it about by words in shared memory, and wake by {@link Waits#wakeWordSleeper}. A wait asks
   * once before each sleep.
   */
  default boolean isOnWords() {
    return false;
  }

  /**
   * Whether others may bring it about by a store of the program, behind which nobody wakes. Then a thread sleeps no
   * longer than a nap, though it may be woken.
   */
  default boolean isUntold() {
    return false;
  }

  /**
   * The rank whose absence keeps it from ever being met, {@link #NONE}: all that it depends on are there, or it is met.
   * Asked about every 100 ms of a wait.
   */
  int missing(T subject);

  /** Whether such a rank was found missing before: then the wait need not go on until the next check. */
  default boolean isHopeless(T subject) {
    return false;
  }

  /**
   * It cannot be met any more, since a rank is gone, and all that this rank had sent is in. Throws, or has the wait end
   * by {@link #isMet}.
   */
  void fail(T subject, int gone);

  /**
   * A number that changes whenever something moves that it depends on, at this rank or another: bytes of a long message
   * or of a collective. A wait is told of when it has stood still for long. Asked about every 100 ms of a wait.
   */
  default long moves(T subject) {
    return 0;
  }

  /** What the wait is told as when it has stood still for long. */
  Waiting waiting(T subject);

  /** Says what is waited for, in the exception of a wait that is interrupted or beyond its limit: "at the barrier". */
  default String words(T subject) {
    return waiting(subject).toString();
  }

  /**
   * The wait is interrupted, or beyond its limit. Whether it goes on to its end all the same, since memory of the
   * caller is in use, to whose release this may contribute.
   */
  default boolean endures(T subject) {
    return false;
  }

  /** Whether an exception that has nothing to do with the wait may end it. */
  default boolean losesNothing(T subject) {
    return true;
  }
}
