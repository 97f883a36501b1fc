package io.adrastea.coll;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Finds out whether any of many floating-point numbers is NaN, by their bits: a NaN has greater ones, without the sign,
 * than infinity. C2 makes vectors of these loops over integers of native memory, and not of a loop that looks at each
 * number with a condition; an addition that does so takes four times as long.
 */
final class NanSearch {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int INFINITE_FLOAT = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
  private static final long INFINITE_DOUBLE = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);

  /**
   * The class of all native segments, mapped ones as well: behind a cast the JIT knows it, whatever the JVM has seen.
   */
  private static final Class<?> NATIVE = MemorySegment.NULL.getClass();

  private NanSearch() {}

  /** In native memory. */
  static boolean floats(MemorySegment memory, long offset, int count) {
    MemorySegment numbers = (MemorySegment) NATIVE.cast(memory);
    int found = 0; // below zero: one of the differences is
    for (int i = 0; i < count; i++) {
      found |= INFINITE_FLOAT - (numbers.get(INT, offset + 4L * i) & Integer.MAX_VALUE);
    }
    return found < 0;
  }

  /** In native memory. */
  static boolean doubles(MemorySegment memory, long offset, int count) {
    MemorySegment numbers = (MemorySegment) NATIVE.cast(memory);
    long found = 0;
    for (int i = 0; i < count; i++) {
      found |= INFINITE_DOUBLE - (numbers.get(LONG, offset + 8L * i) & Long.MAX_VALUE);
    }
    return found < 0;
  }
}
