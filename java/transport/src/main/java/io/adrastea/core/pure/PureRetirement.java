package io.adrastea.core.pure;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.pure.PureState.PLACE_NONE;
import static io.adrastea.core.pure.PureState.PLACE_SPENT;

import io.adrastea.core.Inbound;
import io.adrastea.layout.MpscQueueDescriptor;
import io.adrastea.queue.MpscQueue;
import io.adrastea.segment.Words;
import java.lang.foreign.MemorySegment;

/**
 * How room goes back to whose it is: cells, and the spent one, which is still in the queue. Twin of
 * {@code channel/adr_channel_retire.c}.
 */
final class PureRetirement {
  private final PureState state;
  private final MemorySegment memory;
  private final long[] piece; // the words of state.inbound

  PureRetirement(PureState state) {
    this.state = state;
    this.memory = state.memory;
    this.piece = state.inbound.words();
  }

  /** Gives a cell back to its owner. */
  int giveBack(int owner, long cell) {
    return MpscQueue.enqueue(state.view, state.freeQueues[owner], state.self, cell);
  }

  /**
   * Takes the spent cell, if there is one, out of the queue and gives it back: 0, CORRUPT, or AGAIN: its successor is
   * not linked yet; only the queue waits for that.
   */
  int retire() {
    if (state.place == PLACE_SPENT) {
      state.spent = piece[Inbound.PLACE];
      state.spentOwner = state.owner;
      state.place = PLACE_NONE;
    }
    long cell = state.spent;
    if (cell == 0) {
      return 0;
    }
    long status = MpscQueue.advance(state.view, state.receiveQueue, cell);
    if (status < 0) {
      return status == MpscQueue.LINK_PENDING ? AGAIN : CORRUPT;
    }
    state.spent = 0;
    return giveBack(state.spentOwner, cell);
  }

  /** Whether a link of the receive queue is missing, behind which there may be messages. */
  boolean isBlocked() {
    if (state.atHand()) {
      return false;
    }
    if (retire() == AGAIN) {
      return true;
    }
    // SYNC queue-tail: acquire, pairs with the swap of an enqueuer that has not stored `head` yet.
    return MpscQueue.peek(state.view, state.receiveQueue) == 0
        && Words.loadAcquireLong(memory, state.receiveQueue + MpscQueueDescriptor.TAIL_OFFSET) != 0;
  }
}
