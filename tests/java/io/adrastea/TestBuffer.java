package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A stretch of a buffer of some kind, with a margin on both sides that must not be touched. */
record TestBuffer(Object object, MemorySegment whole, int elementBytes, int bytes) {
  static final int MARGIN = 16;

  private MemorySegment stretch() {
    return whole.asSlice(MARGIN, bytes);
  }

  private int offset() {
    return MARGIN / elementBytes;
  }

  private int count() {
    return bytes / elementBytes;
  }

  private ByteBuffer limited(ByteBuffer buffer) {
    return buffer.clear().position(MARGIN).limit(MARGIN + bytes);
  }

  TestBuffer fill(long seed) {
    MemorySegment.copy(MemorySegment.ofArray(Contents.of(bytes, seed)), 0, whole, MARGIN, bytes);
    return this;
  }

  void check(long seed) {
    Contents.checkZero(whole.asSlice(0, MARGIN));
    Contents.check(bytes, seed, stretch());
    Contents.checkZero(whole.asSlice(MARGIN + bytes));
    if (object instanceof ByteBuffer buffer) {
      assertEquals(MARGIN, buffer.position(), "position");
      assertEquals(MARGIN + bytes, buffer.limit(), "limit");
    }
  }

  void send(Communicator world, int destination, int tag) {
    switch (object) {
      case MemorySegment memory -> world.send(stretch(), destination, tag);
      case ByteBuffer buffer -> world.send(limited(buffer), destination, tag);
      default -> world.send(object, offset(), count(), destination, tag);
    }
  }

  Status recv(Communicator world, int source, int tag) {
    return switch (object) {
      case MemorySegment memory -> world.recv(stretch(), source, tag);
      case ByteBuffer buffer -> world.recv(limited(buffer), source, tag);
      default -> world.recv(object, offset(), count(), source, tag);
    };
  }

  Request isend(Communicator world, int destination, int tag) {
    return switch (object) {
      case MemorySegment memory -> world.isend(stretch(), destination, tag);
      case ByteBuffer buffer -> world.isend(limited(buffer), destination, tag);
      default -> world.isend(object, offset(), count(), destination, tag);
    };
  }

  Request irecv(Communicator world, int source, int tag) {
    return switch (object) {
      case MemorySegment memory -> world.irecv(stretch(), source, tag);
      case ByteBuffer buffer -> world.irecv(limited(buffer), source, tag);
      default -> world.irecv(object, offset(), count(), source, tag);
    };
  }
}
