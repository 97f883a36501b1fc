package io.adrastea.bench.large;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.Page;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A bench of several parts on the same two ranks: checks what was asked for, measures, prints. */
abstract class LargeCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;
  @Mixin
  private MeasureOptions options;

  /** The parts, in the order of their turns. */
  private final List<Part> parts;

  LargeCommand(Part... parts) {
    this.parts = List.of(parts);
  }

  /** The first line. */
  abstract String title();

  abstract Sizes sizes();

  /** What the ranks are given. */
  abstract RankOptions ranks(Cpus cpus);

  /** The lines below those on machine and method. */
  abstract List<String> notes(Cpus cpus);

  abstract LargeReport report(Results results);

  @Override
  public final Integer call() throws InterruptedException {
    options.check();
    Cpus cpus = options.chosenCpus();
    List<CorePair> cores = options.corePairs();
    List<Integer> sizes = options.checked(this::allowedSizes);
    return options.write(output -> {
      List<String> heading = heading(cpus);
      heading.forEach(output.text()::println);
      output.text().flush();
      print(output, heading, measure(sizes, cores, cpus, output::note));
    });
  }

  private List<Integer> allowedSizes() {
    if (sizes().bytes().get(0) == 0) {
      throw new IllegalArgumentException(
          "a message of 0 bytes has nothing to transfer; sizes from 1 to 1G are allowed");
    }
    return sizes().bytes();
  }

  private List<String> heading(Cpus cpus) {
    List<String> lines = new ArrayList<>(List.of(title()));
    lines.addAll(Heading.of(Machine.here()));
    lines.add("ranks    2 on CPUs " + cpus.of(0, 0) + " and " + cpus.of(0, 1));
    lines.addAll(Heading.method(options.rounds(), options.seconds(), options.warmUp()));
    lines.addAll(notes(cpus));
    if (cpus.single()) {
      lines.add("warning: both sides share one CPU: these figures are those of the scheduler");
    }
    return lines;
  }

  private Results measure(List<Integer> sizes, List<CorePair> cores, Cpus cpus, Consumer<String> notes)
      throws IOException, BenchException, InterruptedException {
    Kind kind = parts.get(0).kind();
    try (Cast cast = new Cast(kind)) {
      for (CorePair pair : cores) {
        CoreVariant.startIfAble(pair, 2, cpus, ranks(cpus), notes).ifPresent(
            started -> parts.forEach(part -> cast.add(new KindVariant(started, part.kind(), part.title()))));
      }
      CoreVariant.requireAny(cast.variants());
      return options.effort().measure(kind, sizes, cast.variants(), leftOut -> {});
    }
  }

  private void print(Output output, List<String> heading, Results results) throws IOException {
    LargeReport report = report(results);
    Grid grid = report.table();
    Table.text(grid).forEach(output.text()::println);
    results.legend().ifPresent(output.text()::println);
    report.said().forEach(output.text()::println);
    output.text().flush();
    output.csv(Csv.lines(results));
    List<String> notes = new ArrayList<>(heading.subList(1, heading.size()));
    notes.addAll(output.notes());
    results.legend().ifPresent(notes::add);
    notes.addAll(report.said());
    output.html(new Page(heading.get(0), notes, List.of(report.chart()), List.of(grid)));
  }
}
