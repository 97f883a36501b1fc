package io.adrastea.bench.waiting;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

/** What was found about the ranks of one core. */
final class WaitFigures {
  private static final double NANOS_PER_PERCENT = 1e7; // of a wait of a second

  private final String core;
  private final List<Long> idle = new ArrayList<>();
  private final List<Long> woken = new ArrayList<>();

  WaitFigures(String core) {
    this.core = core;
  }

  void add(long[] idleNanos, long[] wokenNanos) {
    LongStream.of(idleNanos).forEach(idle::add);
    LongStream.of(wokenNanos).forEach(woken::add);
  }

  String core() {
    return core;
  }

  /** Part of a CPU that a wait of a second took, median. */
  double percent() {
    return percentile(idle, 50) / NANOS_PER_PERCENT;
  }

  long wokenNanos(int percentile) {
    return percentile(woken, percentile);
  }

  private static long percentile(List<Long> values, int percentile) {
    List<Long> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get((sorted.size() - 1) * percentile / 100);
  }
}
