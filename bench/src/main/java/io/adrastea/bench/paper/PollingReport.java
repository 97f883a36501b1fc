package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;

/** Latency beside idle ranks, and the cost of a look that finds nothing, by the number of ranks. */
final class PollingReport {
  private static final String UNKNOWN = "-";

  private static final List<String> SAID =
      List.of(
          "Idle ranks have joined and sleep outside the library; in the jobs in C they have fastboxes to",
          "  both others. Who waits spins, in Java by an idle strategy, however many ranks there are: by",
          "  itself a rank yields at each look once ranks outnumber CPUs, and that would be measured.",
          "A look: 'channel' is adr_channel_poll as it is, the queue's front included; 'bitmap' its look at",
          "  the bits of active fastboxes alone; 'counters' the array of MVAPICH 2006, 8 bytes a source,",
          "  compared with a private one; 'each box' the place in every fastbox where its next message begins.",
          "  All lines are in the cache of the CPU that looks: it is the number of lines that counts,",
          "  at 256 ranks 1, 32 (and 32 private ones) and 255.",
          "MVAPICH 2006, section 3.4.1, states no figures: a contiguous array \"will significantly reduce",
          "  the polling time by exploiting cache spatial locality\".");

  private final Figures figures;

  PollingReport(Results results) {
    this.figures = new Figures(results);
  }

  Report report() {
    List<String> messages = new ArrayList<>(titles(Polling.MESSAGES));
    List<String> looks = titles(Polling.LOOKS);
    figures.variants().stream()
        .filter(name -> !messages.contains(name) && !looks.contains(name))
        .forEach(messages::add);
    return new Report(
        List.of(
            grid("One way of 8 bytes between two ranks of so many: median [ns]", messages),
            grid("A look that finds nothing: median [ns]", looks)),
        List.of(chart("One way beside idle ranks", messages), chart("A look that finds nothing", looks)),
        SAID);
  }

  private static List<String> titles(List<Polling> some) {
    return some.stream().map(Polling::title).toList();
  }

  private Grid grid(String caption, List<String> variants) {
    List<String> head = new ArrayList<>(List.of("ranks"));
    head.addAll(variants);
    List<List<String>> rows = new ArrayList<>();
    for (int ranks : figures.sizes()) {
      List<String> row = new ArrayList<>(List.of("" + ranks));
      for (String variant : variants) {
        row.add(figures.at(variant, ranks).map(PollingReport::nanos).map(Table::number).orElse(UNKNOWN));
      }
      rows.add(row);
    }
    return new Grid(caption, head, rows);
  }

  private Chart chart(String title, List<String> variants) {
    return new Chart(
        title,
        new Chart.Axis("ranks", 2),
        Chart.Axis.log("median [ns]"),
        variants.stream()
            .map(name -> figures.curve(name, any -> true, one -> one.plan().bytes(), PollingReport::nanos))
            .toList());
  }

  private static double nanos(Series series) {
    return series.nanos(50);
  }
}
