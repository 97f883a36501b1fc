package io.adrastea.bench.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All variants of a run, in the order in which they take turns; closing it ends every process. */
public final class Cast implements AutoCloseable {
  private final List<Kind> kinds;
  private final List<Variant> variants = new ArrayList<>();

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

  /** Starts the ranks of every core, or pair of cores, asked for. */
  public void addCores(List<CorePair> cores, int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    addCores(cores, List.of(RankOptions.NONE), ranks, cpus);
  }

  /** The same with ranks of their own for each of the options, so that each compiles its own calls. */
  public void addCores(List<CorePair> cores, List<RankOptions> options, int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      for (RankOptions one : options) {
        CoreVariant started = CoreVariant.start(pair, ranks, cpus, one);
        variants.add(started);
        if (kinds.stream().anyMatch(kind -> kind.base().equals(Kind.RATE.command()))) {
          variants.add(new PolledVariant(started));
        }
      }
    }
  }

  /** Adds one that was started elsewhere; this closes it. */
  public void add(Variant variant) {
    variants.add(variant);
  }

  /** All so far, in their order. */
  public List<Variant> variants() {
    return List.copyOf(variants);
  }

  @Override
  public void close() {
    variants.forEach(Variant::close);
  }
}
