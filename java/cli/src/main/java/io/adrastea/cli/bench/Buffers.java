package io.adrastea.cli.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Native memory that grows when asked for more and is kept: no message meets an untouched page. */
public final class Buffers {
  private static final int PAGE = 4096;

  private MemorySegment memory = MemorySegment.NULL;

  /** A segment of exactly {@code bytes}; what an earlier call returned may overlap. */
  public MemorySegment take(long bytes) {
    if (memory.byteSize() < bytes || memory.equals(MemorySegment.NULL)) {
      // Never freed: sizes come in ascending order and the process ends with its bench.
      memory = Arena.global().allocate(Math.max(bytes, PAGE), PAGE).fill((byte) 1);
    }
    return memory.asSlice(0, bytes);
  }

  /** Writes a pattern that differs from position to position and from seed to seed. */
  public static void pattern(MemorySegment segment, int seed) {
    for (long i = 0; i < segment.byteSize(); i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, patternByte(i, seed));
    }
  }

  /** Refuses a segment that does not hold the pattern. */
  public static void checkPattern(MemorySegment segment, int seed) {
    for (long i = 0; i < segment.byteSize(); i++) {
      if (segment.get(ValueLayout.JAVA_BYTE, i) != patternByte(i, seed)) {
        throw new IllegalStateException(
            "a message of %d bytes arrived with a wrong byte at %d"
                .formatted(segment.byteSize(), i));
      }
    }
  }

  private static byte patternByte(long position, int seed) {
    return (byte) (position * 31 + (position >>> 8) + seed);
  }
}
