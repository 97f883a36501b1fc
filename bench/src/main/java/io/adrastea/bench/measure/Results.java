package io.adrastea.bench.measure;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What a run found: the series, by size and then by variant. */
public record Results(Kind kind, List<Series> series) {
  private static final String FLOOR = "floor";

  /** Copies the list. */
  public Results {
    series = List.copyOf(series);
  }

  /**
   * A series against the floor at its size: times slower for latency, the part of its rate for bandwidth. Over all
   * rounds.
   */
  public Optional<Ratio> ratio(Series one) {
    return ratio(one, rounds(one));
  }

  /** A series against the floor over the rounds of one of {@link #groups}. */
  public Optional<Ratio> ratio(Series one, int group) {
    return ratio(one, groups().rounds().get(group));
  }

  private Optional<Ratio> ratio(Series one, List<Integer> rounds) {
    if (!kind.isTime() && one.plan().bytes() == 0) {
      return Optional.empty(); // Nothing to copy.
    }
    return floor(one.plan().bytes())
        .map(
            floor -> (kind.isTime()
                ? Ratio.of(of(one, rounds), of(floor, rounds))
                : Ratio.of(of(floor, rounds), of(one, rounds))).warm(!one.isCold() && !floor.isCold()));
  }

  private static List<Double> of(Series series, List<Integer> rounds) {
    return rounds.stream().map(series.medians()::get).toList();
  }

  private static List<Integer> rounds(Series one) {
    return IntStream.range(0, one.medians().size()).boxed().toList();
  }

  /** What the stars in a table of these results mean; nothing where no figure has one. */
  public Optional<String> legend() {
    return series.stream().anyMatch(Series::isCold) ? Optional.of(Series.STAR_MEANS) : Optional.empty();
  }

  /** Whether a series is what the others are compared with. */
  public static boolean isFloor(Series one) {
    return one.variant().equals(FLOOR);
  }

  private Optional<Series> floor(int bytes) {
    return floors().stream().filter(one -> one.plan().bytes() == bytes).findFirst();
  }

  private List<Series> floors() {
    return series.stream().filter(Results::isFloor).toList();
  }

  /** The rounds by the floor found in them; none without a floor. */
  public Groups groups() {
    return Groups.of(floors().stream().map(Series::medians).toList());
  }

  /** Says how many rounds met which placement of the CPUs; nothing without a floor. */
  public Optional<String> placements() {
    Groups groups = groups();
    if (groups.rounds().isEmpty()) {
      return Optional.empty();
    }
    int rounds = floors().get(0).medians().size();
    if (!groups.two()) {
      return Optional.of("placement of the CPUs: the same in all rounds (" + rounds + ")");
    }
    return Optional.of(
        """
            placement of the CPUs: two (or a disturbed machine), near in %d of %d rounds, far in %d;
            the floor at %d bytes was %s and %s ns; trust the ratios, not the times\
            """
            .formatted(
                groups.rounds().get(0).size(),
                rounds,
                groups.rounds().get(1).size(),
                floors().get(0).plan().bytes(),
                span(floors().get(0), groups.rounds().get(0)),
                span(floors().get(0), groups.rounds().get(1))));
  }

  private static String span(Series floor, List<Integer> rounds) {
    List<Double> medians = of(floor, rounds);
    String least = Table.number(Collections.min(medians));
    String most = Table.number(Collections.max(medians));
    return least.equals(most) ? least : least + " to " + most;
  }
}
