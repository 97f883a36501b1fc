package io.adrastea.core;

import io.adrastea.GivenSegment;
import io.adrastea.segment.Segment;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Which core the even and which the odd ranks of a test's job use. All ranks live in the test's one thread, so every
 * interleaving is the test's own.
 */
record CorePair(CoreProvider even, CoreProvider odd) {
  /** Every pair of cores that work here. */
  static Stream<CorePair> all() {
    return available().flatMap(even -> available().map(odd -> new CorePair(even, odd)));
  }

  private static Stream<CoreProvider> available() {
    return Cores.all().stream().filter(core -> core.unavailabilityCause().isEmpty());
  }

  /** A job with a core for each rank. */
  Ranks open(Path directory, int ranks, int cells, int cellPayload) {
    Segment segment = GivenSegment.formatted(directory, ranks, cells, cellPayload);
    Core[] cores = new Core[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      cores[rank] = (rank % 2 == 0 ? even : odd).open(segment, rank);
    }
    return new Ranks(segment, cores);
  }

  /** The ranks of a test's job. */
  record Ranks(Segment segment, Core[] cores) implements AutoCloseable {
    Core core(int rank) {
      return cores[rank];
    }

    @Override
    public void close() {
      for (Core core : cores) {
        core.close();
      }
      segment.close();
    }
  }

  @Override
  public String toString() {
    return even.name() + "-" + odd.name();
  }
}
