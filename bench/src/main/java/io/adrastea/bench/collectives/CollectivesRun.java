package io.adrastea.bench.collectives;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The processes of a run with one number of ranks, alive at once; closing it ends them. */
final class CollectivesRun implements AutoCloseable {
  private static final List<Integer> NO_BYTES = List.of(0);

  private final int ranks;
  private final Consumer<String> notes;
  private final List<Variant> variants = new ArrayList<>();
  private final List<String> ours = new ArrayList<>();
  private final List<String> peers = new ArrayList<>();
  private final Set<String> failed = new HashSet<>();

  /**
   * @param notes is told what is left out
   */
  CollectivesRun(int ranks, Consumer<String> notes) {
    this.ranks = ranks;
    this.notes = notes;
  }

  /** Without a floor the bench goes on. */
  void addFloor(Cpus cpus) {
    try {
      variants.add(new FloorVariant(
          Team.ofProgram(FloorVariant.NAME, "adrastea-floor", "line 8 1 1", cpus.of(0, 0), cpus.of(0, 1))));
    } catch (IOException e) {
      notes.accept("warning: no floor and no ratios to it, since adrastea-floor cannot be run: " + e.getMessage());
    }
  }

  void addCores(List<CorePair> cores, List<Memory> memories, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      for (Memory memory : memories) {
        CoreVariant started = CoreVariant.start(pair, ranks, cpus, RankOptions.of(memory));
        variants.add(new FirstRankVariant(started));
        ours.add(started.name());
      }
    }
  }

  /** Starts those peers that can be started. */
  void addPeers(List<Peer> wanted, Cpus cpus) throws InterruptedException {
    for (Peer peer : wanted) {
      Peers.start(peer, ranks, cpus, notes).ifPresent(started -> {
        variants.add(started);
        peers.add(started.name());
      });
    }
  }

  /** Measures a call; what fails now is left out from then on. */
  FoundCall measure(Call call, List<Integer> sizes, Effort effort) throws BenchException, InterruptedException {
    List<Variant> able = variants.stream().filter(one -> !failed.contains(one.name())).toList();
    List<Integer> bytes = call.collective().hasBytes() ? sizes : NO_BYTES;
    Results results = effort.measure(call.kind(), bytes, able, line -> {
      failed.add(line.substring(0, line.indexOf(' ')));
      notes.accept("with %d ranks %s".formatted(ranks, line));
    });
    return new FoundCall(call, ranks, results, ours, peers);
  }

  @Override
  public void close() {
    variants.forEach(Variant::close);
  }
}
