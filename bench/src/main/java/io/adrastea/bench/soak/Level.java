package io.adrastea.bench.soak;

import java.util.Arrays;
import java.util.Optional;

/**
 * Whether a figure of a rank stays level. The first third of the run is left alone: code is compiled and pools fill.
 * What the last third shows in its middle may exceed the most of the second third by a quarter and a margin.
 */
final class Level {
  private static final int LEAST_SAMPLES = 6;

  private final String what;
  private final String unit;
  private final long margin;
  private long[] samples = new long[64];
  private int count;

  /**
   * @param what the figure's name
   * @param margin what it may grow beside the quarter
   */
  Level(String what, String unit, long margin) {
    this.what = what;
    this.unit = unit;
    this.margin = margin;
  }

  void add(long sample) {
    if (count == samples.length) {
      samples = Arrays.copyOf(samples, 2 * count);
    }
    samples[count++] = sample;
  }

  private long middle() {
    return Arrays.stream(samples, count / 3, 2 * count / 3).max().orElse(0);
  }

  private long end() {
    long[] last = Arrays.stream(samples, 2 * count / 3, count).sorted().toArray();
    return last[last.length / 2];
  }

  /** Whether there are samples enough to tell. */
  boolean tells() {
    return count >= LEAST_SAMPLES;
  }

  /** What to say when it has grown. */
  Optional<String> grown() {
    if (!tells() || end() <= middle() + middle() / 4 + margin) {
      return Optional.empty();
    }
    return Optional.of(
        "%s grows: at most %d %s in the second third of the run, %d in the middle of the last"
            .formatted(what, middle(), unit, end()));
  }

  long first() {
    return count == 0 ? 0 : samples[0];
  }

  long most() {
    return Arrays.stream(samples, 0, count).max().orElse(0);
  }

  long last() {
    return count == 0 ? 0 : samples[count - 1];
  }

  String what() {
    return what;
  }

  String unit() {
    return unit;
  }
}
