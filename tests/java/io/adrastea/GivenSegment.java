package io.adrastea;

import io.adrastea.queue.MpscQueue;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import java.nio.file.Path;

/** Segments for tests below the engine: real files, whose names are gone when the test begins. */
public final class GivenSegment {
  /** Job of every such segment. */
  public static final long JOB = 0x1234;

  /** Settings for segments without fastboxes. */
  public static final BoxSettings NO_BOXES = new BoxSettings(0, 0, 0, 0);

  private GivenSegment() {}

  /** A segment without fastboxes whose rank areas are reserved, all zeros, with empty queues. */
  public static Segment blank(Path directory, int ranks, int cells, int cellPayload) {
    return blank(directory, new Geometry(ranks, cells, cellPayload, NO_BOXES));
  }

  /** A segment whose rank areas are reserved, without the rings of fastboxes: all zeros, with empty queues. */
  public static Segment blank(Path directory, Geometry geometry) {
    Segment segment = Segment.create(SegmentFile.path(directory, JOB, 0), geometry, JOB);
    segment.unlink();
    for (int rank = 0; rank < geometry.ranks(); rank++) {
      segment.reserveArea(rank);
    }
    return segment;
  }

  /** A segment without fastboxes whose free queues hold all cells. */
  public static Segment formatted(Path directory, int ranks, int cells, int cellPayload) {
    return formatted(directory, new Geometry(ranks, cells, cellPayload, NO_BOXES));
  }

  /** A segment whose free queues hold all cells. */
  public static Segment formatted(Path directory, Geometry geometry) {
    Segment segment = blank(directory, geometry);
    for (int rank = 0; rank < geometry.ranks(); rank++) {
      MpscQueue.formatFreeQueue(segment, rank);
    }
    return segment;
  }
}
