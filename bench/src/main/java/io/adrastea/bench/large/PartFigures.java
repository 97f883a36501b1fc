package io.adrastea.bench.large;

import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Curve;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Results by core, part and size. */
record PartFigures(Results results) {
  private static final double NANOS_PER_MICRO = 1000;

  List<Integer> sizes() {
    return results.series().stream().map(one -> one.plan().bytes()).distinct().sorted().toList();
  }

  /** The cores in the order of their turns. */
  List<String> cores() {
    return variants().stream().map(name -> name.substring(0, name.indexOf(' '))).distinct().toList();
  }

  private List<String> variants() {
    return results.series().stream().map(Series::variant).distinct().toList();
  }

  Series at(String core, Part part, int bytes) {
    String name = KindVariant.name(core, part.title());
    return results.series().stream()
        .filter(one -> one.variant().equals(name) && one.plan().bytes() == bytes)
        .findFirst()
        .orElseThrow();
  }

  /** The median in microseconds. */
  String micros(String core, Part part, int bytes) {
    Series series = at(core, part, bytes);
    return String.format(Locale.ROOT, "%.2f%s", micros(series), series.star());
  }

  private static double micros(Series series) {
    return series.nanos(50) / NANOS_PER_MICRO;
  }

  /** Times over sizes, a curve for each variant. */
  Chart chart(String title) {
    return new Chart(
        title,
        Chart.Axis.bytes(),
        Chart.Axis.log("median [us]"),
        variants().stream().map(this::curve).toList());
  }

  private Curve curve(String variant) {
    List<Series> own =
        results.series().stream().filter(one -> one.variant().equals(variant)).toList();
    return new Curve(
        variant,
        false,
        own.stream().map(one -> (double) one.plan().bytes()).toList(),
        own.stream().map(PartFigures::micros).toList(),
        own.stream().filter(Series::isCold).map(one -> (double) one.plan().bytes()).collect(Collectors.toSet()));
  }
}
