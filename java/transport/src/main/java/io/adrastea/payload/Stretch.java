package io.adrastea.payload;

import java.lang.foreign.MemorySegment;

/** Contiguous memory of this process that bytes of a payload lie in. Mutable and reused. */
public final class Stretch {
  private MemorySegment memory;
  private long offset;
  private long bytes;

  void set(MemorySegment memory, long offset, long bytes) {
    this.memory = memory;
    this.offset = offset;
    this.bytes = bytes;
  }

  public MemorySegment memory() {
    return memory;
  }

  /** Tells where in the memory it begins. */
  public long offset() {
    return offset;
  }

  public long bytes() {
    return bytes;
  }

  /** Drops the memory, so that it can be collected. */
  public void clear() {
    memory = null;
  }
}
