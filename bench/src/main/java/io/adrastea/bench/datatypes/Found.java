package io.adrastea.bench.datatypes;

import io.adrastea.bench.datatypes.Case.Group;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a run of some ways found for the cases of a group.
 *
 * @param ours the names of our cores, the default one first
 * @param metered the names of those whose figures are CPU time
 * @param peers the names of those beside us
 */
public record Found(Results results, Group group, List<String> ours, List<String> metered,
    List<String> peers) {
  /** Copies the lists. */
  public Found {
    ours = List.copyOf(ours);
    metered = List.copyOf(metered);
    peers = List.copyOf(peers);
  }

  List<Case> cases() {
    return results.series().stream().map(one -> one.plan().bytes()).distinct().map(number -> Cases.of(group, number))
        .toList();
  }

  Optional<Series> at(String who, Way way, Case one) {
    return at(WayVariant.name(who, way), one);
  }

  Optional<Series> at(String variant, Case one) {
    return results.series().stream()
        .filter(series -> series.variant().equals(variant) && series.plan().bytes() == one.number())
        .findFirst();
  }

  /** The time of one series over that of another, round by round; nothing where one is missing. */
  static Optional<Ratio> ratio(Optional<Series> over, Optional<Series> under) {
    return over.isPresent() && under.isPresent()
        ? Optional.of(Ratio.of(over.get(), under.get()))
        : Optional.empty();
  }

  /** The peer that is faster by that way. */
  Optional<Series> betterPeer(Way way, Case one) {
    return peers.stream().flatMap(peer -> at(peer, way, one).stream())
        .min(Comparator.comparingDouble(series -> series.nanos(50)));
  }

  /** Median, in microseconds. */
  static double micros(Series series) {
    return series.nanos(50) / 1000;
  }
}
