package io.adrastea.cli.bench;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What a run found: the series, by size and then by variant. */
record Results(Kind kind, List<Series> series) {
  private static final String FLOOR = "floor";

  /**
   * Beyond this, the floor of one round is not the floor of another: the CPUs were moved in
   * between.
   */
  private static final double SAME_PLACEMENT = 1.6;

  /**
   * A series against the floor at its size: times slower for latency, the part of its rate for
   * bandwidth.
   */
  Optional<Ratio> ratio(Series one) {
    if (kind == Kind.BANDWIDTH && one.plan().bytes() == 0) {
      return Optional.empty(); // Nothing to copy.
    }
    return floor(one.plan().bytes())
        .map(
            floor ->
                kind == Kind.LATENCY
                    ? Ratio.of(one.medians(), floor.medians())
                    : Ratio.of(floor.medians(), one.medians()));
  }

  private Optional<Series> floor(int bytes) {
    return series.stream()
        .filter(one -> one.variant().equals(FLOOR) && one.plan().bytes() == bytes)
        .findFirst();
  }

  /** A note that says so when the rounds saw more than one placement of the CPUs. */
  Optional<String> placements() {
    Series worst = null;
    for (Series one : series) {
      if (one.variant().equals(FLOOR) && (worst == null || swing(one) > swing(worst))) {
        worst = one;
      }
    }
    return worst == null || swing(worst) <= SAME_PLACEMENT
        ? Optional.empty()
        : Optional.of(describe(worst));
  }

  private static double swing(Series floor) {
    return Collections.max(floor.medians()) / Collections.min(floor.medians());
  }

  private static String describe(Series floor) {
    double least = Collections.min(floor.medians());
    long near = floor.medians().stream().filter(median -> median <= least * SAME_PLACEMENT).count();
    return """
    note: two placements of the CPUs, or a disturbed machine: the floor at %s bytes was %s to %s ns,
          within %s x its least in %d of %d rounds; trust the ratios, not the times\
    """
        .formatted(
            floor.plan().bytes(),
            Table.number(least),
            Table.number(Collections.max(floor.medians())),
            SAME_PLACEMENT,
            near,
            floor.medians().size());
  }
}
