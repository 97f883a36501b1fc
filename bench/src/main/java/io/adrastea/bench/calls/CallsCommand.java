package io.adrastea.bench.calls;

import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.Page;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code bench calls}. */
@Command(
    name = "calls",
    description = {
      "What calls of each core cost, beside the same calls from a loop in C: one that does nothing,"
          + " a poll that finds nothing, a send, a poll that finds a message with its release."
    })
public final class CallsCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;
  @Mixin
  private MeasureOptions options;

  /** Creates the command for the command line. */
  public CallsCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    options.check();
    List<String> cores = options.checked(() -> cores(options.corePairs()));
    int cpu = options.chosenCpus().of(0, 0);
    return options.write(output -> {
      List<String> heading = heading(cpu);
      heading.forEach(output.text()::println);
      output.text().flush();
      print(output, heading, new CallsBench(options, cores, cpu).run(output.text()));
    });
  }

  private static List<String> cores(List<CorePair> pairs) {
    for (CorePair pair : pairs) {
      if (!pair.lower().equals(pair.upper())) {
        throw new IllegalArgumentException(
            "'%s' is a pair of cores; a call is one core's, as in %s".formatted(pair.name(), pair.lower()));
      }
    }
    return pairs.stream().map(CorePair::lower).toList();
  }

  private List<String> heading(int cpu) {
    List<String> lines = new ArrayList<>();
    lines.add("adrastea bench calls: a rank alone; messages of %d bytes to itself".formatted(Calls.BYTES));
    lines.addAll(Heading.of(Machine.here()));
    lines.add("CPU      " + cpu + ", all variants in turn");
    lines.addAll(Heading.method(options.rounds(), options.seconds(), options.warmUp()));
    lines.add("c        the functions of libadrastea, called from a loop in C");
    lines.add("java     an empty call is compiled away: nothing is left of it to be timed");
    lines.add("+-       half the interquartile range over the rounds' medians; x c: of the ratios within the rounds");
    return lines;
  }

  private static void print(Output output, List<String> heading, Map<Call, Results> results) throws IOException {
    CallTable table = new CallTable(results);
    List<Grid> grids = List.of(table.nanos(), table.ratios());
    grids.forEach(grid -> Table.text(grid).forEach(output.text()::println));
    output.text().flush();
    output.csv(Csv.lines(results.values()));
    output.html(new Page(heading.get(0), heading.subList(1, heading.size()), List.of(), grids));
  }
}
