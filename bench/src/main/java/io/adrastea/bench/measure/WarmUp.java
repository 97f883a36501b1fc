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
  private static final double LONG_NANOS = 2e6; // an exchange, of which one is enough to learn that
  private static final int LEAST_EXCHANGES = 6000; // after 5,000 calls a JVM compiles a method for good
  private static final double ENOUGH_SECONDS = 0.5; // or so long: of long exchanges little time is that of Java code
  private static final int IDLE_TRIALS = 3;
  private static final double IDLE = 0.1; // of a trial's time, what all compilers together work in it

  private final Kind kind;
  private final double seconds;
  private final boolean bounded;

  /**
   * @param seconds that each call of {@link #run} takes with a variant that is compiled while it runs
   * @param bounded whether it ends before that once compilers are idle, and what takes long is run few times
   */
  WarmUp(Kind kind, double seconds, boolean bounded) {
    this.kind = kind;
    this.seconds = seconds;
    this.bounded = bounded;
  }

  /**
   * Nanoseconds of one exchange: the least median of the trials, since the first ones ran uncompiled code and any may
   * have been disturbed.
   */
  double run(Variant variant, int bytes) throws BenchException, InterruptedException {
    double share = variant.isCompiledMeanwhile() ? seconds : SHARE_OF_COMPILED * seconds;
    long start = System.nanoTime();
    long end = start + (long) (share * 1e9);
    double nanos = first(variant, bytes);
    double counted = FIRST_TRIAL; // of the time that passes, the part that is in the times of batches
    long exchanges = 0;
    int idle = 0; // the last trials in which compilers did nothing
    long compilers = compilers(variant);
    for (int trial = 0; isShort(nanos) && trial < TRIALS || System.nanoTime() < end; trial++) {
      double left = Math.clamp((end - System.nanoTime()) / 1e9, 0, MAX_TRIAL_SECONDS);
      Variant.Order order = Plan.of(kind, bytes, nanos, left * counted, bounded).order();
      long begin = System.nanoTime();
      double found = time(variant, order);
      double all = found * order.exchanges() * order.batches();
      double took = System.nanoTime() - begin;
      counted = Math.clamp(all / took, LEAST_COUNTED, 1);
      nanos = Math.min(nanos, found);
      exchanges += (long) order.exchanges() * order.batches();
      long now = compilers(variant);
      idle = now - compilers <= IDLE * took ? idle + 1 : 0;
      compilers = now;
      boolean enough = exchanges >= LEAST_EXCHANGES || System.nanoTime() - start >= ENOUGH_SECONDS * 1e9;
      if (bounded && enough && idle >= IDLE_TRIALS) {
        break;
      }
    }
    return nanos;
  }

  private long compilers(Variant variant) throws BenchException, InterruptedException {
    return bounded ? variant.compilerNanos() : 0;
  }

  private boolean isShort(double nanos) {
    return !bounded || nanos < LONG_NANOS;
  }

  private double first(Variant variant, int bytes) throws BenchException, InterruptedException {
    double one = bounded ? first(variant, bytes, 1) : 0;
    return isShort(one) ? first(variant, bytes, FIRST_BATCHES) : one;
  }

  private double first(Variant variant, int bytes, int batches) throws BenchException, InterruptedException {
    return time(
        variant,
        new Variant.Order(kind, bytes, batches, kind.minExchanges(), Duration.ofSeconds(10)));
  }

  private static double time(Variant variant, Variant.Order order)
      throws BenchException, InterruptedException {
    List<long[]> pairs = variant.run(order);
    long[] all = pairs.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return (double) all[all.length / 2] / order.exchanges();
  }
}
