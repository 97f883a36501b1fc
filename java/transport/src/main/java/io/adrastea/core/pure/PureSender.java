package io.adrastea.core.pure;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.BUSY;
import static io.adrastea.core.Core.GONE;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;

import io.adrastea.layout.BoxSlotDescriptor;
import io.adrastea.segment.Words;
import java.lang.foreign.MemorySegment;

/** Sending: by fastbox where it fits, by cell otherwise. Twin of {@code channel/adr_channel_send.c}. */
final class PureSender {
  /** Up to so many bytes a full fastbox is waited for: it drains soon. Longer messages go by cells then. */
  private static final int BOX_WAIT = 64;

  /** But only for so many tries: a receiver may hold messages in it for long. */
  private static final int BOX_TRIES = 1024;

  private final PureState state;
  private final BoxPath boxPath;
  private final CellPath cellPath;
  private final MemorySegment memory;
  private final Outflow[] outflows;
  private final long bit; // of this rank in a doorbell

  PureSender(PureState state, BoxPath boxPath, CellPath cellPath) {
    this.state = state;
    this.boxPath = boxPath;
    this.cellPath = cellPath;
    this.memory = state.memory;
    this.outflows = state.out;
    this.bit = PureState.bitOf(state.rank);
  }

  /**
   * Whether it is about a large message, and of no communicator: it may pass an open claim, which could wait for what
   * it brings about. The claim has its place in the order when it is committed.
   */
  private static boolean isControl(long match) {
    return match >> 31 == -1;
  }

  private int sendBarred(
      Outflow out, int to, int kind, long match, long totalLength, MemorySegment source, long offset, long length) {
    if (out.isGone()) {
      return GONE;
    }
    return isControl(match) ? cellPath.send(out, to, kind, match, totalLength, source, offset, length) : BUSY;
  }

  /** Whatever is not a short message with nothing in its way. */
  private int sendAny(
      int to, int kind, long match, long totalLength, MemorySegment source, long offset, long length) {
    Outflow out = outflows[to];
    if (length < 0) {
      return INVAL;
    }
    if (out.barred != 0) {
      return sendBarred(out, to, kind, match, totalLength, source, offset, length);
    }
    if (boxPath.fits(out, kind, totalLength, length)) {
      if (BoxPath.findRoom(out, (int) length)) {
        out.full = 0;
        return boxPath.send(out, to, match, source, offset, (int) length);
      }
      if (length <= BOX_WAIT && ++out.full < BOX_TRIES) {
        boxPath.show(out);
        return AGAIN;
      }
    }
    return cellPath.send(out, to, kind, match, totalLength, source, offset, length);
  }

  int trySend(
      int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length) {
    if (!state.isRank(destination)) {
      return INVAL;
    }
    Outflow out = outflows[destination];
    if (Long.compareUnsigned(length, out.lineEnd) >= 0
        || length != totalLength
        || kind != KIND_FIRST
        || !out.box.hasLine()) {
      return sendAny(destination, kind, match, totalLength, source, offset, length);
    }
    long slot = out.box.lineSlot();
    Words.storeLong(memory, slot + BoxSlotDescriptor.MATCH_OFFSET, match);
    // May throw: nothing is sent then.
    ShortCopy.copy(source, offset, memory, slot + BoxSlotDescriptor.BYTES, (int) length);
    out.box.putLine(out.sequence++, (int) length);
    BoxPath.ringDoorbell(memory, out, bit);
    return (int) length;
  }

  int beginBurst(int destination) {
    if (!state.isRank(destination) || outflows[destination].burst) {
      return INVAL;
    }
    outflows[destination].burst = true;
    outflows[destination].lineEnd = 0;
    return 0;
  }

  int endBurst(int destination) {
    if (!state.isRank(destination) || !outflows[destination].burst) {
      return INVAL;
    }
    outflows[destination].burst = false;
    outflows[destination].allowLines(state.boxLimit);
    boxPath.show(outflows[destination]);
    return 0;
  }

  /** Who sleeps has tried for long enough to put a message into a full fastbox: in its last look it goes by cell. */
  void endTries() {
    for (Outflow out : outflows) {
      out.full = out.full == 0 ? 0 : BOX_TRIES;
    }
  }
}
