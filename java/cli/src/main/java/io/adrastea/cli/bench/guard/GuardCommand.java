package io.adrastea.cli.bench.guard;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.HelpOption;
import io.adrastea.cli.bench.BenchException;
import io.adrastea.cli.bench.Cpus;
import io.adrastea.cli.bench.Heading;
import io.adrastea.cli.bench.Machine;
import io.adrastea.cli.bench.Table;
import io.adrastea.cli.host.AllowedCpus;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code bench guard}: used by hand before a release. */
@Command(
    name = "guard",
    description = {
      "Measures the ratios that docs/performance.md promises and says which fell.",
      "The exit code is 1 when one fell or could not be measured."
    })
public final class GuardCommand implements Callable<Integer> {
  private static final int MAX_ROUNDS = 100_000;

  @Spec private CommandSpec spec;
  @Mixin private HelpOption help;

  @Option(names = "--list", description = "Print the promises as docs/performance.md has them.")
  private boolean list;

  @Option(
      names = "--rounds",
      paramLabel = "R",
      defaultValue = "10",
      description = "How often all variants are gone through. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  /** For the command line. */
  public GuardCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rounds < 1 || rounds > MAX_ROUNDS) {
      throw new ParameterException(
          spec.commandLine(),
          "--rounds must be a number from 1 to %d, not %d".formatted(MAX_ROUNDS, rounds));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (list) {
      Promises.markdown().forEach(out::println);
      return ExitCode.OK;
    }
    Cpus cpus = Cpus.choose(null, AllowedCpus.here());
    if (cpus.single()) {
      throw new CommandFailure(
          ExitCode.SOFTWARE, "the promises are for two CPUs, and one is allowed here");
    }
    Heading.of(Machine.here()).forEach(out::println);
    out.flush();
    try {
      return print(new Judge(rounds, cpus, out).judge(Promises.all()), out);
    } catch (BenchException e) {
      throw new CommandFailure(ExitCode.SOFTWARE, e.getMessage());
    }
  }

  private static int print(List<Verdict> verdicts, PrintWriter out) {
    Table table = new Table();
    table.row("bench", "variant", "bytes", "promised", "measured x floor", "");
    verdicts.forEach(verdict -> table.row(verdict.cells()));
    out.println();
    table.lines().forEach(out::println);
    long fell = verdicts.stream().filter(verdict -> !verdict.kept()).count();
    out.println(
        fell == 0
            ? "all promises are kept"
            : "%d of %d promises are not kept".formatted(fell, verdicts.size()));
    out.flush();
    return fell == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
