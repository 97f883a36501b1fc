package io.adrastea.bench.measure;

import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Chart.Axis;
import io.adrastea.bench.page.Curve;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.Page;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Results as a page: curves over the sizes, percentiles, the table. */
public final class BenchPage {
  private BenchPage() {}

  static Page of(Results results, List<String> heading) {
    List<String> notes = new ArrayList<>(heading.subList(1, heading.size()));
    results.legend().ifPresent(notes::add);
    notes.addAll(Ways.lines(results));
    results.placements().ifPresent(notes::add);
    return new Page(heading.get(0), notes, charts(results), List.of(grid("Figures", results)));
  }

  /** The pictures of one run: medians (or rates) first, then tails. */
  public static List<Chart> charts(Results results) {
    List<Chart> charts = new ArrayList<>();
    if (results.kind().isTime()) {
      charts.add(chart("Median of batches", "p50 [ns]", results, one -> one.nanos(50)));
    } else {
      charts.add(
          chart("Median rate in bytes", "MB/s", results, Series::megabytesPerSecond));
      charts.add(
          chart(
              "Median rate in messages", "messages/s", results, Series::messagesPerSecond));
    }
    charts.add(chart("99th percentile of batches", "p99 [ns]", results, one -> one.nanos(99)));
    charts.add(
        chart("99.9th percentile of batches", "p99.9 [ns]", results, one -> one.nanos(99.9)));
    return charts;
  }

  private static Chart chart(
      String title, String unit, Results results, ToDoubleFunction<Series> figure) {
    return new Chart(
        title + ", " + results.kind().command(),
        Axis.bytes(),
        Axis.log(unit),
        curves(results, figure));
  }

  /** A curve for each variant, in the order of the table. */
  public static List<Curve> curves(Results results, ToDoubleFunction<Series> figure) {
    return results.series().stream()
        .map(Series::variant)
        .distinct()
        .map(variant -> curve(variant, results, figure))
        .toList();
  }

  private static Curve curve(String variant, Results results, ToDoubleFunction<Series> figure) {
    List<Series> own =
        results.series().stream().filter(one -> one.variant().equals(variant)).toList();
    return new Curve(
        variant,
        Results.isFloor(own.get(0)),
        own.stream().map(one -> (double) one.plan().bytes()).toList(),
        own.stream().map(figure::applyAsDouble).toList(),
        own.stream().filter(Series::isCold).map(one -> (double) one.plan().bytes()).collect(Collectors.toSet()));
  }

  /** The table that the terminal shows. */
  public static Grid grid(String caption, Results results) {
    return new Grid(
        caption,
        Arrays.asList(Table.head(results)),
        results.series().stream().map(one -> Arrays.asList(Table.cells(results, one))).toList());
  }
}
