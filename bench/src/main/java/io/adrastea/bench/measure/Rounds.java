package io.adrastea.bench.measure;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The run itself: after the warm-up, in each round, for each size, every variant in turn. Whatever the machine does in
 * the meantime, it does to neighbours.
 */
public final class Rounds {
  private static final int WARM_UP_PASSES = 2;

  private final Kind kind;
  private final List<Integer> sizes;
  private final List<Variant> variants;
  private final Progress progress;
  private final Set<Variant> failed = new LinkedHashSet<>();
  private final List<String> leftOut = new ArrayList<>();

  /** A series and the variant that provides it. */
  private record Part(Variant variant, Series series) {}

  /** Prepares a run; nothing is measured yet. */
  public Rounds(Kind kind, List<Integer> sizes, List<Variant> variants, Progress progress) {
    this.kind = kind;
    this.sizes = List.copyOf(sizes);
    this.variants = List.copyOf(variants);
    this.progress = progress;
  }

  /** Steps that {@link Progress} is told of by {@link #run}. */
  public static long steps(int sizes, int variants, int rounds) {
    return (long) sizes * variants * (WARM_UP_PASSES + rounds);
  }

  /**
   * Measures.
   *
   * @return for each size in turn, the series of the variants that measure it, in their order
   * @throws BenchException when a variant failed that is not optional
   */
  public List<Series> run(Effort effort) throws BenchException, InterruptedException {
    List<Part> parts = warmUp(effort);
    for (int round = 1; round <= effort.rounds(); round++) {
      for (Part part : parts) {
        progress.begin(kind.command() + ", round " + round);
        measure(part);
        progress.step();
      }
    }
    return parts.stream()
        .filter(part -> !failed.contains(part.variant))
        .map(Part::series)
        .toList();
  }

  /** What became of optional variants that failed, one line each. */
  public List<String> leftOut() {
    return List.copyOf(leftOut);
  }

  private void measure(Part part) throws BenchException, InterruptedException {
    if (failed.contains(part.variant)) {
      return;
    }
    try {
      long compilers = part.variant.compilerNanos();
      long begin = System.nanoTime();
      part.series.addRound(part.variant.run(part.series.plan().order()));
      long took = System.nanoTime() - begin;
      part.series.addCompilers(part.variant.compilerNanos() - compilers, took);
    } catch (BenchException e) {
      leaveOut(part.variant, e);
    }
  }

  private void leaveOut(Variant variant, BenchException reason) throws BenchException {
    if (!variant.optional()) {
      throw reason;
    }
    failed.add(variant);
    variant.close();
    leftOut.add(variant.name() + " is left out: " + reason.getMessage());
  }

  /**
   * All sizes once for the compiler, which may discard at the last size what it made of the first; then once more to
   * find the batches.
   */
  private List<Part> warmUp(Effort effort) throws BenchException, InterruptedException {
    WarmUp warmUp = new WarmUp(kind, effort.warmUp() / sizes.size() / WARM_UP_PASSES, effort.bounded());
    List<Part> planned = new ArrayList<>();
    for (int pass = 0; pass < WARM_UP_PASSES; pass++) {
      planned.clear();
      for (int bytes : sizes) {
        for (Variant variant : variants) {
          progress.begin(kind.command() + ", warm-up of " + variant.name());
          if (variant.measures(kind, bytes) && !failed.contains(variant)) {
            plan(warmUp, variant, bytes, effort, planned);
          }
          progress.step();
        }
      }
    }
    return planned;
  }

  private void plan(WarmUp warmUp, Variant variant, int bytes, Effort effort, List<Part> planned)
      throws BenchException, InterruptedException {
    try {
      Plan plan = Plan.of(kind, bytes, warmUp.run(variant, bytes), effort.seconds(), effort.bounded());
      planned.add(new Part(variant, new Series(variant.name(), plan)));
    } catch (BenchException e) {
      leaveOut(variant, e);
    }
  }
}
