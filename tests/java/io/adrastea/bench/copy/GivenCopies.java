package io.adrastea.bench.copy;

import io.adrastea.bench.measure.Plan;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import java.time.Duration;
import java.util.List;

/** Series with known figures. */
final class GivenCopies {
  private GivenCopies() {}

  /** A series whose rounds each had one uncounted batch, and one copy of the given time. */
  static Series series(CopyTest test, String variant, int bytes, long... nanos) {
    Series series = new Series(variant, new Plan(test.kind(), bytes, 1, 1, 1, Duration.ofMillis(1)));
    for (long one : nanos) {
      series.addRound(List.of(new long[] {1_000_000, one}));
    }
    return series;
  }

  static Results results(CopyTest test, Series... series) {
    return new Results(test.kind(), List.of(series));
  }
}
