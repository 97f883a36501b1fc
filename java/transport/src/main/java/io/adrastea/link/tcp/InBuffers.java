package io.adrastea.link.tcp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The buffers that pieces come into and lie in: a current one for each connection, and those of retained pieces. */
final class InBuffers {
  /** Most buffers that retained pieces hold; more are not retained. */
  static final int MOST_HELD = 64;

  private final int capacity;
  private final List<Buffer> all = new ArrayList<>(); // by place
  private final Deque<Buffer> free = new ArrayDeque<>();
  private int held; // those with retained pieces

  InBuffers(int capacity) {
    this.capacity = capacity;
  }

  /** One of them. */
  static final class Buffer {
    final int place;
    final ByteBuffer bytes;
    final MemorySegment memory; // of the same
    private int retained; // pieces
    private boolean current; // of a connection

    private Buffer(int place, int capacity) {
      this.place = place;
      this.bytes = ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
      this.memory = MemorySegment.ofBuffer(bytes);
    }

    boolean isHeld() {
      return retained > 0;
    }
  }

  /** One for a connection to read into. */
  Buffer take() {
    Buffer buffer = free.poll();
    if (buffer == null) {
      buffer = new Buffer(all.size(), capacity);
      all.add(buffer);
    }
    buffer.current = true;
    return buffer;
  }

  /** The connection reads into it no more. */
  void give(Buffer buffer) {
    buffer.current = false;
    if (!buffer.isHeld()) {
      free.push(buffer);
    }
  }

  /** Keeps what is in a buffer for one more piece; false: too many are kept. */
  boolean retain(Buffer buffer) {
    if (!buffer.isHeld()) {
      if (held == MOST_HELD) {
        return false;
      }
      held++;
    }
    buffer.retained++;
    return true;
  }

  void release(int place) {
    Buffer buffer = all.get(place);
    if (--buffer.retained == 0) {
      held--;
      if (!buffer.current) {
        free.push(buffer);
      }
    }
  }
}
