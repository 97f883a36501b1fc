package io.adrastea.bench.crowd;

import io.adrastea.bench.crowd.CrowdRun.Where;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Launched;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.Progress;
import io.adrastea.bench.measure.RankCounts;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.Page;
import io.adrastea.bench.peer.PeerOptions;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench crowd}: reads what is asked for, measures, prints. */
@Command(
    name = "crowd",
    defaultValueProvider = CrowdDefaults.class,
    description = {
      "Jobs that are not alone on the machine, beside Open MPI as it comes (openmpi) and unbound (openmpi-unbound), and"
          + " MPICH (mpich) in the same situation: messages, barrier and allreduce while other processes want the CPUs."
          + " Each job is started as its users start it, ours by `adrastea run`, and its ranks run where launcher and"
          + " system put them. Ranks i and i+N/2 send to each other, so their number is even.",
      "And jobs from their first message on: cold, as every job is that begins.",
      "Times are medians over time: half of the time a message took that or less; then what was not exceeded in nine"
          + " tenths of the time, and the mean of the slowest window. In the CSV the bench of a line is"
          + " call/ranks/beside.",
      "Nothing is pinned by this bench: --cpus keeps all of it on some CPUs, also what runs beside.",
      "--warmup is for each variant, at most: it ends once the ranks' compilers are idle.",
      "On cores ffm and java, unless --core names others. By default it takes some 20 minutes; with -n 2 --calls"
          + " latency --sizes 8 about three. Where ranks outnumber CPUs MPICH is slow, since its ranks never give way:"
          + " --peers leaves it out."
    })
public final class CrowdCommand implements Callable<Integer> {
  private static final String TITLE = "adrastea bench crowd: jobs beside others, all variants in turn in each round";
  private static final String COLD = "cold";
  private static final int MAX_BYTES = 64 << 20;
  private static final int STEPS = 100;
  private static final List<String> LEGEND = List.of(
      "median   over time: half of the time a message, one way, or a call took that or less; p90: 90 % of the time",
      "worst    the mean of the slowest window",
      "ratios   of the medians of each round, median over rounds, +- half the interquartile range",
      Series.STAR_MEANS);
  private static final List<String> LEAD = List.of(
      "Above 1 a variant takes longer than our default core as it comes, below it takes less. A band holds the middle"
          + " half of the rounds.");

  @Mixin
  private MeasureOptions options;

  @Mixin
  private PeerOptions peers;

  @Mixin
  private RankCounts counts;

  @Option(
      names = "--beside",
      paramLabel = "LIST",
      split = ",",
      defaultValue = Beside.DEFAULT,
      description = {
        "What runs beside a job, in a session of its own: alone (nothing), nice19 and nice0 (a process that works all"
            + " the time, of that niceness), waker (one that sleeps and wakes often), job (a second job of ours),"
            + " boundjob (the same with --bind cpu), all (a thread that works all the time for each CPU), quota"
            + " (nothing, and the job has a quota of 1.5 CPUs in a cgroup).",
        "Default: ${DEFAULT-VALUE}."
      })
  private List<String> besides;

  @Option(
      names = "--calls",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "latency,barrier,allreduce,cold",
      description = {
        "What to measure: latency, barrier, allreduce (of one double), cold (two ranks from their first message on,"
            + " with nothing beside them). Default: ${DEFAULT-VALUE}."
      })
  private List<String> calls;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8,1M",
      description = "Message sizes of latency in bytes, up to 64M, with K or M. Default: ${DEFAULT-VALUE}.")
  private Sizes sizes;

  @Option(
      names = "--bind",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "default,cpu",
      description = {
        "How our ranks are bound: words of `adrastea run --bind`, or default, as run does it by itself. Each is a"
            + " variant, called ffm/cpu. Default: ${DEFAULT-VALUE}."
      })
  private List<String> bindings;

  @Option(
      names = "--window",
      paramLabel = "MS",
      defaultValue = "10",
      description = "Milliseconds in which calls are timed together, about. Default: ${DEFAULT-VALUE}.")
  private double windowMillis;

  /** Creates the command for the command line. */
  public CrowdCommand() {}

  /** What is asked for, read and checked. */
  private record Asked(List<Beside> besides, List<Call> calls, boolean cold, List<Launched> variants, Where where) {
    /** Steps of the whole run. */
    long steps(int counts, CrowdEffort effort) {
      return counts * CrowdRun.steps(besides, calls.size(), variants.size(), effort)
          + (cold ? CrowdRun.firstSteps(variants.size(), effort) : 0);
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    options.check();
    Asked asked = options.checked(this::asked);
    Machine machine = Machine.here().withJvmOf("`adrastea run`");
    return options.write(output -> {
      output.takenOn(machine);
      output.text().println(TITLE);
      heading(machine, asked).forEach(output::note);
      measure(asked, output);
    });
  }

  private Asked asked() {
    counts.checked(count -> count % 2 == 0, "even numbers");
    int most = sizes.bytes().getLast();
    MeasureOptions.require(most <= MAX_BYTES, "--sizes must be at most 64M, not " + Sizes.text(most));
    MeasureOptions.require(windowMillis > 0 && windowMillis <= 10_000,
        "--window must be above 0 and at most 10000, not " + windowMillis);
    List<String> words = calls.stream().map(String::strip).toList();
    List<Call> chosen = Call.of(words.stream().filter(word -> !word.equals(COLD)).toList(), sizes.bytes());
    List<Launched> variants = new ArrayList<>();
    for (CorePair pair : options.corePairs()) {
      bindings.stream().map(this::binding).distinct().forEach(binding -> variants.add(new OurJob(pair, binding)));
    }
    variants.addAll(peers.chosenLaunched(Peers.launched(SearchPath.here())));
    return new Asked(Beside.of(besides), chosen, words.contains(COLD), variants, where());
  }

  private String binding(String word) {
    String binding = word.strip();
    List<String> allowed = List.of(OurJob.DEFAULT, "cpu", "cache", "numa", "none");
    MeasureOptions.require(allowed.contains(binding),
        "--bind has no word '%s'; allowed are %s".formatted(binding, String.join(", ", allowed)));
    return binding;
  }

  /** All that is started is kept on the CPUs that are asked for. */
  private Where where() {
    Cpus cpus = options.chosenCpus();
    int count = new HashSet<>(cpus.used()).size();
    if (options.cpus() == null) {
      return new Where(count, List.of());
    }
    String list = cpus.used().stream().distinct().map(String::valueOf).collect(Collectors.joining(","));
    return new Where(count, List.of("taskset", "-c", list));
  }

  private CrowdEffort effort() {
    return peers.isQuick()
        ? new CrowdEffort(1, 0.05, Math.min(windowMillis, 10), 0.2, STEPS / 2)
        : new CrowdEffort(options.rounds(), options.seconds(), windowMillis, options.warmUp(), STEPS);
  }

  private List<String> heading(Machine machine, Asked asked) {
    CrowdEffort effort = effort();
    List<String> lines = new ArrayList<>(Heading.of(machine));
    lines.add("ranks    %s, on %d CPUs, not pinned by this bench".formatted(counts.words(), asked.where.cpus()));
    lines.add(String.format(Locale.ROOT,
        "rounds   %d, each %s s per variant, call and situation, in windows of %s ms; warm-up at most %s s per variant",
        effort.rounds(), effort.seconds(), effort.windowMillis(), effort.warmUp()));
    asked.besides.forEach(beside -> lines.add(beside.legend()));
    lines.addAll(LEGEND);
    return lines;
  }

  private void measure(Asked asked, Output output) throws BenchException, IOException, InterruptedException {
    CrowdEffort effort = effort();
    List<FoundCrowd> found = new ArrayList<>();
    Optional<FirstMessages> first = Optional.empty();
    List<Launched> variants = startable(asked.variants, output::note);
    try (Progress progress = Progress.of(asked.steps(counts.all().size(), effort), Path.of("/proc"))) {
      for (int ranks : asked.calls.isEmpty() ? List.<Integer>of() : counts.all()) {
        try (CrowdRun run = new CrowdRun(ranks, asked.where, variants, progress, output::note)) {
          found.add(run.measure(asked.besides, asked.calls, effort));
        }
      }
      if (asked.cold) {
        try (CrowdRun run = new CrowdRun(2, asked.where, variants, progress, output::note)) {
          first = Optional.of(run.first(effort));
        }
      }
    }
    print(output, found, first);
  }

  /** Returns the variants whose programs are here. */
  private static List<Launched> startable(List<Launched> variants, Consumer<String> notes) {
    variants.forEach(one -> one.missing()
        .ifPresent(missing -> notes.accept("%s is left out: %s".formatted(one.name(), missing))));
    return variants.stream().filter(one -> one.missing().isEmpty()).toList();
  }

  private void print(Output output, List<FoundCrowd> found, Optional<FirstMessages> first) throws IOException {
    List<Grid> summaries = found.stream().flatMap(one -> one.summary().stream()).toList();
    List<Grid> details = found.stream().flatMap(one -> one.details().stream()).toList();
    List<Grid> cold = first.stream().flatMap(one -> one.grid().stream()).toList();
    List<Grid> grids = Stream.of(details, summaries, cold).flatMap(List::stream).toList();
    grids.forEach(grid -> Table.text(grid).forEach(output.text()::println));
    List<String> said = peers.isQuick() ? List.of(MeasureOptions.QUICK)
        : found.stream().flatMap(one -> one.said().stream()).toList();
    output.text().println();
    said.forEach(output.text()::println);
    output.text().flush();
    output.csv(Stream.of(Stream.of(Csv.HEADER), found.stream().flatMap(one -> one.csv().stream()),
        first.stream().flatMap(one -> one.csv().stream())).flatMap(one -> one).toList());
    output.html(new Page(
        TITLE,
        Stream.concat(LEAD.stream(), said.stream()).toList(),
        found.stream().flatMap(one -> one.charts().stream()).toList(),
        first.stream().flatMap(one -> one.chart().stream()).toList(),
        Stream.of(summaries, cold, details).flatMap(List::stream).toList(),
        output.notes()));
  }
}
