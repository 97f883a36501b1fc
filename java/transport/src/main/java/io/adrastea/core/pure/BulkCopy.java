package io.adrastea.core.pure;

import java.lang.foreign.MemorySegment;

/**
 * Copies of many bytes inside this process. Twin of {@code copy/adr_copy.c}: the same two functions, without its choice
 * of routines. Java has one way to copy memory, {@code MemorySegment.copy}, which the JVM makes of the widest loads and
 * stores that it uses on this CPU; it has neither nontemporal stores nor the fence that they need, so a stream is a
 * copy like any other here, and leaves its bytes in this CPU's caches (001 section 3.3).
 */
final class BulkCopy {
  /**
   * Bytes copied at once. A copy of native memory holds up every thread that waits for a safepoint: this much takes
   * about 0.1 ms.
   */
  static final long BLOCK_BYTES = 1 << 20;

  private BulkCopy() {}

  /** Copies bytes that this CPU reads soon. The two stretches do not overlap, unless they are the same. */
  static void copy(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
      long length) {
    long copied = 0;
    while (copied < length) {
      long bytes = Math.min(BLOCK_BYTES, length - copied);
      MemorySegment.copy(source, sourceOffset + copied, destination, destinationOffset + copied, bytes);
      copied += bytes;
    }
  }

  /** Copies bytes that this CPU will not read: the same, for want of nontemporal stores. */
  static void stream(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
      long length) {
    copy(source, sourceOffset, destination, destinationOffset, length);
  }
}
