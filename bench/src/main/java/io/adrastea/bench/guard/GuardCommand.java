package io.adrastea.bench.guard;

import io.adrastea.bench.measure.AllowedCpus;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CpuPair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.HelpOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
      "Measures the ratios that docs/performance.md promises, with messages that are written before they are sent",
      "and read after they came, for two CPUs that lie as those used do",
      "(siblings of a core, near, far), and says which fell. Those that are not made for them are named",
      "and not judged. Against settings, ranks that choose the way of a message, or of a collective, by themselves",
      "are compared with ranks that a setting forces to a way; where these take less time, that setting is named: the",
      "limit is wrong on these CPUs. The exit code is 1 when one fell, or could not be",
      "measured or judged, since compilers were still at work."
    })
public final class GuardCommand implements Callable<Integer> {
  private static final int MAX_ROUNDS = 100_000;
  private static final int MAX_WARM_UP_SECONDS = 60;

  @Spec
  private CommandSpec spec;
  @Mixin
  private HelpOption help;

  @Option(names = "--list", description = "Print the promises as docs/performance.md has them.")
  private boolean list;

  @Option(
      names = "--rounds",
      paramLabel = "R",
      defaultValue = "10",
      description = "How often all variants are gone through. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--cpus",
      paramLabel = "LIST",
      description = "The two CPUs, as in 0,2. Default: the first two that are allowed.")
  private String pinned;

  @Option(
      names = "--against",
      paramLabel = "WORD",
      description = "Judge only promises that are ratios to this: floor or settings. Default: both.")
  private String against;

  @Option(
      names = "--core",
      paramLabel = "CORE",
      description = "Judge only promises on this core. Default: all.")
  private String core;

  @Option(
      names = "--bench",
      paramLabel = "BENCH",
      description = "Judge only promises on figures of this bench, as in latency. Default: all.")
  private String bench;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      description = "Judge only at these sizes, as in 4K,16K. Default: at all that there are promises for.")
  private Sizes sizes;

  @Option(
      names = "--settings",
      paramLabel = "LIST",
      split = ",",
      description = "Compare with ranks that have these settings alone, as in eager.bytes,lmt=cma. Default: all.")
  private List<String> settings = List.of();

  @Option(
      names = "--warmup",
      paramLabel = "S",
      defaultValue = "0.7",
      description = {
        "Uncounted seconds for each variant and size, at least one for all sizes.",
        "Default: ${DEFAULT-VALUE}."
      })
  private double warmUp;

  @Option(
      names = "--figures",
      description = "Print what all ranks took as well, in nanoseconds for each message.")
  private boolean figures;

  /** Creates the command for the command line. */
  public GuardCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rounds < 1 || rounds > MAX_ROUNDS) {
      throw new ParameterException(
          spec.commandLine(),
          "--rounds must be a number from 1 to %d, not %d".formatted(MAX_ROUNDS, rounds));
    }
    if (!(warmUp >= 0 && warmUp <= MAX_WARM_UP_SECONDS)) {
      throw new ParameterException(
          spec.commandLine(), "--warmup must be from 0 to %d s, not %s".formatted(MAX_WARM_UP_SECONDS, warmUp));
    }
    List<Forced> forced = Forced.all().stream().filter(one -> settings.isEmpty() || one.isNamedBy(settings)).toList();
    for (String name : settings) {
      if (forced.stream().noneMatch(one -> one.isNamedBy(List.of(name)))) {
        throw new ParameterException(spec.commandLine(), "nothing is forced by --settings %s; allowed are %s"
            .formatted(name, String.join(", ", Forced.all().stream().map(Forced::words).toList())));
      }
    }
    List<Promise> chosen = promises();
    PrintWriter out = spec.commandLine().getOut();
    if (list) {
      Promises.markdown().forEach(out::println);
      return ExitCode.OK;
    }
    Cpus cpus = chosen();
    if (cpus.single()) {
      throw new CommandFailure(
          ExitCode.SOFTWARE, "the promises are for two CPUs, and one is allowed here");
    }
    CpuPair pair = CpuPair.of(cpus.of(0, 0), cpus.of(0, 1), Path.of("/sys"));
    Heading.of(Machine.here()).forEach(out::println);
    out.printf("CPUs     %d and %d: %s%n", pair.first(), pair.second(), pair.distance().meaning());
    out.flush();
    try {
      return print(judge(forced, cpus, pair, out).judge(chosen), out);
    } catch (BenchException e) {
      throw new CommandFailure(ExitCode.SOFTWARE, e.getMessage());
    }
  }

  private Judge judge(List<Forced> forced, Cpus cpus, CpuPair pair, PrintWriter out) {
    return new Judge(new Judge.Scope(rounds, warmUp, forced, figures), cpus, pair.distance(), out);
  }

  /** Returns the promises that the options leave. */
  private List<Promise> promises() {
    List<Promise> all = Promises.all();
    List<Promise> chosen = all.stream().filter(one -> against == null || one.against().equals(against))
        .filter(one -> core == null || one.core().equals(core))
        .filter(one -> bench == null || one.bench().equals(bench))
        .flatMap(one -> sizes == null ? Stream.of(one) : one.at(sizes.bytes()).stream()).toList();
    if (chosen.isEmpty()) {
      throw new ParameterException(spec.commandLine(),
          ("there is no such promise; allowed are --against %s, --core %s, --bench %s and --sizes from %d to %d bytes, "
              + "together if there is one of all that is given")
              .formatted(words(all, Promise::against), words(all, Promise::core),
                  words(all, Promise::bench), sizes(all).min().orElse(0), sizes(all).max().orElse(0)));
    }
    return chosen;
  }

  private static String words(List<Promise> promises, Function<Promise, String> word) {
    return String.join(", ", promises.stream().map(word).distinct().toList());
  }

  private static IntStream sizes(List<Promise> promises) {
    return promises.stream().flatMap(one -> one.sizes().stream()).mapToInt(bytes -> bytes);
  }

  private Cpus chosen() {
    try {
      return Cpus.choose(pinned, AllowedCpus.here());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static int print(List<Verdict> verdicts, PrintWriter out) {
    Table table = new Table();
    table.row("bench", "variant", "bytes", "promised", "x", "measured", "");
    verdicts.forEach(verdict -> table.row(verdict.cells()));
    out.println();
    table.lines().forEach(out::println);
    out.println(summary(verdicts));
    out.flush();
    return verdicts.stream().anyMatch(one -> one.fell() || one.isCold()) ? ExitCode.SOFTWARE : ExitCode.OK;
  }

  /** How many promises are kept, of those that are made for these CPUs. */
  static String summary(List<Verdict> verdicts) {
    long made = verdicts.stream().filter(Verdict::isMade).count();
    long fell = verdicts.stream().filter(Verdict::fell).count();
    long cold = verdicts.stream().filter(Verdict::isCold).count();
    String kept = "%d of %d promises that are made for these CPUs are kept".formatted(made - fell - cold, made);
    String notMade = made == verdicts.size() ? "" : "; not made for them: " + (verdicts.size() - made);
    return kept + notMade + (cold == 0 ? ""
        : "; not judged: %d, since figures were not warm; run it again where nothing else does".formatted(cold));
  }
}
