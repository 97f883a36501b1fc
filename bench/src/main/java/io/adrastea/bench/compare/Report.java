package io.adrastea.bench.compare;

import io.adrastea.bench.measure.BenchOptions;
import io.adrastea.bench.measure.CpuPair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.Ways;
import io.adrastea.bench.page.Page;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Where the comparison goes: the terminal as it comes, the CSV and the page at the end. */
final class Report implements AutoCloseable {
  private static final String TITLE =
      "adrastea bench compare: %s, all variants in turn in each round";
  private static final List<String> LEGEND =
      List.of(
          "x floor  median over rounds of the ratio within the round, +- half the interquartile"
              + " range; latency: times slower; bandwidth and rate: part of the floor's",
          "x best core  the same against the faster of our cores at that size",
          "p50, mean  of batches of about 30 us; with more ranks than CPUs the mean alone counts the"
              + " time slices in which others run",
          "aeron's driver shares the two CPUs",
          "rate  blocking send in a loop, blocking recv in a loop; ucx: each operation completes before the next",
          "aeron, agrona  write short messages in place, copy longer ones in, and read where they lie");

  private static final List<String> LEAD = List.of(
      "Above 1 a variant takes longer than our default core, in the tinted part below it takes less. A band holds the"
          + " middle half of the rounds.",
      "Messages are written before they are sent and read after they came, within the time, and take turns in four"
          + " buffers; those of a bench called untouched hold the same all the time.");
  private static final String COLD =
      "Figures with a star, whose markers are hollow, were not warm: compilers were still at work. No verdict from"
          + " them; a longer --warmup helps.";
  private static final List<String> PLACEMENTS = List.of(
      "Near and far are rounds in which the floor was low and high: the machine had put the two CPUs elsewhere.");

  private final BenchOptions options;
  private final Output output;
  private final PrintWriter text;
  private final List<String> csvLines = new ArrayList<>();

  Report(BenchOptions options) throws IOException {
    this.options = options;
    this.output = options.output();
    this.text = output.text();
  }

  private String title() {
    int ranks = options.ranks();
    return TITLE.formatted(
        ranks == 2
            ? "two processes on two CPUs"
            : "%d processes in %d pairs at once".formatted(ranks, ranks / 2));
  }

  /** The lines above the tables. */
  void begin(Cpus cpus) {
    text.println(title());
    Heading.of(Machine.here()).forEach(this::note);
    CpuPair pair = CpuPair.of(cpus.of(0, 0), cpus.of(0, 1), Path.of("/sys"));
    note("CPUs     %d and %d, %s: %s; allowed %s".formatted(
        pair.first(), pair.second(), pair.distance().title(), pair.distance().meaning(), cpus.allowed()));
    Heading.method(options.rounds(), options.seconds(), options.warmUp()).forEach(this::note);
    LEGEND.forEach(this::note);
    if (cpus.single()) {
      note(
          "warning: both sides share one CPU: these figures are those of the scheduler and mean"
              + " nothing here");
    }
  }

  /** A line for the terminal and for the page. */
  void note(String line) {
    output.note(line);
  }

  /** One kind of run is done. */
  void results(Comparison comparison) {
    text.println();
    text.println(comparison.results().kind().command());
    comparison.lines().forEach(text::println);
    comparison.results().legend().ifPresent(text::println);
    Ways.lines(comparison.results()).forEach(this::note);
    comparison.results().placements().ifPresent(this::note);
    text.flush();
    List<String> lines = Csv.lines(comparison.results());
    csvLines.addAll(lines.subList(csvLines.isEmpty() ? 0 : 1, lines.size()));
    csvLines.addAll(Csv.rounds(comparison.results()));
  }

  /** Writes the files. */
  void finish() throws IOException {
    output.csv(csvLines);
    output.html(page(title(), csvLines, output.notes()));
  }

  /**
   * The page of figures, just measured or stored.
   *
   * @param csv the lines of the CSV
   * @param notes lines for its end
   * @throws IllegalArgumentException when a line of the CSV is not valid
   */
  static Page page(String title, List<String> csv, List<String> notes) {
    Figures figures = Figures.of(csv);
    Set<String> cores = Cores.all().stream().map(CoreProvider::name).collect(Collectors.toSet());
    List<Glance> glances =
        figures.benches().stream().map(bench -> new Glance(bench, figures.of(bench), cores)).toList();
    List<String> lead = new ArrayList<>(LEAD);
    lead.addAll(glances.stream().anyMatch(Glance::twoPlacements) ? PLACEMENTS : List.of());
    lead.addAll(glances.stream().anyMatch(Glance::isCold) ? List.of(COLD) : List.of());
    return new Page(
        title,
        lead,
        glances.stream().flatMap(glance -> glance.ratios().stream()).toList(),
        glances.stream().flatMap(glance -> glance.charts().stream()).toList(),
        glances.stream().map(Glance::grid).toList(),
        notes);
  }

  @Override
  public void close() throws IOException {
    output.close();
  }
}
