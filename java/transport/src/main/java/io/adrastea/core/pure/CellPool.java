package io.adrastea.core.pure;

import io.adrastea.atomic.Words;
import io.adrastea.core.Core;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.MpscQueueDescriptor;
import io.adrastea.queue.MpscQueue;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.View;

/**
 * The cells that a rank has at hand for sending, and how many each destination may hold. Twin of {@code
 * channel/adr_cell_pool.h}, which tells the rules.
 */
final class CellPool {
  private final View view;
  private final long freeQueue;
  private final long ownLow;
  private final long ownSpan;
  private final int stride;
  private final int share;
  private int common;
  private int spareFirst; // place of the spare cell that is taken next
  private int spareCount;
  private final long[] spare;
  private final int[] inFlight;

  CellPool(Segment segment, View view, int rank) {
    Geometry geometry = segment.geometry();
    this.view = view;
    this.freeQueue = geometry.freeQueueOffset(rank);
    this.ownLow = geometry.cellOffset(rank, 0);
    this.ownSpan = (long) (geometry.cells() - 1) * geometry.cellStride();
    this.stride = geometry.cellStride();
    this.share = geometry.cells() / 2 / geometry.ranks();
    this.common = geometry.cells() - share * geometry.ranks();
    this.spare = new long[geometry.cells()];
    this.inFlight = new int[geometry.ranks()];
  }

  /** The place in the ring that is so far, at most its length, behind the first. */
  private int place(int distance) {
    int place = spareFirst + distance;
    return place < spare.length ? place : place - spare.length;
  }

  private boolean allows(int destination) {
    return inFlight[destination] < share || common > 0;
  }

  private void uncharge(int destination) {
    if (--inFlight[destination] >= share) {
      common++;
    }
  }

  private void charge(int destination) {
    if (inFlight[destination]++ >= share) {
      common--;
    }
  }

  /** Enters a cell that came back: 0, or CORRUPT: not a cell of this rank, or not one in flight. */
  private int credit(long cell) {
    if (Long.compareUnsigned(cell - ownLow, ownSpan) > 0 || spareCount == spare.length) {
      return Core.CORRUPT;
    }
    int sentTo = Words.load(view.memory(), cell + CellDescriptor.DESTINATION_OFFSET);
    if (sentTo != 0) { // 0: fresh from formatting
      int destination = sentTo - 1;
      if (destination < 0 || destination >= inFlight.length || inFlight[destination] == 0) {
        return Core.CORRUPT;
      }
      uncharge(destination);
    }
    spare[place(spareCount++)] = cell;
    return 0;
  }

  /** Takes over all cells that came back: 0 or CORRUPT. */
  int reclaim() {
    while (true) {
      long cell = MpscQueue.dequeue(view, freeQueue);
      if (cell == 0 || cell == MpscQueue.LINK_PENDING) {
        return 0;
      }
      if (cell < 0 || credit(cell) < 0) {
        return Core.CORRUPT;
      }
    }
  }

  /** Whether the free queue holds nothing; a cell that is just being linked is in it. */
  boolean isDrained() {
    // SYNC queue-tail: acquire, pairs with the swaps of the ranks that gave cells back.
    return Words.loadAcquireLong(view.memory(), freeQueue + MpscQueueDescriptor.TAIL_OFFSET) == 0;
  }

  /** A cell to send to {@code destination} with: its offset, AGAIN or CORRUPT. */
  long take(int destination) {
    if (spareCount == 0 || !allows(destination)) {
      int status = reclaim();
      if (status < 0) {
        return status;
      }
      if (spareCount == 0 || !allows(destination)) {
        return Core.AGAIN;
      }
    }
    charge(destination);
    long cell = spare[spareFirst];
    spareFirst = place(1);
    spareCount--;
    Words.store(view.memory(), cell + CellDescriptor.DESTINATION_OFFSET, destination + 1);
    return cell;
  }

  /** Takes a cell back that was not sent. */
  void putBack(long cell, int destination) {
    if (spareCount == spare.length || inFlight[destination] == 0) {
      return; // a broken rank gave it back already
    }
    uncharge(destination);
    spareFirst = place(spare.length - 1);
    spare[spareFirst] = cell;
    spareCount++;
  }

  /**
   * Takes back what lies at {@code destination}, where nobody reads it any more, when the free queue is drained.
   *
   * @param claimed cell of an open claim for it, which stays out; 0: there is none
   * @return 0, or CORRUPT: the numbers do not add up
   */
  int sweep(int destination, long claimed) {
    for (int distance = 0; distance < spareCount; distance++) {
      Words.store(view.memory(), spare[place(distance)] + CellDescriptor.DESTINATION_OFFSET, 0);
    }
    for (long cell = ownLow; cell <= ownLow + ownSpan; cell += stride) {
      int sentTo = Words.load(view.memory(), cell + CellDescriptor.DESTINATION_OFFSET);
      if (sentTo != destination + 1 || cell == claimed) {
        continue;
      }
      MpscQueue.raise(view, cell);
      if (credit(cell) < 0) {
        return Core.CORRUPT;
      }
    }
    return inFlight[destination] == (claimed != 0 ? 1 : 0) ? 0 : Core.CORRUPT;
  }
}
