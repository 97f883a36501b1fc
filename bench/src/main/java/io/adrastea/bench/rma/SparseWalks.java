package io.adrastea.bench.rma;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.LastWords;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.peer.FirstRankVariant;
import io.adrastea.bench.peer.JobRun;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The micro-benchmark <i>sparse</i> of [SCI-MPICH 2002, 4.3], for the paper's experiments; its sizes are those of
 * accesses. The caches are flushed before each walk.
 */
public final class SparseWalks {
  /** What stands behind the name of those that put, one rank the next one's memory. */
  public static final String PUT = "put";
  /** What stands behind the name of those that get. */
  public static final String GET = "get";

  /** Ranks whose windows are private memory, served by its ranks. */
  static final RankOptions HANDLER = way("handler");

  private static final double MIB = 1 << 20;
  private static final Path XPMEM = Path.of("/dev/xpmem");
  private static final RankOptions SHARED = RankOptions.of(Memory.SHARED);
  private static final Duration TRIAL = Duration.ofSeconds(1);

  private SparseWalks() {}

  /** Private memory that is reached in that way, which is marked in the name of the ranks. */
  private static RankOptions way(String way) {
    return RankOptions.of(Memory.NATIVE, "/" + way, Map.of("adrastea.window", way));
  }

  /**
   * Refuses sizes that no walk has.
   *
   * @throws IllegalArgumentException when there is one
   */
  public static List<Integer> checked(List<Integer> sizes) {
    return Sizes.words(sizes, Access.SPARSE_BYTES / 2);
  }

  /** Accesses of a walk. */
  public static int accesses(int bytes) {
    return Access.SPARSE_PUT.accesses(bytes);
  }

  /** MiB/s of all accesses of a walk that takes so long. */
  public static double mebibytes(int bytes, double nanos) {
    return (double) accesses(bytes) * bytes / MIB / (nanos / 1e9);
  }

  /** What stands behind the name of so many ranks that put, whose figure is that of the slowest rank's best walk. */
  public static String scaling(int ranks) {
    return "put by %d ranks".formatted(ranks);
  }

  /** Adds two processes in C on shared memory; without them the bench goes on. */
  public static void addFloor(Cast cast, Cpus cpus, Consumer<String> notes) {
    JobRun.floor(FloorVariant.PROGRAM, FloorVariant.TRIAL, cpus, notes)
        .ifPresent(team -> addBoth(cast, new FloorVariant(team, FloorVariant.By.MAPPED)));
  }

  private static void addBoth(Cast cast, Variant processes) {
    cast.add(new KindVariant(processes, Access.SPARSE_PUT_COLD.kind(), PUT));
    cast.add(new KindVariant(processes, Access.SPARSE_GET_COLD.kind(), GET));
  }

  /**
   * Adds ranks of ours with a shared window, and with a private one that is reached in each way that there is here.
   *
   * @param notes is told what is left out
   */
  public static void addRanks(Cast cast, CorePair pair, Cpus cpus, Consumer<String> notes)
      throws IOException, BenchException, InterruptedException {
    addBoth(cast, new FirstRankVariant(CoreVariant.start(pair, 2, cpus, SHARED)));
    List<String> ways = new ArrayList<>(List.of("cma", "handler"));
    if (Files.exists(XPMEM)) {
      ways.addFirst("xpmem");
    } else {
      notes.accept("%s/xpmem is left out: there is no %s here".formatted(pair.name(), XPMEM));
    }
    for (String way : ways) {
      CoreVariant ranks = CoreVariant.start(pair, 2, cpus, way(way));
      if (isAble(ranks, notes)) {
        addBoth(cast, new FirstRankVariant(ranks));
      }
    }
  }

  /** Whether ranks can make their window; if not, they are ended. */
  private static boolean isAble(CoreVariant ranks, Consumer<String> notes) throws InterruptedException {
    try {
      ranks.run(new Variant.Order(Access.SPARSE_PUT_COLD.kind(), Long.BYTES, 1, 1, TRIAL));
      return true;
    } catch (BenchException e) {
      ranks.close();
      notes.accept(
          ranks.name() + " is left out, since it has no window of this way: " + LastWords.inLine(e.getMessage()));
      return false;
    }
  }

  /** The MPIs on each kind of window. */
  public static List<Peer> peers() {
    return Peers.windows(SearchPath.here(), Set.of());
  }

  /**
   * Adds two ranks of each of some peers.
   *
   * @param notes is told what is left out
   */
  public static void addPeers(Cast cast, List<Peer> peers, Cpus cpus, Consumer<String> notes)
      throws InterruptedException {
    for (Peer peer : peers) {
      Peers.start(peer, 2, cpus, notes).ifPresent(started -> addBoth(cast, started));
    }
  }

  /** Adds so many ranks of ours with a shared window, of which each puts to the next one. */
  public static void addScaling(Cast cast, CorePair pair, int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    addBest(cast, new FirstRankVariant(CoreVariant.start(pair, ranks, cpus, SHARED)), ranks);
  }

  /**
   * Adds so many ranks of each of those peers that have windows in shared memory; of MPICH, whose ranks do not give
   * way, where each has a CPU.
   *
   * @param notes is told what is left out
   */
  public static void addScaling(Cast cast, List<Peer> peers, int ranks, Cpus cpus, Consumer<String> notes)
      throws InterruptedException {
    for (Peer peer : peers.stream().filter(one -> !one.name().endsWith("-create")).toList()) {
      if (peer.name().startsWith("mpich") && ranks > Set.copyOf(cpus.used()).size()) {
        notes.accept("%s is left out with %d ranks: they share CPUs, and do not give way".formatted(peer.name(),
            ranks));
      } else {
        Peers.start(peer, ranks, cpus, notes).ifPresent(started -> addBest(cast, started, ranks));
      }
    }
  }

  private static void addBest(Cast cast, Variant processes, int ranks) {
    cast.add(new KindVariant(processes, Access.SPARSE_PUT_BEST.kind(), scaling(ranks)));
  }
}
