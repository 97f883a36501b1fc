package io.adrastea;

import io.adrastea.agrona.SegmentBuffer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * The memory behind Agrona's buffers, found anew for each message, since a buffer may be laid over something else at any time. Nothing
 * is made but the view of an array or byte buffer, which {@link Buffers} keeps. No buffer is made to grow.
 */
final class DirectBuffers {
  /** Any native memory, by its address; made at first need, since it takes native access. */
  private static final class Everywhere {
    static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  private DirectBuffers() {}

  /** What {@link #offset} counts in. */
  static MemorySegment memory(Buffers buffers, DirectBuffer buffer) {
    Objects.requireNonNull(buffer, "the buffer is null");
    if (buffer instanceof SegmentBuffer ours) {
      return ours.segment();
    }
    byte[] array = buffer.byteArray();
    if (array != null) {
      return buffers.of(array).memory();
    }
    ByteBuffer bytes = buffer.byteBuffer();
    return bytes != null ? buffers.of(bytes).memory() : Everywhere.MEMORY;
  }

  /** As {@link #memory}; refuses an array too when it is behind a read-only byte buffer. */
  static MemorySegment writable(Buffers buffers, DirectBuffer buffer) {
    MemorySegment memory = memory(buffers, buffer);
    ByteBuffer bytes = buffer.byteBuffer();
    if (bytes != null && bytes.isReadOnly()) {
      throw new IllegalArgumentException("the receive buffer is over a read-only byte buffer; a writable one is needed");
    }
    return memory;
  }

  /** Where a stretch of {@code buffer} begins in its memory, after a check that it lies inside both. */
  static long offset(DirectBuffer buffer, MemorySegment memory, int index, int length) {
    Objects.checkFromIndexSize(index, length, buffer.capacity());
    long base = base(buffer);
    if (base == 0 && length > 0 && memory == Everywhere.MEMORY) {
      throw new IllegalArgumentException("the buffer is at address 0: there is no memory");
    }
    return Objects.checkFromIndexSize(base + index, length, memory.byteSize());
  }

  private static long base(DirectBuffer buffer) {
    if (buffer instanceof SegmentBuffer) {
      return 0;
    }
    return buffer.byteArray() == null && buffer.byteBuffer() == null ? buffer.addressOffset() : buffer.wrapAdjustment();
  }
}
