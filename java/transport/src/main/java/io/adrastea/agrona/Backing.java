package io.adrastea.agrona;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.DirectBuffer;

/** The memory behind buffers of others. */
final class Backing {
  private Backing() {}

  /** All that an index of {@code buffer} can reach. */
  static MemorySegment of(DirectBuffer buffer) {
    Objects.requireNonNull(buffer, "the buffer is null");
    if (buffer instanceof SegmentBuffer ours) {
      return ours.memory;
    }
    byte[] array = buffer.byteArray();
    if (array != null) {
      return MemorySegment.ofArray(array).asSlice(buffer.wrapAdjustment(), buffer.capacity());
    }
    ByteBuffer bytes = buffer.byteBuffer();
    if (bytes != null) {
      return of(bytes).asSlice(buffer.wrapAdjustment(), buffer.capacity());
    }
    return at(buffer.addressOffset(), buffer.capacity());
  }

  /** All of a byte buffer, whatever its position and limit. */
  static MemorySegment of(ByteBuffer buffer) {
    return MemorySegment.ofBuffer(buffer.duplicate().clear());
  }

  /** Native memory of which nothing but its place is known. */
  static MemorySegment at(long address, int length) {
    if (length < 0) {
      throw new IllegalArgumentException("%d bytes of native memory; 0 or more are allowed".formatted(length));
    }
    if (address == 0 && length > 0) {
      throw new IllegalArgumentException("%d bytes at address 0: there is no memory".formatted(length));
    }
    return MemorySegment.ofAddress(address).reinterpret(length);
  }
}
