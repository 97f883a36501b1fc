package io.adrastea.shared;

import java.lang.foreign.MemorySegment;

/** A region that allocations are taken from: what of it is taken, and up to where it was ever given out. */
final class HeapPart {
  private final long offset; // in the file
  private final MemorySegment memory;
  private final FirstFit fit;
  private long used; // behind it nothing but the zeros of the reservation

  HeapPart(long offset, MemorySegment memory) {
    this.offset = offset;
    this.memory = memory;
    this.fit = new FirstFit(memory.byteSize());
  }

  long bytes() {
    return memory.byteSize();
  }

  /** {@code null}: there is no room here. */
  MemorySegment take(long bytes, long alignment) {
    long start = fit.take(bytes, alignment);
    if (start == FirstFit.NO_ROOM) {
      return null;
    }
    long end = start + bytes;
    if (start < used) {
      memory.asSlice(start, Math.min(end, used) - start).fill((byte) 0);
    }
    used = Math.max(used, end);
    return memory.asSlice(start, bytes);
  }

  /** Whether it was what a {@link #take} gave, and is free now. */
  boolean free(MemorySegment allocation) {
    long start = start(allocation);
    if (fit.taken(start) != allocation.byteSize() || allocation.byteSize() == 0) {
      return false;
    }
    fit.give(start);
    return true;
  }

  /** Whether an address lies in the region. */
  boolean contains(long address) {
    long start = address - memory.address(); // below zero, or huge, when outside
    return start >= 0 && start < memory.byteSize();
  }

  /** Whether it lies within what one {@link #take} gave. */
  boolean holds(MemorySegment part) {
    return fit.holder(start(part), part.byteSize()) != FirstFit.NO_ROOM;
  }

  /** Offset in the file of bytes within what one {@link #take} gave; below zero when they are not. */
  long locate(long address, long bytes) {
    long start = address - memory.address();
    return fit.holder(start, bytes) == FirstFit.NO_ROOM ? -1 : offset + start;
  }

  long offset(MemorySegment part) {
    return offset + start(part);
  }

  private long start(MemorySegment part) {
    return part.address() - memory.address();
  }
}
