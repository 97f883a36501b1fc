package io.adrastea.core.pure;

import static io.adrastea.core.Core.BUSY;
import static io.adrastea.core.Core.GONE;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.core.Core.MSGSIZE;

import io.adrastea.layout.BoxSlotDescriptor;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.segment.Words;

/** Room for a piece that the caller fills in. Twin of {@code channel/adr_channel_claim.c}. */
final class PureClaims {
  private final PureState state;
  private final BoxPath boxPath;
  private final CellPath cellPath;
  private final Outflow[] outflows;

  PureClaims(PureState state, BoxPath boxPath, CellPath cellPath) {
    this.state = state;
    this.boxPath = boxPath;
    this.cellPath = cellPath;
    this.outflows = state.out;
  }

  long claim(int destination, int kind, long match, long totalLength, long length) {
    if (!state.isRank(destination) || length < 0) {
      return INVAL;
    }
    Outflow out = outflows[destination];
    if (out.barred != 0) {
      return out.isGone() ? GONE : BUSY;
    }
    if (boxPath.fits(out, kind, totalLength, length) && BoxPath.findRoom(out, (int) length)) {
      return claimBox(out, match, (int) length);
    }
    if (length > state.cellPayload) {
      return MSGSIZE;
    }
    return claimCell(out, destination, kind, match, totalLength, (int) length);
  }

  private long claimBox(Outflow out, long match, int length) {
    long slot = out.box.slot();
    Words.storeLong(state.memory, slot + BoxSlotDescriptor.MATCH_OFFSET, match);
    out.claimedLength = length;
    bar(out, 0);
    return slot + BoxSlotDescriptor.BYTES;
  }

  private long claimCell(Outflow out, int to, int kind, long match, long totalLength, int length) {
    long cell = cellPath.take(out, to, kind, match, totalLength, length);
    if (cell < 0) {
      return cell;
    }
    bar(out, cell);
    return cell + CellDescriptor.BYTES;
  }

  /** A claim is open: nothing else goes there. */
  private static void bar(Outflow out, long cell) {
    out.claimedCell = cell;
    out.barred |= Outflow.BARRED_CLAIM;
    out.lineEnd = 0;
  }

  private void unbar(Outflow out) {
    out.barred &= ~Outflow.BARRED_CLAIM;
    out.allowLines(state.boxLimit);
  }

  int commit(int destination) {
    if (!state.isRank(destination) || !outflows[destination].isClaimed()) {
      return INVAL;
    }
    Outflow out = outflows[destination];
    if (out.isGone()) {
      abort(destination);
      return GONE;
    }
    unbar(out);
    if (out.claimedCell != 0) {
      return cellPath.commit(out, out.claimedCell);
    }
    boxPath.commit(out, destination, out.claimedLength);
    return 0;
  }

  int abort(int destination) {
    if (!state.isRank(destination) || !outflows[destination].isClaimed()) {
      return INVAL;
    }
    Outflow out = outflows[destination];
    unbar(out);
    if (out.claimedCell != 0) {
      state.pool.putBack(out.claimedCell, destination);
      return 0;
    }
    out.box.abort();
    return 0;
  }
}
