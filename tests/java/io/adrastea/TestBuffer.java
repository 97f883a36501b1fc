package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A stretch of a buffer of some kind, with a margin on both sides that must not be touched. */
public record TestBuffer(Object object, MemorySegment whole, int elementBytes, int bytes) {
  public static final int MARGIN = 16;

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

  public TestBuffer fill(long seed) {
    MemorySegment.copy(MemorySegment.ofArray(Contents.of(bytes, seed)), 0, whole, MARGIN, bytes);
    return this;
  }

  public void check(long seed) {
    Contents.checkZero(whole.asSlice(0, MARGIN));
    Contents.check(bytes, seed, stretch());
    Contents.checkZero(whole.asSlice(MARGIN + bytes));
    if (object instanceof ByteBuffer buffer) {
      assertEquals(MARGIN, buffer.position(), "position");
      assertEquals(MARGIN + bytes, buffer.limit(), "limit");
    }
  }

  private Data data() {
    return switch (object) {
      case ByteBuffer buffer -> Data.of(limited(buffer));
      case byte[] array -> Data.of(array, offset(), count());
      case short[] array -> Data.of(array, offset(), count());
      case char[] array -> Data.of(array, offset(), count());
      case int[] array -> Data.of(array, offset(), count());
      case float[] array -> Data.of(array, offset(), count());
      case long[] array -> Data.of(array, offset(), count());
      case double[] array -> Data.of(array, offset(), count());
      default -> throw new AssertionError(object);
    };
  }

  public void send(Communicator world, int destination, int tag) {
    if (object instanceof MemorySegment memory) {
      world.send(memory, MARGIN, bytes, destination, tag);
    } else {
      world.send(data(), destination, tag);
    }
  }

  public Status recv(Communicator world, int source, int tag) {
    return object instanceof MemorySegment memory
        ? world.recv(memory, MARGIN, bytes, source, tag)
        : world.recv(data(), source, tag);
  }

  public Request isend(Communicator world, int destination, int tag) {
    return object instanceof MemorySegment
        ? world.isend(stretch(), destination, tag)
        : world.isend(data(), destination, tag);
  }

  public Request irecv(Communicator world, int source, int tag) {
    return object instanceof MemorySegment
        ? world.irecv(stretch(), source, tag)
        : world.irecv(data(), source, tag);
  }
}
