package io.adrastea.bench.rma;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The processes of a run with one number of ranks, alive at once; closing it ends them. */
final class RmaRun implements AutoCloseable {
  private final int ranks;
  private final Cpus cpus;
  private final Consumer<String> notes;
  private final List<Variant> own = new ArrayList<>(); // and the floor
  private final List<String> ours = new ArrayList<>();
  private final Map<Peer, Variant> peers = new LinkedHashMap<>();

  /**
   * @param notes is told what is left out
   */
  RmaRun(int ranks, Cpus cpus, Consumer<String> notes) {
    this.ranks = ranks;
    this.cpus = cpus;
    this.notes = notes;
  }

  /** Adds the floor; without one the bench goes on. */
  void addFloor() {
    try {
      own.add(new FloorVariant(
          Team.ofProgram(FloorVariant.NAME, "adrastea-rma", "put 8 1 1", cpus.of(0, 0), cpus.of(0, 1))));
    } catch (IOException e) {
      notes.accept("warning: no floor and no ratios to it, since adrastea-rma cannot be run: " + e.getMessage());
    }
  }

  /**
   * @param options of ranks, for each of which ranks are started on each of the cores
   */
  void addCores(List<CorePair> cores, List<RankOptions> options)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      for (RankOptions one : options) {
        CoreVariant.startIfAble(pair, ranks, cpus, one, notes).ifPresent(started -> {
          own.add(new OurVariant(started));
          ours.add(started.name());
        });
      }
    }
    CoreVariant.requireAny(ours);
  }

  /** Starts those peers that can be started. */
  void addPeers(List<Peer> wanted) throws InterruptedException {
    for (Peer peer : wanted) {
      Peers.start(peer, ranks, cpus, notes).ifPresent(started -> peers.put(peer, started));
    }
  }

  /** Measures an access; a peer that fails is left out of this one, and started anew for the next. */
  FoundAccess measure(Access access, List<Integer> sizes, Effort effort) throws BenchException, InterruptedException {
    List<Variant> variants = new ArrayList<>(own);
    variants.addAll(peers.values());
    List<String> failed = new ArrayList<>();
    Results results = effort.measure(access.kind(), sizes, variants, line -> {
      failed.add(line.substring(0, line.indexOf(' ')));
      notes.accept("with %d ranks, at %s, %s".formatted(ranks, access.word(), line));
    });
    FoundAccess found =
        new FoundAccess(access, ranks, results, ours, peers.values().stream().map(Variant::name).toList());
    List<Peer> again = peers.keySet().stream().filter(peer -> failed.contains(peer.name())).toList();
    again.forEach(peers::remove);
    addPeers(again);
    return found;
  }

  @Override
  public void close() {
    own.forEach(Variant::close);
    peers.values().forEach(Variant::close);
  }
}
