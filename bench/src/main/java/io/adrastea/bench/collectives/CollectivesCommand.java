package io.adrastea.bench.collectives;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.Page;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import io.adrastea.cli.base.CommandFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench collectives}: reads what is asked for, measures, prints. */
@Command(
    name = "collectives",
    defaultValueProvider = CollectivesDefaults.class,
    description = {
      "Barrier, bcast, allreduce (sum of doubles) and allgather of all ranks, beside Open MPI, Open MPI with its"
          + " shared-memory collectives (coll_sm) and MPICH, which call them in the same loop.",
      "The time of a call goes from the last rank's begin to the last rank's end. Inputs are written anew before each"
          + " call, in up to four buffers in turn, and outputs are checked after it; neither counts.",
      "On cores ffm and java, unless --core names others. Where ranks share CPUs, --warmup is longer by as many ranks"
          + " as a CPU has. In the CSV the bench of a line is call/ranks."
    })
public final class CollectivesCommand implements Callable<Integer> {
  /** The most ranks of a variant. */
  static final int MAX_RANKS = 64;

  private static final String TITLE =
      "adrastea bench collectives: all ranks call, all variants in turn in each round";
  private static final List<String> LEGEND = List.of(
      "time     of the slowest rank: all begin together (where each has a CPU), and the time goes from the last begin",
      "         to the last end; bytes are those of one rank's input, an allgather's output is as many times longer",
      "root     another rank in each call; \"root 0\": always that one",
      "floor    up to 64 bytes the one-way time of a cache line, above a copy of what the other CPU has just written;",
      "         of two CPUs, however many ranks there are",
      "ratios   of the times in each round, median over rounds, +- half the interquartile range");
  private static final List<String> LEAD = List.of(
      "Above 1 a variant takes longer than our default core, in the tinted part below it takes less. A band holds the"
          + " middle half of the rounds.");
  private static final Effort QUICK = new Effort(2, 0.002, 0.1);

  @Spec
  private CommandSpec spec;
  @Mixin
  private MeasureOptions options;

  @Option(
      names = {"-n", "-np"},
      paramLabel = "LIST",
      split = ",",
      defaultValue = "2",
      description = {
        "Numbers of ranks, 2 to 64, as in 2,4,8,16: a run of its own for each. Default: ${DEFAULT-VALUE}."
      })
  private List<Integer> counts;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8,1K,64K,1M",
      description = {
        "Bytes of one rank's input, multiples of 8 from 8 to 16M, with K or M. Default: ${DEFAULT-VALUE}."
      })
  private Sizes sizes;

  @Option(
      names = "--calls",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "barrier,bcast,allreduce,allgather",
      converter = Collective.Converter.class,
      description = "What to call. Default: ${DEFAULT-VALUE}.")
  private List<Collective> collectives;

  @Option(
      names = "--roots",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "moving,0",
      description = {
        "Roots of those calls that have one: moving, another rank in each call, and numbers of ranks.",
        "Default: ${DEFAULT-VALUE}."
      })
  private List<String> roots;

  @Option(
      names = "--buffers",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "native",
      converter = Memory.Converter.class,
      description = {
        "Where our inputs and outputs lie: native, array (double[]), shared (job.allocate). Each is a variant with"
            + " ranks of its own. Default: ${DEFAULT-VALUE}."
      })
  private List<Memory> memories;

  @Option(
      names = "--peers",
      paramLabel = "LIST",
      split = ",",
      description = {
        "Peers to measure: openmpi, openmpi-sm, mpich; none for us alone.", "Default: all that are installed."
      })
  private List<String> peerNames;

  @Option(
      names = "--quick",
      description = "Each for 2 ms in two rounds: whether all of it works.")
  private boolean quick;

  /** For the command line. */
  public CollectivesCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    options.check();
    Cpus cpus = options.chosenCpus();
    List<CorePair> cores = options.corePairs();
    List<Call> calls = options.checked(this::calls);
    List<Peer> peers = peers(calls);
    try (Output output = options.output()) {
      List<String> notes = heading(cpus);
      notes.forEach(output.text()::println);
      output.text().flush();
      List<FoundCall> found = measure(calls, cores, peers, cpus, line -> {
        notes.add(line);
        output.text().println(line);
        output.text().flush();
      });
      print(output, notes, found);
      return ExitCode.OK;
    } catch (BenchException | IOException e) {
      throw new CommandFailure(ExitCode.SOFTWARE, e.getMessage());
    }
  }

  private List<Call> calls() {
    for (int count : counts) {
      require(count >= 2 && count <= MAX_RANKS, "-n must be numbers from 2 to %d, not %d".formatted(MAX_RANKS, count));
    }
    for (int bytes : sizes.bytes()) {
      require(bytes >= Double.BYTES && bytes <= 16 << 20 && bytes % Double.BYTES == 0,
          "--sizes must be multiples of 8 from 8 to 16M, not " + bytes);
    }
    int least = counts.stream().mapToInt(Integer::intValue).min().orElseThrow();
    for (String root : roots) {
      require(root.equals(Call.MOVING) || root.matches("[0-9]{1,4}") && Integer.parseInt(root) < least,
          "--roots must be moving or numbers of ranks, with %d ranks 0 to %d, not '%s'"
              .formatted(least, least - 1, root));
    }
    return Call.all(collectives.stream().distinct().toList(), roots.stream().distinct().toList());
  }

  private static void require(boolean fits, String otherwise) {
    if (!fits) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private List<Peer> peers(List<Call> calls) {
    List<Peer> all = Peers.collectives(
        SearchPath.here(), calls.stream().map(Call::kind).collect(Collectors.toSet()));
    if (peerNames == null) {
      return all;
    }
    List<String> known = all.stream().map(Peer::name).toList();
    for (String name : peerNames) {
      if (!known.contains(name) && !name.equals("none")) {
        throw new ParameterException(spec.commandLine(),
            "there is no peer '%s'; peers are %s, or none".formatted(name, String.join(", ", known)));
      }
    }
    return all.stream().filter(peer -> peerNames.contains(peer.name())).toList();
  }

  private List<String> heading(Cpus cpus) {
    Effort effort = effort();
    List<String> lines = new ArrayList<>(List.of(TITLE));
    lines.addAll(Heading.of(Machine.here()));
    lines.add("ranks    " + counts.stream().map(String::valueOf).collect(Collectors.joining(", ")) + " on CPUs "
        + cpus.used() + ", pinned");
    lines.addAll(Heading.method(effort.rounds(), effort.seconds(), effort.warmUp()));
    lines.addAll(LEGEND);
    if (cpus.single()) {
      lines.add("warning: all ranks share one CPU: these figures are those of the scheduler");
    }
    return lines;
  }

  private Effort effort() {
    return quick ? QUICK : options.effort();
  }

  private List<FoundCall> measure(List<Call> calls, List<CorePair> cores, List<Peer> peers, Cpus cpus,
      Consumer<String> notes) throws IOException, BenchException, InterruptedException {
    List<FoundCall> found = new ArrayList<>();
    for (int ranks : counts.stream().distinct().sorted().toList()) {
      try (CollectivesRun run = new CollectivesRun(ranks, notes)) {
        run.addFloor(cpus);
        run.addCores(cores, memories.stream().distinct().toList(), cpus);
        run.addPeers(peers, cpus);
        Effort each = effort(ranks, cpus).of(calls.size());
        for (Call call : calls) {
          found.add(run.measure(call, sizes.bytes(), each));
        }
      }
    }
    return found;
  }

  /** Ranks that share a CPU compile in turn. */
  private Effort effort(int ranks, Cpus cpus) {
    int perCpu = Math.max(1, ranks / new HashSet<>(cpus.used()).size());
    return new Effort(effort().rounds(), effort().seconds(), effort().warmUp() * perCpu);
  }

  private static void print(Output output, List<String> notes, List<FoundCall> found) throws IOException {
    List<Integer> counts = found.stream().map(FoundCall::ranks).distinct().toList();
    List<Grid> grids = counts.stream()
        .map(ranks -> grid(ranks, found.stream().filter(one -> one.ranks() == ranks).toList()))
        .toList();
    grids.forEach(grid -> print(output.text(), grid));
    List<String> said = Stream.concat(found.stream().flatMap(one -> one.said().stream()), ofRoots(found)).toList();
    output.text().println();
    said.forEach(output.text()::println);
    output.text().flush();
    output.csv(Stream.concat(Stream.of(Csv.HEADER), found.stream().flatMap(one -> one.csv().stream())).toList());
    output.html(new Page(
        notes.get(0),
        Stream.concat(LEAD.stream(), said.stream()).toList(),
        found.stream().flatMap(one -> one.ratioChart().stream()).toList(),
        List.of(),
        grids,
        notes.subList(1, notes.size()),
        Set.of()));
  }

  private static Stream<String> ofRoots(List<FoundCall> found) {
    return found.stream().filter(one -> one.call().root().equals(Call.MOVING)).flatMap(moving -> found.stream()
        .filter(one -> one.ranks() == moving.ranks() && one.call().collective() == moving.call().collective()
            && !one.call().equals(moving.call()))
        .map(moving::saidOver)
        .flatMap(Optional::stream));
  }

  private static Grid grid(int ranks, List<FoundCall> found) {
    List<String> variants = found.stream()
        .flatMap(one -> one.results().series().stream())
        .map(series -> series.variant())
        .distinct()
        .toList();
    String base = found.get(0).ours().stream().findFirst().orElse("ours");
    List<String> head = new ArrayList<>(List.of("call", "bytes"));
    variants.forEach(variant -> head.add(variant + (variant.equals(variants.get(0)) ? " [us]" : "")));
    head.addAll(List.of(base + "/better peer", base + "/floor"));
    return new Grid("%d ranks: time of a call, median".formatted(ranks), head,
        found.stream().flatMap(one -> one.rows(variants).stream()).toList());
  }

  private static void print(PrintWriter text, Grid grid) {
    Table table = new Table();
    table.row(grid.head().toArray(String[]::new));
    grid.rows().forEach(row -> table.row(row.toArray(String[]::new)));
    text.println();
    text.println(grid.caption());
    table.lines().forEach(text::println);
  }
}
