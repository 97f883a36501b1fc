package io.adrastea.core.pure;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.pure.PureState.PLACE_EARLY;
import static io.adrastea.core.pure.PureState.PLACE_QUEUE;
import static io.adrastea.layout.CellDescriptor.*;

import io.adrastea.core.Inbound;
import io.adrastea.layout.BoxSlotDescriptor;
import io.adrastea.queue.MpscQueue;
import io.adrastea.segment.Words;
import java.lang.foreign.MemorySegment;

/**
 * Finding the next piece in cells: at the queue's front, and among those that came before their turn. Twin of
 * {@code channel/adr_channel_look_cells.h} and {@code .c}. A look finds 1: a piece, which is at hand now; AGAIN or
 * CORRUPT.
 */
final class PureLookCells {
  /** What passEarly found, beside 1, AGAIN and CORRUPT: the queue's front is another cell now. */
  private static final int NEXT = 3;

  private final PureState state;
  private final PureRetirement retirement;
  private final PureLookBoxes boxes;
  private final MemorySegment memory;
  private final Inflow[] inflows;
  private final long[] piece; // the words of state.inbound

  PureLookCells(PureState state, PureRetirement retirement, PureLookBoxes boxes) {
    this.state = state;
    this.retirement = retirement;
    this.boxes = boxes;
    this.memory = state.memory;
    this.inflows = state.in;
    this.piece = state.inbound.words();
  }

  /** Reads the header of a cell, each field once, and checks it: 0; AGAIN: it is early; CORRUPT. */
  private int acceptCell(long cell, int place) {
    int source = Words.load(memory, cell + SOURCE_OFFSET);
    int owner = Words.load(memory, cell + OWNER_OFFSET);
    int length = Words.load(memory, cell + LENGTH_OFFSET);
    int kind = Words.load(memory, cell + KIND_OFFSET);
    long sequence = Words.loadLong(memory, cell + SEQUENCE_OFFSET);
    long totalLength = Words.loadLong(memory, cell + TOTAL_LENGTH_OFFSET);
    piece[Inbound.SOURCE] = source;
    if (!state.isRank(source)
        || !state.isRank(owner)
        || Integer.compareUnsigned(length, state.cellPayload) > 0
        || totalLength < length
        || kind < KIND_FIRST
        || kind > KIND_ABORT) {
      return CORRUPT;
    }
    Inflow in = inflows[source];
    if (sequence != in.expected) {
      return Long.compareUnsigned(sequence - in.expected, state.mostEarly) <= 0 ? AGAIN : CORRUPT;
    }
    in.expected++;
    state.place = place;
    state.owner = owner;
    piece[Inbound.KIND] = kind;
    piece[Inbound.MATCH] = Words.loadLong(memory, cell + MATCH_OFFSET);
    piece[Inbound.LENGTH] = length;
    piece[Inbound.TOTAL_LENGTH] = totalLength;
    piece[Inbound.PAYLOAD] = cell + BYTES;
    piece[Inbound.SEQUENCE] = sequence & BoxSlotDescriptor.SEQUENCE_MASK;
    piece[Inbound.PLACE] = cell;
    return 0;
  }

  private long sequenceOf(long cell) {
    return Words.loadLong(memory, cell + SEQUENCE_OFFSET);
  }

  private void insert(int source, long before, long cell, long after) {
    Words.storeRelaxedLong(memory, cell + NEXT_OFFSET, after); // ours alone now: it is in no queue
    if (before == 0) {
      inflows[source].early = cell;
    } else {
      Words.storeRelaxedLong(memory, before + NEXT_OFFSET, cell);
    }
    state.earlyCount++;
  }

  /**
   * Sets the cell at the queue's front aside for its source alone, in the order of sequences. Rare: only a repaired
   * queue has its cells out of order. 1, AGAIN or CORRUPT.
   */
  private int setAside(int source, long cell) {
    if (state.earlyCount >= state.allCells) {
      // More than there are: somebody rewrites links and numbers meanwhile, so that the same ones come again.
      return CORRUPT;
    }
    long status = MpscQueue.advance(state.view, state.receiveQueue, cell);
    if (status < 0) {
      return status == MpscQueue.LINK_PENDING ? AGAIN : CORRUPT;
    }
    long sequence = sequenceOf(cell);
    long after = inflows[source].early;
    long before = 0;
    for (int steps = 0; after != 0; steps++) {
      if (!state.view.holds(after) || steps > state.earlyCount) {
        return CORRUPT;
      }
      long found = sequenceOf(after);
      if (found == sequence) {
        return CORRUPT; // a queue that goes in a circle would be walked for ever
      }
      if (Long.compareUnsigned(found, sequence) > 0) {
        break;
      }
      before = after;
      after = Words.loadRelaxedLong(memory, after + NEXT_OFFSET);
    }
    insert(source, before, cell, after);
    return 1;
  }

  /** Looks for a cell set aside whose turn it is. */
  int lookEarly() {
    for (Inflow in : inflows) {
      long cell = in.early;
      if (cell == 0) {
        continue;
      }
      if (!state.view.holds(cell)) {
        return CORRUPT;
      }
      long next = Words.loadRelaxedLong(memory, cell + NEXT_OFFSET);
      int status = acceptCell(cell, PLACE_EARLY);
      if (status != AGAIN) {
        in.early = next;
        state.earlyCount--;
        return status < 0 ? status : 1;
      }
    }
    return AGAIN;
  }

  /**
   * A cell that is early: what comes before it is in the fastbox, whose writer was done with it before it linked the
   * cell. If not, the cell waits aside. 1 (a piece is at hand), NEXT, AGAIN or CORRUPT.
   */
  private int passEarly(long cell) {
    int source = (int) piece[Inbound.SOURCE];
    if (inflows[source].box.isOpen()) {
      int status = boxes.lookBox(source);
      if (status != AGAIN) {
        return status;
      }
    }
    int status = setAside(source, cell);
    return status == 1 ? NEXT : status;
  }

  /**
   * Puts the piece in the cell at the queue's front at hand, as peek has told it, or goes on to the cells behind it.
   */
  private int acceptFront(long cell) {
    do {
      if (cell < 0) {
        return CORRUPT;
      }
      int status = acceptCell(cell, PLACE_QUEUE);
      if (status == 0) {
        return 1;
      }
      status = status == AGAIN ? passEarly(cell) : status;
      if (status != NEXT) {
        return status;
      }
      cell = MpscQueue.peek(state.view, state.receiveQueue);
    } while (cell != 0);
    return AGAIN;
  }

  /** Looks at the queue, once the spent cell has left it. */
  int lookQueue() {
    int retired = state.spent == 0 ? 0 : retirement.retire();
    if (retired < 0) {
      return retired;
    }
    long cell = MpscQueue.peek(state.view, state.receiveQueue);
    return cell == 0 ? AGAIN : acceptFront(cell);
  }
}
