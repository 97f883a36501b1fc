package io.adrastea.queue;

import io.adrastea.layout.CellDescriptor;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.View;
import io.adrastea.segment.Words;

/** The first filling of a rank's free queue. Twin of {@code queue/adr_free_queue.h}. */
public final class FreeQueue {
  private FreeQueue() {}

  /** Puts all cells of {@code rank} into its free queue; its area is all zeros before. */
  public static void format(Segment segment, int rank) {
    Geometry geometry = segment.geometry();
    View view = new View(segment);
    long self = Intent.of(geometry, rank);
    for (int index = 0; index < geometry.cells(); index++) {
      long cell = geometry.cellOffset(rank, index);
      Words.store(segment.memory(), cell + CellDescriptor.OWNER_OFFSET, rank);
      MpscQueue.enqueue(view, geometry.freeQueueOffset(rank), self, cell);
    }
  }
}
