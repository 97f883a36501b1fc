package io.adrastea.bench.calls;

import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What was measured at a glance: a line for each variant, a column for each call. */
final class CallTable {
  private static final String NONE = "-";

  private final Map<Call, Results> results;

  /**
   * @param results of each call, in the order of the columns
   */
  CallTable(Map<Call, Results> results) {
    this.results = results;
  }

  /** Nanoseconds of a call: the median over the rounds, with half of the range that holds the middle half of them. */
  Grid nanos() {
    return grid("ns per call", one -> Optional.of(Ratio.of(one.medians(), ones(one))));
  }

  /** Returns the calls as multiples of those in C, taken within each round. */
  Grid ratios() {
    return grid("x c", one -> inC(one).map(c -> Ratio.of(one, c)));
  }

  private static List<Double> ones(Series one) {
    return Collections.nCopies(one.medians().size(), 1.0);
  }

  private Optional<Series> inC(Series one) {
    return find(results.get(Call.of(one.plan().kind().command())), CallVariant.C);
  }

  private static Optional<Series> find(Results results, String variant) {
    return results.series().stream().filter(one -> one.variant().equals(variant)).findFirst();
  }

  private Grid grid(String caption, Function<Series, Optional<Ratio>> figure) {
    List<String> head = new ArrayList<>(List.of("variant"));
    results.keySet().forEach(call -> head.add(call.title()));
    List<List<String>> rows = new ArrayList<>();
    for (String variant : variants()) {
      List<String> row = new ArrayList<>(List.of(variant));
      for (Results column : results.values()) {
        row.add(find(column, variant).flatMap(figure).map(Ratio::toString).orElse(NONE));
      }
      rows.add(row);
    }
    return new Grid(caption, head, rows);
  }

  private Set<String> variants() {
    Set<String> variants = new LinkedHashSet<>();
    results.values().forEach(column -> column.series().forEach(one -> variants.add(one.variant())));
    return variants;
  }
}
