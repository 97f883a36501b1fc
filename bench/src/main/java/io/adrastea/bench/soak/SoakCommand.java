package io.adrastea.bench.soak;

import io.adrastea.bench.measure.AllowedCpus;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.HelpOption;
import io.adrastea.core.Cores;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code bench soak}. */
@Command(
    name = "soak",
    description = {
      "Keeps many ranks under load: messages of all sizes by every call and every way, in changing patterns,"
          + " with pauses.",
      "Order, lengths and every byte are checked; memory, descriptors and the segment are to stay level; a rank"
          + " that hangs shows its threads. The exit code is 1 when anything is wrong.",
      "Settings in the environment, as ADRASTEA_CELLS=128, are in force in all ranks."
    })
public final class SoakCommand implements Callable<Integer> {
  private static final int MOST_RANKS = 64;
  private static final int MOST_BYTES = 1 << 26;

  @Spec
  private CommandSpec spec;
  @Mixin
  private HelpOption help;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      defaultValue = "10",
      description = "How long, fractions allowed. Default: ${DEFAULT-VALUE}.")
  private double minutes;

  @Option(
      names = {"-n", "-np"},
      paramLabel = "N",
      description = "Ranks, 2 to 64. Default: four for each CPU that is allowed, at most 16.")
  private Integer ranks;

  @Option(
      names = "--core",
      paramLabel = "LIST",
      description = "Cores, dealt to the ranks in turn. Default: every core that can be used here.")
  private String cores;

  @Option(
      names = "--largest",
      paramLabel = "BYTES",
      defaultValue = "2M",
      converter = Sizes.Converter.class,
      description = {
        "Most bytes of a message, 64K to 64M. Each rank takes ten times that of memory, two of the ten"
            + " shared. Default: ${DEFAULT-VALUE}."
      })
  private Sizes largest;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Makes the same messages again. Default: another one each time; it is printed.")
  private Long seed;

  @Option(
      names = "--patience",
      paramLabel = "S",
      defaultValue = "60",
      description = {
        "Seconds without a message in a rank after which it shows its threads; twice as long without an"
            + " end of a round ends the soak. Default: ${DEFAULT-VALUE}."
      })
  private int patience;

  /** Creates the command for the command line. */
  public SoakCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    SoakPlan plan = plan();
    try (SoakText text = new SoakText(plan, spec.commandLine().getOut())) {
      text.begin();
      Soak soak = new Soak(plan, text);
      List<String> wrong = soak.run();
      text.end(soak, wrong);
      return wrong.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    } catch (BenchException e) {
      throw new CommandFailure(
          ExitCode.SOFTWARE, "%s%n--seed %d repeats the messages".formatted(e.getMessage(), plan.seed()));
    }
  }

  private SoakPlan plan() {
    require(minutes > 0 && minutes <= 100_000, "--minutes", "above 0 and at most 100000", minutes);
    int number = ranks == null ? Math.clamp(4L * AllowedCpus.here().count(), 2, 16) : ranks;
    require(number >= 2 && number <= MOST_RANKS, "-n", "a number from 2 to 64", number);
    require(patience >= 1 && patience <= 3600, "--patience", "a number from 1 to 3600", patience);
    int most = largest.bytes().getLast();
    require(
        largest.bytes().size() == 1 && most >= Traffic.LEAST_LARGEST && most <= MOST_BYTES,
        "--largest", "one size from 64K to 64M", most);
    return new SoakPlan(
        number,
        chosenCores(),
        Duration.ofMillis((long) (minutes * 60_000)),
        most,
        seed == null ? new SecureRandom().nextLong() : seed,
        Duration.ofSeconds(patience));
  }

  private List<String> chosenCores() {
    try {
      List<CorePair> chosen = CorePair.parse(cores, Cores.all());
      require(
          chosen.stream().allMatch(core -> core.lower().equals(core.upper())),
          "--core", "single cores, as in ffm,java", cores);
      return chosen.stream().map(CorePair::lower).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private void require(boolean fits, String option, String allowed, Object value) {
    if (!fits) {
      throw new ParameterException(
          spec.commandLine(), "%s must be %s, not %s".formatted(option, allowed, value));
    }
  }
}
