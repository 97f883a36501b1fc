package io.adrastea;

/**
 * How a thread waits after a look that found nothing, chosen by {@link Job.Builder#idleStrategy}. It is not to use the
 * job, and is to return, since only then is looked for messages and for ranks that died. What it throws comes out of
 * the call that waits.
 */
@FunctionalInterface
public interface IdleStrategy {
  /** Waits once: spins, yields or sleeps for a while. */
  void idle();

  /** Begins anew: something was found, or the next wait begins. */
  default void reset() {}

  /**
   * Whether {@link #idle} may take longer than some microseconds. The clock is read after each one that may, so that it
   * is noticed in time when a rank died, and otherwise after every 64th.
   *
   * @return true unless overridden
   */
  default boolean mayTakeLong() {
    return true;
  }
}
