package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Hosts;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.LastWords;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The processes of a run with one number of ranks, alive at once; closing it ends them. */
public final class JobRun implements AutoCloseable {
  /** The name of the floor's variant. */
  public static final String FLOOR = "floor";

  private final int ranks;
  private final Cpus cpus;
  private final Hosts hosts; // null: all ranks are on this one
  private final Consumer<String> notes;
  private final List<Variant> own = new ArrayList<>(); // and the floor
  private final List<String> ours = new ArrayList<>();
  private final Map<Peer, Variant> peers = new LinkedHashMap<>();

  /**
   * @param notes is told what is left out
   */
  public JobRun(int ranks, Cpus cpus, Consumer<String> notes) {
    this(ranks, cpus, null, notes);
  }

  /**
   * @param hosts where our ranks are started, half of them on each; {@code null}: on this one
   * @param notes is told what is left out
   */
  public JobRun(int ranks, Cpus cpus, Hosts hosts, Consumer<String> notes) {
    this.ranks = ranks;
    this.cpus = cpus;
    this.hosts = hosts;
    this.notes = notes;
  }

  /**
   * Adds the floor; without one the bench goes on.
   *
   * @param program of two processes in C
   * @param trial a first, uncounted command
   * @param variants what it is measured as
   */
  public void addFloor(String program, String trial, Function<Team, List<? extends Variant>> variants) {
    floor(program, trial, cpus, notes).ifPresent(team -> own.addAll(variants.apply(team)));
  }

  /**
   * Starts the floor; without one a bench goes on.
   *
   * @param program of two processes in C
   * @param trial a first, uncounted command
   * @param notes is told why there is none
   */
  public static Optional<Team> floor(String program, String trial, Cpus cpus, Consumer<String> notes) {
    try {
      return Optional.of(Team.ofProgram(FLOOR, program, trial, cpus.of(0, 0), cpus.of(0, 1)));
    } catch (IOException e) {
      notes.accept("warning: no floor and no ratios to it, since %s cannot be run: %s".formatted(program,
          e.getMessage()));
      return Optional.empty();
    }
  }

  /**
   * Starts ranks of ours.
   *
   * @param options of ranks, for each of which ranks are started on each of the cores
   */
  public void addCores(List<CorePair> cores, List<RankOptions> options)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      for (RankOptions one : options) {
        CoreVariant.startIfAble(pair, ranks, cpus, one, hosts, notes).ifPresent(started -> {
          own.add(new FirstRankVariant(started));
          ours.add(started.name());
        });
      }
    }
    CoreVariant.requireAny(ours);
  }

  /** Starts those peers that can be started. */
  public void addPeers(List<Peer> wanted) throws InterruptedException {
    for (Peer peer : wanted) {
      Peers.start(peer, ranks, cpus, notes).ifPresent(started -> peers.put(peer, started));
    }
  }

  /**
   * Measures one thing that all do; a peer that fails is left out of this one, and started anew for the next.
   *
   * @param title its name in notes and in the CSV
   */
  public JobFigures measure(Kind kind, String title, List<Integer> sizes, Effort effort)
      throws BenchException, InterruptedException {
    return measure(kind, title, Map.of(), sizes, effort);
  }

  /**
   * As {@link #measure(Kind, String, List, Effort)}, with other things that our ranks do in the same rounds.
   *
   * @param beside their kinds, by what stands behind the name of a variant
   */
  public JobFigures measure(Kind kind, String title, Map<String, Kind> beside, List<Integer> sizes, Effort effort)
      throws BenchException, InterruptedException {
    List<Variant> variants = new ArrayList<>(own);
    own.stream().filter(one -> ours.contains(one.name()))
        .forEach(one -> beside.forEach((word, other) -> variants.add(new KindVariant(one, other, word))));
    variants.addAll(peers.values());
    List<String> failed = new ArrayList<>();
    Results results = effort.measure(kind, sizes, variants, line -> {
      failed.add(line.substring(0, line.indexOf(' ')));
      notes.accept("with %d ranks, at %s, %s".formatted(ranks, title, LastWords.inLine(line)));
    });
    JobFigures figures =
        new JobFigures(title, ranks, results, ours,
            peers.keySet().stream().filter(peer -> !peer.isOurs()).map(Peer::name).toList());
    List<Peer> again = peers.keySet().stream().filter(peer -> failed.contains(peer.name())).toList();
    again.forEach(peers::remove);
    addPeers(again);
    return figures;
  }

  @Override
  public void close() {
    own.forEach(Variant::close);
    peers.values().forEach(Variant::close);
  }
}
