package io.adrastea.bench.compare;

import io.adrastea.bench.measure.BenchOptions;
import io.adrastea.bench.measure.BenchPage;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.Page;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Where the comparison goes: the terminal as it comes, the CSV and the page at the end. */
final class Report implements AutoCloseable {
  private static final String TITLE =
      "adrastea bench compare: %s, all variants in turn in each round";
  private static final List<String> LEGEND =
      List.of(
          "x floor  median over rounds of the ratio within the round, +- half the interquartile"
              + " range; latency: times slower; bandwidth and rate: part of the floor's",
          "x best core  the same against the faster of our cores at that size",
          "p50, mean  of batches of about 30 us; with more ranks than CPUs the mean alone counts the"
              + " time slices in which others run",
          "ucx tells one figure a run, hence no percentiles; aeron's driver shares the two CPUs",
          "rate  blocking send in a loop, blocking recv into one buffer; ucx: its stream with one"
              + " operation outstanding");

  private static final String ONE_FIGURE = "ucx";
  private static final String NO_PERCENTILE = "[^,]*," + ONE_FIGURE + ",[^,]*,(p99|p999|max),.*";

  private final BenchOptions options;
  private final Output output;
  private final PrintWriter text;
  private final List<String> notes = new ArrayList<>();
  private final List<String> csvLines = new ArrayList<>();
  private final List<Chart> charts = new ArrayList<>();
  private final List<Grid> grids = new ArrayList<>();

  Report(BenchOptions options) throws IOException {
    this.options = options;
    this.output = options.output();
    this.text = output.text();
  }

  private String title() {
    int ranks = options.ranks();
    return TITLE.formatted(
        ranks == 2
            ? "two processes on two CPUs"
            : "%d processes in %d pairs at once".formatted(ranks, ranks / 2));
  }

  /** The lines above the tables. */
  void begin(Cpus cpus) {
    text.println(title());
    Heading.of(Machine.here()).forEach(this::note);
    note("CPUs     " + cpus.of(0, 0) + " and " + cpus.of(0, 1) + ", allowed " + cpus.allowed());
    Heading.method(options.rounds(), options.seconds(), options.warmUp()).forEach(this::note);
    LEGEND.forEach(this::note);
    if (cpus.single()) {
      note(
          "warning: both sides share one CPU: these figures are those of the scheduler and mean"
              + " nothing here");
    }
  }

  /** A line for the terminal and for the page. */
  void note(String line) {
    notes.add(line);
    text.println(line);
    text.flush();
  }

  /** One kind of run is done. */
  void results(Comparison comparison) {
    text.println();
    text.println(comparison.results().kind().command());
    comparison.lines().forEach(text::println);
    comparison.results().placements().ifPresent(this::note);
    text.flush();
    List<String> lines = Csv.lines(comparison.results());
    lines.subList(csvLines.isEmpty() ? 0 : 1, lines.size()).stream()
        .filter(line -> !line.matches(NO_PERCENTILE))
        .forEach(csvLines::add);
    addCharts(comparison.results());
    grids.add(comparison.grid());
  }

  /** Medians of all; other percentiles of those that have batches. */
  private void addCharts(Results results) {
    if (results.series().stream().map(one -> one.plan().bytes()).distinct().count() < 2) {
      return; // one size makes no curve
    }
    List<Series> batched =
        results.series().stream().filter(one -> !one.variant().equals(ONE_FIGURE)).toList();
    BenchPage.charts(results).stream().filter(Report::ofMedians).forEach(charts::add);
    BenchPage.charts(new Results(results.kind(), batched)).stream()
        .filter(chart -> !ofMedians(chart))
        .forEach(charts::add);
  }

  private static boolean ofMedians(Chart chart) {
    return chart.title().startsWith("Median");
  }

  /** Writes the files. */
  void finish() throws IOException {
    output.csv(csvLines);
    output.html(new Page(title(), notes, charts, grids));
  }

  @Override
  public void close() throws IOException {
    output.close();
  }
}
