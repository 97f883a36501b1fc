package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;

/** Fig. 3 of [MPICH2 2007]: what the posted-receive bypass does for latency, and LMT for bandwidth. */
final class Mpich2LatencyReport {
  private static final int MOST_SMALL = 128;
  private static final int MOST_EAGER = 4096;
  private static final double NOISE = 1.05;
  private static final double MIB = 1 << 20;
  private static final String UNKNOWN = "-";
  private static final String LINE = "line";

  private static final List<String> SAID =
      List.of(
          "MPICH2 2007, Fig. 3, Nemesis on a 2 GHz Opteron 280 (other values stand in the drawing only):",
          "  0 bytes 341 ns, without the bypass about 62 ns more; 128 bytes just over 500 ns",
          "  peak over 1500 MiB/s, without LMT about 130 MiB/s less for large messages",
          "  at 16 KiB a little more without LMT: there eager changes to rendezvous, which has a set-up",
          "  above the other MPIs except from about 16 KiB to 256 KiB",
          "Without LMT here every message goes through cells, two copies one after the other; MPICH2 2007",
          "  copies once with LMT and twice without, as here. Content stays in the caches of both CPUs.");

  private final Figures figures;
  private final List<String> notes;

  Mpich2LatencyReport(Results results, List<String> notes) {
    this.figures = new Figures(results);
    this.notes = notes;
  }

  Report report() {
    List<String> said = new ArrayList<>(notes);
    for (String core : cores()) {
      bypass(core).ifPresent(said::add);
      said.addAll(lmt(core));
    }
    said.addAll(SAID);
    return new Report(List.of(latency(), bandwidth()), List.of(smallChart(), largeChart()), said);
  }

  /** The cores that were measured with an optimization switched off. */
  private List<String> cores() {
    return figures.variants().stream()
        .filter(name -> name.endsWith(Optimization.NO_LMT.suffix()))
        .map(name -> name.substring(0, name.length() - Optimization.NO_LMT.suffix().length()))
        .toList();
  }

  private List<String> without(Optimization other) {
    return figures.variants().stream()
        .filter(name -> !name.equals(LINE) && !name.endsWith(other.suffix()))
        .toList();
  }

  private Grid latency() {
    return grid(
        "Latency (MPICH2 2007, Fig. 3a): one way, median [ns]",
        without(Optimization.NO_LMT),
        bytes -> bytes <= MOST_SMALL,
        Mpich2LatencyReport::nanos);
  }

  private Grid bandwidth() {
    return grid(
        "Bandwidth (MPICH2 2007, Fig. 3b): [MiB/s]",
        without(Optimization.NO_BYPASS),
        bytes -> bytes > 0,
        Mpich2LatencyReport::mebibytes);
  }

  private Grid grid(
      String caption,
      List<String> variants,
      IntPredicate wanted,
      ToDoubleFunction<Series> figure) {
    List<String> head = new ArrayList<>(List.of("bytes"));
    head.addAll(variants);
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : figures.sizes().stream().filter(wanted::test).toList()) {
      List<String> row = new ArrayList<>(List.of("" + bytes));
      variants.forEach(variant -> row.add(cell(variant, bytes, figure)));
      rows.add(row);
    }
    return new Grid(caption, head, rows);
  }

  private String cell(String variant, int bytes, ToDoubleFunction<Series> figure) {
    return figures
        .at(variant, bytes)
        .map(one -> Table.number(figure.applyAsDouble(one)))
        .orElse(UNKNOWN);
  }

  private double figure(
      String core, Optimization one, int bytes, ToDoubleFunction<Series> figure) {
    return figure.applyAsDouble(figures.at(core + one.suffix(), bytes).orElseThrow());
  }

  /** Nothing without a small message. */
  private Optional<String> bypass(String core) {
    int bytes = figures.sizes().get(0);
    if (bytes > MOST_SMALL) {
      return Optional.empty();
    }
    double with = figure(core, Optimization.BOTH, bytes, Mpich2LatencyReport::nanos);
    double without = figure(core, Optimization.NO_BYPASS, bytes, Mpich2LatencyReport::nanos);
    return Optional.of(
        "%s: the bypass saves %s ns at %d bytes (MPICH2 2007: about 62 ns at 0)"
            .formatted(core, Table.number(without - with), bytes));
  }

  private List<String> lmt(String core) {
    int largest = figures.sizes().getLast();
    if (largest == 0) {
      return List.of();
    }
    double with = figure(core, Optimization.BOTH, largest, Mpich2LatencyReport::mebibytes);
    double without = figure(core, Optimization.NO_LMT, largest, Mpich2LatencyReport::mebibytes);
    List<String> slower =
        figures.sizes().stream()
            .filter(bytes -> slowerWithLmt(core, bytes))
            .map(bytes -> "" + bytes)
            .toList();
    return List.of(
        "%s: LMT adds %s MiB/s at %d bytes (MPICH2 2007: about 130 for large messages)"
            .formatted(core, Table.number(with - without), largest),
        "%s: slower with LMT, in bytes: %s (MPICH2 2007: 16 KiB)"
            .formatted(core, slower.isEmpty() ? "none" : String.join(", ", slower)));
  }

  /** Whether it is slower by more than noise makes, where a message can be a large one. */
  private boolean slowerWithLmt(String core, int bytes) {
    return bytes > MOST_EAGER
        && figure(core, Optimization.BOTH, bytes, Mpich2LatencyReport::nanos) > NOISE
            * figure(core, Optimization.NO_LMT, bytes, Mpich2LatencyReport::nanos);
  }

  private Chart smallChart() {
    return chart(
        "Latency to 128 bytes (MPICH2 2007, Fig. 3a)",
        Chart.Axis.linear("message size [bytes]"),
        Chart.Axis.linear("one way [ns]"),
        without(Optimization.NO_LMT),
        bytes -> bytes <= MOST_SMALL,
        Mpich2LatencyReport::nanos);
  }

  private Chart largeChart() {
    return chart(
        "Bandwidth (MPICH2 2007, Fig. 3b)",
        Chart.Axis.bytes(),
        Chart.Axis.log("bytes over one-way time [MiB/s]"),
        without(Optimization.NO_BYPASS),
        bytes -> bytes > 0,
        Mpich2LatencyReport::mebibytes);
  }

  private Chart chart(
      String title,
      Chart.Axis x,
      Chart.Axis y,
      List<String> variants,
      IntPredicate wanted,
      ToDoubleFunction<Series> figure) {
    return new Chart(
        title,
        x,
        y,
        variants.stream()
            .map(name -> figures.curve(name, wanted, one -> one.plan().bytes(), figure))
            .toList());
  }

  private static double nanos(Series series) {
    return series.nanos(50);
  }

  private static double mebibytes(Series series) {
    return series.plan().bytes() / MIB / (series.nanos(50) / 1e9);
  }
}
