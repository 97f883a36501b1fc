package io.adrastea.bench.paper;

import io.adrastea.bench.measure.CpuPair;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Figs. 6 to 9, 12 and 13 of [MVAPICH 2006]: our cells, the send buffer pool, and a buffer for each pair. */
final class MvapichReport {
  private static final String UNKNOWN = "-";

  private static final List<String> SAID =
      List.of(
          "cells: the channel of the C core, all messages by cells; cells+boxes: as a job of the defaults",
          "  sends. pool: cells of the sender marked free in place, swept by the sender, reused last in",
          "  first out; one control message for up to k packets; fifo: reused first in first out, k=1. pair",
          "  buffer: a ring for each ordered pair, a message copied in as a whole, then out. Pool and pair",
          "  buffer are the bare ways, without matching and checks; the channel has them. k shows where a",
          "  message has packets for it.",
          "Ratios are times over those of cells in the same round, median +- half the interquartile range.",
          "Misses are those of both ends per message, each end with caches of its own: 32 KiB, then",
          "  1 MiB as in MVAPICH 2006; cachegrind does not know that the other end takes lines away.",
          "MVAPICH 2006, 2 GHz Opterons with 1 MiB of L2: the pool against pair buffers has latencies up to 15 % less",
          "  for small and medium, up to 35 % less for large messages, bandwidth up to 50 % more (peak 1650",
          "  instead of 1200 MB/s), half the L2 misses in the bandwidth test; near (CMP) 480 ns at best,",
          "  below far (SMP) to medium sizes and above it for large ones; memory \"substantially lower\".");

  private final Results results;
  private final Figures figures;
  private final List<CpuPair> pairs;
  private final List<NodeMemory> memory;
  private final List<Misses> misses;
  private final PoolSettings settings;

  /**
   * @param misses empty when nothing could be counted
   */
  MvapichReport(
      Results results,
      List<CpuPair> pairs,
      List<NodeMemory> memory,
      List<Misses> misses,
      PoolSettings settings) {
    this.results = results;
    this.figures = new Figures(results);
    this.pairs = List.copyOf(pairs);
    this.memory = List.copyOf(memory);
    this.misses = List.copyOf(misses);
    this.settings = settings;
  }

  /** The name of a variant; the distance of its CPUs stands in it when there is more than one. */
  static String name(PoolWay way, PoolWay.Move move, CpuPair pair, List<CpuPair> pairs) {
    return way.title(move) + (pairs.size() > 1 ? " " + pair.distance().title() : "");
  }

  Report report() {
    List<Grid> tables = new ArrayList<>();
    List<Chart> charts = new ArrayList<>();
    for (CpuPair pair : pairs) {
      tables.add(latency(pair));
      tables.add(bandwidth(pair));
      tables.add(ratios("Latency", PoolWay.Move.LATENCY, pair));
      tables.add(ratios("Stream", PoolWay.Move.STREAM, pair));
      charts.add(
          chart("Latency" + figure(pair, "7"), "one way [ns]", PoolWay.Move.LATENCY, pair, MvapichReport::nanos));
      charts.add(
          chart("Bandwidth" + figure(pair, "8"), "[MB/s]", PoolWay.Move.STREAM, pair, Series::megabytesPerSecond));
    }
    tables.add(MemoryReport.table(memory, settings));
    charts.add(MemoryReport.chart(memory));
    if (!misses.isEmpty()) {
      tables.add(MissesReport.table(misses));
    }
    return new Report(tables, charts, said());
  }

  private List<String> said() {
    List<String> said = new ArrayList<>();
    if (misses.isEmpty()) {
      said.add(Cachegrind.MISSING);
    }
    for (CpuPair pair : pairs) {
      CpuPair.Distance distance = pair.distance();
      said.add(
          "CPUs %d and %d, %s: %s"
              .formatted(pair.first(), pair.second(), distance.title(), distance.meaning()));
    }
    if (pairs.size() == 1) {
      said.add("  there is no pair of another distance among the CPUs of this run");
    }
    said.addAll(SAID);
    return said;
  }

  private String figure(CpuPair pair, String oneDistance) {
    String both = oneDistance.equals("7") ? "12" : "13";
    return pairs.size() == 1
        ? " (MVAPICH 2006, Fig. %s)".formatted(oneDistance)
        : ", CPUs %s (MVAPICH 2006, Figs. %s, %s)".formatted(pair.distance().title(), oneDistance, both);
  }

  private Grid latency(CpuPair pair) {
    return grid(
        "Latency%s: one way, median [ns]".formatted(figure(pair, "7")),
        List.of(PoolWay.values()),
        way -> name(way, PoolWay.Move.LATENCY, pair, pairs),
        series -> Table.number(nanos(series)));
  }

  private Grid bandwidth(CpuPair pair) {
    return grid(
        "Bandwidth%s: a stream, median [MB/s]".formatted(figure(pair, "8")),
        List.of(PoolWay.values()),
        way -> name(way, PoolWay.Move.STREAM, pair, pairs),
        series -> Table.number(series.megabytesPerSecond()));
  }

  private Grid ratios(String what, PoolWay.Move move, CpuPair pair) {
    return grid(
        "%s%s: time over that of cells"
            .formatted(what, pairs.size() > 1 ? ", CPUs " + pair.distance().title() : ""),
        Stream.of(PoolWay.values()).filter(way -> way != PoolWay.CELLS).toList(),
        way -> name(way, move, pair, pairs),
        series -> ratio(series, name(PoolWay.CELLS, move, pair, pairs)));
  }

  private String ratio(Series series, String cells) {
    return figures
        .at(cells, series.plan().bytes())
        .map(one -> Ratio.of(series, one).toString())
        .orElse(UNKNOWN);
  }

  private Grid grid(
      String caption, List<PoolWay> ways, Function<PoolWay, String> variant, Function<Series, String> cell) {
    List<String> head = new ArrayList<>(List.of("bytes"));
    ways.stream().map(PoolWay::title).forEach(head::add);
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : figures.sizes()) {
      List<String> row = new ArrayList<>(List.of("" + bytes));
      ways.forEach(way -> row.add(figures.at(variant.apply(way), bytes).map(cell).orElse(UNKNOWN)));
      rows.add(row);
    }
    return new Grid(caption, head, rows);
  }

  private Chart chart(
      String title, String label, PoolWay.Move move, CpuPair pair, ToDoubleFunction<Series> figure) {
    return new Chart(
        title,
        Chart.Axis.bytes(),
        Chart.Axis.log(label),
        Stream.of(PoolWay.values())
            .map(way -> figures.curve(name(way, move, pair, pairs), any -> true, one -> one.plan().bytes(), figure))
            .toList());
  }

  /** The times, then memory and misses. */
  List<String> csv() {
    List<String> lines = new ArrayList<>(Csv.lines(results));
    lines.addAll(MemoryReport.csv(memory));
    lines.addAll(MissesReport.csv(misses));
    return lines;
  }

  private static double nanos(Series series) {
    return series.nanos(50);
  }
}
