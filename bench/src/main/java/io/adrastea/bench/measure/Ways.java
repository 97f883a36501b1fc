package io.adrastea.bench.measure;

import io.adrastea.config.Tunable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The way of large messages that is taken by itself, beside the best of those that were forced in the same run. */
public final class Ways {
  private static final String FORCED = "/";

  private Ways() {}

  /** The values of {@code adrastea.lmt} that force a way. */
  public static List<String> all() {
    return Stream.of(Tunable.LMT.unit().split("\\|")).filter(word -> !word.equals(Tunable.LMT.defaultValue())).toList();
  }

  /** The forced way that took the least time at the size of {@code one}, if one was measured for its ranks. */
  public static Optional<Series> best(Results results, Series one) {
    return results.series().stream()
        .filter(other -> other.plan().bytes() == one.plan().bytes())
        .filter(other -> other.variant().startsWith(one.variant() + FORCED))
        .min(Comparator.comparingDouble(other -> other.nanos(50)));
  }

  /** The time of {@code one} against that of {@link #best}: medians of the ratios within rounds. */
  public static Optional<Ratio> ratio(Results results, Series one) {
    return best(results, one).map(best -> Ratio.of(one, best));
  }

  /** Lines for below a table; none where no way was forced. */
  public static List<String> lines(Results results) {
    List<String> lines = new ArrayList<>();
    for (Series one : results.series()) {
      String what = "%s at %s: ".formatted(one.variant(), Sizes.text(one.plan().bytes()));
      best(results, one).ifPresent(best -> {
        Ratio ratio = Ratio.of(one, best);
        lines.add(what + (ratio.warm() ? "%s x the best forced way (%s)".formatted(ratio, best.variant())
            : Series.NO_VERDICT.formatted(" on its way")));
      });
    }
    return lines;
  }
}
