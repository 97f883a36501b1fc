package io.adrastea.agrona;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** What a {@link SegmentBuffer} lies over, and how it is laid over something else. */
abstract class SegmentMemory implements MutableDirectBuffer {
  /** Exactly the bytes from index 0 to the capacity, so that the memory itself checks every access. */
  MemorySegment memory = MemorySegment.NULL;

  private int capacity;
  private byte[] array;
  private ByteBuffer byteBuffer;
  private int adjustment;

  /**
   * Lays this buffer over all of a segment.
   *
   * @param segment of at most {@link Integer#MAX_VALUE} bytes, native or heap; atomic access needs native memory, or an array of longs
   * @throws IllegalArgumentException when the segment is longer than that
   */
  public void wrap(MemorySegment segment) {
    Objects.requireNonNull(segment, "the segment is null");
    if (segment.byteSize() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a segment of %d bytes; a buffer has at most %d: wrap a part of it"
              .formatted(segment.byteSize(), Integer.MAX_VALUE));
    }
    hold(segment, null, segment.isNative() ? 0 : Math.toIntExact(segment.address()));
  }

  /**
   * Lays this buffer over a part of a segment.
   *
   * @param segment native or heap
   * @param offset first byte
   * @param length bytes
   */
  public void wrap(MemorySegment segment, long offset, int length) {
    Objects.requireNonNull(segment, "the segment is null");
    wrap(segment.asSlice(offset, length));
  }

  @Override
  public void wrap(byte[] buffer) {
    wrap(MemorySegment.ofArray(Objects.requireNonNull(buffer, "the array is null")));
  }

  @Override
  public void wrap(byte[] buffer, int offset, int length) {
    wrap(MemorySegment.ofArray(Objects.requireNonNull(buffer, "the array is null")), offset, length);
  }

  @Override
  public void wrap(ByteBuffer buffer) {
    wrap(buffer, 0, Objects.requireNonNull(buffer, "the byte buffer is null").capacity());
  }

  @Override
  public void wrap(ByteBuffer buffer, int offset, int length) {
    Objects.requireNonNull(buffer, "the byte buffer is null");
    MemorySegment part = Backing.of(buffer).asSlice(offset, length);
    hold(part, buffer, part.isNative() ? offset : Math.toIntExact(part.address()));
  }

  @Override
  public void wrap(DirectBuffer buffer) {
    wrap(buffer, 0, Objects.requireNonNull(buffer, "the buffer is null").capacity());
  }

  @Override
  public void wrap(DirectBuffer buffer, int offset, int length) {
    Objects.requireNonNull(buffer, "the buffer is null");
    hold(
        Backing.of(buffer).asSlice(offset, length), buffer.byteBuffer(), Math.addExact(buffer.wrapAdjustment(), offset));
  }

  /**
   * Lays this buffer over native memory, which nothing keeps from being freed; a restricted method in the sense of {@link
   * MemorySegment#reinterpret(long)}.
   */
  @Override
  public void wrap(long address, int length) {
    wrap(Backing.at(address, length));
  }

  private void hold(MemorySegment memory, ByteBuffer byteBuffer, int adjustment) {
    this.memory = memory;
    this.capacity = (int) memory.byteSize();
    this.array = memory.heapBase().orElse(null) instanceof byte[] bytes ? bytes : null;
    this.byteBuffer = byteBuffer;
    this.adjustment = adjustment;
  }

  /**
   * The memory under this buffer.
   *
   * @return from index 0, as long as the capacity
   */
  public MemorySegment segment() {
    return memory;
  }

  /**
   * Where the memory is, for those that access it around this buffer. Whoever does keeps this buffer reachable, and its arena
   * open, meanwhile.
   *
   * @throws UnsupportedOperationException when it is on the heap, and no {@code byte[]} that can be written; or is one, and Agrona's own
   *     access to memory is not open
   */
  @Override
  public long addressOffset() {
    if (memory.isNative()) {
      return memory.address();
    }
    if (array == null) {
      throw new UnsupportedOperationException(
          "no address: the memory is on the heap and read-only, or no byte[]; wrap native memory or a byte[]");
    }
    return arrayBase() + memory.address();
  }

  /** Only Agrona knows it, and only where its own buffers work; others have no use for it. */
  private static long arrayBase() {
    try {
      return BufferUtil.ARRAY_BASE_OFFSET;
    } catch (LinkageError e) {
      throw new UnsupportedOperationException(
          "the address of a byte[] is for Agrona's own buffers, which need --add-exports java.base/jdk.internal.misc=ALL-UNNAMED", e);
    }
  }

  @Override
  public byte[] byteArray() {
    return array;
  }

  @Override
  public ByteBuffer byteBuffer() {
    return byteBuffer;
  }

  @Override
  public int wrapAdjustment() {
    return adjustment;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  /** Never: the capacity is that of the memory. */
  @Override
  public boolean isExpandable() {
    return false;
  }

  @Override
  public void checkLimit(int limit) {
    if (limit > capacity) {
      throw new IndexOutOfBoundsException("limit=%d is beyond capacity=%d".formatted(limit, capacity));
    }
  }

  @Override
  public void boundsCheck(int index, int length) {
    Objects.checkFromIndexSize(index, length, capacity);
  }
}
