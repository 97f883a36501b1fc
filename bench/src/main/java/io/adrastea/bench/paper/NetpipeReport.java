package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;

/** Fig. 3 of [MPICH2 2007], Figs. 4 and 5 of [Nemesis 2006]: latency of small messages, bandwidth of all. */
final class NetpipeReport {
  private static final int MOST_SMALL = 128;
  private static final int MOST_DRAWN = 64;
  private static final int LARGE = 1 << 20;
  private static final double MIB = 1 << 20;
  private static final String UNKNOWN = "-";

  /** What the text of [MPICH2 2007] states, by size. */
  private static final Map<Integer, String> NANOS = Map.of(0, "341", 128, "just over 500");

  private static final String PEAK = "peak over 1500";

  private static final List<String> SAID =
      List.of(
          "MPICH2 2007, Fig. 3, MPICH2 Nemesis, 2 GHz Opteron 280: as in the last columns; without the",
          "  bypass of the posted-receive queue about 62 ns more at 0 bytes, without LMT about 130",
          "  MiB/s less for large messages. The other values stand in the drawing only.",
          "Nemesis 2006, Figs. 4 and 5, MPICH2 Nemesis, dual 2 GHz Xeon: about 25 % faster than MPICH2 shm,",
          "  Open MPI takes twice as long as the others; the best bandwidth below 48 KB, up to",
          "  about 15 % below LAM/MPI's to 192 KB, above that almost twice that of the others.");

  private final Figures figures;

  private NetpipeReport(Results results) {
    this.figures = new Figures(results);
  }

  static Report of(Results results) {
    NetpipeReport report = new NetpipeReport(results);
    return new Report(
        List.of(report.latency(), report.bandwidth()), report.charts(), SAID);
  }

  private Grid latency() {
    return grid(
        "Latency (MPICH2 2007, Fig. 3a; Nemesis 2006, Fig. 4): one way, median [ns]",
        bytes -> bytes <= MOST_SMALL,
        NetpipeReport::nanos,
        NANOS);
  }

  private Grid bandwidth() {
    int largest = figures.sizes().getLast();
    return grid(
        "Bandwidth (MPICH2 2007, Fig. 3b; Nemesis 2006, Fig. 5): [MiB/s]",
        bytes -> bytes > 0,
        NetpipeReport::mebibytes,
        largest >= LARGE ? Map.of(largest, PEAK) : Map.of());
  }

  private Grid grid(
      String caption,
      IntPredicate wanted,
      ToDoubleFunction<Series> figure,
      Map<Integer, String> paper) {
    List<String> head = new ArrayList<>(List.of("bytes"));
    head.addAll(figures.variants());
    head.add("MPICH2 2007: Nemesis");
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : figures.sizes().stream().filter(wanted::test).toList()) {
      List<String> row = new ArrayList<>(List.of("" + bytes));
      for (String variant : figures.variants()) {
        row.add(
            figures
                .at(variant, bytes)
                .map(one -> Table.number(figure.applyAsDouble(one)))
                .orElse(UNKNOWN));
      }
      row.add(paper.getOrDefault(bytes, UNKNOWN));
      rows.add(row);
    }
    return new Grid(caption, head, rows);
  }

  private List<Chart> charts() {
    return List.of(
        chart(
            "Latency to 64 bytes (MPICH2 2007, Fig. 3a; Nemesis 2006, Fig. 4)",
            Chart.Axis.linear("message size [bytes]"),
            Chart.Axis.linear("one way [ns]"),
            bytes -> bytes <= MOST_DRAWN,
            NetpipeReport::nanos),
        chart(
            "Bandwidth (MPICH2 2007, Fig. 3b; Nemesis 2006, Fig. 5)",
            Chart.Axis.bytes(),
            Chart.Axis.log("bytes over one-way time [MiB/s]"),
            bytes -> bytes > 0,
            NetpipeReport::mebibytes));
  }

  private Chart chart(
      String title,
      Chart.Axis x,
      Chart.Axis y,
      IntPredicate wanted,
      ToDoubleFunction<Series> figure) {
    return new Chart(
        title,
        x,
        y,
        figures.variants().stream()
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
