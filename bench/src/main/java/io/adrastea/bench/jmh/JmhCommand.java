package io.adrastea.bench.jmh;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.HelpOption;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench jmh}: runs the benchmarks of this package whose names match. */
@Command(
    name = "jmh",
    description = "Measures what is inside one process with JMH: calls, queue operations, copies, matching"
        + " with 0 to 10,000 entries queued.")
public final class JmhCommand implements Callable<Integer> {
  @Mixin
  private HelpOption help;

  @Parameters(
      arity = "0..1",
      paramLabel = "REGEX",
      defaultValue = ".*",
      description = "Benchmarks to run, as in Copy or CallBenchmark.emptyPoll. Default: all.")
  private String regex;

  @Option(
      names = "--forks",
      paramLabel = "N",
      defaultValue = "1",
      description = "JVMs for each benchmark; 0 runs in this one. Default: ${DEFAULT-VALUE}.")
  private int forks;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Timed iterations, after as many uncounted. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "0.5",
      description = "Time for each iteration. Default: ${DEFAULT-VALUE}.")
  private double seconds;

  /** Creates the command for the command line. */
  public JmhCommand() {}

  @Override
  public Integer call() {
    try {
      boolean any = !new Runner(options().build()).run().isEmpty();
      return any ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    } catch (NoBenchmarksException e) {
      throw new CommandFailure(
          CommandLine.ExitCode.USAGE,
          "jmh: no benchmark matches '%s'; there are %s".formatted(regex, String.join(", ", all())));
    } catch (RunnerException e) {
      throw new CommandFailure(CommandLine.ExitCode.SOFTWARE, "jmh: " + e.getMessage());
    }
  }

  /** The names of all benchmarks, without their package. */
  private static SortedSet<String> all() {
    OutputFormat silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
    SortedSet<String> names = new TreeSet<>();
    for (BenchmarkListEntry entry : BenchmarkList.defaultList().getAll(silent, List.of())) {
      names.add(entry.getUsername().replaceFirst(".*[.](\\w+[.]\\w+)$", "$1"));
    }
    return names;
  }

  private ChainedOptionsBuilder options() {
    TimeValue time = TimeValue.milliseconds(Math.max(1, Math.round(seconds * 1000)));
    return new OptionsBuilder()
        .include(regex)
        .forks(forks)
        .warmupIterations(iterations)
        .warmupTime(time)
        .measurementIterations(iterations)
        .measurementTime(time)
        .shouldFailOnError(true)
        // Instead of those of this JVM, which compiles in haste.
        .jvmArgs("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED");
  }
}
