package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Plan;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Results with known figures. */
final class GivenFigures {
  private final Kind kind;
  private final List<Series> series = new ArrayList<>();

  GivenFigures(Kind kind) {
    this.kind = kind;
  }

  /** One round of one batch, that long per message. */
  GivenFigures add(String variant, int bytes, long nanos) {
    Series one = new Series(variant, new Plan(kind, bytes, 0, 1, 1, Duration.ofMillis(1)));
    one.addRound(List.of(new long[] {nanos * kind.messagesPerExchange()}));
    series.add(one);
    return this;
  }

  Results results() {
    return new Results(kind, series);
  }
}
