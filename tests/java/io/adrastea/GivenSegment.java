package io.adrastea;

import io.adrastea.queue.FreeQueue;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import java.nio.file.Path;

/** Segments for tests below the engine: real files, whose names are gone when the test begins. */
public final class GivenSegment {
  /** Job of every such segment. */
  public static final long JOB = 0x1234;

  private GivenSegment() {}

  /** A segment whose rank areas are reserved, all zeros, with empty queues. */
  public static Segment blank(Path directory, int ranks, int cells, int cellPayload) {
    Segment segment =
        Segment.create(SegmentFile.path(directory, JOB), new Geometry(ranks, cells, cellPayload), JOB);
    segment.unlink();
    for (int rank = 0; rank < ranks; rank++) {
      segment.reserveArea(rank);
    }
    return segment;
  }

  /** A segment whose free queues hold all cells. */
  public static Segment formatted(Path directory, int ranks, int cells, int cellPayload) {
    Segment segment = blank(directory, ranks, cells, cellPayload);
    for (int rank = 0; rank < ranks; rank++) {
      FreeQueue.format(segment, rank);
    }
    return segment;
  }
}
