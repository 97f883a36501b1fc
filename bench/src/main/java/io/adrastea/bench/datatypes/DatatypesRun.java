package io.adrastea.bench.datatypes;

import io.adrastea.bench.datatypes.Case.Group;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.CpuVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.ProgramVariant;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The processes of a run, alive at once; closing it ends them. */
public final class DatatypesRun implements AutoCloseable {
  static final String LOOP_IN_C = "loop in C";

  private static final String PROGRAM = "adrastea-datatypes";

  private final Consumer<String> notes;
  private final List<Variant> ours = new ArrayList<>();
  private final List<Variant> metered = new ArrayList<>(); // the same cores, for their CPU time
  private final List<Variant> peers = new ArrayList<>();
  private Team loops; // null: cannot be run

  /**
   * @param notes is told what is left out
   */
  public DatatypesRun(Consumer<String> notes) {
    this.notes = notes;
  }

  /** The kinds that a peer measures. */
  static Set<Kind> peerKinds() {
    return Arrays.stream(Group.values())
        .flatMap(group -> Way.sent().stream().map(way -> way.kind(group)))
        .collect(Collectors.toSet());
  }

  /** A first command of a process. */
  static String trial(Case one, Way way) {
    return way.kind(one.group()).command() + " " + one.number() + " 1 1";
  }

  /** Starts a pair of ranks for each pair of cores and each of the options. */
  public void addCores(List<CorePair> cores, List<RankOptions> options, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      for (RankOptions one : options) {
        CoreVariant.startIfAble(pair, 2, cpus, one, notes).ifPresent(ours::add);
      }
    }
    CoreVariant.requireAny(ours);
  }

  /** Starts pairs of ranks likewise for the CPU time of both ranks, which is that of messages. */
  void addMetered(List<CorePair> cores, List<RankOptions> options, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      for (RankOptions one : options) {
        if (ours.stream().anyMatch(started -> started.name().equals(pair.name() + one.suffix()))) {
          metered.add(CpuVariant.start(pair, 2, cpus, one));
        }
      }
    }
  }

  /** Starts those peers that can be started. */
  void addPeers(List<Peer> wanted, Cpus cpus) throws InterruptedException {
    for (Peer peer : wanted) {
      Peers.start(peer, 2, cpus, notes).ifPresent(peers::add);
    }
  }

  /** Starts the loops in C; without them packing is measured all the same. */
  void addLoops(List<Case> cases, Cpus cpus) throws IOException {
    Path file = Files.createTempFile("adrastea-cases-", null);
    try {
      Files.writeString(file, Cases.words(cases));
      loops = Team.ofProgram(LOOP_IN_C, PROGRAM, trial(cases.get(0), Way.LOOP), file, cpus.of(0, 0));
    } catch (IOException e) {
      notes.accept(LOOP_IN_C + " is left out: " + e.getMessage());
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Measures cases of one group by these ways. */
  public Optional<Found> measure(List<Case> cases, List<Way> ways, Effort effort)
      throws BenchException, InterruptedException {
    if (cases.isEmpty()) {
      return Optional.empty();
    }
    Group group = cases.get(0).group();
    boolean alone = ways.get(0).isAlone();
    List<Variant> variants = new ArrayList<>();
    if (alone && loops != null) {
      variants.add(new ProgramVariant(LOOP_IN_C, Way.LOOP.kind(group).command(), (kind, number) -> true, loops));
    }
    ours.forEach(ranks -> ways.forEach(way -> variants.add(new WayVariant(ranks, group, way))));
    if (!alone) {
      metered.forEach(ranks -> ways.forEach(way -> variants.add(new WayVariant(ranks, group, way))));
      peers.forEach(ranks -> ways.forEach(way -> variants.add(new WayVariant(ranks, group, way))));
    }
    Kind kind = Way.kind(group.word() + (alone ? ", packing" : ""), alone);
    List<Integer> numbers = cases.stream().map(Case::number).toList();
    return Optional.of(new Found(
        effort.measure(kind, numbers, variants, notes), group, names(ours), names(metered), names(peers)));
  }

  private static List<String> names(List<Variant> variants) {
    return variants.stream().map(Variant::name).toList();
  }

  @Override
  public void close() {
    ours.forEach(Variant::close);
    metered.forEach(Variant::close);
    peers.forEach(Variant::close);
    if (loops != null) {
      loops.close();
    }
  }
}
