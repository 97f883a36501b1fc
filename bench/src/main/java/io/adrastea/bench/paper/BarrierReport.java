package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Fig. 4 of [MPICH2 2007] on one node: time of a barrier over the number of ranks, by both ways. */
final class BarrierReport {
  private static final List<String> SAID =
      List.of(
          "MPICH2 2007, Fig. 4, nodes of two dual-core 2 GHz Opterons 275; on one node, four processes:",
          "  shared variables          0.4 us",
          "  messages (default)        2.6 us, more than a factor of 6");

  private final Figures figures;
  private final List<String> cores;

  private BarrierReport(Results results) {
    this.figures = new Figures(results);
    this.cores =
        figures.variants().stream()
            .filter(name -> name.contains(" "))
            .map(name -> name.substring(0, name.indexOf(' ')))
            .distinct()
            .toList();
  }

  static Report of(Results results) {
    BarrierReport report = new BarrierReport(results);
    return new Report(List.of(report.table()), List.of(report.chart()), SAID);
  }

  private Grid table() {
    List<String> head =
        List.of(
            "ranks",
            "core",
            Meeting.SHARED.title() + " [us]",
            "x round trip",
            Meeting.MESSAGES.title() + " [us]",
            "messages / shared");
    List<List<String>> rows = new ArrayList<>();
    for (int ranks : figures.sizes()) {
      cores.forEach(core -> rows.add(row(core, ranks)));
    }
    return new Grid("Time of a barrier, median; round trip: of a line between two CPUs", head, rows);
  }

  private List<String> row(String core, int ranks) {
    Series shared = series(core, Meeting.SHARED, ranks);
    Series messages = series(core, Meeting.MESSAGES, ranks);
    Optional<Ratio> toFloor = figures.results().ratio(shared);
    return List.of(
        "" + ranks,
        core,
        micros(shared),
        toFloor.map(Ratio::toString).orElse("-"),
        micros(messages),
        Ratio.of(messages.medians(), shared.medians()).toString());
  }

  private Series series(String core, Meeting meeting, int ranks) {
    return figures.at(BarrierVariant.name(core, meeting), ranks).orElseThrow();
  }

  private static String micros(Series series) {
    return String.format(Locale.ROOT, "%.3f", series.nanos(50) / 1000);
  }

  private Chart chart() {
    return new Chart(
        "Time of a barrier (MPICH2 2007, Fig. 4)",
        new Chart.Axis("ranks", 2),
        Chart.Axis.log("time of a barrier [us]"),
        figures.variants().stream()
            .map(
                name -> figures.curve(
                    name,
                    ranks -> true,
                    one -> one.plan().bytes(),
                    one -> one.nanos(50) / 1000))
            .toList());
  }
}
