package io.adrastea.queue;

import static io.adrastea.layout.CellDescriptor.GENERATION_OFFSET;
import static io.adrastea.layout.CellDescriptor.NEXT_OFFSET;
import static io.adrastea.layout.MpscQueueDescriptor.HEAD_OFFSET;
import static io.adrastea.layout.MpscQueueDescriptor.SHADOW_HEAD_OFFSET;
import static io.adrastea.layout.MpscQueueDescriptor.TAIL_OFFSET;
import static io.adrastea.atomic.Words.casAcqRelLong;
import static io.adrastea.atomic.Words.loadAcquireLong;
import static io.adrastea.atomic.Words.loadRelaxedLong;
import static io.adrastea.atomic.Words.storeRelaxedLong;
import static io.adrastea.atomic.Words.storeReleaseLong;
import static io.adrastea.atomic.Words.swapAcqRelLong;

import io.adrastea.atomic.Words;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.View;
import java.lang.foreign.MemorySegment;

/**
 * Queue of cells, many enqueuers, one dequeuer. Twin of {@code queue/adr_mpsc_queue.h}, which gives source, invariants
 * and the reasons of the orders; the SYNC labels are the same.
 */
public final class MpscQueue {
  /** The successor's enqueuer has not linked yet, try again. */
  public static final long LINK_PENDING = -115;

  /** The queue named no cell. */
  public static final long CORRUPT = -71;

  /** Checks for a pending link before giving up: the enqueuer is one store away, unless it lost its CPU. */
  static final int LINK_SPINS = 64;

  private MpscQueue() {}

  /**
   * Appends {@code element}, an offset of a cell that the caller holds.
   *
   * @param self entry of the caller's rank, {@link Intent#of}
   * @return 0, or {@link #CORRUPT}: the element is lost
   */
  public static int enqueue(View view, long queue, long self, long element) {
    MemorySegment memory = view.memory();
    storeRelaxedLong(memory, element + NEXT_OFFSET, 0);
    Intent.declare(memory, self, queue, element, loadRelaxedLong(memory, element + GENERATION_OFFSET));
    // SYNC queue-tail: acq_rel, pairs with the next enqueuer's swap, with the dequeuer's CAS to null.
    // SYNC intent: the same release publishes it.
    long previous = swapAcqRelLong(memory, queue + TAIL_OFFSET, element);
    if (previous == 0) {
      // SYNC queue-link: release, pairs with the dequeuer's acquire of head; orders the cell's contents.
      storeReleaseLong(memory, queue + HEAD_OFFSET, element);
    } else if (view.holds(previous)) {
      // SYNC queue-link: release, pairs with the dequeuer's acquire of next; orders the cell's contents.
      storeReleaseLong(memory, previous + NEXT_OFFSET, element);
    } else {
      Intent.clear(memory, self);
      return (int) CORRUPT;
    }
    Intent.clear(memory, self);
    return 0;
  }

  /**
   * A cell that is ours alone begins a new generation: intents that name the one before are over. Relaxed: a rank that
   * repairs a queue with this cell has raised it itself, or gets it by a queue.
   */
  public static void raise(View view, long element) {
    MemorySegment memory = view.memory();
    storeRelaxedLong(memory, element + GENERATION_OFFSET, loadRelaxedLong(memory, element + GENERATION_OFFSET) + 1);
  }

  /**
   * Out of line: {@code element} is the last one, or looks so. Its successor (0: the queue is empty now), LINK_PENDING
   * or CORRUPT.
   */
  private static long takeLast(MemorySegment memory, long queue, long element) {
    // SYNC queue-tail: acq_rel, publishes head = null before tail = null.
    if (casAcqRelLong(memory, queue + TAIL_OFFSET, element, 0)) {
      return 0;
    }
    for (int spins = 0; spins < LINK_SPINS; spins++) {
      // SYNC queue-link: acquire, pairs with the enqueuer's release of next.
      long next = loadAcquireLong(memory, element + NEXT_OFFSET);
      if (next != 0) {
        return next > 0 ? next : CORRUPT;
      }
      Thread.onSpinWait();
    }
    return LINK_PENDING;
  }

  /** Finds the first cell and leaves it in: its offset; 0: empty; {@link #CORRUPT}. */
  public static long peek(View view, long queue) {
    MemorySegment memory = view.memory();
    // Relaxed, here and in the stores below: the dequeuer's own. One load, so that what is checked is what is used.
    long element = loadRelaxedLong(memory, queue + SHADOW_HEAD_OFFSET);
    if (element == 0) {
      // SYNC queue-link: acquire, pairs with the release of head by the enqueuer onto the empty queue.
      element = loadAcquireLong(memory, queue + HEAD_OFFSET);
      if (element == 0) {
        return 0;
      }
      storeRelaxedLong(memory, queue + SHADOW_HEAD_OFFSET, element);
      storeRelaxedLong(memory, queue + HEAD_OFFSET, 0);
    }
    return view.holds(element) ? element : CORRUPT;
  }

  /** Takes the cell that peek found out: 0, {@link #LINK_PENDING} or {@link #CORRUPT}. */
  public static long advance(View view, long queue, long element) {
    MemorySegment memory = view.memory();
    // SYNC queue-link: acquire, pairs with the enqueuer's release of next.
    long next = loadAcquireLong(memory, element + NEXT_OFFSET);
    if (next == 0) {
      next = takeLast(memory, queue, element);
      if (next < 0) {
        return next;
      }
    }
    storeRelaxedLong(memory, queue + SHADOW_HEAD_OFFSET, next);
    raise(view, element);
    return 0;
  }

  /** Takes the first cell out: its offset; 0: empty; {@link #LINK_PENDING}; {@link #CORRUPT}. */
  public static long dequeue(View view, long queue) {
    long element = peek(view, queue);
    if (element <= 0) {
      return element;
    }
    long status = advance(view, queue, element);
    return status < 0 ? status : element;
  }

  /** Puts all cells of {@code rank} into its free queue for the first time; its area is all zeros before. */
  public static void formatFreeQueue(Segment segment, int rank) {
    Geometry geometry = segment.geometry();
    View view = new View(segment);
    long self = Intent.of(geometry, rank);
    for (int index = 0; index < geometry.cells(); index++) {
      long cell = geometry.cellOffset(rank, index);
      Words.store(segment.memory(), cell + CellDescriptor.OWNER_OFFSET, rank);
      enqueue(view, geometry.freeQueueOffset(rank), self, cell);
    }
  }
}
