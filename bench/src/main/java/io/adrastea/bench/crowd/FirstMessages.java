package io.adrastea.bench.crowd;

import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Chart.Axis;
import io.adrastea.bench.page.Curve;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Jobs from their first message on: what a message takes one way, by how many went before it. Means over messages, and
 * medians of these over rounds, each of which has a job of its own.
 *
 * @param all by variant, the steps of each round
 */
record FirstMessages(Map<String, List<Windows>> all, List<String> ours, List<String> peers) {
  private static final int END = Integer.MAX_VALUE;
  private static final int WARM = 200_000;
  private static final double LAST = 0.1; // of all messages

  /** Messages after so many, up to so many. */
  private record Stretch(int from, int to) {
    private static String thousands(int messages) {
      return messages / 1000 + "K";
    }

    String title() {
      return from == 0 ? "first " + thousands(to)
          : to == END ? "after " + thousands(from)
              : thousands(from) + "-" + thousands(to);
    }

    String metric() {
      return "messages-" + (from + 1) + "-" + (to == END ? "end" : to);
    }
  }

  private static final Stretch BEGIN = new Stretch(0, 40_000);
  private static final Stretch REST = new Stretch(WARM, END);
  private static final List<Stretch> STRETCHES = List.of(new Stretch(0, 5000), new Stretch(5000, 10_000),
      new Stretch(10_000, 20_000), new Stretch(20_000, 40_000), BEGIN, new Stretch(40_000, WARM), REST);

  /** Copies all. */
  FirstMessages {
    all = new LinkedHashMap<>(all);
    ours = List.copyOf(ours);
    peers = List.copyOf(peers);
  }

  /** What a message took in that stretch, in ns. */
  private double nanos(String variant, Stretch stretch) {
    List<Double> rounds = all.get(variant).stream().map(round -> mean(round, stretch)).sorted().toList();
    int middle = rounds.size() / 2;
    return rounds.size() % 2 == 1 ? rounds.get(middle) : (rounds.get(middle - 1) + rounds.get(middle)) / 2;
  }

  private static double mean(Windows round, Stretch stretch) {
    int step = CrowdEffort.STEP_MESSAGES;
    int to = Math.min(round.list().size(), stretch.to / step);
    List<Windows.Window> steps = round.list().subList(Math.min(stretch.from / step, to - 1), to);
    double messages = steps.stream().mapToLong(Windows.Window::exchanges).sum() * Call.FIRST_MESSAGES.messages();
    return steps.stream().mapToLong(Windows.Window::nanos).sum() / messages;
  }

  /** The last messages of a round, by which it is judged whether those before were slow. */
  private Stretch last() {
    int steps = all.values().stream().flatMap(List::stream).mapToInt(round -> round.list().size()).min().orElseThrow();
    return new Stretch((int) ((1 - LAST) * steps) * CrowdEffort.STEP_MESSAGES, END);
  }

  private Optional<Double> bestPeer(Stretch stretch) {
    return peers.stream().filter(all::containsKey).map(peer -> nanos(peer, stretch)).min(Double::compare);
  }

  /** The table; nothing where no variant was measured. */
  Optional<Grid> grid() {
    if (all.isEmpty()) {
      return Optional.empty();
    }
    List<String> head = new ArrayList<>(List.of("variant"));
    STRETCHES.forEach(stretch -> head.add(stretch.title() + (stretch.from == 0 && head.size() == 1 ? " [us]" : "")));
    head.addAll(List.of("last tenth", BEGIN.title() + "/best peer", REST.title() + "/last tenth"));
    return Optional.of(new Grid("2 ranks: one way of 8 bytes, by messages since a job's first one", head,
        all.keySet().stream().map(this::row).toList()));
  }

  private List<String> row(String variant) {
    List<String> row = new ArrayList<>(List.of(variant));
    STRETCHES.forEach(stretch -> row.add(FoundCrowd.micros(nanos(variant, stretch))));
    row.add(FoundCrowd.micros(nanos(variant, last())));
    row.add(ours.contains(variant)
        ? bestPeer(BEGIN).map(best -> ratio(nanos(variant, BEGIN) / best)).orElse("-")
        : "-");
    row.add(ratio(nanos(variant, REST) / nanos(variant, last())));
    return row;
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /** The curves; nothing where no variant was measured. */
  Optional<Chart> chart() {
    List<Curve> curves = all.keySet().stream().map(this::curve).toList();
    return curves.isEmpty() ? Optional.empty()
        : Optional.of(new Chart("A job from its first message on", new Axis("messages so far", 10),
            Axis.log("one way [ns]"), curves));
  }

  private Curve curve(String variant) {
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    stretches(variant).forEach(stretch -> {
      x.add((double) stretch.to);
      y.add(nanos(variant, stretch));
    });
    return new Curve(variant, x, y);
  }

  /** The single steps. */
  private List<Stretch> stretches(String variant) {
    List<Stretch> steps = new ArrayList<>();
    int count = all.get(variant).stream().mapToInt(round -> round.list().size()).min().orElse(0);
    for (int step = 0; step < count; step++) {
      steps.add(new Stretch(step * CrowdEffort.STEP_MESSAGES, (step + 1) * CrowdEffort.STEP_MESSAGES));
    }
    return steps;
  }

  /** Figures, one a line: the stretches of the table, then the single steps. */
  List<String> csv() {
    Map<String, String> lines = new LinkedHashMap<>();
    for (String variant : all.keySet()) {
      List<Stretch> stretches = new ArrayList<>(STRETCHES);
      stretches.addAll(stretches(variant));
      stretches.forEach(stretch -> lines.put(variant + stretch.metric(),
          Csv.line("cold/2", variant, Call.FIRST_MESSAGES.bytes(), stretch.metric(), nanos(variant, stretch), "ns")));
    }
    return List.copyOf(lines.values());
  }
}
