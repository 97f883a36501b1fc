package io.adrastea.cli.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All variants of a run, in the order in which they take turns; closing it ends every process. */
final class Cast implements AutoCloseable {
  private final Kind kind;
  private final List<Variant> variants = new ArrayList<>();

  Cast(Kind kind) {
    this.kind = kind;
  }

  /**
   * Starts the floor; without one the bench goes on, and the line returned says why there are no
   * ratios.
   */
  Optional<String> addFloor(Cpus cpus) {
    try {
      Team team = FloorVariant.start(cpus.of(0, 0), cpus.of(0, 1));
      kind.references().forEach(reference -> variants.add(new FloorVariant(reference, team)));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "warning: no floor and no ratios, since adrastea-floor cannot be run: " + e.getMessage());
    }
  }

  /** Starts the ranks of every core, or pair of cores, asked for. */
  void addCores(List<CorePair> cores, int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      variants.add(CoreVariant.start(pair, ranks, cpus));
    }
  }

  List<Variant> variants() {
    return variants;
  }

  @Override
  public void close() {
    variants.forEach(Variant::close);
  }
}
