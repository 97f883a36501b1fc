package io.adrastea;

import static java.lang.foreign.MemorySegment.ofArray;

import io.adrastea.large.LargeBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Buffers of large messages: all that differ in how the other end can reach them, and in what can free them. */
public enum LargeKind {
  // @formatter:off
  GLOBAL, AUTOMATIC, CONFINED, CLOSABLE, ALLOCATION, BYTES,
  DOUBLES, DIRECT_BUFFER, NATIVE_PARTS, ALLOCATED_PARTS, MIXED_PARTS;
  // @formatter:on

  private static final int PARTS = 21;

  /** The most bytes, up to so many, that such a buffer can have. */
  public int bytes(int most) {
    return this == DOUBLES ? most / Double.BYTES * Double.BYTES : most;
  }

  /** A buffer of zeros that holds at least so many bytes, and as few more as can be. */
  public LargeBuffer make(Job job, int bytes) {
    LargeBuffer buffer = new LargeBuffer(job);
    switch (this) {
      case GLOBAL -> buffer.use(buffer.keep(Arena.ofAuto().allocate(bytes), bytes));
      case AUTOMATIC -> buffer.use(Arena.ofAuto().allocate(bytes));
      case CONFINED -> buffer.use(buffer.closing(Arena.ofConfined()).allocate(bytes));
      case CLOSABLE -> buffer.use(buffer.closing(Arena.ofShared()).allocate(bytes));
      case ALLOCATION -> buffer.use(buffer.allocate(bytes));
      case BYTES -> {
        byte[] array = new byte[bytes];
        buffer.use(Data.of(array), MemorySegment.ofArray(array));
      }
      case DOUBLES -> {
        double[] array = new double[(bytes + Double.BYTES - 1) / Double.BYTES];
        buffer.use(Data.of(array), MemorySegment.ofArray(array));
      }
      case DIRECT_BUFFER -> {
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes);
        buffer.use(Data.of(direct), MemorySegment.ofBuffer(direct));
      }
      default -> makeParts(buffer, bytes);
    }
    return buffer;
  }

  /** Parts of many lengths, some of none. */
  private void makeParts(LargeBuffer buffer, int bytes) {
    int left = bytes;
    for (int i = 0; i < PARTS; i++) {
      int part = i == PARTS - 1 ? left : Math.min(left, i % 5 == 4 ? 0 : bytes * (i % 3) / PARTS + i);
      buffer.addPart(part(buffer, i, part));
      left -= part;
    }
  }

  private MemorySegment part(LargeBuffer buffer, int index, int bytes) {
    if (this == MIXED_PARTS && index % 2 == 0) {
      return ofArray(new byte[bytes]);
    }
    return this == ALLOCATED_PARTS && bytes > 0 ? buffer.allocate(bytes) : Arena.ofAuto().allocate(bytes);
  }
}
