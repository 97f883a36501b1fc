package io.adrastea.queue;

import static io.adrastea.layout.RankEntryDescriptor.INTENT_CELL_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.INTENT_GENERATION_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.INTENT_QUEUE_OFFSET;

import io.adrastea.atomic.Words;
import io.adrastea.segment.Geometry;
import java.lang.foreign.MemorySegment;

/**
 * What a rank is about to do to a queue, said in its entry of the rank table before it does it: so that those that find
 * it dead know what it may have left half done. Twin of {@code queue/adr_intent.h}, which tells what its readers rely
 * on; the SYNC labels are the same.
 */
public final class Intent {
  private Intent() {}

  /** Where {@code rank} says what it is about to do. */
  public static long of(Geometry geometry, int rank) {
    return geometry.rankEntryOffset(rank);
  }

  static void declare(MemorySegment memory, long self, long queue, long element, long generation) {
    // SYNC intent: release, pairs with the acquire in stands: a rank that sees another queue here sees the link of the
    // enqueue before.
    Words.storeReleaseLong(memory, self + INTENT_QUEUE_OFFSET, queue);
    // SYNC intent: release too: it must not pass the link and the clearing of the enqueue before, to whose cell it
    // would not belong.
    Words.storeReleaseLong(memory, self + INTENT_GENERATION_OFFSET, generation);
    // SYNC intent: release, orders queue, generation and the null in the cell's next before the cell; the SWAP that
    // follows releases this in turn.
    Words.storeReleaseLong(memory, self + INTENT_CELL_OFFSET, element);
  }

  static void clear(MemorySegment memory, long self) {
    // SYNC intent: release, pairs with the acquire in stands: a rank that sees it cleared sees the link.
    Words.storeReleaseLong(memory, self + INTENT_CELL_OFFSET, 0);
  }

  /**
   * Whether this rank was stopped in the middle of an enqueue, by an {@link Error}: those that find it gone complete
   * that, and need the intent for it.
   */
  public static boolean isOpen(MemorySegment memory, long self) {
    return Words.loadRelaxedLong(memory, self + INTENT_CELL_OFFSET) != 0; // relaxed: this rank's own
  }

  /**
   * Whether a rank was seen in an enqueue on {@code queue}. False: all its enqueues there whose SWAP comes before
   * something that the caller has acquired are linked.
   */
  static boolean stands(MemorySegment memory, long other, long queue) {
    // SYNC intent: acquire, pairs with both releases of intent_cell, and with that of intent_queue.
    return Words.loadAcquireLong(memory, other + INTENT_CELL_OFFSET) != 0
        && Words.loadAcquireLong(memory, other + INTENT_QUEUE_OFFSET) == queue;
  }
}
