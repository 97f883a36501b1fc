package io.adrastea.bench.paper;

import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A paper's figure of what all ranks of a node do together: its time by several ways. */
final class WaysReport {
  private final Figures figures;
  private final Shown shown;
  private final List<String> cores;

  /**
   * What is shown.
   *
   * @param what takes the time, as in {@code a barrier}
   * @param across what rows and the horizontal axis are, as in {@code ranks}
   * @param ways their titles; others are compared with the first
   * @param roundTrips whether the first is told in round trips of a line between two CPUs
   * @param figure which one it is in the paper
   * @param said what the paper says
   */
  record Shown(String what, String across, List<String> ways, boolean roundTrips, String figure, List<String> said) {
    /** Copies the lists. */
    Shown {
      ways = List.copyOf(ways);
      said = List.copyOf(said);
    }
  }

  WaysReport(Results results, Shown shown) {
    this.figures = new Figures(results);
    this.shown = shown;
    this.cores =
        figures.variants().stream()
            .filter(name -> name.contains(" "))
            .map(name -> name.substring(0, name.indexOf(' ')))
            .distinct()
            .toList();
  }

  Report report() {
    return new Report(List.of(table()), List.of(chart()), shown.said);
  }

  private String first() {
    return shown.ways.get(0);
  }

  private Grid table() {
    List<String> head = new ArrayList<>(List.of(shown.across, "core"));
    for (String way : shown.ways) {
      head.add(way + " [us]");
      if (!way.equals(first())) {
        head.add("ratio");
      } else if (shown.roundTrips) {
        head.add("x round trip");
      }
    }
    List<List<String>> rows = new ArrayList<>();
    for (int at : figures.sizes()) {
      cores.forEach(core -> rows.add(row(core, at)));
    }
    String caption = "Time of %s, median; %sratio: to %s".formatted(shown.what,
        shown.roundTrips ? "round trip: of a line between two CPUs; " : "", first());
    return new Grid(caption, head, rows);
  }

  private List<String> row(String core, int at) {
    List<String> row = new ArrayList<>(List.of("" + at, core));
    Series first = series(core, first(), at);
    for (String way : shown.ways) {
      Series one = series(core, way, at);
      row.add(String.format(Locale.ROOT, "%.3f", micros(one)));
      if (!way.equals(first())) {
        row.add(Ratio.of(one, first).toString());
      } else if (shown.roundTrips) {
        Optional<Ratio> roundTrips = figures.results().ratio(one);
        row.add(roundTrips.map(Ratio::toString).orElse("-"));
      }
    }
    return row;
  }

  private Series series(String core, String way, int at) {
    return figures.at(KindVariant.name(core, way), at).orElseThrow();
  }

  private static double micros(Series series) {
    return series.nanos(50) / 1000;
  }

  private Chart chart() {
    return new Chart(
        "Time of %s (%s)".formatted(shown.what, shown.figure),
        new Chart.Axis(shown.across, 2),
        Chart.Axis.log("time of %s [us]".formatted(shown.what)),
        figures.variants().stream()
            .map(name -> figures.curve(name, at -> true, one -> one.plan().bytes(), WaysReport::micros))
            .toList());
  }
}
