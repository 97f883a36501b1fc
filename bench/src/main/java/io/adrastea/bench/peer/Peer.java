package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Variant;
import java.io.IOException;
import java.util.Optional;

/** Another way of moving messages between two processes of a node. */
public interface Peer {
  /** The name of its variant. */
  String name();

  /** What it needs and is not here, with what brings it; nothing when it can be started. */
  Optional<String> missing();

  /** Whether it is a part of this library, which is not measured against itself. */
  default boolean isOurs() {
    return false;
  }

  /** Whether more than one pair of it can run at a time. */
  default boolean hasPairs() {
    return false;
  }

  /**
   * Starts its ranks, two sides of each pair, and sees them answer.
   *
   * @param ranks how many, 2 unless it {@link #hasPairs}
   */
  Variant start(int ranks, Cpus cpus) throws IOException, BenchException, InterruptedException;
}
