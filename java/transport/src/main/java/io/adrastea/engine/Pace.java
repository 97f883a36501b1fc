package io.adrastea.engine;

/** When a program that asks again and again, or is always at work, instead of waiting, is to look who is still there: about every 100 ms. */
final class Pace {
  private static final long NANOS = 100_000_000L;

  // Powers of two. A call that found something may be one of many millions a second.
  private static final int VAIN_CALLS_PER_CLOCK = 16;
  private static final int CALLS_PER_CLOCK = 256;

  private int vainCalls;
  private int calls;
  private long next = System.nanoTime() + NANOS;

  /** Whether it is time; to be asked when a call has found nothing. */
  boolean isDue() {
    return (++vainCalls & VAIN_CALLS_PER_CLOCK - 1) == 0 && isTime();
  }

  /** Whether it is time; to be asked in each call. */
  boolean isDueAtWork() {
    return (++calls & CALLS_PER_CLOCK - 1) == 0 && isTime();
  }

  private boolean isTime() {
    long now = System.nanoTime();
    if (now - next < 0) {
      return false;
    }
    next = now + NANOS;
    return true;
  }
}
