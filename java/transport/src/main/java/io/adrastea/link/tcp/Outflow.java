package io.adrastea.link.tcp;

import io.adrastea.link.CopyInterrupt;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/** Frames that go out to one rank, up to where the socket has taken them. Guarded by the link. */
final class Outflow {
  private final ByteBuffer bytes;
  private final MemorySegment memory; // of the same
  private int start; // of what the socket has not taken
  private int end;
  private int reserved; // for what is claimed
  private long taken; // bytes of all frames that were ever put here

  Outflow(int capacity) {
    bytes = ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    memory = MemorySegment.ofBuffer(bytes);
  }

  boolean isEmpty() {
    return start == end;
  }

  long taken() {
    return taken;
  }

  /** Whether a frame with so many bytes of payload fits beside what is claimed. */
  boolean hasRoom(int length) {
    return bytes.capacity() - (end - start) - reserved >= Frame.bytes(length);
  }

  /** Sets room aside for a frame; there is some. */
  void reserve(int length) {
    reserved = Frame.bytes(length);
  }

  void endReserve() {
    reserved = 0;
  }

  /** Puts a frame behind the others; there is room for it. When the copy throws nothing was put. */
  void put(int kind, long match, long totalLength, MemorySegment source, long offset, int length) {
    int frame = Frame.bytes(length);
    if (bytes.capacity() - end < frame) {
      MemorySegment.copy(memory, start, memory, 0, end - start);
      end -= start;
      start = 0;
    }
    if (length > 0) {
      CopyInterrupt.copy(source, offset, memory, end + Frame.HEADER_BYTES, length);
    }
    bytes.putInt(end + Frame.KIND, kind).putInt(end + Frame.LENGTH, length).putLong(end + Frame.MATCH, match)
        .putLong(end + Frame.TOTAL_LENGTH, totalLength);
    end += frame;
    taken += frame;
  }

  /** Lets the socket take what it can now; the rest stays. */
  void writeTo(SocketChannel channel) throws IOException {
    bytes.limit(end).position(start);
    try {
      channel.write(bytes);
    } finally {
      passed(bytes.position() - start);
      bytes.clear();
    }
  }

  /** Copies as much as fits to a buffer, for a rank's frames to itself. */
  int moveTo(ByteBuffer room) {
    int length = Math.min(room.remaining(), end - start);
    room.put(bytes.slice(start, length));
    passed(length);
    return length;
  }

  private void passed(int length) {
    start += length;
    if (start == end) {
      start = 0;
      end = 0;
    }
  }

  /** Drops what is left. */
  void drop() {
    start = 0;
    end = 0;
  }
}
