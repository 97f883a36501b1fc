package io.adrastea.engine;

/** When a program that asks again and again, instead of waiting, is to look who is still there: about every 100 ms. */
final class Pace {
  private static final long NANOS = 100_000_000L;
  private static final int CALLS_PER_CLOCK = 16; // a power of two

  private int calls;
  private long next = System.nanoTime() + NANOS;

  /** Whether it is time; to be asked when a call has found nothing. */
  boolean isDue() {
    if ((++calls & CALLS_PER_CLOCK - 1) != 0) {
      return false;
    }
    long now = System.nanoTime();
    if (now - next < 0) {
      return false;
    }
    next = now + NANOS;
    return true;
  }
}
