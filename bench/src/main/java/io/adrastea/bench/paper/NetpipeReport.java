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

/**
 * Latency of small messages and bandwidth of all: Fig. 3 of [MPICH2 2007] and Figs. 4 and 5 of [Nemesis 2006] on a
 * node, Figs. 8 and 9 of the latter over Gigabit Ethernet.
 */
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

  private static final List<String> SAID_OF_NETWORK =
      List.of(
          "Nemesis 2006, Figs. 8 and 9, Gigabit Ethernet, dual 2 GHz Xeon; the values stand in the drawings only:",
          "  latency: MPICH2 Nemesis and LAM/MPI least and very close, then MPICH2 sock and YAMPII; Open MPI takes",
          "  50 % longer than the first two; bandwidth: below 4 KB Nemesis has the best, along with LAM/MPI and",
          "  MPICH2 sock; from 4 to 128 KB it is less efficient than the others; large messages of Nemesis and",
          "  Open MPI are alike, closely followed by the others.");

  /** The columns of a paper's own figures; none where its text states none. */
  private record Place(String latency, String bandwidth, List<String> paper) {}

  private static final Place NODE = new Place("MPICH2 2007, Fig. 3a; Nemesis 2006, Fig. 4",
      "MPICH2 2007, Fig. 3b; Nemesis 2006, Fig. 5", List.of("MPICH2 2007: Nemesis"));
  private static final Place NETWORK = new Place("Nemesis 2006, Fig. 8", "Nemesis 2006, Fig. 9", List.of());

  private final Figures figures;
  private final Place place;

  private NetpipeReport(Results results, Place place) {
    this.figures = new Figures(results);
    this.place = place;
  }

  static Report of(Results results) {
    return new NetpipeReport(results, NODE).report(SAID);
  }

  /** The figures between two hosts. */
  static Report overNetwork(Results results) {
    return new NetpipeReport(results, NETWORK).report(SAID_OF_NETWORK);
  }

  private Report report(List<String> said) {
    return new Report(List.of(latency(), bandwidth()), charts(), said);
  }

  private Grid latency() {
    return grid(
        "Latency (%s): one way, median [ns]".formatted(place.latency),
        bytes -> bytes <= MOST_SMALL,
        NetpipeReport::nanos,
        NANOS);
  }

  private Grid bandwidth() {
    int largest = figures.sizes().getLast();
    return grid(
        "Bandwidth (%s): [MiB/s]".formatted(place.bandwidth),
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
    head.addAll(place.paper);
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
      place.paper.forEach(column -> row.add(paper.getOrDefault(bytes, UNKNOWN)));
      rows.add(row);
    }
    return new Grid(caption, head, rows);
  }

  private List<Chart> charts() {
    return List.of(
        chart(
            "Latency to 64 bytes (%s)".formatted(place.latency),
            Chart.Axis.linear("message size [bytes]"),
            Chart.Axis.linear("one way [ns]"),
            bytes -> bytes <= MOST_DRAWN,
            NetpipeReport::nanos),
        chart(
            "Bandwidth (%s)".formatted(place.bandwidth),
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
