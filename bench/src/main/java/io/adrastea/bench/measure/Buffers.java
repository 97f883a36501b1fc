package io.adrastea.bench.measure;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

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
    long words = segment.byteSize() & -Long.BYTES;
    for (long at = 0; at < words; at += Long.BYTES) {
      segment.set(ValueLayout.JAVA_LONG_UNALIGNED, at, patternWord(at, seed));
    }
    for (long at = words; at < segment.byteSize(); at++) {
      segment.set(ValueLayout.JAVA_BYTE, at, patternByte(at, seed));
    }
  }

  /** Refuses a segment that does not hold the pattern. */
  public static void checkPattern(MemorySegment segment, int seed) {
    long words = segment.byteSize() & -Long.BYTES;
    for (long at = 0; at < words; at += Long.BYTES) {
      if (segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at) != patternWord(at, seed)) {
        checkBytes(segment, at, at + Long.BYTES, seed);
      }
    }
    checkBytes(segment, words, segment.byteSize(), seed);
  }

  private static void checkBytes(MemorySegment segment, long from, long to, int seed) {
    for (long at = from; at < to; at++) {
      if (segment.get(ValueLayout.JAVA_BYTE, at) != patternByte(at, seed)) {
        throw new IllegalStateException(
            "a message of %d bytes arrived with a wrong byte at %d"
                .formatted(segment.byteSize(), at));
      }
    }
  }

  /** Eight bytes at once: another word at each position, all bytes of which change with the seed. */
  private static long patternWord(long position, int seed) {
    return (position + 1) * 0x9E37_79B9_7F4A_7C15L + seed * 0x0101_0101_0101_0101L;
  }

  private static byte patternByte(long position, int seed) {
    long word = patternWord(position & -Long.BYTES, seed);
    int at = (int) position & Long.BYTES - 1;
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    return (byte) (word >>> Byte.SIZE * (little ? at : Long.BYTES - 1 - at));
  }
}
