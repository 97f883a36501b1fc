package io.adrastea.core.pure;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.core.pure.PureState.PLACE_BOX;
import static io.adrastea.core.pure.PureState.PLACE_NONE;
import static io.adrastea.core.pure.PureState.PLACE_QUEUE;
import static io.adrastea.core.pure.PureState.PLACE_SPENT;
import static io.adrastea.layout.CellDescriptor.OWNER_OFFSET;

import io.adrastea.queue.MpscQueue;
import io.adrastea.segment.Words;
import java.lang.foreign.MemorySegment;

/**
 * What becomes of the piece at hand: it is taken, released, or held and given back later. Twin of
 * {@code channel/adr_channel_take.c}.
 */
final class PureTaker {
  private final PureState state;
  private final PureRetirement retirement;
  private final MemorySegment memory;
  private final Inflow[] inflows;

  PureTaker(PureState state, PureRetirement retirement) {
    this.state = state;
    this.retirement = retirement;
    this.memory = state.memory;
    this.inflows = state.in;
  }

  /**
   * Ends with the piece at hand. A cell in the queue leaves it only when the next piece is wanted: then its two locked
   * instructions overlap with the peer's answer.
   */
  private int endPiece() {
    int place = state.place;
    if (place == PLACE_QUEUE) {
      state.place = PLACE_SPENT;
      return 0;
    }
    state.place = PLACE_NONE;
    if (place == PLACE_BOX) {
      inflows[state.inbound.source()].box.end(state.header);
      return 0;
    }
    return retirement.giveBack(state.owner, state.inbound.place());
  }

  int take(MemorySegment destination, long offset, long length) {
    if (!state.atHand() || length < 0 || length > state.inbound.length()) {
      return INVAL;
    }
    ShortCopy.copy(memory, state.inbound.payload(), destination, offset, (int) length);
    return endPiece();
  }

  int release() {
    return state.atHand() ? endPiece() : INVAL;
  }

  int retain() {
    if (!state.atHand()) {
      return INVAL;
    }
    if (state.place == PLACE_BOX) {
      inflows[state.inbound.source()].box.retain(state.header);
      state.place = PLACE_NONE;
      return 0;
    }
    if (state.place == PLACE_QUEUE) {
      long status = MpscQueue.advance(state.view, state.receiveQueue, state.inbound.place());
      if (status < 0) {
        return status == MpscQueue.LINK_PENDING ? AGAIN : CORRUPT;
      }
    }
    state.place = PLACE_NONE;
    state.retainedCount++;
    return 0;
  }

  private int releaseCell(long cell) {
    if (state.retainedCount == 0 || !state.view.holds(cell)) {
      return INVAL;
    }
    int owner = Words.load(memory, cell + OWNER_OFFSET);
    if (!state.isRank(owner)) {
      return CORRUPT;
    }
    state.retainedCount--;
    return retirement.giveBack(owner, cell);
  }

  int releaseRetained(int source, long place) {
    if (!state.isRank(source)) {
      return INVAL;
    }
    return place < 0 ? inflows[source].box.release(-1 - place) : releaseCell(place);
  }
}
