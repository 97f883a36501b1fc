package io.adrastea.bench.guard;

import io.adrastea.bench.measure.CpuPair.Distance;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Ways;
import java.util.List;
import java.util.Optional;

/**
 * A promise and what was measured.
 *
 * @param measured nothing when there is no floor or no such variant, or the promise is not made for what was found
 * @param notMade why the promise is not made for the CPUs found; empty: it is
 */
record Verdict(Promise promise, Optional<Ratio> measured, String notMade) {
  /** That on a promise that is made for two CPUs that lie as these do. */
  static Verdict of(Promise promise, Results results) {
    Optional<Double> floor = find("floor", promise, results).map(one -> one.nanos(50));
    if (floor.isPresent() && !promise.isFor(floor.get())) {
      return new Verdict(promise, Optional.empty(), "not made for a floor of %.0f ns".formatted(floor.get()));
    }
    Optional<Series> measured = find(promise.variant(), promise, results);
    return new Verdict(promise,
        measured.flatMap(one -> promise.forcesWays() ? Ways.ratio(results, one) : results.ratio(one)), "");
  }

  /** That on a promise that is not made for two CPUs that lie so. */
  static Verdict notFor(Distance placement, Promise promise) {
    return new Verdict(promise, Optional.empty(), "not made for this placement (%s)".formatted(placement.title()));
  }

  private static Optional<Series> find(String variant, Promise promise, Results results) {
    return results.series().stream()
        .filter(one -> one.variant().equals(variant))
        .filter(one -> one.plan().bytes() == promise.bytes())
        .findFirst();
  }

  /** Whether the promise is made for the CPUs found. */
  boolean isMade() {
    return notMade.isEmpty();
  }

  /** Whether it was measured by figures that were not warm, which neither keep a promise nor break it. */
  boolean isCold() {
    return measured.isPresent() && !measured.get().warm();
  }

  /** What is promised and was not measured is not kept. */
  boolean fell() {
    return isMade() && !isCold() && (measured.isEmpty() || !promise.keptBy(measured.get().median()));
  }

  /** What stands in the last column. */
  String word() {
    if (!isMade()) {
      return notMade;
    }
    if (measured.isEmpty()) {
      return "NOT MEASURED";
    }
    if (isCold()) {
      return "not judged: figures were not warm";
    }
    return fell() ? "FELL" : "kept";
  }

  /** Cells: what was promised, what was measured, the word. */
  String[] cells() {
    return List.of(
        promise.kind().command(),
        promise.variant(),
        "" + promise.bytes(),
        promise.limit(),
        promise.reference(),
        measured.map(Ratio::toString).orElse("-"),
        word())
        .toArray(String[]::new);
  }
}
