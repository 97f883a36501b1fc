package io.adrastea.bench.measure;

/** Times from {@link System#nanoTime} without what reading the clock itself costs. */
public final class Clock {
  private static final int ROUNDS = 20;
  private static final int READS = 20_000;

  private final long overhead;

  private Clock(long overhead) {
    this.overhead = overhead;
  }

  /** Measures the clock; the last rounds run compiled. */
  public static Clock calibrated() {
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      best = Math.min(best, costOfReading());
    }
    return new Clock(best);
  }

  private static long costOfReading() {
    long begin = System.nanoTime();
    long last = begin;
    for (int read = 0; read < READS; read++) {
      last = System.nanoTime();
    }
    return (last - begin) / READS;
  }

  /** Nanoseconds that a reading takes. */
  public long cost() {
    return overhead;
  }

  /** Nanoseconds since {@code begin}, a value of {@link System#nanoTime}. */
  public long since(long begin) {
    return System.nanoTime() - begin - overhead;
  }
}
