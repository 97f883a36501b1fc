package io.adrastea.bench.soak;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Bytes that tell which message they belong to, and where in it: word k is the first one plus k times a constant. */
final class Contents {
  private static final long STRIDE = 0x9E3779B97F4A7C15L;
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Contents() {}

  /**
   * Writes a part of a message.
   *
   * @param memory all of it is written
   * @param first word of the message
   * @param from where in the message the part begins, a multiple of 8
   */
  static void fill(MemorySegment memory, long first, long from) {
    long word = first + from / Long.BYTES * STRIDE;
    long at = 0;
    for (; at + Long.BYTES <= memory.byteSize(); at += Long.BYTES) {
      memory.set(WORD, at, word);
      word += STRIDE;
    }
    for (; at < memory.byteSize(); at++) {
      memory.set(ValueLayout.JAVA_BYTE, at, (byte) (word >>> (at & 7) * 8));
    }
  }

  /**
   * Where a part of a message is not what was sent.
   *
   * @return the first wrong byte of the part; -1: all are right
   */
  static long mismatch(MemorySegment memory, long first, long from) {
    long word = first + from / Long.BYTES * STRIDE;
    long at = 0;
    for (; at + Long.BYTES <= memory.byteSize(); at += Long.BYTES) {
      long wrong = memory.get(WORD, at) ^ word;
      if (wrong != 0) {
        return at + Long.numberOfTrailingZeros(wrong) / 8;
      }
      word += STRIDE;
    }
    for (; at < memory.byteSize(); at++) {
      if (memory.get(ValueLayout.JAVA_BYTE, at) != (byte) (word >>> (at & 7) * 8)) {
        return at;
      }
    }
    return -1;
  }
}
