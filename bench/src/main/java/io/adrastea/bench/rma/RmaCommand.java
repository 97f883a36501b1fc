package io.adrastea.bench.rma;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Helper;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.peer.JobBench;
import io.adrastea.bench.peer.JobRows;
import io.adrastea.bench.peer.JobRun;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import io.adrastea.bench.waiting.WaitExchanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
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
public final class RmaCommand extends JobBench {
  private static final String TITLE =
      "adrastea bench rma: accesses to windows of other ranks, all variants in turn in each round";
  private static final List<String> LEGEND = List.of(
      "time     of one access; of a sparse walk its part of the walk, with the fence at the end",
      "epochs   put, get, atomics: within one lockAll, a flush behind each; puts, gets: one flush a batch",
      "-all     all ranks on one place of the last one; -each: each rank at the next one",
      "-locked  within an exclusive lock",
      "-computing  rank 1 computes meanwhile, for 2 ms at most, and calls nothing of its library",
      "-progress  likewise, with adrastea.window=handler and a progress thread at rank 1; ours alone, with MULTIPLE;",
      "         the thread has a CPU of its own, or where there is none that of rank 0, which waits for it",
      "wake-up  of a rank that sleeps, by a message, as bench waiting tells it, in the same rounds",
      "barrier  that of the ranks' communicator, in the same rounds as the fence",
      "lock     one lock and its unlock; lockAll is to take the same with any number of ranks",
      "floor    two C processes on shared memory: a copy, the atomic instruction, a loop of compare-and-swaps, a",
      "         barrier of two lines (fence, postStartCompleteWait), two atomics (lock, lockAll), a loop (walks),",
      "         a copy (accumulate-locked); floor-cma: the bare call of the system, process_vm_writev or",
      "         process_vm_readv; floor-space: the C core's copy by it",
      "ratios   of the times in each round, median over rounds, +- half the interquartile range",
      Series.STAR_MEANS);
  private static final String SHARED_CPUS =
      "note: more ranks than CPUs: those that wait take turns with the one that is timed, so its times hold those of"
          + "\n      the scheduler";
  private static final String BARRIER = "barrier";
  private static final String WAKE_UP = "wake-up";

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
            + " accumulate-all, accumulate-each, accumulate-locked, put-computing, fetchAndOp-computing,"
            + " put-progress, fetchAndOp-progress, fence, postStartCompleteWait, lock, lockAll, sparsePut,"
            + " sparseGet; every for each of them.",
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

  private List<Access> chosen = List.of(); // those that are measured

  /** Creates the command for the command line. */
  public RmaCommand() {}

  @Override
  protected String title() {
    return TITLE;
  }

  @Override
  protected List<Peer> read(Cpus cpus) {
    chosen = accesses();
    Set<Kind> kinds = chosen.stream().filter(access -> !access.hasProgress()) // which is ours alone
        .map(Access::kind).collect(Collectors.toSet());
    return Peers.windows(SearchPath.here(), kinds);
  }

  @Override
  protected List<String> legend(Cpus cpus) {
    return withTurns(LEGEND, SHARED_CPUS, cpus);
  }

  private List<Access> accesses() {
    Sizes.words(sizes.bytes(), Access.MOST_BYTES);
    MeasureOptions.require(!memories.contains(Memory.ARRAY), "--buffers must be shared or native, not array");
    return accesses.stream().flatMap(word -> Access.named(word).stream()).distinct().toList();
  }

  @Override
  protected Shown measure(List<CorePair> cores, List<Peer> beside, Cpus cpus, Consumer<String> notes)
      throws IOException, BenchException, InterruptedException {
    List<FoundAccess> found = new ArrayList<>();
    for (int ranks : counts()) {
      for (boolean progress : List.of(false, true)) { // with ranks of their own
        List<Access> some = chosen.stream().filter(access -> access.hasProgress() == progress).toList();
        if (some.isEmpty()) {
          continue;
        }
        try (JobRun run = new JobRun(ranks, cpus, notes)) {
          if (!progress) {
            run.addFloor(FloorVariant.PROGRAM, FloorVariant.TRIAL, this::floors);
          }
          run.addCores(cores, progress ? List.of(emulated(ranks, cpus)) : ownRanks());
          run.addPeers(progress ? List.of() : beside);
          for (Access access : some) {
            List<Integer> bytes = access.sizes(sizes.bytes());
            if (!bytes.isEmpty()) {
              Map<String, Kind> others = others(access, ranks);
              found.add(new FoundAccess(access, List.copyOf(others.keySet()),
                  run.measure(access.kind(), access.word(), others, bytes, effort())));
            }
          }
        }
      }
    }
    return shown(found);
  }

  private List<FloorVariant> floors(Team program) {
    return Arrays.stream(FloorVariant.By.values())
        .filter(by -> by == FloorVariant.By.MAPPED || memories.contains(Memory.NATIVE))
        .map(by -> new FloorVariant(program, by))
        .toList();
  }

  private List<RankOptions> ownRanks() {
    return memories.stream().distinct().map(RankOptions::of).toList();
  }

  /**
   * Ranks whose windows are served by their targets, which may have a progress thread: on a CPU of its own, or on that
   * of rank 0, which waits for what the thread does.
   */
  private static RankOptions emulated(int ranks, Cpus cpus) {
    RankOptions helped = Helper.haveCpus(ranks, cpus) ? RankOptions.withHelpers(ranks, cpus)
        : RankOptions.withHelpers(ranks, cpus, List.of(cpus.ofRank(0, ranks)));
    return helped.with(SparseWalks.HANDLER);
  }

  /** What our ranks do in the rounds of an access, by what stands behind their names. */
  private static Map<String, Kind> others(Access access, int ranks) {
    return access == Access.FENCE ? Map.of(BARRIER, Access.BARRIER.kind())
        : access == Access.FETCH_AND_OP_PROGRESS && ranks == 2 ? Map.of(WAKE_UP, WaitExchanges.WOKEN) : Map.of();
  }

  private static Shown shown(List<FoundAccess> found) {
    List<Grid> grids = found.stream().map(one -> one.figures().ranks()).distinct()
        .flatMap(ranks -> grids(ranks, found.stream().filter(one -> one.figures().ranks() == ranks).toList()))
        .toList();
    Stream<String> over = found.stream().flatMap(one -> found.stream()
        .filter(other -> other.access() == one.access() && other.figures().ranks() < one.figures().ranks())
        .flatMap(other -> one.saidOver(other).stream()));
    return new Shown(found.stream().map(FoundAccess::figures).toList(), grids,
        Stream.concat(found.stream().flatMap(one -> one.said().stream()), over).toList(), LEGEND, List.of());
  }

  private static Stream<Grid> grids(int ranks, List<FoundAccess> found) {
    List<String> variants = found.stream().flatMap(one -> one.rows().columns().stream()).distinct().toList();
    List<String> head = new ArrayList<>(List.of("walk", "bytes"));
    head.addAll(variants);
    Grid walks = new Grid("%d ranks: sparse walks, MiB/s of each rank".formatted(ranks), head,
        found.stream().flatMap(one -> one.bandwidths(variants).stream()).toList());
    return Stream.of(JobRows.grid("access", found.stream().map(FoundAccess::rows).toList()), walks)
        .filter(grid -> !grid.rows().isEmpty());
  }
}
