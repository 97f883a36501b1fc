package io.adrastea.bench.measure;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What touching a message takes alone, in C and in each of our variants: the loop in Java is not the one in C, so its
 * part of a time is told.
 */
public final class TouchCost {
  /**
   * The warm-up ends once compilers are idle: the first size has the code for others compiled away, so at the next one
   * it is interpreted, and compiled again.
   */
  private static final Effort EFFORT = new Effort(3, 0.002, 4, true);

  private TouchCost() {}

  /** Measures those variants that can, for a run of {@code kind}; no lines where it touches nothing. */
  public static List<String> lines(Kind kind, List<Integer> sizes, List<Variant> variants)
      throws BenchException, InterruptedException {
    List<Variant> able = variants.stream()
        .filter(one -> sizes.stream().anyMatch(bytes -> one.measures(Kind.TOUCH, bytes))).toList();
    return kind.touches() && !able.isEmpty()
        ? lines(EFFORT.measure(Kind.TOUCH, sizes, able, leftOut -> {}))
        : List.of();
  }

  /** A line for each variant. */
  static List<String> lines(Results results) {
    return results.series().stream().map(Series::variant).distinct()
        .map(variant -> "alone    touching takes %s [ns], written and read by one CPU: %s".formatted(
            variant.equals("floor") ? "C" : variant,
            results.series().stream().filter(one -> one.variant().equals(variant))
                .map(one -> "%s%s at %s".formatted(Table.number(one.nanos(50)), one.star(),
                    Sizes.text(one.plan().bytes())))
                .collect(Collectors.joining(", "))))
        .toList();
  }
}
