package io.adrastea.bench.paper;

import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Fig. 5 of [MPICH2 2007]: time of an exchange over the size of the tile, and which algorithm is best. */
final class HaloReport {
  private static final List<String> SAID =
      List.of(
          "MPICH2 2007, Fig. 5, four processes on two dual-core 2 GHz Opterons 280 (its times stand in the",
          "drawing only):",
          "  MPICH2 Nemesis   best by send-receive; 1.5 to 2.6 times faster than the other MPIs",
          "  MPICH-GM         best by send-receive",
          "  Open MPI         best by send-receive",
          "  MPICH2 CH3:shm   best by non-blocking",
          "  LAM/MPI          best by persistent");

  private final Figures figures;
  private final List<String> cores;

  private HaloReport(Results results) {
    this.figures = new Figures(results);
    this.cores =
        figures.variants().stream().map(name -> name.substring(0, name.indexOf(' '))).distinct()
            .toList();
  }

  static Report of(Results results) {
    HaloReport report = new HaloReport(results);
    List<String> said = new ArrayList<>(report.best());
    said.add("");
    said.addAll(SAID);
    return new Report(List.of(report.table()), List.of(report.chart()), said);
  }

  private Grid table() {
    List<String> head = new ArrayList<>(List.of("tile [words]", "core"));
    Arrays.stream(Algorithm.values()).forEach(algorithm -> head.add(algorithm.title() + " [us]"));
    head.add("best");
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : figures.sizes()) {
      cores.forEach(core -> rows.add(row(core, bytes)));
    }
    return new Grid("Time of an exchange: 4 messages out and 4 in per rank, median", head, rows);
  }

  private List<String> row(String core, int bytes) {
    List<String> row = new ArrayList<>(List.of("" + bytes / HaloCommand.WORD_BYTES, core));
    for (Algorithm algorithm : Algorithm.values()) {
      row.add(String.format(Locale.ROOT, "%.2f", micros(core, algorithm, bytes)));
    }
    row.add(best(core, bytes).title());
    return row;
  }

  private double micros(String core, Algorithm algorithm, int bytes) {
    return figures.at(KindVariant.name(core, algorithm.title()), bytes).orElseThrow().nanos(50) / 1000;
  }

  private Algorithm best(String core, int bytes) {
    return Arrays.stream(Algorithm.values())
        .min(Comparator.comparingDouble(algorithm -> micros(core, algorithm, bytes)))
        .orElseThrow();
  }

  /** One line for each core: at how many sizes each algorithm was best. */
  private List<String> best() {
    List<String> lines = new ArrayList<>();
    for (String core : cores) {
      StringBuilder line = new StringBuilder(core + ": best by ");
      String gap = "";
      for (Algorithm algorithm : Algorithm.values()) {
        long times = figures.sizes().stream().filter(b -> best(core, b) == algorithm).count();
        line.append(gap).append(algorithm.title()).append(" at ").append(times);
        gap = ", ";
      }
      lines.add(line + " of " + figures.sizes().size() + " tile sizes");
    }
    return lines;
  }

  private Chart chart() {
    return new Chart(
        "Time of a halo exchange (MPICH2 2007, Fig. 5)",
        new Chart.Axis("tile [words]", 2),
        Chart.Axis.log("time of an exchange [us]"),
        figures.variants().stream()
            .map(name -> figures.curve(name, bytes -> true, HaloReport::tile, HaloReport::micros))
            .toList());
  }

  private static double tile(Series series) {
    return (double) series.plan().bytes() / HaloCommand.WORD_BYTES;
  }

  private static double micros(Series series) {
    return series.nanos(50) / 1000;
  }
}
