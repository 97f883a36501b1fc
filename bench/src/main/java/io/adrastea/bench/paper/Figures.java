package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.page.Curve;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;

/** The results by variant and size, for tables and curves. */
record Figures(Results results) {
  /** The names of the variants, in the order of their turns. */
  List<String> variants() {
    return results.series().stream().map(Series::variant).distinct().toList();
  }

  /** The sizes, ascending. */
  List<Integer> sizes() {
    return results.series().stream().map(one -> one.plan().bytes()).distinct().sorted().toList();
  }

  Optional<Series> at(String variant, int bytes) {
    return results.series().stream()
        .filter(one -> one.variant().equals(variant) && one.plan().bytes() == bytes)
        .findFirst();
  }

  /** A curve over the sizes that are wanted; {@code x} and {@code y} of each series. */
  Curve curve(
      String variant, IntPredicate wanted, ToDoubleFunction<Series> x, ToDoubleFunction<Series> y) {
    List<Double> across = new ArrayList<>();
    List<Double> up = new ArrayList<>();
    for (int bytes : sizes()) {
      if (wanted.test(bytes) && at(variant, bytes).isPresent()) {
        across.add(x.applyAsDouble(at(variant, bytes).get()));
        up.add(y.applyAsDouble(at(variant, bytes).get()));
      }
    }
    return new Curve(variant, variant.equals("floor"), across, up);
  }
}
