package io.adrastea.bench.guard;

import io.adrastea.bench.measure.CpuPair.Distance;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Ways;
import java.util.List;
import java.util.Optional;

/**
 * A promise and what was measured at one of its sizes.
 *
 * @param bytes the size, or all of them where the promise is not made for the CPUs found
 * @param measured nothing when there is no floor or no such variant, or the promise is not made for what was found
 * @param best the forced setting that took the least time, as in {@code adrastea.cell.bytes=4096}; empty: none is
 * compared with
 * @param notMade why the promise is not made for the CPUs found; empty: it is
 */
record Verdict(Promise promise, String bytes, Optional<Ratio> measured, String best, String notMade) {
  /** Judges a promise that is made for two CPUs that lie as these do, at one of its sizes. */
  static Verdict of(Promise promise, int bytes, Results results) {
    Optional<Double> floor = find("floor", bytes, results).map(one -> one.nanos(50));
    if (floor.isPresent() && !promise.isFor(floor.get())) {
      String notMade = "not made for a floor of %.0f ns".formatted(floor.get());
      return new Verdict(promise, "" + bytes, Optional.empty(), "", notMade);
    }
    Optional<Series> measured = find(promise.variant(), bytes, results);
    if (!promise.forcesSettings()) {
      return new Verdict(promise, "" + bytes, measured.flatMap(results::ratio), "", "");
    }
    Optional<Series> best = measured.flatMap(one -> Ways.best(results, one));
    return new Verdict(promise, "" + bytes, best.map(other -> Ratio.of(measured.get(), other)),
        best.map(other -> Forced.named(other.variant())).orElse(""), "");
  }

  /** Names a promise that is not made for two CPUs that lie so. */
  static Verdict notFor(Distance placement, Promise promise) {
    String notMade = "not made for this placement (%s)".formatted(placement.title());
    return new Verdict(promise, promise.bytes(), Optional.empty(), "", notMade);
  }

  private static Optional<Series> find(String variant, int bytes, Results results) {
    return results.series().stream()
        .filter(one -> one.variant().equals(variant))
        .filter(one -> one.plan().bytes() == bytes)
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
    return isMade() && !isCold() && (measured.isEmpty() || !promise.keptBy(measured.get()));
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
    if (!fell()) {
      return "kept";
    }
    return best.isEmpty() ? "FELL" : "FELL: " + best + " takes less";
  }

  /** Cells: what was promised, what was measured, the word. */
  String[] cells() {
    return List.of(
        promise.bench(),
        promise.variant(),
        bytes,
        promise.limit(),
        promise.reference(),
        measured.map(Ratio::toString).orElse("-"),
        word())
        .toArray(String[]::new);
  }
}
