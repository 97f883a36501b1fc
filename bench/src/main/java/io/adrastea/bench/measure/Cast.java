package io.adrastea.bench.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** All variants of a run, in the order in which they take turns; closing it ends every process. */
public final class Cast implements AutoCloseable {
  private final List<Kind> kinds;
  private final List<Variant> variants = new ArrayList<>();
  private Hosts hosts; // null: all are on this one

  /**
   * @param kinds what will be measured: each has its floor
   */
  public Cast(Kind... kinds) {
    this.kinds = List.of(kinds);
  }

  /**
   * Starts the floor; without one the bench goes on, and the line returned says why there are no ratios.
   */
  public Optional<String> addFloor(Cpus cpus) {
    try {
      Team team = Team.ofProgram("floor", "adrastea-floor", "line 8 1 1", cpus.of(0, 0), cpus.of(0, 1));
      references().forEach(one -> variants.add(new ProgramVariant(one.variant(), one.command(), one::isFor, team)));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "warning: no floor and no ratios, since adrastea-floor cannot be run: " + e.getMessage());
    }
  }

  private Stream<Kind.Reference> references() {
    return kinds.stream().flatMap(kind -> kind.references().stream()).distinct();
  }

  /**
   * Starts ranks of a core, or of a pair of cores, with options of their own, so that each compiles its own calls.
   *
   * @param notes is told when they cannot be what the options say, and so are left out
   * @return whether they were started
   */
  public boolean addRanks(CorePair pair, RankOptions options, int ranks, Cpus cpus, Consumer<String> notes)
      throws IOException, BenchException, InterruptedException {
    Optional<CoreVariant> started = CoreVariant.startIfAble(pair, ranks, cpus, options, notes);
    if (started.isPresent()) {
      variants.add(started.get());
      if (kinds.stream().anyMatch(kind -> kind.base().equals(Kind.RATE.command()))) {
        variants.add(new PolledVariant(started.get()));
      }
    }
    return started.isPresent();
  }

  /** Ranks of ours among the variants. */
  public List<CoreVariant> ours() {
    return variants.stream().filter(CoreVariant.class::isInstance).map(CoreVariant.class::cast).toList();
  }

  /** Adds one that was started elsewhere; this closes it. */
  public void add(Variant variant) {
    variants.add(variant);
  }

  /** Has hosts removed when the processes on them have ended. */
  public void keep(Hosts made) {
    hosts = made;
  }

  /** All so far, in their order. */
  public List<Variant> variants() {
    return List.copyOf(variants);
  }

  @Override
  public void close() {
    variants.forEach(Variant::close);
    if (hosts != null) {
      hosts.close();
    }
  }
}
