package io.adrastea.core.pure;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.Core.WANTED;
import static io.adrastea.core.pure.PureState.PLACE_BOX;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;

import io.adrastea.core.Inbound;
import io.adrastea.fastbox.Inbox;
import io.adrastea.layout.BoxSlotDescriptor;
import io.adrastea.segment.Words;
import java.lang.foreign.MemorySegment;

/**
 * Finding the next piece in the fastboxes: those with a mark, and now and then all. Twin of
 * {@code channel/adr_channel_look_boxes.h} and {@code .c}. A look finds 1: a piece, which is at hand now; WANTED, AGAIN
 * or CORRUPT.
 */
final class PureLookBoxes {
  /** Looks at an active fastbox that find nothing before it counts as idle. */
  private static final int IDLE_LOOKS = 1024;

  /** General looks from one scan of all fastboxes to the next. */
  private static final int SCAN_LOOKS = 4096;

  private final PureState state;
  private final MemorySegment memory;
  private final Inflow[] inflows;
  private final long[] piece; // the words of state.inbound

  PureLookBoxes(PureState state) {
    this.state = state;
    this.memory = state.memory;
    this.inflows = state.in;
    this.piece = state.inbound.words();
  }

  /** Puts the message that an inbox shows at hand. */
  private int acceptBox(int source, long header) {
    Inflow in = inflows[source];
    long slot = in.box.slot();
    long length = header & BoxSlotDescriptor.LENGTH_MASK;
    state.place = PLACE_BOX;
    state.header = header;
    in.box.notIdle();
    piece[Inbound.SOURCE] = source;
    piece[Inbound.KIND] = KIND_FIRST;
    piece[Inbound.MATCH] = Words.loadLong(memory, slot + BoxSlotDescriptor.MATCH_OFFSET);
    piece[Inbound.LENGTH] = length;
    piece[Inbound.TOTAL_LENGTH] = length;
    piece[Inbound.PAYLOAD] = slot + BoxSlotDescriptor.BYTES;
    piece[Inbound.SEQUENCE] = in.expected++ & BoxSlotDescriptor.SEQUENCE_MASK;
    piece[Inbound.PLACE] = -1 - in.box.position();
    return 1;
  }

  /** Looks at the fastbox of one source, which is open. */
  int lookBox(int source) {
    Inflow in = inflows[source];
    long header = in.box.look(in.expected);
    if (header > 0) {
      return acceptBox(source, header);
    }
    return header == 0 ? AGAIN : CORRUPT;
  }

  private int takeMarkAway(int source) {
    inflows[source].box.notIdle();
    long word = state.active + PureState.wordOf(source);
    long bit = PureState.bitOf(source);
    // SYNC box-active: acq_rel, a read-modify-write so that rings of others are not lost; the look below is not moved
    // before it.
    Words.andAcqRelLong(memory, word, ~bit);
    int status = lookBox(source);
    if (status != AGAIN) {
      // Relaxed: our own mark, which only we take for a sign that something is there.
      Words.orRelaxedLong(memory, word, bit);
    }
    return status;
  }

  /**
   * An active box with nothing in it. After a while its mark is taken away; a message that came in between is seen by
   * the look after that, or by the next scan.
   */
  private int noteIdle(int source) {
    Inbox box = inflows[source].box;
    box.tell();
    return box.noteIdle() < IDLE_LOOKS ? AGAIN : takeMarkAway(source);
  }

  private int lookMarked(int source) {
    if (!inflows[source].box.isOpen()) {
      piece[Inbound.SOURCE] = source;
      return WANTED;
    }
    int status = lookBox(source);
    return status == AGAIN ? noteIdle(source) : status;
  }

  /**
   * Looks at the fastboxes whose bits are set, from rank {@code from} up to, not including, {@code to}: the others are
   * not touched.
   */
  private int lookActive(int from, int to) {
    int first = from / Long.SIZE;
    for (int word = first; word * Long.SIZE < to; word++) {
      // Relaxed: a bit is a hint where to look; what is found there is acquired.
      long bits = Words.loadRelaxedLong(memory, state.active + (long) word * Long.BYTES);
      bits &= word == first ? -1L << from : -1L; // the shift counts modulo 64
      for (; bits != 0; bits &= bits - 1) {
        int source = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
        if (source >= to) {
          return AGAIN;
        }
        int status = lookMarked(source);
        if (status != AGAIN) {
          state.turn = source + 1 < inflows.length ? source + 1 : 0;
          return status;
        }
      }
    }
    return AGAIN;
  }

  /** Looks at all fastboxes, and marks those in which something came without a mark. */
  private void scan() {
    for (int source = 0; source < inflows.length; source++) {
      Inflow in = inflows[source];
      if (in.box.isOpen() && in.box.peek(in.expected) != 0) {
        // Relaxed: our own mark; its message was acquired above. By a read-modify-write no mark of others is lost.
        Words.orRelaxedLong(memory, state.active + PureState.wordOf(source), PureState.bitOf(source));
      }
    }
  }

  /** Looks at the fastboxes in turn. */
  int lookBoxes() {
    if (state.looks - state.scanAt >= 0) {
      state.scanAt = state.looks + SCAN_LOOKS;
      scan();
    }
    int turn = state.turn; // the one behind the last that had something: all get their turn
    int status = lookActive(turn, inflows.length);
    return status == AGAIN && turn != 0 ? lookActive(0, turn) : status;
  }
}
