package io.adrastea.transfer;

import java.lang.foreign.MemorySegment;

/** A stretch of memory of this process. Mutable and reused. */
public final class VectorEntry {
  MemorySegment memory;
  long offset;
  long bytes;

  /** From {@code offset} in {@code memory} on, {@code bytes} bytes. */
  public void set(MemorySegment memory, long offset, long bytes) {
    this.memory = memory;
    this.offset = offset;
    this.bytes = bytes;
  }
}
