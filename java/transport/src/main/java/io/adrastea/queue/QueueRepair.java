package io.adrastea.queue;

import static io.adrastea.layout.CellDescriptor.GENERATION_OFFSET;
import static io.adrastea.layout.CellDescriptor.NEXT_OFFSET;
import static io.adrastea.layout.MpscQueueDescriptor.HEAD_OFFSET;
import static io.adrastea.layout.MpscQueueDescriptor.SHADOW_HEAD_OFFSET;
import static io.adrastea.layout.MpscQueueDescriptor.TAIL_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.INTENT_CELL_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.INTENT_GENERATION_OFFSET;
import static io.adrastea.atomic.Words.loadAcquireLong;
import static io.adrastea.atomic.Words.loadRelaxedLong;
import static io.adrastea.atomic.Words.storeRelaxedLong;
import static io.adrastea.atomic.Words.storeReleaseLong;

import io.adrastea.atomic.Words;
import io.adrastea.layout.SegmentHeaderDescriptor;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.View;
import java.lang.foreign.MemorySegment;

/**
 * A queue whose enqueuers have died around the SWAP of its tail, made whole by its dequeuer. Twin of {@code
 * queue/adr_queue_repair.c}, which tells the algorithm and why it is right. Off the fast path.
 */
public final class QueueRepair {
  /** Words of a bitmap of ranks that have left or failed. */
  public static final int GONE_WORDS = SegmentHeaderDescriptor.MAX_LOCAL_RANKS / Long.SIZE;

  /** A living rank is between its SWAP and its link, perhaps: to be tried again. */
  public static final int AGAIN = -11;

  private static final int CORRUPT = (int) MpscQueue.CORRUPT;

  private final View view;
  private final MemorySegment memory;
  private final int rank;
  private final int allCells;
  private final long[] entries;

  // cells named by current intents of the dead, and the runs that begin with them
  private final long[] cells;
  private final boolean[] reached; // it lies in another run
  private final long[] lasts;
  private int count;
  private int tailRun; // that ends with the tail; count: none

  /** What a rank repairs its queues with. */
  public QueueRepair(Segment segment, View view, int rank) {
    Geometry geometry = segment.geometry();
    this.view = view;
    this.memory = view.memory();
    this.rank = rank;
    this.allCells = geometry.ranks() * geometry.cells();
    this.entries = new long[geometry.ranks()];
    this.cells = new long[entries.length];
    this.reached = new boolean[entries.length];
    this.lasts = new long[entries.length];
    for (int other = 0; other < entries.length; other++) {
      entries[other] = Intent.of(geometry, other);
    }
  }

  private static boolean isGone(long[] gone, int other) {
    return (gone[other / Long.SIZE] >>> other & 1) != 0; // the shift counts modulo 64
  }

  /**
   * Whether every rank but this one and those that are gone was seen without an intent on {@code queue}: what they had
   * swapped in, when the caller acquired its tail, is linked.
   */
  public boolean isQuiet(long queue, long[] gone) {
    for (int other = 0; other < entries.length; other++) {
      if (other == rank || isGone(gone, other)) {
        continue;
      }
      int checks = 0; // a busy rank is between two enqueues soon
      while (Intent.stands(memory, entries[other], queue)) {
        if (++checks == MpscQueue.LINK_SPINS) {
          return false;
        }
        Thread.onSpinWait();
      }
    }
    return true;
  }

  /**
   * Whether an enqueue of a cell that a dead rank was in may not be complete: the cell has not left the queue since.
   */
  private boolean isOpen(int other, long cell) {
    long generation = loadRelaxedLong(memory, cell + GENERATION_OFFSET);
    return loadRelaxedLong(memory, entries[other] + INTENT_GENERATION_OFFSET) == generation;
  }

  /** Enters a cell that has not left the queue since. Returns 0, or CORRUPT: another rank's intent names it too. */
  private int suspect(long cell) {
    for (int index = 0; index < count; index++) {
      if (cells[index] == cell) {
        return CORRUPT;
      }
    }
    reached[count] = false;
    cells[count++] = cell;
    return 0;
  }

  /** Finds the cells of dead intents; those of enqueues that are over are cleared. Returns 0 or CORRUPT. */
  private int collect(long queue, long[] gone) {
    count = 0;
    for (int other = 0; other < entries.length; other++) {
      if (other == rank || !isGone(gone, other) || !Intent.stands(memory, entries[other], queue)) {
        continue;
      }
      long cell = loadRelaxedLong(memory, entries[other] + INTENT_CELL_OFFSET);
      if (!view.holds(cell)) {
        return CORRUPT;
      }
      if (!isOpen(other, cell)) {
        Intent.clear(memory, entries[other]);
      } else if (suspect(cell) < 0) {
        return CORRUPT;
      }
    }
    return 0;
  }

  private void markReached(long cell) {
    for (int index = 0; index < count; index++) {
      reached[index] |= cells[index] == cell;
    }
  }

  /**
   * Walks a run from {@code cell} to its end, or to {@code tail}: what lies behind that is of the living. Marks the
   * cells of the dead behind the first one. Returns its last cell, or CORRUPT.
   */
  private long walk(long cell, long tail) {
    for (int steps = 0; steps < allCells; steps++) {
      if (!view.holds(cell)) {
        return CORRUPT;
      }
      // SYNC queue-link: acquire, pairs with the enqueuer's release of next.
      long next = cell == tail ? 0 : loadAcquireLong(memory, cell + NEXT_OFFSET);
      if (next == 0) {
        return cell;
      }
      markReached(next);
      cell = next;
    }
    return CORRUPT; // it goes in a circle
  }

  /** The cell that the dequeuer is at; 0: it has none. */
  private long firstOf(long queue) {
    long first = loadRelaxedLong(memory, queue + SHADOW_HEAD_OFFSET); // relaxed: the dequeuer's own
    // SYNC queue-link: acquire, pairs with the release of head by the enqueuer onto the empty queue.
    return first != 0 ? first : loadAcquireLong(memory, queue + HEAD_OFFSET);
  }

  /** Walks the run that the dequeuer is at. Returns its last cell; 0: there is no such run; or CORRUPT. */
  private long walkFirst(long queue, long tail) {
    long first = firstOf(queue);
    if (first == 0) {
      return 0;
    }
    markReached(first);
    return walk(first, tail);
  }

  /** Walks the runs that begin with cells of the dead. Returns 0 or CORRUPT. */
  private int walkOthers(long tail) {
    tailRun = count;
    for (int index = 0; index < count; index++) {
      if (reached[index]) {
        continue; // by a run walked before; one that is reached later is found out below
      }
      lasts[index] = walk(cells[index], tail);
      if (lasts[index] < 0) {
        return CORRUPT;
      }
    }
    for (int index = 0; index < count; index++) {
      if (!reached[index] && lasts[index] == tail) {
        tailRun = index;
      }
    }
    return 0;
  }

  /**
   * Links the run that begins with {@code cell} behind that which ends with {@code last}; 0: before all others. The
   * rank that would have written there is dead.
   */
  private void chainOne(long queue, long last, long cell) {
    if (last != 0) {
      // SYNC queue-link: release, as an enqueuer's; read by this rank alone.
      storeReleaseLong(memory, last + NEXT_OFFSET, cell);
    } else {
      storeRelaxedLong(memory, queue + SHADOW_HEAD_OFFSET, cell);
    }
  }

  /** The tail is not in the run that ends with {@code last}: chains all runs, that with the tail at the end. */
  private int chain(long queue, long last) {
    if (tailRun == count) {
      return CORRUPT; // the tail is in no run
    }
    for (int index = 0; index < count; index++) {
      if (!reached[index] && index != tailRun) {
        chainOne(queue, last, cells[index]);
        last = lasts[index];
      }
    }
    chainOne(queue, last, cells[tailRun]);
    return 0;
  }

  /** Nothing is missing up to the tail: puts in what the dead never swapped in. */
  private int appendRest(long queue) {
    for (int index = 0; index < count; index++) {
      if (!reached[index] && MpscQueue.enqueue(view, queue, entries[rank], cells[index]) < 0) {
        return CORRUPT;
      }
    }
    return 0;
  }

  /** Clears the intents of the dead on the queue, which its dequeuer alone does; a rank has one intent only. */
  private void clearAll(long queue, long[] gone) {
    for (int other = 0; other < entries.length; other++) {
      if (other != rank && isGone(gone, other) && Intent.stands(memory, entries[other], queue)) {
        Intent.clear(memory, entries[other]);
      }
    }
  }

  /**
   * Makes {@code queue}, one of this rank's, whole. The caller has found out before which ranks are gone, once: a rank
   * that dies meanwhile counts as living.
   *
   * @return 0; {@link #AGAIN}: nothing was changed; {@link MpscQueue#CORRUPT}
   */
  public int repair(long queue, long[] gone) {
    int status = collect(queue, gone);
    if (status < 0 || count == 0) {
      return status;
    }
    // SYNC queue-tail: acquire, pairs with the enqueuers' swaps; orders their intents before the reads of them.
    long tail = loadAcquireLong(memory, queue + TAIL_OFFSET);
    if (!isQuiet(queue, gone)) {
      return AGAIN;
    }
    long last = walkFirst(queue, tail);
    if (last < 0 || walkOthers(tail) < 0) {
      return CORRUPT;
    }
    status = tail == 0 || last == tail ? appendRest(queue) : chain(queue, last);
    if (status == 0) {
      clearAll(queue, gone);
    }
    return status;
  }
}
