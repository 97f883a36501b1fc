package io.adrastea.bench.measure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Runs a variant uncounted until it is compiled and its caches are warm, and learns how fast it is.
 */
final class WarmUp {
  private static final int FIRST_BATCHES = 8;
  private static final int TRIALS = 2;
  private static final double MAX_TRIAL_SECONDS = 0.1;
  private static final double FIRST_TRIAL = 0.1;
  private static final double LEAST_COUNTED = 0.01;
  private static final double SHARE_OF_COMPILED = 0.1;

  private final Kind kind;
  private final double seconds;

  /**
   * @param seconds at least that long for each call of {@link #run} with a variant that is compiled while it runs
   */
  WarmUp(Kind kind, double seconds) {
    this.kind = kind;
    this.seconds = seconds;
  }

  /**
   * Nanoseconds of one exchange: the least median of the trials, since the first ones ran uncompiled code and any may
   * have been disturbed.
   */
  double run(Variant variant, int bytes) throws BenchException, InterruptedException {
    double share = variant.isCompiledMeanwhile() ? seconds : SHARE_OF_COMPILED * seconds;
    long end = System.nanoTime() + (long) (share * 1e9);
    double nanos = first(variant, bytes);
    double counted = FIRST_TRIAL; // of the time that passes, the part that is in the times of batches
    for (int trial = 0; trial < TRIALS || System.nanoTime() < end; trial++) {
      double left = Math.clamp((end - System.nanoTime()) / 1e9, 0, MAX_TRIAL_SECONDS);
      Variant.Order order = Plan.of(kind, bytes, nanos, left * counted).order();
      long begin = System.nanoTime();
      double found = time(variant, order);
      double all = found * order.exchanges() * order.batches();
      counted = Math.clamp(all / (System.nanoTime() - begin), LEAST_COUNTED, 1);
      nanos = Math.min(nanos, found);
    }
    return nanos;
  }

  private double first(Variant variant, int bytes) throws BenchException, InterruptedException {
    return time(
        variant,
        new Variant.Order(kind, bytes, FIRST_BATCHES, kind.minExchanges(), Duration.ofSeconds(10)));
  }

  private static double time(Variant variant, Variant.Order order)
      throws BenchException, InterruptedException {
    List<long[]> pairs = variant.run(order);
    long[] all = pairs.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return (double) all[all.length / 2] / order.exchanges();
  }
}
