package io.adrastea.bench.measure;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory that is read and written to take the place of what a CPU's caches hold. */
public final class CacheFlush {
  private static final int BYTES = 8 << 20; // several times what a CPU has to itself
  private static final long LINE = 64;

  private final MemorySegment memory = Arena.global().allocate(BYTES, 4096);

  /** Takes memory for one thread. */
  public CacheFlush() {}

  /** Flushes what the CPU of this thread has to itself; a larger cache of several CPUs keeps what it holds. */
  public void run() {
    for (long at = 0; at < BYTES; at += LINE) {
      memory.set(ValueLayout.JAVA_LONG, at, memory.get(ValueLayout.JAVA_LONG, at) + 1);
    }
  }
}
