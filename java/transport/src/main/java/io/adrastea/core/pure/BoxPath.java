package io.adrastea.core.pure;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;

import io.adrastea.fastbox.Outbox;
import io.adrastea.layout.BoxSlotDescriptor;
import io.adrastea.segment.Words;
import java.lang.foreign.MemorySegment;

/** The way of a message through a fastbox. Twin of {@code channel/adr_box_path.h}. */
final class BoxPath {
  private final PureState state;
  private final MemorySegment memory;
  private final int boxLimit;
  private final long bit; // of this rank in a doorbell

  BoxPath(PureState state) {
    this.state = state;
    this.memory = state.memory;
    this.boxLimit = state.boxLimit;
    this.bit = PureState.bitOf(state.rank);
  }

  /** Whether a message may go this way, if there is room. */
  boolean fits(Outflow out, int kind, long totalLength, long length) {
    return out.box.isOpen() && kind == KIND_FIRST && length == totalLength && length <= boxLimit;
  }

  private static boolean packs(Outflow out) {
    return out.box.isBehind() || out.burst;
  }

  /**
   * When there is no room for a line, the receiver may have turned out to be behind: then the rest is for packed
   * messages.
   */
  static boolean findRoom(Outflow out, int length) {
    boolean packed = packs(out);
    return out.box.find(length, packed) || (!packed && packs(out) && out.box.find(length, true));
  }

  /**
   * Tells the receiver that this box is to be looked at, unless it knows. The load may be early (no fence between our
   * header and it): a mark that is missed so is made up for by the receiver's scan.
   */
  static void ringDoorbell(MemorySegment memory, Outflow out, long bit) {
    if ((Words.loadRelaxedLong(memory, out.doorbell) & bit) == 0) {
      // SYNC box-active: acq_rel. Release: who takes this mark away sees our header. Acquire: as in C, for the look who
      // sleeps.
      Words.orAcqRelLong(memory, out.doorbell, bit);
    }
  }

  /** Sends what was put into the room found last. */
  void commit(Outflow out, int to, int length) {
    out.box.commit(out.sequence++, length, out.burst);
    ringDoorbell(memory, out, bit);
    long heard = state.in[to].expected;
    if (!out.box.isPacked() && heard != out.heard) { // in a stream it would only be in the way
      out.heard = heard;
      out.box.prepare();
    }
    out.allowLines(boxLimit);
  }

  /** What was withheld shows before this rank waits, or sends by another way: it could be waited for. */
  void show(Outflow out) {
    if (out.box.isWithholding()) {
      out.box.show();
      ringDoorbell(memory, out, bit); // the mark may have been taken away while there was nothing to see
    }
  }

  /** Sends a whole message by the room found last. */
  int send(Outflow out, int to, long match, MemorySegment source, long offset, int length) {
    try {
      fill(out.box.slot(), match, source, offset, length);
    } catch (RuntimeException | Error e) { // as in CellPath.send
      out.box.abort();
      throw e;
    }
    commit(out, to, length);
    return length;
  }

  /**
   * Copies a payload into the room at {@code slot}. The first line last: the receiver keeps looking at it, and the
   * fewer stores it sees apart, the less often it takes the line away in between.
   */
  private void fill(long slot, long match, MemorySegment source, long offset, int length) {
    long place = slot + BoxSlotDescriptor.BYTES;
    int head = length;
    if (length > Outbox.HEAD) {
      head = Outbox.HEAD;
      MemorySegment.copy(source, offset + head, memory, place + head, length - head);
    }
    Words.storeLong(memory, slot + BoxSlotDescriptor.MATCH_OFFSET, match);
    ShortCopy.copy(source, offset, memory, place, head);
  }
}
