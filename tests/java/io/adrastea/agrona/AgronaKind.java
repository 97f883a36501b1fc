package io.adrastea.agrona;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.agrona.MutableDirectBuffer;

/** What one of Agrona's buffers can lie over. */
enum AgronaKind {
  SEGMENT(bytes -> over(Arena.ofAuto().allocate(bytes, 8))), HEAP_SEGMENT(
      bytes -> over(MemorySegment.ofArray(new long[bytes / 8 + 1]).asSlice(0, bytes))), ARRAY(
          bytes -> over(new byte[bytes + 12], 7, bytes)), DIRECT_BYTE_BUFFER(
              bytes -> over(ByteBuffer.allocateDirect(bytes + 9), 9, bytes)), HEAP_BYTE_BUFFER(
                  bytes -> overArrayOf(ByteBuffer.allocate(bytes + 11).slice(4, bytes + 5), 5, bytes)), ADDRESS(
                      bytes -> at(Arena.ofAuto().allocate(bytes + 1).asSlice(1)));

  private final IntFunction<Given> maker;

  AgronaKind(IntFunction<Given> maker) {
    this.maker = maker;
  }

  /**
   * A buffer, and its bytes.
   *
   * @param buffer to be sent or received into
   * @param memory from its index 0 to its capacity
   */
  record Given(MutableDirectBuffer buffer, MemorySegment memory) {}

  /** A buffer of zeros. */
  Given make(int bytes) {
    return maker.apply(bytes);
  }

  private static Given over(MemorySegment memory) {
    return new Given(new SegmentBuffer(memory), memory);
  }

  private static Given over(byte[] array, int offset, int length) {
    return new Given(
        GivenBuffer.over(array, offset, length), MemorySegment.ofArray(array).asSlice(offset, length));
  }

  private static Given over(ByteBuffer buffer, int offset, int length) {
    return new Given(
        GivenBuffer.over(buffer, offset, length), MemorySegment.ofBuffer(buffer).asSlice(offset, length));
  }

  private static Given overArrayOf(ByteBuffer buffer, int offset, int length) {
    return new Given(
        GivenBuffer.over(buffer, buffer.array(), buffer.arrayOffset() + offset, length),
        MemorySegment.ofBuffer(buffer).asSlice(offset, length));
  }

  private static Given at(MemorySegment memory) {
    return new Given(GivenBuffer.at(memory), memory);
  }
}
