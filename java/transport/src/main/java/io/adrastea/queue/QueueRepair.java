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
  private static final int FIRST_RUN = -1; // in place of the number of a cell: the run that the queue begins with

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
  private int tailRun; // that ends with the tail

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

  private static boolean isGone(int other, long[] gone) {
    return (gone[other / Long.SIZE] >>> other & 1) != 0; // the shift counts modulo 64
  }

  /**
   * Whether every rank but this one and those that are gone was seen without an intent on {@code queue}: what they had
   * swapped in, when the caller acquired its tail, is linked.
   */
  public boolean isQuiet(long queue, long[] gone) {
    for (int other = 0; other < entries.length; other++) {
      if (other != rank && !isGone(other, gone) && !isPast(other, queue)) {
        return false;
      }
    }
    return true;
  }

  private boolean isPast(int other, long queue) {
    for (int checks = 0; checks < MpscQueue.LINK_SPINS; checks++) { // a busy rank is between two enqueues soon
      if (!Intent.stands(memory, entries[other], queue)) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
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
    long first = firstOf(queue);
    long last = first == 0 ? 0 : walk(first, FIRST_RUN, tail);
    if (last < 0 || findRuns(tail) < 0) {
      return CORRUPT;
    }
    status = tail == 0 || last == tail ? appendRest(queue) : chain(queue, last);
    if (status == 0) {
      clearAll(queue, gone);
    }
    return status;
  }

  /**
   * Finds the cells that the dead were about to enqueue and that have not left the queue since; older intents are
   * cleared by the way.
   */
  private int collect(long queue, long[] gone) {
    count = 0;
    for (int other = 0; other < entries.length; other++) {
      if (other == rank || !isGone(other, gone) || !Intent.stands(memory, entries[other], queue)) {
        continue;
      }
      long cell = loadRelaxedLong(memory, entries[other] + INTENT_CELL_OFFSET);
      if (!view.holds(cell)) {
        return CORRUPT;
      }
      long generation = loadRelaxedLong(memory, entries[other] + INTENT_GENERATION_OFFSET);
      if (generation != loadRelaxedLong(memory, cell + GENERATION_OFFSET)) {
        Intent.clear(memory, entries[other]);
      } else if (add(cell) < 0) {
        return CORRUPT;
      }
    }
    return 0;
  }

  private int add(long cell) {
    for (int index = 0; index < count; index++) {
      if (cells[index] == cell) {
        return CORRUPT;
      }
    }
    reached[count] = false;
    cells[count++] = cell;
    return 0;
  }

  private long firstOf(long queue) {
    long first = loadRelaxedLong(memory, queue + SHADOW_HEAD_OFFSET); // relaxed: the dequeuer's own
    // SYNC queue-link: acquire, pairs with the release of head by the enqueuer onto the empty queue.
    return first != 0 ? first : loadAcquireLong(memory, queue + HEAD_OFFSET);
  }

  /**
   * Goes from {@code cell} to the end of its run, or to {@code tail}: what lies behind that is of the living. Marks the
   * cells of the dead on its way, but that with number {@code own}. The last cell, or CORRUPT.
   */
  private long walk(long cell, int own, long tail) {
    for (int steps = 0; steps < allCells && view.holds(cell); steps++) {
      for (int index = 0; index < count; index++) {
        reached[index] |= index != own && cells[index] == cell;
      }
      // SYNC queue-link: acquire, pairs with the enqueuer's release of next.
      long next = loadAcquireLong(memory, cell + NEXT_OFFSET);
      if (cell == tail || next == 0) {
        return cell;
      }
      cell = next;
    }
    return CORRUPT;
  }

  private int findRuns(long tail) {
    for (int index = 0; index < count; index++) {
      lasts[index] = walk(cells[index], index, tail);
      if (lasts[index] < 0) {
        return CORRUPT;
      }
    }
    tailRun = FIRST_RUN;
    for (int index = 0; index < count; index++) {
      tailRun = !reached[index] && lasts[index] == tail ? index : tailRun;
    }
    return 0;
  }

  /**
   * Chains the first run, whose last cell is given (0: there is none), all others, and behind them the one that ends
   * with the tail.
   */
  private int chain(long queue, long last) {
    if (tailRun == FIRST_RUN) {
      return CORRUPT; // the tail is in no run
    }
    for (int index = 0; index < count; index++) {
      if (!reached[index] && index != tailRun) {
        hang(queue, last, cells[index]);
        last = lasts[index];
      }
    }
    hang(queue, last, cells[tailRun]);
    return 0;
  }

  /** Hangs a run behind a cell; 0: it is the queue's first. The rank that would have written there is dead. */
  private void hang(long queue, long last, long cell) {
    if (last == 0) {
      storeRelaxedLong(memory, queue + SHADOW_HEAD_OFFSET, cell);
    } else {
      // SYNC queue-link: release, as an enqueuer's; read by this rank alone.
      storeReleaseLong(memory, last + NEXT_OFFSET, cell);
    }
  }

  /** The queue is whole: what it does not hold of the dead was never swapped in. */
  private int appendRest(long queue) {
    for (int index = 0; index < count; index++) {
      if (!reached[index] && MpscQueue.enqueue(view, queue, entries[rank], cells[index]) < 0) {
        return CORRUPT;
      }
    }
    return 0;
  }

  private void clearAll(long queue, long[] gone) {
    for (int other = 0; other < entries.length; other++) {
      if (other != rank && isGone(other, gone) && Intent.stands(memory, entries[other], queue)) {
        Intent.clear(memory, entries[other]);
      }
    }
  }
}
