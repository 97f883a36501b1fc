package io.adrastea.it;

import java.util.concurrent.locks.LockSupport;

/** How long the machine gives this process no time, as a thread sees that wants to run every few milliseconds. */
final class HeldUp {
  private static final long TICK = 5_000_000;

  private volatile long longest;

  /** Looks from now on. */
  static HeldUp watch() {
    HeldUp heldUp = new HeldUp();
    Thread.ofPlatform().daemon().name("held up").start(heldUp::look);
    return heldUp;
  }

  private void look() {
    while (true) {
      long start = System.nanoTime();
      LockSupport.parkNanos(TICK);
      longest = Math.max(longest, System.nanoTime() - start - TICK);
    }
  }

  /** Forgets what was. */
  void reset() {
    longest = 0;
  }

  /** The longest time since, in nanoseconds. */
  long longest() {
    return longest;
  }
}
