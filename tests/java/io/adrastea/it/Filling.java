package io.adrastea.it;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Contents that the receiver of a message can tell by a number: any two differ nearly everywhere.
 */
final class Filling {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private Filling() {}

  static void write(MemorySegment to, long number) {
    long words = to.byteSize() / Long.BYTES;
    for (long i = 0; i < words; i++) {
      to.set(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES, word(number, i));
    }
    for (long at = words * Long.BYTES; at < to.byteSize(); at++) {
      to.set(ValueLayout.JAVA_BYTE, at, (byte) word(number, at));
    }
  }

  static void check(MemorySegment found, long number, String what) {
    long words = found.byteSize() / Long.BYTES;
    for (long i = 0; i < words; i++) {
      long value = found.get(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES);
      require(value == word(number, i), what, i * Long.BYTES, found);
    }
    for (long at = words * Long.BYTES; at < found.byteSize(); at++) {
      require(found.get(ValueLayout.JAVA_BYTE, at) == (byte) word(number, at), what, at, found);
    }
  }

  private static void require(boolean same, String what, long at, MemorySegment found) {
    if (!same) {
      throw new IllegalStateException(
          "%s: wrong at byte %d of %d".formatted(what, at, found.byteSize()));
    }
  }

  /** Finaliser of SplitMix64. */
  static long word(long number, long index) {
    long z = number * GOLDEN + (index + 1) * 0xd1342543de82ef95L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
