package io.adrastea.bench.measure;

/** Computing that uses no memory: steps of a random number generator, each in need of the last. */
public final class Work {
  private static final long TRIALS_NANOS = 200_000_000;
  private static final int TRIAL_STEPS = 20_000;
  private static final int GROUPS = 6;
  private static final int TRIALS = 10;
  private static final int TRIAL_BYTES = 16 << 20;
  private static final int MAX_CALLS = 128;
  private static final long REST_MILLIS = 20;

  private long state = 1;

  /** Creates work for one thread. */
  public Work() {}

  /** Computes for so many steps. */
  public void run(long steps) {
    long x = state;
    for (long step = 0; step < steps; step++) {
      x = x * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L; // Knuth's MMIX generator
    }
    state = x;
  }

  /** Steps that take so long: the fastest of many trials counts, since the first ones run uncompiled. */
  public long stepsIn(double nanos) {
    long best = Long.MAX_VALUE;
    long end = System.nanoTime() + TRIALS_NANOS;
    for (long begin = System.nanoTime(); begin < end; begin = System.nanoTime()) {
      run(TRIAL_STEPS);
      best = Math.min(best, Math.max(1, System.nanoTime() - begin));
    }
    return Math.max(1, Math.round(nanos * TRIAL_STEPS / best));
  }

  /**
   * The time of a transfer that computing is to take as long as: the least of several trials.
   *
   * @param bytes that it moves
   * @param transfer one; the other ranks do as many
   */
  public static double nanosOf(long bytes, Runnable transfer) {
    int count = Math.clamp(TRIAL_BYTES / Math.max(1, bytes), 4, MAX_CALLS);
    long best = Long.MAX_VALUE;
    for (int trial = 0; trial < GROUPS * TRIALS; trial++) {
      if (trial % TRIALS == 0) {
        rest();
      }
      long begin = System.nanoTime();
      for (int i = 0; i < count; i++) {
        transfer.run();
      }
      best = Math.min(best, System.nanoTime() - begin);
    }
    return (double) best / count;
  }

  /** Two ranks that spin on two CPUs leave none to the compiler. */
  private static void rest() {
    try {
      Thread.sleep(REST_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
