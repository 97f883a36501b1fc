package io.adrastea.bench.measure;

import io.adrastea.core.Cores;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine;

/** One call of a bench: checks what was asked for, measures, prints. */
public final class Bench {
  private static final Path PROC = Path.of("/proc");
  private static final long SIGNAL_MILLIS = 200;

  private final Kind kind;
  private final RankedOptions options;
  private final Sizes sizes;
  private final List<Memory> memories;
  private final List<String> ways;
  private final boolean cpu;
  private final CommandLine command;

  /**
   * @param command whose streams are written to
   */
  public Bench(Kind kind, RankedOptions options, Sizes sizes, CommandLine command) {
    this(kind, options, sizes, List.of(Memory.NATIVE), List.of(), false, command);
  }

  /**
   * @param memories the kinds that messages lie in, each in turn
   * @param ways values of {@code adrastea.lmt}, each in turn; empty: the one that is set
   * @param cpu whether ranks tell their CPU time, too, each beside those that tell the time
   */
  public Bench(Kind kind, RankedOptions options, Sizes sizes, List<Memory> memories, List<String> ways,
      boolean cpu, CommandLine command) {
    this.kind = kind;
    this.options = options;
    this.sizes = sizes;
    this.memories = memories;
    this.ways = ways;
    this.cpu = cpu;
    this.command = command;
  }

  /** Returns the exit code: 0, or 1 when the bench could not go on. */
  public int run() throws InterruptedException {
    options.check();
    Cpus cpus = options.chosenCpus();
    List<CorePair> cores = options.checked(() -> CorePair.parse(coreList(), Cores.all()));
    List<String> heading =
        new ArrayList<>(Heading.lines(kind, sizes.bytes(), memories, ways, options, cpus, Machine.here()));
    if (cpu) {
      heading.addAll(CpuVariant.LEGEND);
    }
    try (Output output = options.output()) {
      Results results = measure(heading, cpus, cores, output.text());
      print(results, output);
      output.html(BenchPage.of(results, heading));
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

  private Results measure(List<String> heading, Cpus cpus, List<CorePair> cores, PrintWriter text)
      throws BenchException, IOException, InterruptedException {
    heading.forEach(text::println);
    if (cpus.single()) {
      text.println(
          "warning: both sides share one CPU: these figures are those of the scheduler and mean"
              + " nothing here");
    }
    text.flush();
    try (Cast cast = new Cast(kind, Kind.TOUCH)) {
      cast.addFloor(cpus).ifPresent(text::println);
      start(cast, cores, cpus, line -> {
        heading.add(line);
        text.println(line);
        text.flush();
      });
      TouchCost.lines(kind, sizes.bytes(), cast.variants()).forEach(line -> {
        heading.add(line);
        text.println(line);
      });
      return options.effort().measure(kind, sizes.bytes(), cast.variants(), text::println);
    }
  }

  private void start(Cast cast, List<CorePair> cores, Cpus cpus, Consumer<String> notes)
      throws BenchException, IOException, InterruptedException {
    List<RankOptions> each = RankOptions.each(memories, ways);
    try (Progress progress = Progress.of((long) cores.size() * each.size(), PROC)) {
      for (CorePair pair : cores) {
        for (RankOptions one : each) {
          progress.begin("starting %d ranks on %s".formatted(options.ranks(), pair.name() + one.suffix()));
          if (cast.addRanks(pair, one, options.ranks(), cpus, notes) && cpu) {
            cast.add(CpuVariant.start(pair, options.ranks(), cpus, one));
          }
          progress.step();
        }
      }
    }
    CoreVariant.requireAny(cast.ours());
  }

  private static void print(Results results, Output output) throws IOException {
    output.text().println();
    Table.of(results).lines().forEach(output.text()::println);
    results.legend().ifPresent(output.text()::println);
    Ways.lines(results).forEach(output.text()::println);
    results.placements().ifPresent(output.text()::println);
    output.text().flush();
    output.csv(Csv.lines(results));
  }
}
