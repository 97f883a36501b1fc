package io.adrastea.coll;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Pairs of a value and an index, one packed behind the other: of two, the one with the least or the greatest value, and
 * where both have it the lower index. Values are in the order of {@link Math#min} and {@link Math#max}: a value that is
 * not a number wins, and -0 is below 0.
 */
final class Pairs {
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  private Pairs() {}

  static void combine(
      boolean least, ElementKind kind, MemorySegment target, long targetAt, MemorySegment left, long leftAt,
      MemorySegment right, long rightAt, long bytes) {
    int size = kind.bytes();
    int value = size - Integer.BYTES;
    boolean isFloating = kind == ElementKind.FLOAT_INT || kind == ElementKind.DOUBLE_INT;
    for (long at = 0; at < bytes; at += size) {
      int leftIndex = left.get(INT, leftAt + at + value);
      int rightIndex = right.get(INT, rightAt + at + value);
      boolean isLeft;
      boolean isRight;
      if (isFloating) {
        double a = floating(left, leftAt + at, value);
        double b = floating(right, rightAt + at, value);
        double result = Elements.oneNan(least ? Math.min(a, b) : Math.max(a, b));
        isLeft = Double.doubleToLongBits(a) == Double.doubleToLongBits(result);
        isRight = Double.doubleToLongBits(b) == Double.doubleToLongBits(result);
        setFloating(target, targetAt + at, value, result);
      } else {
        long a = integer(left, leftAt + at, value);
        long b = integer(right, rightAt + at, value);
        long result = least ? Math.min(a, b) : Math.max(a, b);
        isLeft = a == result;
        isRight = b == result;
        setInteger(target, targetAt + at, value, result);
      }
      int index = isLeft && isRight ? Math.min(leftIndex, rightIndex) : isLeft ? leftIndex : rightIndex;
      target.set(INT, targetAt + at + value, index);
    }
  }

  private static double floating(MemorySegment memory, long at, int bytes) {
    return bytes == Float.BYTES ? memory.get(FLOAT, at) : memory.get(DOUBLE, at);
  }

  private static void setFloating(MemorySegment memory, long at, int bytes, double value) {
    if (bytes == Float.BYTES) {
      memory.set(FLOAT, at, (float) value);
    } else {
      memory.set(DOUBLE, at, value);
    }
  }

  private static long integer(MemorySegment memory, long at, int bytes) {
    return switch (bytes) {
      case Short.BYTES -> memory.get(SHORT, at);
      case Integer.BYTES -> memory.get(INT, at);
      default -> memory.get(LONG, at);
    };
  }

  private static void setInteger(MemorySegment memory, long at, int bytes, long value) {
    switch (bytes) {
      case Short.BYTES -> memory.set(SHORT, at, (short) value);
      case Integer.BYTES -> memory.set(INT, at, (int) value);
      default -> memory.set(LONG, at, value);
    }
  }
}
