package io.adrastea.bench.measure;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.HelpOption;
import io.adrastea.core.Cores;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that every bench has. */
public class MeasureOptions {
  /** What is said of the figures of {@code --quick} in the place of a verdict. */
  public static final String QUICK = "a quick run: it tells whether all of it works; no verdict from its figures";

  /** The name of an option. */
  static final String WARM_UP = "--warmup";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--core",
      paramLabel = "LIST",
      description = {
        "Variants to measure: cores, or pairs of cores as in ffm-java (lower and upper rank of a"
            + " pair).",
        "Default: every core that can be used here, unless said otherwise above."
      })
  private String cores;

  @Option(
      names = "--rounds",
      paramLabel = "R",
      defaultValue = "10",
      description = "How often all variants are gone through. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "0.05",
      description = "Time for each variant, size and round. Default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = WARM_UP,
      paramLabel = "S",
      defaultValue = "2",
      description = "Uncounted seconds for each variant, shared out among its sizes; a tenth for one in C. Default:"
          + " ${DEFAULT-VALUE}.")
  private double warmUp;

  @Option(
      names = "--cpus",
      paramLabel = "LIST",
      description = {
        "CPUs to use. Where ranks are pinned the floor and the first pair of ranks use the first two, further pairs the"
            + " next.",
        "Default: all allowed ones in their order."
      })
  private String cpus;

  @Mixin
  private OutputOptions files;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a page with curves and the table; it loads nothing from a network.")
  private String html;

  @Mixin
  private HelpOption help;

  /** Refuses numbers that make no bench. */
  public void check() {
    require(rounds >= 1 && rounds <= 100_000, "--rounds", "a number from 1 to 100000", rounds);
    require(seconds > 0 && seconds <= 3600, "--seconds", "above 0 and at most 3600", seconds);
    require(warmUp >= 0 && warmUp <= 3600, WARM_UP, "from 0 to 3600", warmUp);
  }

  final void require(boolean fits, String option, String allowed, Object value) {
    if (!fits) {
      throw new ParameterException(
          spec.commandLine(), "%s must be %s, not %s".formatted(option, allowed, value));
    }
  }

  /** Refuses what is asked for, to be called by a reader of {@link #checked}. */
  public static void require(boolean fits, String otherwise) {
    if (!fits) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** The list of cores, or {@code null}. */
  public final String cores() {
    return cores;
  }

  /** The cores, or pairs of cores, to measure. */
  public final List<CorePair> corePairs() {
    return checked(() -> CorePair.parse(cores, Cores.all()));
  }

  /** The CPUs to pin to. */
  public final Cpus chosenCpus() {
    return checked(() -> Cpus.choose(cpus, AllowedCpus.here()));
  }

  /** What is read from an option; an {@link IllegalArgumentException} is a mistake in the command line. */
  public final <T> T checked(Supplier<T> reader) {
    try {
      return reader.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** Opens what the options name; nothing is measured before that. */
  public final Output output() throws IOException {
    return files.open(html);
  }

  /** Measures and prints, to what the options name. */
  public interface Report {
    /** Writes all that is asked for. */
    void write(Output output) throws BenchException, IOException, InterruptedException;
  }

  /**
   * Opens what the options name, before anything is measured, and has it written.
   *
   * @throws CommandFailure when something cannot be started, measured or written; it says what
   */
  public final Integer write(Report report) throws InterruptedException {
    try (Output output = output()) {
      report.write(output);
      return ExitCode.OK;
    } catch (BenchException | IOException e) {
      throw new CommandFailure(ExitCode.SOFTWARE, e.getMessage());
    }
  }

  /** How much is to be measured. */
  public final Effort effort() {
    return new Effort(rounds, seconds, warmUp());
  }

  /** How often all variants are gone through. */
  public final int rounds() {
    return rounds;
  }

  /** Seconds for each variant, size and round. */
  public final double seconds() {
    return seconds;
  }

  /** Uncounted seconds for each variant. */
  public double warmUp() {
    return warmUp;
  }

  /** The list of CPUs, or {@code null}. */
  public final String cpus() {
    return cpus;
  }

  /** The file for the CSV, {@code -}, or {@code null}. */
  public final String csv() {
    return files.csv();
  }

  /** The file for the JSON, or {@code null}. */
  public final String json() {
    return files.json();
  }

  /** The file for the page, or {@code null}. */
  public final String html() {
    return html;
  }
}
