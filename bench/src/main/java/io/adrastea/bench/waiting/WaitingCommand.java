package io.adrastea.bench.waiting;

import io.adrastea.bench.measure.AllowedCpus;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.measure.Variant;
import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.HelpOption;
import io.adrastea.core.Cores;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code bench waiting}. */
@Command(
    name = "waiting",
    description = {
      "What a rank costs that waits for a message, and how soon it is back: CPU time of its thread in waits of "
          + "a second,"
          + " and the time from just before a send to the return of the receive of a rank that has slept.",
      "Two ranks on two CPUs. Cores without futex nap, and so does every rank beside one of them."
    })
public final class WaitingCommand implements Callable<Integer> {
  private static final int WAKES = 100; // of a round
  private static final Duration ROUND = Duration.ofSeconds(3);

  @Spec
  private CommandSpec spec;

  @Option(
      names = "--core",
      paramLabel = "LIST",
      description = {
        "Cores, or pairs of cores as in ffm-java (who waits and who sends).",
        "Default: every core that can be used here."
      })
  private String cores;

  @Option(
      names = "--rounds",
      paramLabel = "R",
      defaultValue = "5",
      description = "How often all variants are gone through. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--cpus",
      paramLabel = "LIST",
      description = "Two CPUs to pin to. Default: the first two allowed ones.")
  private String cpus;

  @Mixin
  private HelpOption help;

  /** Creates the command for the command line. */
  public WaitingCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rounds < 1 || rounds > 1000) {
      throw wrong("--rounds must be a number from 1 to 1000, not " + rounds, null);
    }
    Cpus used = checked(() -> Cpus.choose(cpus, AllowedCpus.here()));
    List<CorePair> pairs = checked(() -> CorePair.parse(cores, Cores.all()));
    try {
      print(used, measure(pairs, used));
      return ExitCode.OK;
    } catch (BenchException e) {
      throw new CommandFailure(ExitCode.SOFTWARE, e.getMessage());
    }
  }

  private List<WaitFigures> measure(List<CorePair> pairs, Cpus used)
      throws IOException, BenchException, InterruptedException {
    List<WaitFigures> figures = new ArrayList<>();
    try (Cast cast = new Cast(Wait.IDLE.kind())) {
      for (CorePair pair : pairs) {
        cast.add(CoreVariant.start(pair, 2, used));
      }
      cast.variants().forEach(variant -> figures.add(new WaitFigures(variant.name())));
      for (int round = 0; round <= rounds; round++) { // the first one is not counted
        for (int i = 0; i < figures.size(); i++) {
          long[] idle = times(cast.variants().get(i), Wait.IDLE, 1);
          long[] woken = times(cast.variants().get(i), Wait.WOKEN, WAKES);
          if (round > 0) {
            figures.get(i).add(idle, woken);
          }
        }
      }
    }
    return figures;
  }

  private static long[] times(Variant variant, Wait wait, int batches)
      throws BenchException, InterruptedException {
    return variant.run(new Variant.Order(wait.kind(), 0, batches, 1, ROUND)).get(0);
  }

  private void print(Cpus used, List<WaitFigures> figures) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("adrastea bench waiting: a rank that waits for a message");
    Heading.of(Machine.here()).forEach(out::println);
    out.printf("ranks    2 on CPUs %d and %d%n", used.of(0, 0), used.of(0, 1));
    out.printf("rounds   %d, each a wait of 1 s and, after a warm-up, %d messages after pauses of 3 ms%n%n", rounds,
        WAKES);
    Table table = new Table();
    table.row("core", "CPU of a wait [%]", "back after p50 [us]", "p90 [us]", "p99 [us]");
    for (WaitFigures one : figures) {
      table.row(one.core(), text("%.2f", one.percent()), micros(one, 50), micros(one, 90), micros(one, 99));
    }
    table.lines().forEach(out::println);
    out.flush();
  }

  private static String micros(WaitFigures figures, int percentile) {
    return text("%.1f", figures.wokenNanos(percentile) / 1000.0);
  }

  private static String text(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private <T> T checked(Supplier<T> reader) {
    try {
      return reader.get();
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage(), e);
    }
  }

  private ParameterException wrong(String message, Exception cause) {
    return new ParameterException(spec.commandLine(), message, cause);
  }
}
