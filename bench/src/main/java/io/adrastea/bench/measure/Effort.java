package io.adrastea.bench.measure;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * How much is measured.
 *
 * @param rounds how often all variants are gone through
 * @param seconds for each variant, size and round
 * @param warmUp uncounted seconds for each variant, shared out among the sizes
 * @param bounded whether it takes no longer than it has to: the warm-up ends once the ranks' compilers are idle, and
 * what takes longer than its time in a round is run once in each
 */
public record Effort(int rounds, double seconds, double warmUp, boolean bounded) {
  /** The whole warm-up, and several runs of everything in each round. */
  public Effort(int rounds, double seconds, double warmUp) {
    this(rounds, seconds, warmUp, false);
  }

  /** Returns this effort where the warm-up is shared out among several runs. */
  public Effort of(int runs) {
    return new Effort(rounds, seconds, warmUp / runs, bounded);
  }

  /**
   * A run with its progress on the terminal.
   *
   * @param leftOut is told which optional variants failed
   */
  public Results measure(
      Kind kind, List<Integer> sizes, List<? extends Variant> variants, Consumer<String> leftOut)
      throws BenchException, InterruptedException {
    try (Progress progress = Progress.of(Rounds.steps(sizes.size(), variants.size(), rounds), Path.of("/proc"))) {
      Rounds run = new Rounds(kind, sizes, List.copyOf(variants), progress);
      Results results = new Results(kind, run.run(this));
      run.leftOut().forEach(leftOut);
      return results;
    }
  }
}
