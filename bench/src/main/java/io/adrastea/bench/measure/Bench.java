package io.adrastea.bench.measure;

import io.adrastea.cli.host.AllowedCpus;
import io.adrastea.core.Cores;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** One call of a bench: checks what was asked for, measures, prints. */
public final class Bench {
  private static final Path PROC = Path.of("/proc");
  private static final String STANDARD_OUTPUT = "-";
  private static final long SIGNAL_MILLIS = 200;

  private final Kind kind;
  private final RankedOptions options;
  private final Sizes sizes;
  private final List<Memory> memories;
  private final CommandLine command;
  private final PrintWriter text;

  /**
   * @param command whose streams are written to
   */
  public Bench(Kind kind, RankedOptions options, Sizes sizes, CommandLine command) {
    this(kind, options, sizes, List.of(Memory.NATIVE), command);
  }

  /**
   * @param memories the kinds that messages lie in, each in turn
   */
  public Bench(
      Kind kind, RankedOptions options, Sizes sizes, List<Memory> memories, CommandLine command) {
    this.kind = kind;
    this.options = options;
    this.sizes = sizes;
    this.memories = memories;
    this.command = command;
    this.text = STANDARD_OUTPUT.equals(options.csv()) ? command.getErr() : command.getOut();
  }

  /** Returns the exit code: 0, or 1 when the bench could not go on. */
  public int run() throws InterruptedException {
    options.check();
    Cpus cpus = checked(() -> Cpus.choose(options.cpus(), AllowedCpus.here()));
    List<CorePair> cores = checked(() -> CorePair.parse(coreList(), Cores.all()));
    List<String> heading = Heading.lines(kind, memories, options, cpus, Machine.here());
    try (OutputFile csv = open("--csv", options.csv());
        OutputFile html = open("--html", options.html())) {
      Results results = measure(heading, cpus, cores);
      print(results, csv);
      if (html != null) {
        html.write(List.of(BenchPage.of(results, heading).html()));
      }
      return CommandLine.ExitCode.OK;
    } catch (BenchException | IOException e) {
      // A Ctrl-C ends the ranks first: give it the time to end this JVM as well.
      Thread.sleep(SIGNAL_MILLIS);
      if (!Children.ending()) {
        command.getErr().println("adrastea: " + e.getMessage());
        command.getErr().flush();
      }
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  /** Which core does not matter to a copy in Java, so one stands for all unless asked otherwise. */
  private String coreList() {
    return options.cores() == null && kind.equals(Kind.COPY) ? "java" : options.cores();
  }

  private OutputFile open(String option, String file) {
    if (file == null || option.equals("--csv") && file.equals(STANDARD_OUTPUT)) {
      return null;
    }
    try {
      return new OutputFile(Path.of(file));
    } catch (IOException | IllegalArgumentException e) {
      throw new ParameterException(
          command, "%s: cannot write '%s': %s".formatted(option, file, OutputFile.reason(e)), e);
    }
  }

  private Results measure(List<String> heading, Cpus cpus, List<CorePair> cores)
      throws BenchException, IOException, InterruptedException {
    heading.forEach(text::println);
    if (cpus.single()) {
      text.println(
          "warning: both sides share one CPU: these figures are those of the scheduler and mean"
              + " nothing here");
    }
    text.flush();
    try (Cast cast = new Cast(kind)) {
      cast.addFloor(cpus).ifPresent(text::println);
      start(cast, cores, cpus);
      return run(cast.variants());
    }
  }

  private void start(Cast cast, List<CorePair> cores, Cpus cpus)
      throws BenchException, IOException, InterruptedException {
    try (Progress progress = Progress.of((long) cores.size() * memories.size(), PROC)) {
      for (CorePair pair : cores) {
        for (Memory memory : memories) {
          progress.begin("starting %d ranks on %s".formatted(options.ranks(), pair.name() + memory.suffix()));
          cast.addCores(List.of(pair), List.of(memory), options.ranks(), cpus);
          progress.step();
        }
      }
    }
  }

  private Results run(List<Variant> variants) throws BenchException, InterruptedException {
    long steps = Rounds.steps(sizes.bytes().size(), variants.size(), options.rounds());
    try (Progress progress = Progress.of(steps, PROC)) {
      Rounds rounds = new Rounds(kind, sizes.bytes(), variants, progress);
      return new Results(kind, rounds.run(options.rounds(), options.seconds(), options.warmUp()));
    }
  }

  private void print(Results results, OutputFile file) throws IOException {
    List<String> csv = Csv.lines(results);
    text.println();
    Table.of(results).lines().forEach(text::println);
    results.placements().ifPresent(text::println);
    text.flush();
    if (file != null) {
      file.write(csv);
    } else if (STANDARD_OUTPUT.equals(options.csv())) {
      csv.forEach(command.getOut()::println);
      command.getOut().flush();
    }
  }

  private <T> T checked(Supplier<T> reader) {
    try {
      return reader.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }
}
