package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Curve;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.shmem.ShmemTrials;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Figs. 5, 6 and 7 of [OpenSHMEM over XPMEM 2011]: latency and bandwidth of a ping-pong, and message rate. */
final class OpenShmemReport {
  private static final String UNKNOWN = "-";
  private static final String PAPER = "OpenSHMEM over XPMEM 2011";

  /** What the text states of Fig. 5, by size. */
  private static final Map<Integer, String> NANOS = Map.of(16, "about 200");

  /** What the text states of Fig. 7, by size: Kitten with SMARTMAP, and both others, which it exceeds by 35 %. */
  private static final Map<Integer, String> MILLIONS = Map.of(8, "80; others 59");

  private static final List<String> SAID = List.of(
      "Two 2.4 GHz Opterons with 8 cores each (Magny-Cours); values of the paper's figures stand in the",
      "  drawings only; what follows is all that its text tells in numbers.",
      PAPER + ", Fig. 5: about 200 ns at 16 bytes on Linux and Cray with XPMEM and on",
      "  Kitten with SMARTMAP alike; about 600 ns by the MPI of the Cray. The greatest times on Linux and",
      "  Cray are much higher than those on Kitten, which has little noise of the system.",
      PAPER + ", Fig. 6: bandwidth is nearly flat from 4 KB to 512 KB, by transfers from cache",
      "  to cache, and rises behind that.",
      PAPER + ", Fig. 7, 16 PEs: 80 million messages of 8 bytes a second from each PE on",
      "  Kitten, 35 % more than on the others, and no more than they for longer messages; together",
      "  9.8 GB/s. By the network interface of the Cray all PEs together have 90.2 MB/s.");

  private final Figures figures;
  private final List<Integer> counts;

  /**
   * @param counts numbers of PEs of Fig. 7
   */
  OpenShmemReport(Results results, List<Integer> counts) {
    this.figures = new Figures(results);
    this.counts = counts;
  }

  /**
   * @param notes what was left out
   */
  Report report(List<String> notes) {
    List<Grid> grids = new ArrayList<>();
    List<Chart> charts = new ArrayList<>();
    List<String> pingPong = goers(ShmemTrials.PING_PONG);
    String latency = "Latency of a ping-pong (%s, Fig. 5)".formatted(PAPER);
    grids.add(grid(latency + ": one way, average (least to most) of all trials [ns]", pingPong, bytes -> true,
        OpenShmemReport::spread, NANOS));
    charts.add(new Chart(latency + ": average", Chart.Axis.bytes(), Chart.Axis.log("one way [ns]"),
        pingPong.stream().map(name -> curve(name, bytes -> true, OpenShmemReport::average)).toList()));
    pingPong.stream().filter(name -> !name.startsWith("floor")).findFirst().ifPresent(name -> charts.add(
        new Chart("%s: %s".formatted(latency, name), Chart.Axis.bytes(), Chart.Axis.log("one way [ns]"),
            spread(name))));
    String bandwidth = "Bandwidth of a ping-pong (%s, Fig. 6)".formatted(PAPER);
    grids.add(grid(bandwidth + ": bytes over the average one-way time [MB/s]", pingPong, bytes -> true,
        one -> number(one, OpenShmemReport::bandwidth), Map.of()));
    charts.add(new Chart(bandwidth, Chart.Axis.bytes(), Chart.Axis.log("bytes over one-way time [MB/s]"),
        pingPong.stream().map(name -> curve(name, bytes -> true, OpenShmemReport::bandwidth)).toList()));
    String rate = "Message rate of a PE, caches flushed before (%s, Fig. 7)".formatted(PAPER);
    List<String> rates = counts.stream().flatMap(pes -> goers(ShmemTrials.rate(pes)).stream()).toList();
    grids.add(grid(rate + " [million/s]", rates, ShmemTrials::isRate, one -> number(one, this::millions), MILLIONS));
    charts.add(new Chart(rate, Chart.Axis.bytes(), Chart.Axis.log("messages [million/s]"),
        rates.stream().map(name -> curve(name, ShmemTrials::isRate, this::millions)).toList()));
    return new Report(grids, charts, Stream.concat(notes.stream(), SAID.stream()).toList());
  }

  /** The variants that do one of both, in their order. */
  private List<String> goers(String what) {
    return figures.variants().stream().filter(name -> name.endsWith(" " + what)).toList();
  }

  private Curve curve(String name, IntPredicate wanted, ToDoubleFunction<Series> figure) {
    return figures.curve(name, wanted, one -> one.plan().bytes(), figure);
  }

  /** The paper's error bars as curves. */
  private List<Curve> spread(String name) {
    Curve average = curve(name, bytes -> true, OpenShmemReport::average);
    Curve least = curve(name, bytes -> true, OpenShmemReport::least);
    Curve most = curve(name, bytes -> true, OpenShmemReport::most);
    return List.of(average, new Curve("least", least.x(), least.y()), new Curve("most", most.x(), most.y()));
  }

  private static double average(Series one) {
    return one.meanNanos() / 2;
  }

  private static double least(Series one) {
    return one.nanos(0) / 2;
  }

  private static double most(Series one) {
    return one.maxNanos() / 2;
  }

  private static double bandwidth(Series one) {
    return one.plan().bytes() / average(one) * 1000;
  }

  private double millions(Series one) {
    int pes = counts.stream().filter(count -> one.variant().endsWith(" " + ShmemTrials.rate(count))).findFirst()
        .orElseThrow();
    return ShmemTrials.messages(pes) / one.nanos(50) * 1000;
  }

  private static String spread(Series one) {
    return "%s (%s to %s)%s".formatted(Table.number(average(one)), Table.number(least(one)), Table.number(most(one)),
        one.star());
  }

  private static String number(Series one, ToDoubleFunction<Series> figure) {
    return Table.number(figure.applyAsDouble(one)) + one.star();
  }

  private Grid grid(String caption, List<String> names, IntPredicate wanted, Function<Series, String> cell,
      Map<Integer, String> paper) {
    List<String> head = new ArrayList<>(List.of("bytes"));
    head.addAll(names);
    head.add("the paper");
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : figures.sizes().stream().filter(wanted::test).toList()) {
      List<String> row = new ArrayList<>(List.of(Sizes.text(bytes)));
      for (String name : names) {
        Optional<Series> one = figures.at(name, bytes);
        row.add(one.map(cell).orElse(UNKNOWN));
      }
      row.add(paper.getOrDefault(bytes, UNKNOWN));
      rows.add(row);
    }
    return new Grid(caption, head, rows);
  }
}
