package io.adrastea.wait;

import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * The one policy of waiting: spin, then yield; with more ranks than CPUs, yield at once. Or as an idle strategy of the user's does.
 * Every so often it is time to look whether those waited for are still there.
 *
 * <p>One per thread that waits; {@link #reset} begins a wait. Spinning happens in the core's own looks ({@link #looks}), so
 * that a step costs one crossing.
 */
public final class Waiter {
  private static final long CHECK_NANOS = 100_000_000L;
  private static final int STEPS_PER_CLOCK = 64; // a power of two
  private static final int LOOKS_PER_STEP = 100;

  private final boolean crowded;
  private final int spinSteps;
  private final IdleStrategy strategy; // null: spin, then yield
  private final int clockMask; // steps between looks at the clock, a power of two, less one
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
    this.strategy = null;
    this.clockMask = STEPS_PER_CLOCK - 1;
  }

  /**
   * The policy of an idle strategy: it idles after each look that found nothing, and is reset when something was found.
   *
   * @param strategy of one thread
   */
  public Waiter(IdleStrategy strategy) {
    this.crowded = true; // between looks the strategy decides, not the core
    this.spinSteps = 0;
    this.strategy = strategy;
    this.clockMask = neverSleeps(strategy) ? STEPS_PER_CLOCK - 1 : 0;
  }

  /** A strategy that may sleep as long as it likes is not left alone for many steps without a look at the clock. */
  private static boolean neverSleeps(IdleStrategy strategy) {
    return strategy instanceof BusySpinIdleStrategy
        || strategy instanceof NoOpIdleStrategy
        || strategy instanceof YieldingIdleStrategy;
  }

  /** Begins a wait. */
  public void reset() {
    resetIdling();
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
    resetIdling();
    return isTimeToCheck();
  }

  private void resetIdling() {
    if (strategy != null && idleSteps > 0) {
      strategy.reset();
    }
    idleSteps = 0;
  }

  /**
   * A step that found nothing.
   *
   * @return whether it is time to check that the ranks waited for are still there
   */
  public boolean pause() {
    if (idleSteps < spinSteps) {
      idleSteps++;
      Thread.onSpinWait();
    } else {
      idleSteps = spinSteps + 1; // counts no further: a wait may be long
      relax();
    }
    return isTimeToCheck();
  }

  private void relax() {
    if (strategy == null) {
      Thread.yield();
    } else {
      strategy.idle();
    }
  }

  private boolean isTimeToCheck() {
    return (++steps & clockMask) == 0 && isClockDue();
  }

  private boolean isClockDue() {
    long now = System.nanoTime();
    if (steps == clockMask + 1) { // the first look at the clock in this wait
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
