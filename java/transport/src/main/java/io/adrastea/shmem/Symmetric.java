package io.adrastea.shmem;

import io.adrastea.error.AdrasteaException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import java.lang.foreign.MemorySegment;

/**
 * An object in symmetric memory: as many bytes in each PE, at the same offset of its part of the heap [OpenSHMEM over
 * XPMEM 2011, 4.1]. {@link Shmem#allocate} makes one at all PEs together, and {@link #free} ends it so.
 *
 * <p>
 * What a {@link ShmemContext} accesses is named by the object, an offset in it, and a PE. {@link #local()} and
 * {@link #at} are the memory itself, for loads and stores of the program: those of other PEs are ordered with them by
 * {@link ShmemContext#fence}, {@link ShmemContext#quiet} and barriers.
 */
public final class Symmetric {
  private static final long FREED = -1;

  final Shmem shmem;
  private long offset; // in each part
  private long bytes; // FREED: the object is gone

  Symmetric(Shmem shmem, long offset, long bytes) {
    this.shmem = shmem;
    this.offset = offset;
    this.bytes = bytes;
  }

  /** {@return how many bytes each PE has} */
  public long bytes() {
    requireAllocated("bytes");
    return bytes;
  }

  /** {@return where it begins in each PE's part of the heap: a multiple of 64} */
  public long offset() {
    requireAllocated("offset");
    return offset;
  }

  /**
   * This PE's memory of it.
   *
   * @return all of it
   * @throws IllegalStateException when it was freed, or the heap is closed
   */
  public MemorySegment local() {
    return at(shmem.pe());
  }

  /**
   * A PE's memory of it, mapped here: loads and stores of it are the program's own.
   *
   * @param pe whose
   * @return all of it
   * @throws IllegalArgumentException when there is no such PE
   * @throws IllegalStateException when it was freed, or the heap is closed
   */
  public MemorySegment at(int pe) {
    requireAllocated("at");
    return shmem.whole().asSlice(shmem.context().placeOf("at", this, 0, bytes, pe), bytes);
  }

  /**
   * Makes it larger or smaller; all PEs call it alike, and all are done with it before. What is in it stays as far as
   * there is room, what comes new is zero, and memory that was got of it before is not its own any more.
   *
   * @param newBytes of each PE, 1 or more
   * @throws IllegalArgumentException when the bytes are below 1
   * @throws SegmentException at all PEs, when the heap has no place for it, or one PE no room for its pages: it is as
   * it was
   * @throws AdrasteaException at all PEs, when they do not call alike
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when it was freed, or the heap is closed
   */
  public void reallocate(long newBytes) {
    requireAllocated("reallocate");
    Shmem.requireBytes(newBytes);
    offset = shmem.state().reallocate(offset, newBytes);
    bytes = newBytes;
  }

  /**
   * Frees it; all PEs call it alike, and all are done with it before.
   *
   * @throws AdrasteaException at all PEs, when they do not call alike
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when it was freed, or the heap is closed
   */
  public void free() {
    requireAllocated("free");
    shmem.state().free(offset);
    bytes = FREED;
  }

  /** Whether so many bytes from an offset on lie in it. */
  boolean holds(long at, long size) {
    return at >= 0 && size <= bytes - at;
  }

  /** Where it begins in each part, without a question. */
  long start() {
    return offset;
  }

  private void requireAllocated(String call) {
    if (bytes == FREED) {
      throw new IllegalStateException("%s of %s, which was freed".formatted(call, this));
    }
    shmem.requireOpen(call);
  }

  boolean isFreed() {
    return bytes == FREED;
  }

  @Override
  public String toString() {
    return bytes == FREED ? "a symmetric object" : "the symmetric object of %d bytes at offset %d".formatted(bytes,
        offset);
  }
}
