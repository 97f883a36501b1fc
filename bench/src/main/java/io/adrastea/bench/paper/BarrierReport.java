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

/** A paper's figure of a barrier on one node: its time over the number of ranks, by several ways. */
final class BarrierReport {
  private final Figures figures;
  private final List<Meeting> meetings;
  private final String figure;
  private final List<String> said;
  private final List<String> cores;

  /**
   * @param meetings the ways; others are compared with the first
   * @param figure which one it is
   * @param said what the paper says
   */
  BarrierReport(Results results, List<Meeting> meetings, String figure, List<String> said) {
    this.figures = new Figures(results);
    this.meetings = List.copyOf(meetings);
    this.figure = figure;
    this.said = List.copyOf(said);
    this.cores =
        figures.variants().stream()
            .filter(name -> name.contains(" "))
            .map(name -> name.substring(0, name.indexOf(' ')))
            .distinct()
            .toList();
  }

  Report report() {
    return new Report(List.of(table()), List.of(chart()), said);
  }

  private Grid table() {
    List<String> head = new ArrayList<>(List.of("ranks", "core"));
    for (Meeting meeting : meetings) {
      head.add(meeting.title() + " [us]");
      head.add(meeting == meetings.get(0) ? "x round trip" : "ratio");
    }
    List<List<String>> rows = new ArrayList<>();
    for (int ranks : figures.sizes()) {
      cores.forEach(core -> rows.add(row(core, ranks)));
    }
    String caption =
        "Time of a barrier, median; round trip: of a line between two CPUs; ratio: to " + meetings.get(0).title();
    return new Grid(caption, head, rows);
  }

  private List<String> row(String core, int ranks) {
    List<String> row = new ArrayList<>(List.of("" + ranks, core));
    Series first = series(core, meetings.get(0), ranks);
    for (Meeting meeting : meetings) {
      Series one = series(core, meeting, ranks);
      Optional<Ratio> ratio = meeting == meetings.get(0)
          ? figures.results().ratio(one)
          : Optional.of(Ratio.of(one.medians(), first.medians()));
      row.add(micros(one));
      row.add(ratio.map(Ratio::toString).orElse("-"));
    }
    return row;
  }

  private Series series(String core, Meeting meeting, int ranks) {
    return figures.at(BarrierVariant.name(core, meeting), ranks).orElseThrow();
  }

  private static String micros(Series series) {
    return String.format(Locale.ROOT, "%.3f", series.nanos(50) / 1000);
  }

  private Chart chart() {
    return new Chart(
        "Time of a barrier (%s)".formatted(figure),
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
