package io.adrastea.agrona;

import io.adrastea.IdleStrategy;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * Agrona's buffers and idle strategies for the calls of Adrastea.
 *
 * {@snippet :
 * world.send(Agrona.memory(buffer, 8, 40), destination, tag);
 * Job.builder().idleStrategy(() -> Agrona.idleStrategy(new BackoffIdleStrategy()));
 * }
 */
@SuppressWarnings("exports") // the callers of these have the types of Agrona
public final class Agrona {
  private Agrona() {}

  /**
   * The memory of a stretch of a buffer, to be sent, received into, or added to an {@link io.adrastea.IoVector}. It is
   * what the buffer lies over now: a {@code byte[]}, a {@code ByteBuffer}, native memory, or the segment of a
   * {@link SegmentBuffer}; laying the buffer over something else, or growing it, does not change it. Native memory that
   * the buffer knows by its address alone is kept reachable by the caller. Each call makes an object; a program that
   * sends the same stretch again and again, and wants no garbage, keeps it.
   *
   * @param buffer of at least index + length bytes of capacity
   * @param index first byte
   * @param length bytes
   * @return these bytes; read-only when the buffer is over something read-only
   * @throws IndexOutOfBoundsException when the buffer, or what it says it lies over, does not hold these bytes
   * @throws IllegalArgumentException when it is over native memory at address 0
   */
  public static MemorySegment memory(DirectBuffer buffer, int index, int length) {
    MemorySegment all = backing(buffer);
    Objects.checkFromIndexSize(index, length, all.byteSize());
    MemorySegment memory = all.asSlice(index, length);
    ByteBuffer bytes = buffer.byteBuffer();
    return bytes != null && bytes.isReadOnly() ? memory.asReadOnly() : memory; // its array could be written
  }

  /**
   * Waits as one of Agrona's idle strategies does.
   *
   * @param strategy of one thread
   * @return for {@link io.adrastea.Job.Builder#idleStrategy}
   */
  public static IdleStrategy idleStrategy(org.agrona.concurrent.IdleStrategy strategy) {
    Objects.requireNonNull(strategy, "the idle strategy is null");
    return new IdleStrategy() {
      @Override
      public void idle() {
        strategy.idle();
      }

      @Override
      public void reset() {
        strategy.reset();
      }

      @Override
      public boolean mayTakeLong() {
        return !(strategy instanceof BusySpinIdleStrategy
            || strategy instanceof NoOpIdleStrategy
            || strategy instanceof YieldingIdleStrategy);
      }
    };
  }

  /** All that an index of {@code buffer} can reach. */
  static MemorySegment backing(DirectBuffer buffer) {
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
      return backing(bytes).asSlice(buffer.wrapAdjustment(), buffer.capacity());
    }
    return backing(buffer.addressOffset(), buffer.capacity());
  }

  /** All of a byte buffer, whatever its position and limit. */
  static MemorySegment backing(ByteBuffer buffer) {
    return MemorySegment.ofBuffer(buffer.duplicate().clear());
  }

  /** Native memory of which nothing but its place is known. */
  static MemorySegment backing(long address, int length) {
    if (length < 0) {
      throw new ArgumentException(Reason.COUNT, "%d bytes of native memory; 0 or more are allowed".formatted(length));
    }
    if (address == 0 && length > 0) {
      throw new ArgumentException(Reason.BUFFER, "%d bytes at address 0: there is no memory".formatted(length));
    }
    return MemorySegment.ofAddress(address).reinterpret(length);
  }
}
