package io.adrastea.bench.copy;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.BenchPage;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.Page;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What is said of the routines, to people, in figures and on a page. */
final class CopyReport {
  private static final int SHORT_ROUNDS = 3;
  private static final double SHORT_SECONDS = 0.005;

  private final CopyProgram program;
  private final Output output;

  CopyReport(CopyProgram program, Output output) {
    this.program = program;
    this.output = output;
  }

  /** The routines that there are, and a short look at whether the chosen ones are good. */
  void routinesInShort(List<Integer> sizes, MeasureOptions options)
      throws BenchException, InterruptedException {
    output.text().println();
    printLines(routines());
    Effort brief = new Effort(Math.min(options.rounds(), SHORT_ROUNDS), Math.min(options.seconds(), SHORT_SECONDS), 0);
    print(Calibration.run(program, sizes, brief).grids());
  }

  /** All routines at these sizes. */
  void routines(List<Integer> sizes, MeasureOptions options, Cpus cpus)
      throws BenchException, InterruptedException, IOException {
    List<String> heading = heading("bench copy --routines: the library's copies, one by one", options, cpus);
    heading.addAll(routines());
    printLines(heading);
    Calibration calibration = Calibration.run(program, sizes, effort(options));
    finish(heading, calibration.grids(), calibration.results().values());
  }

  /** What messages of these sizes cost the sender's cache, with regular and with nontemporal stores. */
  void cacheEffect(List<Integer> sizes, String past, MeasureOptions options, Cpus cpus)
      throws BenchException, InterruptedException, IOException {
    List<String> heading =
        heading("bench copy --cache-effect: what a message leaves of the sender's cache", options, cpus);
    heading.addAll(routines());
    heading.add("regular  as a copy; nontemporal: " + past + "; saved: the part of what regular stores cost the cache");
    printLines(heading);
    CacheEffect effect = CacheEffect.run(program, past, sizes, effort(options));
    finish(heading, effect.grids(program.setBytes()), effect.results().values());
  }

  private static Effort effort(MeasureOptions options) {
    return options.effort().of(CopyTest.values().length);
  }

  private static List<String> heading(String title, MeasureOptions options, Cpus cpus) {
    List<String> lines = new ArrayList<>(List.of("adrastea " + title));
    lines.addAll(Heading.of(Machine.here()));
    lines.add("CPUs     " + cpus.of(0, 0) + " and " + cpus.of(0, 1) + ", pinned");
    lines.addAll(Heading.method(options.rounds(), options.seconds(), options.warmUp()));
    if (cpus.single()) {
      lines.add("warning: both sides share one CPU: these figures are those of the scheduler and mean nothing here");
    }
    return lines;
  }

  private List<String> routines() throws BenchException, InterruptedException {
    List<String> lines = new ArrayList<>();
    lines.add("routines " + String.join(", ", program.routines()));
    program.limits().forEach(part -> lines.add("limits   " + part));
    return lines;
  }

  private void finish(List<String> heading, List<Grid> grids, Collection<Results> results) throws IOException {
    print(grids);
    output.csv(Csv.lines(results));
    List<Chart> charts = results.stream().flatMap(one -> BenchPage.charts(one).stream().limit(1)).toList();
    output.html(new Page(heading.get(0), heading.subList(1, heading.size()), charts, grids));
  }

  private void printLines(List<String> lines) {
    lines.forEach(output.text()::println);
    output.text().flush();
  }

  private void print(List<Grid> grids) {
    printLines(grids.stream().flatMap(grid -> Table.text(grid).stream()).toList());
  }
}
