package io.adrastea.bench.measure;

import java.util.List;
import java.util.function.IntPredicate;
import picocli.CommandLine.Option;

/** The option of benches that go through several numbers of ranks. */
public final class RankCounts {
  /** The most ranks of a variant. */
  public static final int MOST = 64;

  @Option(
      names = {"-n", "-np"},
      paramLabel = "LIST",
      split = ",",
      defaultValue = "2",
      description = {
        "Numbers of ranks, 2 to 64, as in 2,4,8,16: a run of its own for each. Default: ${DEFAULT-VALUE}."})
  private List<Integer> counts;

  /** Creates the counts for the command line. */
  public RankCounts() {}

  /**
   * Each number once, as it was asked for.
   *
   * @param fits what holds beside the limits
   * @param numbers in words, as in {@code even numbers}
   *
   * @throws IllegalArgumentException when one does not fit
   */
  public List<Integer> checked(IntPredicate fits, String numbers) {
    for (int count : counts) {
      MeasureOptions.require(count >= 2 && count <= MOST && fits.test(count),
          "-n must be %s from 2 to %d, not %d".formatted(numbers, MOST, count));
    }
    return all();
  }

  /** Each number once, as it was asked for. */
  public List<Integer> all() {
    return counts.stream().distinct().toList();
  }

  /** The numbers with commas between them. */
  public String words() {
    return String.join(", ", all().stream().map(String::valueOf).toList());
  }
}
