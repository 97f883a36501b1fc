package io.adrastea.agrona;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Copies, and filling. */
abstract class SegmentBytes extends SegmentValues {
  /** Below it a loop is quicker than a call, and makes no slice. */
  private static final int LOOP_BYTES = 256;

  private static final long ONE_IN_EACH_BYTE = 0x0101_0101_0101_0101L;

  @Override
  public void setMemory(int index, int length, byte value) {
    boundsCheck(index, length);
    if (length >= LOOP_BYTES) {
      memory.asSlice(index, length).fill(value);
      return;
    }
    long eight = (value & 0xFF) * ONE_IN_EACH_BYTE;
    int end = index + length;
    int i = index;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      putLong(i, eight);
    }
    for (; i < end; i++) {
      putByte(i, value);
    }
  }

  @Override
  public void getBytes(int index, byte[] dst) {
    getBytes(index, dst, 0, Objects.requireNonNull(dst, "the array is null").length);
  }

  @Override
  public void getBytes(int index, byte[] dst, int offset, int length) {
    Objects.requireNonNull(dst, "the array is null");
    boundsCheck(index, length);
    MemorySegment.copy(memory, JAVA_BYTE, index, dst, offset, length);
  }

  @Override
  public void getBytes(int index, MutableDirectBuffer dstBuffer, int dstIndex, int length) {
    Objects.requireNonNull(dstBuffer, "the buffer is null").putBytes(dstIndex, this, index, length);
  }

  @Override
  public void getBytes(int index, ByteBuffer dstBuffer, int length) {
    int dstOffset = Objects.requireNonNull(dstBuffer, "the byte buffer is null").position();
    getBytes(index, dstBuffer, dstOffset, length);
    dstBuffer.position(dstOffset + length);
  }

  @Override
  public void getBytes(int index, ByteBuffer dstBuffer, int dstOffset, int length) {
    Objects.requireNonNull(dstBuffer, "the byte buffer is null");
    boundsCheck(index, length);
    MemorySegment.copy(memory, index, Backing.of(dstBuffer), dstOffset, length);
  }

  @Override
  public void putBytes(int index, byte[] src) {
    putBytes(index, src, 0, Objects.requireNonNull(src, "the array is null").length);
  }

  @Override
  public void putBytes(int index, byte[] src, int offset, int length) {
    Objects.requireNonNull(src, "the array is null");
    boundsCheck(index, length);
    MemorySegment.copy(src, offset, memory, JAVA_BYTE, index, length);
  }

  @Override
  public void putBytes(int index, ByteBuffer srcBuffer, int length) {
    int srcIndex = Objects.requireNonNull(srcBuffer, "the byte buffer is null").position();
    putBytes(index, srcBuffer, srcIndex, length);
    srcBuffer.position(srcIndex + length);
  }

  @Override
  public void putBytes(int index, ByteBuffer srcBuffer, int srcIndex, int length) {
    Objects.requireNonNull(srcBuffer, "the byte buffer is null");
    boundsCheck(index, length);
    MemorySegment.copy(Backing.of(srcBuffer), srcIndex, memory, index, length);
  }

  @Override
  public void putBytes(int index, DirectBuffer srcBuffer, int srcIndex, int length) {
    Objects.requireNonNull(srcBuffer, "the buffer is null");
    boundsCheck(index, length);
    MemorySegment.copy(Backing.of(srcBuffer), srcIndex, memory, index, length);
    Reference.reachabilityFence(srcBuffer); // it may own the memory at an address
  }
}
