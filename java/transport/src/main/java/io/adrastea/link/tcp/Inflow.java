package io.adrastea.link.tcp;

import io.adrastea.link.Inbound;
import io.adrastea.link.Link;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Frames that have come from one rank, where one read has put them. Guarded by the link.
 *
 * <pre>
 *       next         scanned     filled
 *  taken  |  whole frames  |  a part  |  free
 * </pre>
 */
final class Inflow {
  /** What {@link #scan} answers when no whole frame is left. */
  static final int NONE = 0;

  /** What it answers when no rank sends what comes next. */
  static final int CORRUPT = -1;

  private final InBuffers buffers;
  private final int pieceBytes;
  private final int mostFrameBytes;
  private InBuffers.Buffer in;
  private int next;
  private int scanned;
  private int filled;
  private int pieces; // from next to scanned
  private int control; // the last that was scanned
  private long received; // bytes that have ever come

  Inflow(InBuffers buffers, int pieceBytes) {
    this.buffers = buffers;
    this.pieceBytes = pieceBytes;
    this.mostFrameBytes = Frame.bytes(Math.max(pieceBytes, Frame.MOST_REASON_BYTES));
    this.in = buffers.take();
  }

  /** Whole pieces that nobody has taken. */
  int pieces() {
    return pieces;
  }

  long received() {
    return received;
  }

  /**
   * Where to read to, up to the limit; null: there is no room until pieces were taken. What is not a whole frame moves
   * to where the rest of it fits, and pieces stay where they lie.
   */
  ByteBuffer room() {
    if (next == filled && !in.isHeld()) {
      next = 0;
      scanned = 0;
      filled = 0;
    }
    if (isFull()) {
      return null;
    }
    if (in.bytes.capacity() - scanned < mostFrameBytes) {
      movePart();
    }
    return in.bytes.limit(in.bytes.capacity()).position(filled);
  }

  private void movePart() {
    InBuffers.Buffer old = in;
    in = old.isHeld() ? buffers.take() : old;
    MemorySegment.copy(old.memory, scanned, in.memory, 0, filled - scanned);
    filled -= scanned;
    scanned = 0;
    next = 0;
    if (in != old) {
      buffers.give(old);
    }
  }

  /** Whether there is no room until pieces were taken. */
  boolean isFull() {
    return pieces > 0 && in.bytes.capacity() - scanned < mostFrameBytes;
  }

  /** So many bytes were read to {@link #room}. */
  void came(int bytes) {
    filled += bytes;
    received += bytes;
  }

  /**
   * Goes over the frames that have come, up to the next that is no piece.
   *
   * @return its kind, and {@link #match} and {@link #reason} are its; or {@link #NONE} or {@link #CORRUPT}
   */
  int scan() {
    while (filled - scanned >= Frame.HEADER_BYTES) {
      int kind = in.bytes.getInt(scanned + Frame.KIND);
      int length = in.bytes.getInt(scanned + Frame.LENGTH);
      long totalLength = in.bytes.getLong(scanned + Frame.TOTAL_LENGTH);
      boolean isPiece = kind >= 1 && kind <= Link.MOST_KIND;
      if (length < 0 || (isPiece ? length > pieceBytes || totalLength < length : !isControl(kind, length))) {
        return CORRUPT;
      }
      int frame = Frame.bytes(length);
      if (filled - scanned < frame) {
        return NONE;
      }
      control = scanned;
      scanned += frame;
      if (!isPiece) {
        next = pieces == 0 ? scanned : next;
        return kind;
      }
      pieces++;
    }
    return NONE;
  }

  private static boolean isControl(int kind, int length) {
    return kind == Frame.FAILED ? length <= Frame.MOST_REASON_BYTES
        : (kind == Frame.HEARTBEAT || kind == Frame.LEFT) && length == 0;
  }

  /** The match of the frame that the scan has told of. */
  long match() {
    return in.bytes.getLong(control + Frame.MATCH);
  }

  /** The payload of that frame, as text. */
  String reason() {
    byte[] text = new byte[in.bytes.getInt(control + Frame.LENGTH)];
    in.bytes.get(control + Frame.HEADER_BYTES, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Words of the header where the scan stands, for a message about it. */
  String words() {
    return "kind %d, %d bytes".formatted(in.bytes.getInt(scanned + Frame.KIND),
        in.bytes.getInt(scanned + Frame.LENGTH));
  }

  /** Tells of the first piece; there is one. */
  void tell(int rank, Inbound inbound) {
    while (in.bytes.getInt(next + Frame.KIND) > Link.MOST_KIND) {
      next += Frame.bytes(in.bytes.getInt(next + Frame.LENGTH));
    }
    inbound.found(rank, in.bytes.getInt(next + Frame.KIND), in.bytes.getLong(next + Frame.MATCH),
        in.bytes.getLong(next + Frame.TOTAL_LENGTH), in.memory, next + Frame.HEADER_BYTES,
        in.bytes.getInt(next + Frame.LENGTH), in.place);
  }

  /** Memory of the first piece, which was told of. */
  MemorySegment memory() {
    return in.memory;
  }

  long payload() {
    return next + Frame.HEADER_BYTES;
  }

  /** Ends with the first piece, which was told of. */
  void pass() {
    pieces--;
    next = pieces == 0 ? scanned : next + Frame.bytes(in.bytes.getInt(next + Frame.LENGTH));
  }

  /** Keeps the first piece where it lies; false: it cannot be kept. */
  boolean retain() {
    boolean retained = buffers.retain(in);
    if (retained) {
      pass();
    }
    return retained;
  }

  /** Drops all whole frames that have come. */
  void drop() {
    pieces = 0;
    next = scanned;
  }
}
