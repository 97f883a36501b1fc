package io.adrastea.fastbox;

import static io.adrastea.layout.BoxMessageDescriptor.BYTES;
import static io.adrastea.layout.BoxMessageDescriptor.HEADER_OFFSET;
import static io.adrastea.layout.BoxMessageDescriptor.KIND_PAD;
import static io.adrastea.layout.BoxMessageDescriptor.KIND_SHIFT;
import static io.adrastea.layout.BoxMessageDescriptor.MATCH_OFFSET;
import static io.adrastea.layout.BoxMessageDescriptor.PACKED;
import static io.adrastea.layout.BoxMessageDescriptor.SEQUENCE_SHIFT;
import static io.adrastea.atomic.Words.loadAcquire;
import static io.adrastea.atomic.Words.loadAcquireLong;
import static io.adrastea.atomic.Words.storeRelaxedLong;
import static io.adrastea.atomic.Words.storeReleaseLong;

import io.adrastea.atomic.Words;
import io.adrastea.layout.BoxEntryDescriptor;
import io.adrastea.layout.CellDescriptor;
import java.lang.foreign.MemorySegment;

/**
 * The writer's side of a fastbox; private to it. Twin of {@code fastbox/adr_outbox.h}, which gives the reasons; the
 * room that {@link #find} found is part of the box, so that no message makes an object.
 */
public final class Outbox {
  private static final long LINE = 64;

  /** Payload that shares the header's line. */
  public static final int HEAD = (int) (LINE - BYTES);

  private final MemorySegment memory;
  private final long mask; // bytes of the ring - 1
  private final long entry;
  private long ring; // offset in the segment; 0: there is none yet
  private long position; // of the next message
  private long room; // positions below may be written, as far as is known
  private long stale; // header places below may hold old payload
  private long clean; // but this one does not: it was zeroed ahead
  private boolean behind; // the reader had more than half of the ring unread when it was checked last
  private long withheld; // in a burst: offset of the message whose header is still to be stored, 0: none
  private long withheldHeader;

  // the room found last
  private long message;
  private long pad; // where a pad goes first; equal to begin: none
  private long begin;
  private long end; // where the next message will begin
  private boolean packed;

  /**
   * A box that is not there yet.
   *
   * @param entry offset of the reader's {@code box_entry} for this writer
   * @param ringBytes bytes of the ring, a power of two
   */
  public Outbox(MemorySegment memory, long entry, int ringBytes) {
    this.memory = memory;
    this.entry = entry;
    this.mask = ringBytes - 1;
  }

  /** Whether the reader has made the box. */
  public boolean isMade() {
    // SYNC box-open: acquire, pairs with the reader's release; the ring was reserved, and its zeros are there.
    return loadAcquire(memory, entry + BoxEntryDescriptor.OPEN_OFFSET) == 1;
  }

  /** Takes the ring at this offset of the segment into use: all zeros, and nobody else writes it. */
  public void open(long ring) {
    this.ring = ring;
    this.room = mask + 1;
  }

  public boolean isOpen() {
    return ring != 0;
  }

  /** Whether all up to {@code end}, and a header place behind it, may be written by now. */
  private boolean findReleased(long end) {
    // SYNC box-released: acquire, pairs with the reader's release; it has read what we write over.
    long released = loadAcquireLong(memory, entry + BoxEntryDescriptor.RELEASED_OFFSET);
    room = released + mask + 1;
    behind = Long.compareUnsigned(position - released, mask >>> 1) > 0;
    return Long.compareUnsigned(end + BoxRing.WORD, room) <= 0;
  }

  /** Finds room for a message of {@code length} bytes; false: there is none now. Nothing is written. */
  public boolean find(int length, boolean packed) {
    long begin = position;
    long left = mask + 1 - (begin & mask);
    if (BYTES + length > left) { // it is to be contiguous
      begin += left;
    }
    long end = BoxRing.end(begin, length, packed);
    if (Long.compareUnsigned(end + BoxRing.WORD, room) > 0 && !findReleased(end)) {
      return false;
    }
    this.message = BoxRing.messageAt(ring, mask, begin);
    this.pad = position;
    this.begin = begin;
    this.end = end;
    this.packed = packed;
    return true;
  }

  /** Offset in the segment of the {@code box_message} of the room found last; the payload goes behind it. */
  public long message() {
    return message;
  }

  /** Shows what a burst has withheld. */
  public void show() {
    if (withheld != 0) {
      // SYNC box-header: release, pairs with the reader's acquire; orders this message and all behind it.
      storeReleaseLong(memory, withheld + HEADER_OFFSET, withheldHeader);
      withheld = 0;
    }
  }

  /** The header that the reader waits for is kept back: what comes behind it cannot be seen before it. */
  private void withhold(long message, long header) {
    if (withheld == 0) {
      withheld = message;
      withheldHeader = header;
    } else {
      storeRelaxedLong(memory, message + HEADER_OFFSET, header);
    }
  }

  private void publish(long message, long header, boolean burst) {
    if (burst) {
      withhold(message, header);
      return;
    }
    // SYNC box-header: release, pairs with the reader's acquire; orders match, payload and the zero behind.
    storeReleaseLong(memory, message + HEADER_OFFSET, header);
  }

  /**
   * While the receiver answers: the lines that the next message of this size will write are fetched, by a store to each
   * (C fetches them without one, and pushes out those just written); the header place behind them is zeroed ahead, so
   * that no store to a line of its own delays the next header.
   */
  public void prepare() {
    long lines = end - begin;
    long ahead = end + lines;
    if (Long.compareUnsigned(ahead + BoxRing.WORD, room) > 0 && !findReleased(ahead)) {
      return;
    }
    if (lines > LINE) {
      for (long at = 0; at < lines; at += LINE) { // not to a header: the first of them is polled
        storeRelaxedLong(memory, BoxRing.messageAt(ring, mask, end + at) + MATCH_OFFSET, 0);
      }
      storeRelaxedLong(memory, BoxRing.messageAt(ring, mask, ahead) + HEADER_OFFSET, 0);
      clean = ahead;
    }
  }

  /**
   * A message that was waited for is likely to be answered: what the answer will be written to first is fetched while
   * the program reads the message, by stores that tell nobody anything (C fetches it without them): where the answer's
   * match will be and, if the last message there crossed lines, where the header of another one could be on the second
   * line. The peer has polled it since it was written last.
   */
  public void expectAnswer() {
    // Else it may lie behind the ring.
    if (ring != 0 && isAtLine() && Long.compareUnsigned(position + LINE, room) <= 0) {
      storeRelaxedLong(memory, BoxRing.messageAt(ring, mask, position) + MATCH_OFFSET, 0);
      if (isLong() && Long.compareUnsigned(position + 2 * LINE, room) <= 0) {
        storeRelaxedLong(memory, BoxRing.messageAt(ring, mask, position + LINE) + HEADER_OFFSET, 0);
      }
    }
  }

  /** Whether the reader had more than half of the ring unread when it was checked last. */
  public boolean isBehind() {
    return behind;
  }

  /** Whether the next message begins a line. */
  public boolean isAtLine() {
    return (position & LINE - 1) == 0;
  }

  /** Whether something is withheld. */
  public boolean isWithholding() {
    return withheld != 0;
  }

  /** Whether the room found last is followed at once by the next message, not at the next line. */
  public boolean isPacked() {
    return packed;
  }

  /**
   * Whether a message of at most {@link #HEAD} bytes can be put on a line: there is room as far as is known, and the
   * place behind is clean.
   */
  public boolean hasLine() {
    long end = position + LINE;
    return Long.compareUnsigned(end + BoxRing.WORD, room) <= 0 && Long.compareUnsigned(end, stale) >= 0;
  }

  /** Offset in the segment of the {@code box_message} on that line: match and payload are to be written there. */
  public long lineMessage() {
    return BoxRing.messageAt(ring, mask, position);
  }

  /** Sends what was written on that line. (C also fetches a line ahead, for which Java has no instruction.) */
  public void putLine(long sequence, int length) {
    long message = lineMessage();
    position += LINE;
    // SYNC box-header: release, pairs with the reader's acquire; orders match and payload.
    storeReleaseLong(
        memory, message + HEADER_OFFSET,
        sequence << SEQUENCE_SHIFT | (long) CellDescriptor.KIND_FIRST << KIND_SHIFT | length);
  }

  /**
   * Whether the message sent last may have had more than a line, or was packed: it has made places behind it stale.
   */
  private boolean isLong() {
    return stale == position + mask + 1;
  }

  /** Whether payload lies where a line begins. */
  private boolean crosses(int length) {
    return (begin & LINE - 1) + BYTES + length > LINE;
  }

  private void publishBehindPad(long sequence, long header, boolean burst) {
    storeRelaxedLong(memory, message + HEADER_OFFSET, header);
    publish(BoxRing.messageAt(ring, mask, pad), sequence << SEQUENCE_SHIFT | (long) KIND_PAD << KIND_SHIFT, burst);
  }

  /** Sends what was written into the room found last. */
  public void commit(long sequence, int length, boolean burst) {
    long header =
        sequence << SEQUENCE_SHIFT | (packed ? PACKED : 0) | (long) CellDescriptor.KIND_FIRST << KIND_SHIFT | length;
    if (packed || (Long.compareUnsigned(end, stale) < 0 && end != clean)) {
      // Relaxed: published, like the message, by the release of the header in front of it.
      storeRelaxedLong(memory, BoxRing.messageAt(ring, mask, end) + HEADER_OFFSET, 0);
    }
    if (packed || crosses(length) || pad != begin) {
      stale = end + mask + 1;
    }
    position = end;
    if (pad == begin) {
      publish(message, header, burst);
    } else {
      publishBehindPad(sequence, header, burst);
    }
  }

  /** Gives the room found last back unsent, whatever was written into it. */
  public void abort() {
    stale = end + mask + 1;
    clean = 0;
  }
}
