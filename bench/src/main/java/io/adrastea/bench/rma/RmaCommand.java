package io.adrastea.bench.rma;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.RankCounts;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.Page;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.PeerOptions;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench rma}: reads what is asked for, measures, prints. */
@Command(
    name = "rma",
    defaultValueProvider = RmaDefaults.class,
    description = {
      "Accesses of ranks to each other's windows, on cores ffm and java unless --core names others, beside Open MPI and"
          + " MPICH in the same loop, with windows by MPI_Win_allocate_shared (openmpi-shared, mpich-shared), by"
          + " MPI_Win_allocate (-allocate) and by MPI_Win_create over private memory (-create), and beside loops in C"
          + " on shared memory (floor).",
      "One rank accesses another's window while that waits in a barrier; where all take part the time goes from the"
          + " last rank's begin to the last rank's end. What the windows hold is checked after each run.",
      "--warmup is for each access. In the CSV the bench of a line is access/ranks, and of a walk the time is that of"
          + " all its accesses."
    })
public final class RmaCommand implements Callable<Integer> {
  private static final String TITLE =
      "adrastea bench rma: accesses to windows of other ranks, all variants in turn in each round";
  private static final List<String> LEGEND = List.of(
      "time     of one access; of a sparse walk its part of the walk, with the fence at the end",
      "epochs   put, get, atomics: within one lockAll, a flush behind each; puts, gets: one flush a batch",
      "-all     all ranks on one place of the last one; -each: each rank at the next one",
      "-computing  rank 1 computes meanwhile, for 2 ms at most, and calls nothing of its library",
      "floor    two C processes on shared memory: a copy, the atomic instruction, a loop of compare-and-swaps, a",
      "         barrier of two lines (fence, postStartCompleteWait), two atomics (lock, lockAll), a loop (walks)",
      "ratios   of the times in each round, median over rounds, +- half the interquartile range",
      Series.STAR_MEANS);
  private static final Effort QUICK = new Effort(2, 0.002, 0.1, true);

  @Mixin
  private MeasureOptions options;

  @Mixin
  private PeerOptions peers;

  @Mixin
  private RankCounts counts;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8,1K,64K",
      description = {
        "Bytes of an access, multiples of 8 from 8 to 1M, with K or M; of fetchAndOp and compareAndSwap 8 alone, of"
            + " sparse walks up to 128K. Default: ${DEFAULT-VALUE}."
      })
  private Sizes sizes;

  @Option(
      names = "--accesses",
      paramLabel = "LIST",
      split = ",",
      defaultValue = Access.EACH,
      description = {
        "What to do: put, get, puts, gets, fetchAndOp, fetchAndOp-all, compareAndSwap, compareAndSwap-all, accumulate,"
            + " accumulate-all, accumulate-each, put-computing, fetchAndOp-computing, fence, postStartCompleteWait,"
            + " lock, lockAll, sparsePut, sparseGet; every for each of them.",
        "Default: ${DEFAULT-VALUE}."
      })
  private List<String> accesses;

  @Option(
      names = "--buffers",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "shared",
      converter = Memory.Converter.class,
      description = {
        "What our windows are made of: shared (Window.allocate), native (Window.of memory of the program). Each is a"
            + " variant with ranks of its own. Default: ${DEFAULT-VALUE}."
      })
  private List<Memory> memories;

  /** Creates the command for the command line. */
  public RmaCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    options.check();
    Cpus cpus = options.chosenCpus();
    List<CorePair> cores = options.corePairs();
    List<Access> chosen = options.checked(this::accesses);
    List<Peer> beside = options.checked(() -> peers(chosen));
    return options.write(output -> {
      output.text().println(TITLE);
      heading(cpus).forEach(output::note);
      print(output, measure(chosen, cores, beside, cpus, output::note));
    });
  }

  private List<Access> accesses() {
    counts.checked(count -> true, "numbers");
    for (int bytes : sizes.bytes()) {
      MeasureOptions.require(bytes >= Long.BYTES && bytes <= Access.MOST_BYTES && bytes % Long.BYTES == 0,
          "--sizes must be multiples of 8 from 8 to 1M, not " + bytes);
    }
    MeasureOptions.require(!memories.contains(Memory.ARRAY), "--buffers must be shared or native, not array");
    return accesses.stream().flatMap(word -> Access.named(word).stream()).distinct().toList();
  }

  private List<Peer> peers(List<Access> chosen) {
    Set<Kind> kinds = chosen.stream().map(Access::kind).collect(Collectors.toSet());
    return peers.chosen(Peers.windows(SearchPath.here(), kinds));
  }

  private List<String> heading(Cpus cpus) {
    Effort effort = effort();
    List<String> lines = new ArrayList<>(Heading.of(Machine.here()));
    lines.add("ranks    " + counts.words() + " on CPUs " + cpus.used() + ", pinned");
    lines.addAll(Heading.method(effort.rounds(), effort.seconds(), effort.warmUp()));
    lines.addAll(LEGEND);
    if (cpus.single()) {
      lines.add("warning: all ranks share one CPU: these figures are those of the scheduler");
    }
    return lines;
  }

  private Effort effort() {
    return peers.isQuick() ? QUICK : new Effort(options.rounds(), options.seconds(), options.warmUp(), true);
  }

  private List<FoundAccess> measure(List<Access> chosen, List<CorePair> cores, List<Peer> beside, Cpus cpus,
      Consumer<String> notes) throws IOException, BenchException, InterruptedException {
    List<FoundAccess> found = new ArrayList<>();
    for (int ranks : counts.all().stream().sorted().toList()) {
      try (RmaRun run = new RmaRun(ranks, cpus, notes)) {
        run.addFloor();
        run.addCores(cores, memories.stream().distinct().map(RankOptions::of).toList());
        run.addPeers(beside);
        for (Access access : chosen) {
          List<Integer> some = access.sizes(sizes.bytes());
          if (!some.isEmpty()) {
            found.add(run.measure(access, some, effort()));
          }
        }
      }
    }
    return found;
  }

  private void print(Output output, List<FoundAccess> found) throws IOException {
    List<Grid> grids = found.stream().map(FoundAccess::ranks).distinct()
        .flatMap(ranks -> grids(ranks, found.stream().filter(one -> one.ranks() == ranks).toList()))
        .toList();
    grids.forEach(grid -> Table.text(grid).forEach(output.text()::println));
    List<String> said = peers.isQuick() ? List.of(MeasureOptions.QUICK) : List.of();
    output.text().println();
    said.forEach(output.text()::println);
    output.text().flush();
    output.csv(Stream.concat(Stream.of(Csv.HEADER), found.stream().flatMap(one -> one.csv().stream())).toList());
    output.html(new Page(TITLE, Stream.concat(LEGEND.stream(), said.stream()).toList(), List.of(), List.of(), grids,
        output.notes(), Set.of()));
  }

  private static Stream<Grid> grids(int ranks, List<FoundAccess> found) {
    List<String> variants = found.stream().flatMap(one -> one.variants().stream()).distinct().toList();
    List<String> head = new ArrayList<>(List.of("walk", "bytes"));
    head.addAll(variants);
    Grid walks = new Grid("%d ranks: sparse walks, MiB/s of each rank".formatted(ranks), head,
        found.stream().flatMap(one -> one.bandwidths(variants).stream()).toList());
    return Stream.of(times(ranks, found, variants), walks).filter(grid -> !grid.rows().isEmpty());
  }

  private static Grid times(int ranks, List<FoundAccess> found, List<String> variants) {
    List<String> ours = found.get(0).ours();
    List<String> head = new ArrayList<>(List.of("access", "bytes"));
    variants.forEach(variant -> head.add(variant + (variant.equals(variants.get(0)) ? " [ns]" : "")));
    head.addAll(ours.isEmpty() ? List.of("best peer/floor")
        : List.of(ours.get(0) + "/floor", "best peer/" + ours.get(0)));
    return new Grid("%d ranks: time of an access, median".formatted(ranks), head,
        found.stream().flatMap(one -> one.rows(variants).stream()).toList());
  }
}
