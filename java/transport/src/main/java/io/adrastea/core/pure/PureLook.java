package io.adrastea.core.pure;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.core.Core.WANTED;
import static io.adrastea.core.pure.PureState.PLACE_NONE;
import static io.adrastea.core.pure.PureState.PLACE_SPENT;

import io.adrastea.core.Inbound;

/**
 * Finding the next piece: where is looked, in which order. Twin of {@code channel/adr_channel_look.h} and {@code .c}.
 */
final class PureLook {
  /**
   * Of general looks, every so many begins with the queue, so that busy fastboxes cannot keep it waiting, not even that
   * of {@code first}: a power of two.
   */
  private static final int QUEUE_TURN = 8;

  private final PureState state;
  private final PureRetirement retirement;
  private final PureLookBoxes boxes;
  private final PureLookCells cells;
  private final Inflow[] inflows;

  PureLook(PureState state, PureRetirement retirement) {
    this.state = state;
    this.retirement = retirement;
    this.boxes = new PureLookBoxes(state);
    this.cells = new PureLookCells(state, retirement, boxes);
    this.inflows = state.in;
  }

  /** A general look, when no piece is at hand. */
  private int look(int first) {
    int status = AGAIN;
    if (state.earlyCount != 0) {
      status = cells.lookEarly();
    }
    boolean queueFirst = (state.looks++ & QUEUE_TURN - 1) == 0;
    if (status == AGAIN && queueFirst) {
      status = cells.lookQueue();
    }
    if (status == AGAIN && first >= 0 && inflows[first].box.isOpen()) {
      status = boxes.lookBox(first);
    }
    if (status == AGAIN) {
      status = boxes.lookBoxes();
    }
    if (status == AGAIN && !queueFirst) {
      status = cells.lookQueue();
    }
    return status;
  }

  /** 1: a piece is at hand, the next one in order of some source; WANTED, AGAIN or CORRUPT. */
  int nextPiece(int first) {
    if (state.place == PLACE_SPENT) {
      int status = retirement.retire();
      if (status == CORRUPT) {
        return status;
      }
    }
    return state.place != PLACE_NONE ? 1 : look(first);
  }

  int poll(int first, Inbound inbound) {
    if (first >= state.rankCount) {
      return INVAL;
    }
    int status = nextPiece(first);
    if (status == 1) {
      System.arraycopy(state.inbound.words(), 0, inbound.words(), 0, 8);
    } else if (status == WANTED) {
      inbound.words()[Inbound.SOURCE] = state.inbound.words()[Inbound.SOURCE];
    }
    return status;
  }
}
