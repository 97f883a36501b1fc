package io.adrastea.core.pure;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.BUSY;
import static io.adrastea.core.Core.GONE;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.core.Core.WAY_BOX;
import static io.adrastea.core.Core.WAY_CELLS;
import static io.adrastea.core.Core.MSGSIZE;
import static io.adrastea.layout.CellDescriptor.*;

import io.adrastea.atomic.Words;
import io.adrastea.link.CopyInterrupt;
import io.adrastea.core.JavaPacking;
import io.adrastea.core.pure.PureState.Outflow;
import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCursor;
import io.adrastea.fastbox.Outbox;
import io.adrastea.layout.BoxMessageDescriptor;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.queue.MpscQueue;
import io.adrastea.segment.BoxSettings;
import java.lang.foreign.MemorySegment;

/**
 * Sending: by fastbox where it fits, by cell otherwise; and room that the caller fills in (claims). Twin of
 * {@code channel/adr_channel_send.c}.
 */
final class PureSender {
  /** Up to so many bytes a full fastbox is waited for: it drains soon. Longer messages go by cells then. */
  private static final int BOX_WAIT = 64;

  /** But only for so many tries: a receiver may hold messages in it for long. */
  private static final int BOX_TRIES = 1024;

  private static final int BOX_STREAM = BoxSettings.STREAM_BYTES;

  private final PureState state;
  private final PureBoxes boxes;
  private final MemorySegment memory;
  private final Outflow[] outflows;
  private final int boxLimit;
  private final long bit; // of this rank in a doorbell
  private final ProgramCursor cursor = new ProgramCursor(); // of elements that are sent in one call

  PureSender(PureState state, PureBoxes boxes) {
    this.state = state;
    this.boxes = boxes;
    this.memory = state.memory;
    this.outflows = state.out;
    this.boxLimit = state.boxLimit;
    this.bit = PureState.bitOf(state.rank);
  }

  private static boolean packs(Outflow out) {
    return out.box.isBehind() || out.burst;
  }

  /**
   * Whether the receiver has sent something since a next message was last prepared for: it is likely to wait.
   */
  private boolean isHeard(Outflow out, int to) {
    return state.in[to].expected != out.heard;
  }

  /** Whether a long message that is likely to be waited for goes by fastbox, as its class costs less so. */
  private boolean boxPays(Outflow out, int to, int length) {
    boolean byCells = state.boxLearns
        && out.costs[BoxCosts.classOf(length, BOX_STREAM)].byCells(out.sequence, length, state.cellPayload);
    if (byCells) {
      out.heard = state.in[to].expected; // a stream behind it does not count as heard
    }
    return !byCells;
  }

  /**
   * Whether a long message is likely to be waited for: the receiver has sent something since the last one, and had done
   * so before that. Behind an answer, the first message of a window is followed by others, as those of the last one
   * were.
   */
  private boolean isAwaited(Outflow out, int to) {
    boolean heard = isHeard(out, to);
    boolean awaited = heard && !out.streams;
    if (heard && !awaited) {
      out.heard = state.in[to].expected; // a stream behind it does not count as heard
    }
    out.streams = !heard;
    return awaited;
  }

  /**
   * Whether a message may go this way, if there is room. A long one only while it is likely to be waited for: of a
   * stream of them the cells, which are many, hold more than the ring, so that both ends copy all the time.
   */
  private boolean boxFits(Outflow out, int to, int kind, long totalLength, long length) {
    return out.box.isOpen() && kind == KIND_FIRST && length == totalLength && length <= boxLimit
        && (length <= BOX_STREAM || out.burst
            || isAwaited(out, to) && !out.box.isBehind() && boxPays(out, to, (int) length));
  }

  /**
   * When there is no room for a line, the receiver may have turned out to be behind: then the rest is for packed
   * messages.
   */
  private static boolean findBoxRoom(Outflow out, int length) {
    boolean packed = packs(out);
    return out.box.find(length, packed) || (!packed && packs(out) && out.box.find(length, true));
  }

  /**
   * Tells the receiver that it has to poll this box, unless it knows. The load may be early (no fence between our
   * header and it): a mark that is missed so is made up for by the receiver's scan.
   */
  private static void ringDoorbell(MemorySegment memory, Outflow out, long bit) {
    if ((Words.loadRelaxedLong(memory, out.doorbell) & bit) == 0) {
      // SYNC box-active: acq_rel. Release: a receiver that takes this mark away sees our header. Acquire: as in C, for
      // the check which ranks sleep.
      Words.orAcqRelLong(memory, out.doorbell, bit);
    }
  }

  /** Sends what was put into the room found last. */
  private void commitBox(Outflow out, int to, int length) {
    out.box.commit(out.sequence++, length, out.burst);
    ringDoorbell(memory, out, bit);
    if (!out.box.isPacked() && isHeard(out, to)) { // in a stream it would only be in the way
      out.heard = state.in[to].expected;
      out.box.prepare();
    }
    out.allowLines(boxLimit);
  }

  /** What was withheld shows before this rank waits, or sends by another way: it could be waited for. */
  private void showWithheld(Outflow out) {
    if (out.box.isWithholding()) {
      out.box.show();
      ringDoorbell(memory, out, bit); // the mark may have been taken away while there was nothing to see
    }
  }

  /** Sends a whole message by the room found last. */
  private int sendByBox(Outflow out, int to, long match, MemorySegment source, long offset, int length) {
    try {
      fill(out.box.message(), match, source, offset, length);
    } catch (RuntimeException | Error e) { // as in sendByCell
      out.box.abort();
      throw e;
    }
    commitBox(out, to, length);
    return length;
  }

  /**
   * Copies a payload into the room of a {@code message}. The first line last: the receiver keeps polling it, and the
   * fewer stores it sees apart, the less often it takes the line away in between.
   */
  private void fill(long message, long match, MemorySegment source, long offset, int length) {
    long place = message + BoxMessageDescriptor.BYTES;
    int head = length;
    if (length > Outbox.HEAD) {
      head = Outbox.HEAD;
      ShortCopy.put(source, offset + head, memory, place + head, length - head);
    }
    Words.storeLong(memory, message + BoxMessageDescriptor.MATCH_OFFSET, match);
    ShortCopy.put(source, offset, memory, place, head);
  }

  private long takeCell(Outflow out, int to, int kind, long match, long totalLength, int length) {
    showWithheld(out);
    if (!out.box.isOpen() && kind == KIND_FIRST && length <= boxLimit) {
      boxes.seekBox(out);
    }
    long cell = state.pool.take(to);
    if (cell < 0) {
      return cell;
    }
    Words.storeLong(memory, cell + MATCH_OFFSET, match);
    Words.storeLong(memory, cell + TOTAL_LENGTH_OFFSET, totalLength);
    Words.store(memory, cell + LENGTH_OFFSET, length);
    Words.store(memory, cell + SOURCE_OFFSET, state.rank);
    Words.store(memory, cell + KIND_OFFSET, kind);
    return cell;
  }

  /** Sends what was put into a cell. */
  private int commitCell(Outflow out, long cell) {
    Words.storeLong(memory, cell + SEQUENCE_OFFSET, out.sequence++);
    return MpscQueue.enqueue(state.view, out.receiveQueue, state.self, cell);
  }

  /** Sends as much of a message as a cell holds: so many bytes. */
  private int sendByCell(Outflow out, int to, int kind, long match, long totalLength, MemorySegment source, long offset,
      long length) {
    int taken = (int) Math.min(length, state.cellPayload);
    long cell = takeCell(out, to, kind, match, totalLength, taken);
    if (cell < 0) {
      return (int) cell;
    }
    try {
      CopyInterrupt.copy(source, offset, memory, cell + BYTES, taken);
    } catch (RuntimeException | Error e) { // its arena is closed, or another thread's: nothing was sent
      state.pool.putBack(cell, to);
      throw e;
    }
    int status = commitCell(out, cell);
    return status < 0 ? status : taken;
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
    return isControl(match) ? sendByCell(out, to, kind, match, totalLength, source, offset, length) : BUSY;
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
    if (boxFits(out, to, kind, totalLength, length)) {
      if (findBoxRoom(out, (int) length)) {
        out.full = 0;
        return sendByBox(out, to, match, source, offset, (int) length);
      }
      if (length <= BOX_WAIT && ++out.full < BOX_TRIES) {
        showWithheld(out);
        return AGAIN;
      }
    }
    return sendByCell(out, to, kind, match, totalLength, source, offset, length);
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
    long message = out.box.lineMessage();
    Words.storeLong(memory, message + BoxMessageDescriptor.MATCH_OFFSET, match);
    // May throw: nothing is sent then.
    ShortCopy.put(source, offset, memory, message + BoxMessageDescriptor.BYTES, (int) length);
    out.box.putLine(out.sequence++, (int) length);
    ringDoorbell(memory, out, bit);
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
    outflows[destination].allowLines(boxLimit);
    showWithheld(outflows[destination]);
    return 0;
  }

  /**
   * Ends the tries of a rank that is about to sleep: it has tried for long enough to put a message into a full fastbox,
   * and in its last try the message goes by cell.
   */
  void endTries() {
    for (Outflow out : outflows) {
      out.full = out.full == 0 ? 0 : BOX_TRIES;
    }
  }

  /** A claim is open: nothing else goes there. */
  private static void bar(Outflow out, long cell) {
    out.claimedCell = cell;
    out.barred |= Outflow.BARRED_CLAIM;
    out.lineEnd = 0;
  }

  private void unbar(Outflow out) {
    out.barred &= ~Outflow.BARRED_CLAIM;
    out.allowLines(boxLimit);
  }

  private long claimBox(Outflow out, long match, int length) {
    long message = out.box.message();
    Words.storeLong(memory, message + BoxMessageDescriptor.MATCH_OFFSET, match);
    out.claimedLength = length;
    bar(out, 0);
    return message + BoxMessageDescriptor.BYTES;
  }

  private long claimCell(Outflow out, int to, int kind, long match, long totalLength, int length) {
    long cell = takeCell(out, to, kind, match, totalLength, length);
    if (cell < 0) {
      return cell;
    }
    bar(out, cell);
    return cell + CellDescriptor.BYTES;
  }

  long claim(int destination, int kind, long match, long totalLength, long length) {
    if (!state.isRank(destination) || length < 0) {
      return INVAL;
    }
    Outflow out = outflows[destination];
    if (out.barred != 0) {
      return out.isGone() ? GONE : BUSY;
    }
    if (boxFits(out, destination, kind, totalLength, length) && findBoxRoom(out, (int) length)) {
      return claimBox(out, match, (int) length);
    }
    if (length > state.cellPayload) {
      return MSGSIZE;
    }
    return claimCell(out, destination, kind, match, totalLength, (int) length);
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
      return commitCell(out, out.claimedCell);
    }
    commitBox(out, destination, out.claimedLength);
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

  int way(int destination, long length) {
    if (destination < 0 || destination >= outflows.length || length < 0) {
      return INVAL;
    }
    Outflow out = outflows[destination];
    if (!out.box.isOpen() || length > boxLimit) {
      return WAY_CELLS;
    }
    boolean learnt = state.boxLearns && length > BOX_STREAM;
    return learnt && out.costs[BoxCosts.classOf((int) length, BOX_STREAM)].byCells() ? WAY_CELLS : WAY_BOX;
  }

  /**
   * Packed where it is sent.
   *
   * @throws RuntimeException when the memory of the elements was closed; nothing is sent
   */
  int trySendElements(
      int destination, long match, Program program, MemorySegment elements, long offset, long count, long length) {
    long room = claim(destination, KIND_FIRST, match, length, length);
    if (room < 0) {
      return (int) room;
    }
    try {
      JavaPacking.pack(program, cursor.begin(program, count), elements, offset, memory, room, length);
    } catch (RuntimeException e) {
      abort(destination);
      throw e;
    }
    int status = commit(destination);
    return status < 0 ? status : (int) length;
  }
}
