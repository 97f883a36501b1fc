package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.BenchOptions;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.LastWords;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.page.Page;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** One experiment of a paper: checks what was asked for, measures, prints the report. */
abstract class Experiment implements Callable<Integer> {
  @Mixin
  private BenchOptions options;

  /** The first line: which experiment of which paper. */
  abstract String title();

  abstract Kind kind();

  /** What is measured in bytes, ascending. */
  abstract List<Integer> bytes();

  /** Starts all variants. */
  abstract void fill(Cast cast, List<CorePair> cores, int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException;

  abstract Report report(Results results);

  /** What messages hold, for the heading; empty where there are none. */
  Optional<String> content() {
    return Optional.of("content  untouched: it never changes while time runs, as in the paper");
  }

  /** The figures, one a line, after the header. */
  List<String> csv(Results results) {
    return Csv.lines(results);
  }

  /**
   * How many ranks run at a time, at most.
   *
   * @param asked the option -n
   * @throws IllegalArgumentException when that option has no meaning here
   */
  int mostRanks(int asked) {
    return asked;
  }

  /** How much is measured of what was asked for. */
  Effort effort(Effort asked) {
    return asked;
  }

  @Override
  public final Integer call() throws InterruptedException {
    options.check();
    Cpus cpus = options.chosenCpus();
    List<CorePair> cores = options.corePairs();
    List<Integer> bytes = options.checked(this::bytes);
    int ranks = options.checked(() -> mostRanks(options.ranks()));
    return options.write(output -> {
      List<String> heading = heading(ranks, cpus);
      heading.forEach(output.text()::println);
      output.text().flush();
      print(output, heading, measure(bytes, cores, cpus, output.text()));
    });
  }

  private List<String> heading(int ranks, Cpus cpus) {
    List<String> lines = new ArrayList<>(List.of(title()));
    lines.addAll(Heading.of(Machine.here()));
    lines.add("ranks    " + ranks + " on CPUs " + cpus.used());
    Effort effort = effort(options.effort());
    lines.addAll(Heading.method(effort.rounds(), effort.seconds(), effort.warmUp()));
    content().ifPresent(lines::add);
    if (ranks > cpus.used().size()) {
      lines.add(
          "note: more ranks than CPUs: they yield to each other, so these times hold those of the"
              + "\n      scheduler; compare them with each other, not with the paper's");
    } else if (cpus.single()) {
      lines.add("warning: both sides share one CPU: these figures are those of the scheduler");
    }
    return lines;
  }

  private Results measure(
      List<Integer> bytes, List<CorePair> cores, Cpus cpus, PrintWriter text)
      throws IOException, BenchException, InterruptedException {
    try (Cast cast = new Cast(kind())) {
      if (!kind().references().isEmpty()) {
        cast.addFloor(cpus).ifPresent(text::println);
      }
      fill(cast, cores, options.ranks(), cpus);
      return effort(options.effort()).measure(kind(), bytes, cast.variants(),
          line -> text.println(LastWords.inLine(line)));
    }
  }

  private void print(Output output, List<String> heading, Results results) throws IOException {
    Report report = report(results);
    report.lines().forEach(output.text()::println);
    results.placements().ifPresent(output.text()::println);
    output.text().flush();
    output.csv(csv(results));
    List<String> notes = new ArrayList<>(heading.subList(1, heading.size()));
    notes.addAll(report.said());
    output.html(new Page(heading.get(0), notes, report.charts(), report.tables()));
  }
}
