package io.adrastea.bench.peer;

import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What was found of one thing that all ranks do, with one number of ranks.
 *
 * @param title its name in tables and in the CSV
 * @param ours the names of our variants, that of the default core first; may be empty
 * @param peers the names of those beside us
 */
public record JobFigures(String title, int ranks, Results results, List<String> ours, List<String> peers) {
  /** What a table has where there is no figure. */
  public static final String NONE = "-";

  /** Copies the lists. */
  public JobFigures {
    ours = List.copyOf(ours);
    peers = List.copyOf(peers);
  }

  /** The sizes that were measured. */
  public List<Integer> sizes() {
    return results.series().stream().map(one -> one.plan().bytes()).distinct().toList();
  }

  /** The names of all variants, in their order. */
  public List<String> variants() {
    return results.series().stream().map(Series::variant).distinct().toList();
  }

  /** The series of a variant at a size; none where it was not measured. */
  public Optional<Series> at(String variant, int bytes) {
    return results.series().stream()
        .filter(one -> one.variant().equals(variant) && one.plan().bytes() == bytes)
        .findFirst();
  }

  /** The series of our default core. */
  public Optional<Series> base(int bytes) {
    return ours.stream().findFirst().flatMap(name -> at(name, bytes));
  }

  /** The peer that takes least. */
  public Optional<Series> bestPeer(int bytes) {
    return peers.stream().flatMap(peer -> at(peer, bytes).stream())
        .min(Comparator.comparingDouble(one -> one.nanos(50)));
  }

  /** How many times as long the first takes as the second; none where one of them was not measured. */
  public static Optional<Ratio> ratio(Optional<Series> over, Optional<Series> under) {
    return over.isPresent() && under.isPresent()
        ? Optional.of(Ratio.of(over.get(), under.get()))
        : Optional.empty();
  }

  /** The ratio in a table. */
  public static String text(Optional<Ratio> ratio) {
    return ratio.map(Ratio::toString).orElse(NONE);
  }

  /** Figures, one a line: the bench of a line is the title and the number of ranks, as in {@code bcast/4}. */
  public List<String> csv() {
    return results.series().stream()
        .flatMap(one -> Csv.lines("%s/%d".formatted(title, ranks), one.plan().bytes(), one).stream())
        .toList();
  }
}
