package io.adrastea.bench.shmem;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.peer.JobBench;
import io.adrastea.bench.peer.JobRows;
import io.adrastea.bench.peer.JobRun;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench shmem}: reads what is asked for, measures, prints. */
@Command(
    name = "shmem",
    defaultValueProvider = ShmemDefaults.class,
    description = {
      "What PEs do with symmetric memory, on cores ffm and java unless --core names others, beside PEs in C of ours"
          + " (libshmem, by the source tree's oshcc and oshrun) and of Open MPI (oshmem) in the same loop, and beside"
          + " loops in C on shared memory (floor).",
      "PE 0 calls alone, and acts on PE 1, while the others wait in a barrier; where all take part the time goes from"
          + " the last PE's begin to the last PE's end. What the memory holds is checked after each run.",
      "--warmup is for each call. In the CSV the bench of a line is call/PEs, and of a rate the time is that of all its"
          + " messages and the wait."
    })
public final class ShmemCommand extends JobBench {
  private static final String TITLE =
      "adrastea bench shmem: calls on symmetric memory, all variants in turn in each round";
  private static final List<String> LEGEND = List.of(
      "time     of one call; of a pingPong one way; of a rate a message's part of all, with the wait at the end",
      "pingPong a put and a wait for the answer; of more than 8 bytes the last word is put behind a fence",
      "rate     128 messages to each of up to 6 PEs, then a wait for the last one that is expected; -cold: every PE",
      "         reads and writes 8 MiB before, which flushes what its CPU has of its own",
      "put, get, Nbi, Strided, atomics: a quiet behind each batch; strided: every second word of the other PE",
      "-all     all PEs on one word of the last one, or for one lock",
      "lock     a lock, a word that is raised under it, and its release",
      "ring     a token goes once around all PEs, by putLong, or by putSignal (ring-signal)",
      "waitUntilAll  each PE puts a word to each, and waits for those of all",
      "gups     updates by an atomic exclusive or, in tables of 16 MiB at each PE",
      "loop     the same by hand in Java on the same memory, by our ranks in the same rounds; barrier, bcast and so",
      "         on: that collective of the communicator of all ranks, likewise",
      "floor    two C processes on a shared mapping: a copy, a store, the atomic instruction, a barrier of two lines;",
      "         of 8 bytes pingPong is the one-way time of a cache line",
      "ratios   of the times in each round, median over rounds, +- half the interquartile range",
      Series.STAR_MEANS);
  private static final String SHARED_CPUS =
      "note: more PEs than CPUs: those that wait take turns with the one that is timed, so its times hold those of"
          + "\n      the scheduler; the floor has two processes alone";

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8,1K,64K,1M",
      description = {
        "Bytes, multiples of 8 from 8 to 1M, with K or M: of a message or a part. Of single elements and atomic"
            + " operations 8 alone; of a rate up to 1K, of collectives but reduce up to 64K (alltoall 16K), of strided"
            + " ones up to 512K. Default: ${DEFAULT-VALUE}."
      })
  private Sizes sizes;

  @Option(
      names = "--calls",
      paramLabel = "LIST",
      split = ",",
      defaultValue = Call.EVERY,
      description = {
        "What to call: pingPong, rate, rate-cold, putLong, getLong, put, get, putNbi, getNbi, putSignal, putStrided,"
            + " getStrided, fetch, set, swap, compareSwap, fetchAdd, fetchAdd-all, fetchAddNbi, add, fetchInc, inc,"
            + " fetchAnd, and, fetchOr, or, fetchXor, xor, waitUntil, test, testAny, fence, quiet, lock, lock-all,"
            + " ring, ring-signal, waitUntilAll, barrierAll, syncAll, broadcast, fcollect, collect, alltoall, reduce,"
            + " allocate, gups; every for each of them.",
        "Default: ${DEFAULT-VALUE}."
      })
  private List<String> calls;

  private List<Call> chosen = List.of(); // those that are measured

  /** Creates the command for the command line. */
  public ShmemCommand() {}

  @Override
  protected String title() {
    return TITLE;
  }

  @Override
  protected List<Peer> read(Cpus cpus) {
    Sizes.words(sizes.bytes(), Call.MOST_BYTES);
    chosen = calls.stream().flatMap(word -> Call.named(word).stream()).distinct().toList();
    return Peers.symmetric(SearchPath.here(), kinds(call -> true), kinds(Call::isOld));
  }

  private Set<Kind> kinds(Predicate<Call> wanted) {
    return chosen.stream().filter(wanted).map(Call::kind).collect(Collectors.toSet());
  }

  @Override
  protected List<String> legend(Cpus cpus) {
    return withTurns(LEGEND, SHARED_CPUS, cpus);
  }

  @Override
  protected Shown measure(List<CorePair> cores, List<Peer> beside, Cpus cpus, Consumer<String> notes)
      throws IOException, BenchException, InterruptedException {
    List<JobRows> found = new ArrayList<>();
    for (int pes : counts()) {
      try (JobRun run = new JobRun(pes, cpus, notes)) {
        run.addFloor(FloorVariant.PROGRAM, FloorVariant.TRIAL, program -> List.of(new FloorVariant(program)));
        run.addCores(cores, List.of(RankOptions.NONE));
        run.addPeers(beside);
        for (Call call : chosen) {
          List<Integer> bytes = call.sizes(sizes.bytes());
          if (!bytes.isEmpty()) {
            found.add(measured(run, call, pes, bytes));
          }
        }
      }
    }
    return shown(found);
  }

  private JobRows measured(JobRun run, Call call, int pes, List<Integer> bytes)
      throws BenchException, InterruptedException {
    Map<String, Kind> others = call.beside().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, one -> one.getValue().kind()));
    return new JobRows(run.measure(call.kind(), call.word(), others, bytes, effort()), call.word(),
        List.copyOf(others.keySet()), size -> call.messages(pes));
  }

  private static Shown shown(List<JobRows> found) {
    List<Grid> grids = found.stream().map(one -> one.figures().ranks()).distinct()
        .map(pes -> JobRows.grid("call", found.stream().filter(one -> one.figures().ranks() == pes).toList()))
        .toList();
    return new Shown(found.stream().map(JobRows::figures).toList(), grids,
        found.stream().flatMap(ShmemCommand::said).toList(), LEGEND, List.of());
  }

  private static Stream<String> said(JobRows rows) {
    return Stream.of(rows.saidBeside(), rows.said(Peers.LIBSHMEM, JobRun.FLOOR, "the floor"),
        rows.said(Peers.LIBSHMEM, Peers.OPEN_MPI_SHMEM, Peers.OPEN_MPI_SHMEM)).flatMap(List::stream);
  }
}
