package io.adrastea.bench.large;

/** Computing that uses no memory: steps of a random number generator, each in need of the last. */
final class Work {
  private static final long TRIALS_NANOS = 200_000_000;
  private static final int TRIAL_STEPS = 20_000;

  private long state = 1;

  void run(long steps) {
    long x = state;
    for (long step = 0; step < steps; step++) {
      x = x * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L; // Knuth's MMIX generator
    }
    state = x;
  }

  /** Steps that take so long: the fastest of many trials counts, since the first ones run uncompiled. */
  long stepsIn(double nanos) {
    long best = Long.MAX_VALUE;
    long end = System.nanoTime() + TRIALS_NANOS;
    for (long begin = System.nanoTime(); begin < end; begin = System.nanoTime()) {
      run(TRIAL_STEPS);
      best = Math.min(best, Math.max(1, System.nanoTime() - begin));
    }
    return Math.max(1, Math.round(nanos * TRIAL_STEPS / best));
  }
}
