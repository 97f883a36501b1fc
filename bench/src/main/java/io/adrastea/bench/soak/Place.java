package io.adrastea.bench.soak;

import io.adrastea.Data;
import io.adrastea.Job;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where messages lie, at either end. */
enum Place {
  /** Native memory. */
  NATIVE,
  /** A direct byte buffer. */
  DIRECT,
  /** A shared allocation of the job. */
  SHARED,
  /** A {@code byte[]}. */
  BYTES,
  /** A {@code long[]}. */
  LONGS;

  static final Place[] ALL = values();

  /** So much of it, for the length of the job. */
  Slab slab(Job job, int bytes) {
    return switch (this) {
      case NATIVE -> new Slab(Arena.global().allocate(bytes, Long.BYTES), null, null);
      case DIRECT -> {
        MemorySegment memory = Arena.global().allocate(bytes, Long.BYTES);
        yield new Slab(memory, null, memory.asByteBuffer());
      }
      case SHARED -> new Slab(job.allocate(bytes, Long.BYTES), null, null);
      case BYTES -> {
        byte[] array = new byte[bytes];
        yield new Slab(MemorySegment.ofArray(array), Data.of(array), null);
      }
      case LONGS -> {
        long[] array = new long[bytes / Long.BYTES];
        yield new Slab(MemorySegment.ofArray(array), Data.of(array), null);
      }
    };
  }
}
