package io.adrastea.agrona;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Agrona's {@link AtomicBuffer} over a {@link MemorySegment}: no JVM flag is needed, and its ring buffers, and what else takes such a buffer,
 * work on any memory that a segment can name, such as memory that the ranks of a job share.
 *
 * <p>It does what Agrona's own {@code UnsafeBuffer} does, with these differences. The memory checks every access
 * ({@link IndexOutOfBoundsException}; {@link IllegalStateException} once its arena is closed, {@link WrongThreadException} when it is confined to another
 * thread, {@link IllegalArgumentException} for a write to read-only memory), also where {@value
 * org.agrona.DirectBuffer#DISABLE_BOUNDS_CHECKS_PROP_NAME} is set. Access that is atomic or ordered wants an
 * index aligned to the size of the value, in memory that is so aligned itself, which a {@code byte[]} never is ({@link IllegalArgumentException}).
 * Natural numbers that are negative are refused.
 *
 * <p>Wrapping something is not thread-safe, all else is as the accesses are named.
 */
@SuppressWarnings("exports") // who uses it has the types of Agrona
public final class SegmentBuffer extends SegmentAtomics {
  /** A buffer of no bytes, to be laid over something. */
  public SegmentBuffer() {}

  /**
   * A buffer over all of a segment.
   *
   * @param segment of at most {@link Integer#MAX_VALUE} bytes
   */
  public SegmentBuffer(MemorySegment segment) {
    wrap(segment);
  }

  /**
   * A buffer over a part of a segment.
   *
   * @param segment native or heap
   * @param offset first byte
   * @param length bytes
   */
  public SegmentBuffer(MemorySegment segment, long offset, int length) {
    wrap(segment, offset, length);
  }

  /**
   * Verifies that 8-byte words at indices divisible by 8 can be accessed atomically.
   *
   * @throws IllegalStateException when the memory does not begin at a multiple of 8, or is an array of something shorter
   */
  @Override
  public void verifyAlignment() {
    if (!isAligned()) {
      throw new IllegalStateException(
          "%s; atomic access needs native memory that begins at a multiple of %d, or a long[]: %s"
              .formatted(segment().isNative() ? "misaligned memory" : "memory of a short type", ALIGNMENT, this));
    }
  }

  private boolean isAligned() {
    if (segment().isNative()) {
      return segment().address() % ALIGNMENT == 0;
    }
    try {
      getLongVolatile(0); // only an array of longs allows it
      return true;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return false;
    }
  }

  /** In the order of 8-byte words as signed numbers of the machine's byte order, then of the bytes left, then of the capacities. */
  @Override
  public int compareTo(DirectBuffer that) {
    int length = Math.min(capacity(), Objects.requireNonNull(that, "the buffer is null").capacity());
    int words = length & -Long.BYTES;
    int order = 0;
    for (int i = 0; i < words && order == 0; i += Long.BYTES) {
      order = Long.compare(getLong(i), that.getLong(i));
    }
    for (int i = words; i < length && order == 0; i++) {
      order = Byte.compare(getByte(i), that.getByte(i));
    }
    return order != 0 ? order : Integer.compare(capacity(), that.capacity());
  }

  /** Whether {@code other} is a {@code SegmentBuffer} with the same bytes. */
  @Override
  public boolean equals(Object other) {
    return this == other || other instanceof SegmentBuffer that && segment().mismatch(that.segment()) < 0;
  }

  @Override
  public int hashCode() {
    int words = capacity() & -Long.BYTES;
    int hash = 19;
    for (int i = 0; i < words; i += Long.BYTES) {
      hash = 31 * hash + Long.hashCode(getLong(i));
    }
    for (int i = words; i < capacity(); i++) {
      hash = 31 * hash + getByte(i);
    }
    return hash;
  }

  @Override
  public String toString() {
    return "SegmentBuffer{" + segment() + '}';
  }
}
