package io.adrastea.bench.measure;

/**
 * What both ranks of a pair do again and again; both call the same methods with the same arguments.
 */
public interface Exchange {
  /** Makes buffers ready for messages of {@code bytes}. */
  void prepare(int bytes);

  /** Runs {@code count} exchanges and returns when the pair has done them all. */
  void batch(int count);

  /** Runs {@code count} exchanges; nanoseconds of them all without what the clock costs. */
  default long timed(int count, Clock clock) {
    long begin = System.nanoTime();
    batch(count);
    return clock.since(begin);
  }

  /**
   * Called after each batch, outside its time: refuses messages that were not read as they were written.
   *
   * @throws IllegalStateException when some were not
   */
  default void check() {}

  /**
   * Sends one message with known contents, untimed.
   *
   * @throws IllegalStateException when other bytes arrive
   */
  void verify();
}
