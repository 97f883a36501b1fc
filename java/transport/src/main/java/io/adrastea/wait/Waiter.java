package io.adrastea.wait;

/**
 * The one policy of waiting: spin, then yield; with more ranks than CPUs, yield at once. Every so often it is time to
 * look whether those waited for are still there.
 *
 * <p>One per thread that waits; {@link #reset} begins a wait. Spinning happens in the core's own looks ({@link #looks}), so
 * that a step costs one crossing.
 */
public final class Waiter {
  private static final long CHECK_NANOS = 100_000_000L;
  private static final int STEPS_PER_CLOCK = 64;
  private static final int LOOKS_PER_STEP = 100;

  private final boolean crowded;
  private final int spinSteps;
  private int idleSteps; // since something was found
  private int steps; // of this wait
  private long nextCheck;

  /**
   * A policy.
   *
   * @param crowded more ranks than CPUs
   * @param spins looks before the first yield
   */
  public Waiter(boolean crowded, int spins) {
    this.crowded = crowded;
    this.spinSteps = crowded ? 0 : spins / LOOKS_PER_STEP;
  }

  /** Begins a wait. */
  public void reset() {
    idleSteps = 0;
    steps = 0;
  }

  /** How often a core may look in one step of a wait before it comes back. */
  public int looks() {
    return crowded ? 1 : LOOKS_PER_STEP;
  }

  /**
   * A step that found something, though not what is waited for: spinning begins anew.
   *
   * @return whether it is time to check that the ranks waited for are still there
   */
  public boolean goOn() {
    idleSteps = 0;
    return isTimeToCheck();
  }

  /**
   * A step that found nothing.
   *
   * @return whether it is time to check that the ranks waited for are still there
   */
  public boolean pause() {
    if (++idleSteps > spinSteps) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
    return isTimeToCheck();
  }

  private boolean isTimeToCheck() {
    return ++steps % STEPS_PER_CLOCK == 0 && isClockDue();
  }

  private boolean isClockDue() {
    long now = System.nanoTime();
    if (steps == STEPS_PER_CLOCK) { // the first look at the clock in this wait
      nextCheck = now + CHECK_NANOS;
      return false;
    }
    if (now - nextCheck < 0) {
      return false;
    }
    nextCheck = now + CHECK_NANOS;
    return true;
  }
}
