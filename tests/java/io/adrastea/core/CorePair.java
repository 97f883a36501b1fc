package io.adrastea.core;

import io.adrastea.GivenSegment;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.link.Inbound;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Which core the even and which the odd ranks of a test's job use. All ranks live in the test's one thread, so every
 * interleaving is the test's own.
 *
 * @param boxes every rank has a fastbox from every rank, for small messages; or there are none
 */
record CorePair(CoreProvider even, CoreProvider odd, boolean boxes) {
  /** Longest message of a fastbox: shorter than a cell in every test, so that both are used. */
  static final int BOX_BYTES = 56;

  private static final BoxSettings ALL_BOXES = new BoxSettings(64, BOX_BYTES, 1, 16);

  /** Every pair of cores that work here, without fastboxes. */
  static Stream<CorePair> all() {
    return available().flatMap(even -> available().map(odd -> new CorePair(even, odd, false)));
  }

  /** Every pair, without and with fastboxes. */
  static Stream<CorePair> onBothWays() {
    return all().flatMap(pair -> Stream.of(pair, new CorePair(pair.even, pair.odd, true)));
  }

  /** Every core that works here, for all ranks. */
  static Stream<CorePair> alike() {
    return available().map(core -> new CorePair(core, core, false));
  }

  private static Stream<CoreProvider> available() {
    return Cores.all().stream().filter(core -> core.unavailabilityCause().isEmpty());
  }

  /** A job with a core for each rank. */
  Ranks open(Path directory, int ranks, int cells, int cellPayload) {
    Geometry geometry = new Geometry(ranks, cells, cellPayload, boxes ? ALL_BOXES : GivenSegment.NO_BOXES);
    Segment segment = GivenSegment.formatted(directory, geometry);
    Core[] cores = new Core[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      cores[rank] = (rank % 2 == 0 ? even : odd).open(segment, rank);
    }
    if (boxes) {
      openBoxes(segment, cores);
    }
    return new Ranks(segment, cores);
  }

  private static void openBoxes(Segment segment, Core[] cores) {
    for (int rank = 0; rank < cores.length; rank++) {
      for (int source = 0; source < cores.length; source++) {
        segment.reserveBox(rank, source);
        if (cores[rank].openBox(source) != 0) {
          throw new AssertionError("rank %d has no fastbox from rank %d".formatted(rank, source));
        }
        findBox(cores[source], cores[rank], rank);
      }
    }
  }

  /** A sender finds its fastbox with its first message, which goes by a cell still. */
  private static void findBox(Core sender, Core receiver, int rank) {
    if (sender.trySend(rank, CellDescriptor.KIND_FIRST, 0, 0, MemorySegment.NULL, 0, 0) != 0
        || receiver.receive(0, 0, -1, MemorySegment.NULL, 0, 0, 1, new Inbound()) != 0
        || receiver.poll(-1, new Inbound()) != Core.AGAIN) { // the cell goes back
      throw new AssertionError("the first message to rank %d did not arrive".formatted(rank));
    }
  }

  /** Number of the first piece that a test sends from one rank to another. */
  int firstSequence() {
    return boxes ? 1 : 0;
  }

  /** The ranks of a test's job. */
  record Ranks(Segment segment, Core[] cores) implements AutoCloseable {
    Core core(int rank) {
      return cores[rank];
    }

    /** Closes the core of one rank before the others. */
    void close(int rank) {
      cores[rank].close();
      cores[rank] = null;
    }

    @Override
    public void close() {
      for (Core core : cores) {
        if (core != null) {
          core.close();
        }
      }
      segment.close();
    }
  }

  @Override
  public String toString() {
    return even.name() + "-" + odd.name() + (boxes ? ", fastboxes" : "");
  }
}
