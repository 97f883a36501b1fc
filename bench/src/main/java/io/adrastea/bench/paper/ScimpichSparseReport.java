package io.adrastea.bench.paper;

import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Curve;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.rma.SparseWalks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Figs. 9, 11 and 12 of [SCI-MPICH 2002]: latency of an access and bandwidth of all of a walk over the size of an
 * access, and bandwidth over the number of ranks.
 */
final class ScimpichSparseReport {
  private static final String UNKNOWN = "-";
  private static final String FIGURES = "(SCI-MPICH 2002, Figs. 9 and 11)";

  /** What the text and Table 2 state of direct puts over SCI, by the number of nodes: MiB/s of a node at its peak. */
  private static final Map<Integer, String> STATED = Map.of(2, "120", 3, "120", 4, "120 to 122.9", 5, "120 to 120.7",
      6, "97.8 to 120.9", 7, "79.3 to 120.7", 8, "62.8 to 120.8");

  private static final List<String> SAID = List.of(
      "shared: Window.allocate, the paper's window in shared SCI memory; /cma, /handler: private memory",
      "  that is read and written by the system, or by its rank on request, the paper's access by",
      "  message exchange. The values of the paper's figures stand in the drawings only; what follows is",
      "  all that its text tells in numbers.",
      "SCI-MPICH 2002, 4.3, strided writes to SCI memory below MPI: 5 to 28 MiB/s for 8 bytes, 7 to 162",
      "  MiB/s for 256, by the stride; multiples of 32 bytes are best.",
      "SCI-MPICH 2002, Fig. 9: large accesses to private memory have very similar bandwidths, and get",
      "  from shared memory the same, as all of these are message exchanges.",
      "SCI-MPICH 2002, Fig. 11, other systems: LAM over Fast Ethernet at most 10 MiB/s; over VIA 1 KiB",
      "  takes 3 times as long as by messages over SCI, and 15 times as long as a direct put.",
      "SCI-MPICH 2002, Fig. 12 and Table 2: the last column of the table by ranks, from 8 transfers on",
      "  each segment of the ring to 1; 71.8 MiB/s with 8 nodes and 4 transfers. Sun Fire: declines with",
      "  more than 6 processes.");

  private final Figures figures;
  private final List<Integer> counts;
  private final List<String> who;

  /**
   * @param counts numbers of ranks of Fig. 12
   */
  ScimpichSparseReport(Results results, List<Integer> counts) {
    this.figures = new Figures(results);
    this.counts = counts;
    this.who = figures.variants().stream().map(name -> name.substring(0, name.indexOf(' '))).distinct().toList();
  }

  /**
   * @param notes what was left out
   */
  Report report(List<String> notes) {
    List<Grid> grids = new ArrayList<>();
    List<Chart> charts = new ArrayList<>();
    for (String way : List.of(SparseWalks.PUT, SparseWalks.GET)) {
      String latency = "Latency of a %s %s: part of a walk with the fence".formatted(way, FIGURES);
      String bandwidth = "Bandwidth of all %ss of a walk %s".formatted(way, FIGURES);
      grids.add(grid(latency + ", median [ns]", way, ScimpichSparseReport::latency));
      grids.add(grid(bandwidth + " [MiB/s]", way, ScimpichSparseReport::bandwidth));
      charts.add(chart(latency, "latency [ns]", Stream.of(way), ScimpichSparseReport::latency));
      charts.add(chart(bandwidth, "bandwidth [MiB/s]", Stream.of(way), ScimpichSparseReport::bandwidth));
    }
    String scaling = "Least of the ranks' greatest bandwidths, put (SCI-MPICH 2002, Fig. 12)";
    counts.forEach(count -> grids.add(grid("%s: %d ranks [MiB/s]".formatted(scaling, count),
        SparseWalks.scaling(count), ScimpichSparseReport::greatest)));
    grids.add(peaks());
    charts.add(chart(scaling, "bandwidth of a rank [MiB/s]", counts.stream().map(SparseWalks::scaling),
        ScimpichSparseReport::greatest));
    return new Report(grids, charts, Stream.concat(notes.stream(), SAID.stream()).toList());
  }

  private static double latency(Series series) {
    return series.nanos(50) / SparseWalks.accesses(series.plan().bytes());
  }

  private static double bandwidth(Series series) {
    return SparseWalks.mebibytes(series.plan().bytes(), series.nanos(50));
  }

  /** Takes the best walks; a batch has the time of the rank whose best one takes longest. */
  private static double greatest(Series series) {
    return SparseWalks.mebibytes(series.plan().bytes(), series.nanos(0));
  }

  private Optional<Series> at(String name, String way, int bytes) {
    return figures.at(KindVariant.name(name, way), bytes);
  }

  /** Those that go a way, in their order. */
  private List<String> goers(String way) {
    return who.stream().filter(name -> figures.variants().contains(KindVariant.name(name, way))).toList();
  }

  private static boolean isPeer(String name) {
    return name.startsWith("openmpi") || name.startsWith("mpich");
  }

  private Grid grid(String caption, String way, ToDoubleFunction<Series> figure) {
    List<String> names = goers(way);
    List<String> head = new ArrayList<>(List.of("bytes"));
    head.addAll(names);
    Optional<String> ours = names.stream().filter(name -> name.endsWith("-shared") && !isPeer(name)).findFirst();
    head.add("best peer/" + ours.orElse("ours") + " (time)");
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : figures.sizes()) {
      List<String> row = new ArrayList<>(List.of(Sizes.text(bytes)));
      names.forEach(name -> row.add(at(name, way, bytes)
          .map(one -> Table.number(figure.applyAsDouble(one)) + one.star()).orElse(UNKNOWN)));
      Optional<Series> best = names.stream().filter(ScimpichSparseReport::isPeer)
          .flatMap(name -> at(name, way, bytes).stream()).min(Comparator.comparingDouble(one -> one.nanos(50)));
      Optional<Series> own = ours.flatMap(name -> at(name, way, bytes));
      row.add(best.isPresent() && own.isPresent() ? Ratio.of(best.get(), own.get()).toString() : UNKNOWN);
      rows.add(row);
    }
    return new Grid(caption, head, rows);
  }

  /** The greatest bandwidth over all sizes, for each number of ranks. */
  private Grid peaks() {
    List<String> names = counts.stream().flatMap(count -> goers(SparseWalks.scaling(count)).stream()).distinct()
        .toList();
    List<String> head = new ArrayList<>(List.of("ranks"));
    head.addAll(names);
    head.add("the paper: SCI");
    List<List<String>> rows = new ArrayList<>();
    for (int count : counts) {
      List<String> row = new ArrayList<>(List.of("" + count));
      names.forEach(name -> row.add(figures.sizes().stream()
          .flatMap(bytes -> at(name, SparseWalks.scaling(count), bytes).stream())
          .map(ScimpichSparseReport::greatest).max(Comparator.naturalOrder()).map(Table::number).orElse(UNKNOWN)));
      row.add(STATED.getOrDefault(count, UNKNOWN));
      rows.add(row);
    }
    return new Grid("Peak over all sizes of the least of the ranks' greatest bandwidths [MiB/s]", head, rows);
  }

  private Chart chart(String title, String up, Stream<String> ways, ToDoubleFunction<Series> figure) {
    List<Curve> curves = ways
        .flatMap(way -> goers(way).stream().map(name -> KindVariant.name(name, way)))
        .map(name -> figures.curve(name, bytes -> true, one -> one.plan().bytes(), figure))
        .toList();
    return new Chart(title, new Chart.Axis("bytes of an access", 2), Chart.Axis.log(up), curves);
  }
}
