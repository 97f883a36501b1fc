package io.adrastea.bench.measure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Series with known figures. */
final class Given {
  static final int EXCHANGES = 10;

  private Given() {}

  /**
   * A series whose rounds each had one uncounted batch, and one batch of the given time per message.
   */
  static Series series(Kind kind, String variant, int bytes, long... nanosPerMessage) {
    Plan plan = new Plan(kind, bytes, 1, 1, EXCHANGES, Duration.ofMillis(1));
    Series series = new Series(variant, plan);
    for (long nanos : nanosPerMessage) {
      long batch = nanos * EXCHANGES * kind.messagesPerExchange();
      series.addRound(List.of(new long[] {1_000_000, batch}));
    }
    return series;
  }

  static Results results(Kind kind, Series... series) {
    return new Results(kind, Arrays.asList(series));
  }
}
