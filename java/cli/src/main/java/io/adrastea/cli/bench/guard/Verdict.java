package io.adrastea.cli.bench.guard;

import io.adrastea.cli.bench.Ratio;
import io.adrastea.cli.bench.Results;
import io.adrastea.cli.bench.Series;
import java.util.List;
import java.util.Optional;

/**
 * A promise and what was measured.
 *
 * @param measured nothing when there is no floor or no such variant
 */
record Verdict(Promise promise, Optional<Ratio> measured) {
  static Verdict of(Promise promise, Results results) {
    Optional<Series> series =
        results.series().stream()
            .filter(one -> one.variant().equals(promise.variant()))
            .filter(one -> one.plan().bytes() == promise.bytes())
            .findFirst();
    return new Verdict(promise, series.flatMap(results::ratio));
  }

  /** What was not measured is not kept. */
  boolean kept() {
    return measured.isPresent() && promise.keptBy(measured.get().median());
  }

  /** What stands in the last column. */
  String word() {
    if (measured.isEmpty()) {
      return "NOT MEASURED";
    }
    return kept() ? "kept" : "FELL";
  }

  /** Cells: what was promised, what was measured, the word. */
  String[] cells() {
    return List.of(
            promise.kind().command(),
            promise.variant(),
            "" + promise.bytes(),
            promise.limit(),
            measured.map(Ratio::toString).orElse("-"),
            word())
        .toArray(String[]::new);
  }
}
