package io.adrastea.fastbox;

import static io.adrastea.layout.BoxMessageDescriptor.BYTES;
import static io.adrastea.layout.BoxMessageDescriptor.HEADER_OFFSET;
import static io.adrastea.layout.BoxMessageDescriptor.KIND_MASK;
import static io.adrastea.layout.BoxMessageDescriptor.KIND_PAD;
import static io.adrastea.layout.BoxMessageDescriptor.KIND_SHIFT;
import static io.adrastea.layout.BoxMessageDescriptor.LENGTH_MASK;
import static io.adrastea.layout.BoxMessageDescriptor.PACKED;
import static io.adrastea.layout.BoxMessageDescriptor.SEQUENCE_SHIFT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.atomic.Words.loadAcquireLong;
import static io.adrastea.atomic.Words.loadRelaxedLong;
import static io.adrastea.atomic.Words.storeRelaxed;
import static io.adrastea.atomic.Words.storeRelaxedLong;
import static io.adrastea.atomic.Words.storeRelease;
import static io.adrastea.atomic.Words.storeReleaseLong;

import io.adrastea.atomic.Words;
import io.adrastea.layout.BoxEntryDescriptor;
import java.lang.foreign.MemorySegment;

/**
 * The reader's side of a fastbox; private to it. Twin of {@code fastbox/adr_inbox.h}, which gives the reasons.
 */
public final class Inbox {
  /** A header is not valid, or what was given back was never retained. */
  public static final int CORRUPT = -71;

  /** Bits of a header that tell where its message ends; and its kind, which is not 0, as it is before any has come. */
  private static final long END_BITS = LENGTH_MASK | PACKED | KIND_MASK << KIND_SHIFT;

  /** Nothing is retained there. */
  public static final int INVAL = -22;

  /** What a message that was given back while an older one is retained has for its kind: the reader's own mark. */
  private static final int KIND_RELEASED = 7;

  private final MemorySegment memory;
  private final long mask; // bytes of the ring - 1
  private final long entry;
  private long ring; // offset in the segment; 0: not open
  private long position; // of the next message
  private long freed; // all below it is given back
  private long released; // as the writer was told last
  private long usualBits; // of the header of the message passed last: END_BITS
  private long usualBytes; // from its begin to where the next may begin, before that is rounded down
  private long usualMultiple; // minus what the next begins at a multiple of
  private int retained; // messages below position that are still in use
  private int idle; // polls in a row that found nothing

  /**
   * A box that is not open.
   *
   * @param entry offset of this reader's {@code box_entry} for the writer
   * @param ringBytes bytes of the ring, a power of two
   */
  public Inbox(MemorySegment memory, long entry, int ringBytes) {
    this.memory = memory;
    this.entry = entry;
    this.mask = ringBytes - 1;
  }

  /** Opens the box: its ring, at this offset of the segment, was reserved. */
  public void open(long ring) {
    this.ring = ring;
    // SYNC box-open: release, pairs with the writer's acquire; the ring was reserved, and its zeros are there.
    storeRelease(memory, entry + BoxEntryDescriptor.OPEN_OFFSET, 1);
  }

  /** Closes the box: its writer is gone, nobody touches the ring any more. */
  public void close() {
    storeRelaxed(memory, entry + BoxEntryDescriptor.OPEN_OFFSET, 0);
    ring = 0;
  }

  public boolean isOpen() {
    return ring != 0;
  }

  /** Whether messages are retained. */
  public boolean isRetaining() {
    return retained != 0;
  }

  /** Where the next message begins, counted from the start of the ring's life. */
  public long position() {
    return position;
  }

  /** Offset in the segment of the {@code box_message} of the next message. */
  public long message() {
    return BoxRing.messageAt(ring, mask, position);
  }

  /** Counts one more poll that found nothing; how many there were in a row. */
  public int noteIdle() {
    return ++idle;
  }

  /** Something was found, or the count begins anew. */
  public void notIdle() {
    idle = 0;
  }

  /** The header of the next message when it has this sequence number; 0: it is not there. */
  public long peek(long sequence) {
    // SYNC box-header: acquire, pairs with the writer's release; orders match and payload.
    long header = loadAcquireLong(memory, BoxRing.messageAt(ring, mask, position) + HEADER_OFFSET);
    return (header ^ sequence << SEQUENCE_SHIFT) >>> SEQUENCE_SHIFT == 0 ? header : 0;
  }

  /** Offset in the segment of what lies at a position. */
  public long messageAt(long position) {
    return BoxRing.messageAt(ring, mask, position);
  }

  /**
   * The header of the message at {@code position}, behind the next one, when it is a whole message of this sequence
   * number; 0: none is there, or something that poll is to see to.
   */
  public long peekBehind(long position, long sequence) {
    // SYNC box-header: acquire, pairs with the writer's release; orders match and payload.
    long header = loadAcquireLong(memory, BoxRing.messageAt(ring, mask, position) + HEADER_OFFSET);
    long length = (header ^ (sequence << SEQUENCE_SHIFT | (long) KIND_FIRST << KIND_SHIFT)) & ~PACKED;
    boolean whole = (length & ~LENGTH_MASK) == 0 && (position & mask) + BYTES + length <= mask + 1;
    return whole ? header : 0;
  }

  private long peekBehindPad(long sequence) {
    position = (position | mask) + 1;
    return peek(sequence);
  }

  /**
   * Peeks, over a pad too. {@link #CORRUPT} when a header is not valid: its kind, or a length that goes beyond the
   * ring's end.
   */
  public long poll(long sequence) {
    long header = peek(sequence);
    if (BoxRing.kind(header) == KIND_PAD) {
      header = peekBehindPad(sequence);
    }
    if (header == 0 || BoxRing.kind(header) == 0) { // kind 0: a zeroed place, where the sequence is 0 modulo 2^44
      return 0;
    }
    long last = (position & mask) + BYTES + (header & LENGTH_MASK);
    boolean sound = BoxRing.kind(header) == KIND_FIRST && last <= mask + 1;
    return sound ? header & Long.MAX_VALUE : CORRUPT;
  }

  /**
   * Whether nothing waits in the box, neither the next message nor one behind something that went by queue: the place
   * of the next header is zero or holds one of an earlier lap. For a writer that is gone.
   */
  public boolean isEmpty(long sequence) {
    // SYNC box-header: acquire, pairs with the writer's release.
    long header = loadAcquireLong(memory, BoxRing.messageAt(ring, mask, position) + HEADER_OFFSET);
    long ahead = header - (sequence << SEQUENCE_SHIFT); // its number less the expected one, in the upper bits
    return BoxRing.kind(header) == 0 || ahead < 0;
  }

  /** Tells the writer what is given back. Not at every message: the line goes to the writer and back. */
  public void tell() {
    if (released != freed) {
      released = freed;
      // SYNC box-released: release, pairs with the writer's acquire; our reads come before its writes.
      storeReleaseLong(memory, entry + BoxEntryDescriptor.RELEASED_OFFSET, freed);
    }
  }

  /** Whether a message ends where one like the message passed last would. */
  private boolean isUsual(long header) {
    return ((header ^ usualBits) & END_BITS) == 0;
  }

  /**
   * Where the message ends that begins at {@code begin} and has this header. If the message passed last was like it,
   * that is computed without this header, so that the next line is asked for before this one is there.
   */
  public long endOf(long begin, long header) {
    return isUsual(header)
        ? begin + usualBytes & usualMultiple
        : BoxRing.end(begin, (int) (header & LENGTH_MASK), (header & PACKED) != 0);
  }

  private void noteUsual(long header) {
    long multiple = (header & PACKED) != 0 ? BoxRing.WORD : BoxRing.LINE;
    usualBits = header & END_BITS;
    usualBytes = BYTES + (header & LENGTH_MASK) + multiple - 1;
    usualMultiple = -multiple;
  }

  /** Goes on behind the message at {@code position}, whose header is known. */
  private void pass(long header) {
    if (!isUsual(header)) {
      noteUsual(header);
    }
    position = position + usualBytes & usualMultiple;
  }

  /** Moves {@code freed} over all that is given back: 0 or {@link #CORRUPT}. */
  private int sweep() {
    while (freed != position) {
      long header = loadRelaxedLong(memory, BoxRing.messageAt(ring, mask, freed) + HEADER_OFFSET);
      if (BoxRing.kind(header) == KIND_PAD) {
        freed = (freed | mask) + 1;
      } else if (BoxRing.kind(header) == KIND_RELEASED) {
        freed = endOf(freed, header);
      } else {
        return 0;
      }
      if (freed > position) {
        return CORRUPT;
      }
    }
    return 0;
  }

  private void mark(long position) {
    long header = BoxRing.messageAt(ring, mask, position) + HEADER_OFFSET;
    storeRelaxedLong(memory, header, loadRelaxedLong(memory, header) | (long) KIND_RELEASED << KIND_SHIFT);
  }

  /**
   * Ends with the message at {@code position}, whose header is known: it goes back now or, while an older one is
   * retained, with that.
   */
  public void end(long header) {
    long begin = position;
    pass(header);
    if (retained != 0) {
      mark(begin);
      return;
    }
    freed = position;
    if (freed - released > mask >> 2) {
      tell();
    }
  }

  /**
   * Ends with all messages up to {@code end}, of which the last one's header is known, while none is retained: they go
   * back now.
   */
  public void endAll(long end, long lastHeader) {
    if (!isUsual(lastHeader)) {
      noteUsual(lastHeader);
    }
    position = end;
    freed = end;
    if (freed - released > mask >> 2) {
      tell();
    }
  }

  /**
   * Goes on behind the message at {@code position} and leaves it in use. Where it is. To be handed to {@link #release}.
   */
  public long retain(long header) {
    long begin = position;
    if (retained++ == 0) {
      freed = begin; // a pad in front of it is free
    }
    pass(header);
    return begin;
  }

  /** Gives a message back that was retained: 0; {@link #INVAL}: none is retained there; {@link #CORRUPT}. */
  public int release(long position) {
    if (retained == 0
        || position < freed
        || position >= this.position
        || position % BoxRing.WORD != 0
        || BoxRing
            .kind(loadRelaxedLong(memory, BoxRing.messageAt(ring, mask, position) + HEADER_OFFSET)) != KIND_FIRST) {
      return INVAL;
    }
    retained--;
    mark(position);
    int status = sweep();
    tell();
    return status;
  }
}
