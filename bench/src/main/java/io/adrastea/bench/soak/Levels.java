package io.adrastea.bench.soak;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The figures of one rank that are to stay level. */
final class Levels {
  private static final long MEBI = 1 << 10; // in KiB
  private static final long RINGS = 32 * MEBI; // copy rings of pairs that meet late

  private final Level resident = new Level("memory", "KiB", 48 * MEBI);
  private final Level heap = new Level("heap", "KiB", 8 * MEBI);
  private final Level descriptors = new Level("descriptors", "files", 8);
  private final Level shared = new Level("shared memory", "KiB", RINGS);
  private final Level segment = new Level("segment", "KiB", RINGS);

  void add(Usage usage) {
    resident.add(usage.residentKiB());
    heap.add(usage.heapKiB());
    descriptors.add(usage.descriptors());
    shared.add(usage.sharedKiB());
    segment.add(usage.segmentKiB());
  }

  List<Level> all() {
    return List.of(resident, heap, descriptors, shared, segment);
  }

  /** What has grown. */
  Stream<String> grown() {
    return all().stream().map(Level::grown).flatMap(Optional::stream);
  }
}
