package io.adrastea.cli.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * The run itself: after the warm-up, in each round, for each size, every variant in turn. Whatever
 * the machine does in the meantime, it does to neighbours.
 */
final class Rounds {
  private static final int WARM_UP_PASSES = 2;

  private final Kind kind;
  private final List<Integer> sizes;
  private final List<Variant> variants;
  private final Progress progress;

  Rounds(Kind kind, List<Integer> sizes, List<Variant> variants, Progress progress) {
    this.kind = kind;
    this.sizes = sizes;
    this.variants = variants;
    this.progress = progress;
  }

  /** Steps that {@link Progress} is told of by {@link #run}. */
  static long steps(int sizes, int variants, int rounds) {
    return (long) sizes * variants * (WARM_UP_PASSES + rounds);
  }

  /**
   * Measures.
   *
   * @param seconds for each variant, size and round
   * @param warmUpSeconds for each variant, shared out among the sizes
   * @return for each size in turn, the series of the variants that measure it, in their order
   */
  List<Series> run(int rounds, double seconds, double warmUpSeconds)
      throws BenchException, InterruptedException {
    List<Series> all = warmUp(seconds, warmUpSeconds);
    for (int round = 1; round <= rounds; round++) {
      for (Series series : all) {
        series.addRound(byName(series.variant()).run(series.plan().order()));
        progress.step("round " + round);
      }
    }
    return all;
  }

  /**
   * All sizes once for the compiler, which may discard at the last size what it made of the first;
   * then once more to find the batches.
   */
  private List<Series> warmUp(double seconds, double warmUpSeconds)
      throws BenchException, InterruptedException {
    WarmUp warmUp = new WarmUp(kind, warmUpSeconds / sizes.size() / WARM_UP_PASSES);
    List<Series> planned = new ArrayList<>();
    for (int pass = 0; pass < WARM_UP_PASSES; pass++) {
      planned.clear();
      for (int bytes : sizes) {
        for (Variant variant : variants) {
          if (variant.measures(kind, bytes)) {
            double nanos = warmUp.run(variant, bytes);
            planned.add(new Series(variant.name(), Plan.of(kind, bytes, nanos, seconds)));
          }
          progress.step("warm-up");
        }
      }
    }
    return planned;
  }

  private Variant byName(String name) {
    return variants.stream()
        .filter(variant -> variant.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
