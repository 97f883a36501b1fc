package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.error.SegmentException;
import io.adrastea.segment.Segment;

/**
 * Fastboxes to this rank that senders ask for: made, or refused where there is no room for more; the queue does as
 * well.
 */
final class Boxes {
  private final Core core;
  private final Segment segment;
  private final int rank;

  Boxes(Core core, Segment segment, int rank) {
    this.core = core;
    this.segment = segment;
    this.rank = rank;
  }

  /** Answers rank {@code source}, which wants one. */
  void serve(int source) {
    try {
      segment.reserveBox(rank, source);
      core.openBox(source);
    } catch (SegmentException | OutOfMemoryError e) { // messages go by queue
      core.refuseBox(source);
    }
  }
}
