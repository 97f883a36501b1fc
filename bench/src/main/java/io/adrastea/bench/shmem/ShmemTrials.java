package io.adrastea.bench.shmem;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.peer.FirstRankVariant;
import io.adrastea.bench.peer.JobRun;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The ping-pong and the message rate of [OpenSHMEM over XPMEM 2011, 5.2], for the paper's experiments. Of a ping-pong
 * each trial is timed by itself, in rounds of 1,000; caches are flushed before each exchange of a rate.
 */
public final class ShmemTrials {
  /** Trials of a round. */
  public static final int TRIALS = 1000;

  /** What stands behind the name of those that play ping-pong. */
  public static final String PING_PONG = "ping-pong";

  private ShmemTrials() {}

  /** What stands behind the name of so many PEs that put messages to each other. */
  public static String rate(int pes) {
    return "rate of %d PEs".formatted(pes);
  }

  /** Messages of each PE in an exchange of a rate. */
  public static int messages(int pes) {
    return Call.RATE_COLD.messages(pes);
  }

  /** Whether a rate has messages of so many bytes. */
  public static boolean isRate(int bytes) {
    return bytes <= Call.RATE_BYTES;
  }

  /**
   * Refuses sizes that there are not.
   *
   * @throws IllegalArgumentException when there is one
   */
  public static List<Integer> checked(List<Integer> sizes) {
    return Sizes.words(sizes, Call.MOST_BYTES);
  }

  /**
   * One of both, of some processes.
   *
   * @param single whether each exchange is timed by itself, 1,000 in a round
   */
  private record Trials(Variant processes, Call call, String title, boolean single) implements Variant {
    @Override
    public String name() {
      return processes.name() + " " + title;
    }

    @Override
    public boolean measures(Kind kind, int bytes) {
      return !call.sizes(List.of(bytes)).isEmpty();
    }

    /** The time of a trial stands for that of as many exchanges as a batch has, which all share it. */
    @Override
    public List<long[]> run(Order order) throws BenchException, InterruptedException {
      int batches = single ? TRIALS + order.batches() / 20 + 1 : order.batches(); // the first ones do not count
      int exchanges = single ? 1 : order.exchanges();
      List<long[]> times =
          processes.run(new Order(call.kind(), order.bytes(), batches, exchanges, order.expected()));
      return single ? times.stream().map(some -> Arrays.stream(some).map(one -> one * order.exchanges()).toArray())
          .toList() : times;
    }

    @Override
    public boolean isCompiledMeanwhile() {
      return processes.isCompiledMeanwhile();
    }

    @Override
    public boolean optional() {
      return processes.optional();
    }

    @Override
    public long compilerNanos() throws BenchException, InterruptedException {
      return processes.compilerNanos();
    }

    @Override
    public void close() {
      processes.close();
    }
  }

  private static void add(Cast cast, Variant processes, int pes) {
    if (pes == 2) {
      cast.add(new Trials(processes, Call.PING_PONG_TRIALS, PING_PONG, true));
    }
    cast.add(new Trials(processes, Call.RATE_COLD, rate(pes), false));
  }

  /** Adds two processes in C on shared memory; without them the bench goes on. */
  public static void addFloor(Cast cast, Cpus cpus, Consumer<String> notes) {
    JobRun.floor(FloorVariant.PROGRAM, FloorVariant.TRIAL, cpus, notes)
        .ifPresent(team -> add(cast, new FloorVariant(team), 2));
  }

  /** Adds so many PEs of ours; two of them play ping-pong, too. */
  public static void addPes(Cast cast, CorePair pair, int pes, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    add(cast, new FirstRankVariant(CoreVariant.start(pair, pes, cpus)), pes);
  }

  /** The OpenSHMEMs for C. */
  public static List<Peer> peers() {
    Set<Kind> kinds = Set.of(Call.PING_PONG_TRIALS.kind(), Call.RATE_COLD.kind());
    return Peers.symmetric(SearchPath.here(), kinds, kinds);
  }

  /**
   * Adds so many PEs of each of some peers; two of them play ping-pong, too.
   *
   * @param notes is told what is left out
   */
  public static void addPeers(Cast cast, List<Peer> peers, int pes, Cpus cpus, Consumer<String> notes)
      throws InterruptedException {
    for (Peer peer : peers) {
      Peers.start(peer, pes, cpus, notes).ifPresent(started -> add(cast, started, pes));
    }
  }
}
