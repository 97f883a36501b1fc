package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.OutputOptions;
import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.HelpOption;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code bench paper mpich2-instructions}: [Nemesis 2006, 4.1.2] and [MPICH2 2007, 4.3]. */
@Command(
    name = "mpich2-instructions",
    description = {
      "Instructions of a send and of a receive of 8 bytes (MPICH2 2007, Table 1; Nemesis 2006, section 4.1.2).",
      "Counts those of the C core with valgrind, which must be installed."
    })
final class Mpich2InstructionsCommand implements Callable<Integer> {
  private static final String TITLE =
      "adrastea bench paper mpich2-instructions: MPICH2 2007, Table 1; Nemesis 2006, section 4.1.2";

  @Mixin
  private OutputOptions files;

  @Mixin
  private HelpOption help;

  @Override
  public Integer call() throws IOException {
    try (Output output = files.open(null)) {
      Callgrind callgrind =
          Callgrind.find(System.getenv("PATH"))
              .orElseThrow(() -> new CommandFailure(ExitCode.SOFTWARE, Callgrind.MISSING));
      output.text().println(TITLE);
      output.text().flush();
      Map<Counted, Double> counts = callgrind.count(InstructionReport.counted());
      InstructionReport report = new InstructionReport(counts);
      List<String> lines = report.report().lines();
      lines.forEach(output.text()::println);
      output.text().flush();
      output.csv(report.csv());
      return ExitCode.OK;
    } catch (BenchException e) {
      throw new CommandFailure(ExitCode.SOFTWARE, e.getMessage());
    }
  }
}
