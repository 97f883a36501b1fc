package io.adrastea.queue;

import static io.adrastea.layout.CellDescriptor.SEQUENCE_OFFSET;

import io.adrastea.atomic.Words;
import io.adrastea.layout.MpscQueueDescriptor;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.segment.GivenView;
import io.adrastea.segment.View;
import java.lang.foreign.MemorySegment;

/**
 * An empty queue, two ranks' intents and three cells; what a cell carries is a word that is stored without any order.
 */
class QueueMemory {
  static final long QUEUE = 0;
  static final int WORD = 7;

  private static final long INTENTS = MpscQueueDescriptor.BYTES;
  private static final long STRIDE = 64;
  private static final int RANKS = 3;
  private static final long CELLS = INTENTS + RANKS * STRIDE;

  static final long A = CELLS;
  static final long B = CELLS + 2 * STRIDE;
  static final long C = CELLS + 4 * STRIDE;

  final MemorySegment memory = GivenView.memory(C + 2 * STRIDE);
  final View view = GivenView.of(memory, A, C - A);

  /** Where a rank says what it is about to do. */
  static long intent(int rank) {
    return INTENTS + rank * STRIDE - RankEntryDescriptor.INTENT_QUEUE_OFFSET;
  }

  /** Writes a cell and enqueues it. */
  final void send(int rank, long cell) {
    Words.storeLong(memory, cell + SEQUENCE_OFFSET, WORD);
    MpscQueue.enqueue(view, QUEUE, intent(rank), cell);
  }

  /** The name of the cell that comes next, with a ? when its contents are missing; - for none, P for a pending link. */
  final String receive() {
    long cell = MpscQueue.dequeue(view, QUEUE);
    if (cell <= 0) {
      return cell == 0 ? "-" : cell == MpscQueue.LINK_PENDING ? "P" : "X";
    }
    String name = cell == A ? "A" : cell == B ? "B" : "C";
    return Words.loadLong(memory, cell + SEQUENCE_OFFSET) == WORD ? name : name + "?";
  }

  /** All that is left once nobody enqueues, in its order; - for nothing. */
  final String rest() {
    StringBuilder rest = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      String name = receive();
      if (name.equals("-")) {
        break;
      }
      rest.append(name);
    }
    return rest.isEmpty() ? "-" : rest.toString();
  }
}
