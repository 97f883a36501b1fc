package io.adrastea.coll;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Few elements, combined one by one where they lie: what {@link Combine} does for small values. */
final class Elements {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private Elements() {}

  static void combine(
      Operation operation, ElementKind kind, MemorySegment target, long targetAt, MemorySegment left, long leftAt,
      MemorySegment right, long rightAt, int bytes) {
    int size = kind.bytes();
    for (int at = 0; at < bytes; at += size) {
      long a = load(left, leftAt + at, size);
      long b = load(right, rightAt + at, size);
      store(target, targetAt + at, size, combined(operation, kind, a, b));
    }
  }

  /** The bits of an element, with those of its sign above. */
  private static long load(MemorySegment memory, long at, int size) {
    return switch (size) {
      case 1 -> memory.get(BYTE, at);
      case 2 -> memory.get(SHORT, at);
      case 4 -> memory.get(INT, at);
      default -> memory.get(LONG, at);
    };
  }

  private static void store(MemorySegment memory, long at, int size, long bits) {
    switch (size) {
      case 1 -> memory.set(BYTE, at, (byte) bits);
      case 2 -> memory.set(SHORT, at, (short) bits);
      case 4 -> memory.set(INT, at, (int) bits);
      default -> memory.set(LONG, at, bits);
    }
  }

  private static long combined(Operation operation, ElementKind kind, long a, long b) {
    return switch (kind) {
      case DOUBLE ->
        Double.doubleToLongBits(combined(operation, Double.longBitsToDouble(a), Double.longBitsToDouble(b)));
      case FLOAT ->
        Float.floatToIntBits(combined(operation, Float.intBitsToFloat((int) a), Float.intBitsToFloat((int) b)));
      case UINT16 -> combined(operation, a & 0xFFFF, b & 0xFFFF);
      case BYTES, INT8, INT16, INT32, INT64, BOOL -> combined(operation, a, b);
      default -> throw Combine.notOfJava(operation, kind);
    };
  }

  private static long combined(Operation operation, long a, long b) {
    return switch (operation) {
      case SUM -> a + b;
      case PROD -> a * b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case LAND -> a != 0 && b != 0 ? 1 : 0;
      case LOR -> (a | b) != 0 ? 1 : 0;
      case LXOR -> a != 0 ^ b != 0 ? 1 : 0;
      case BAND -> a & b;
      case BOR -> a | b;
      case BXOR -> a ^ b;
    };
  }

  private static double combined(Operation operation, double a, double b) {
    return switch (operation) {
      case SUM -> a + b;
      case PROD -> a * b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      default -> throw Combine.noMeaning(operation, ElementKind.DOUBLE);
    };
  }

  private static float combined(Operation operation, float a, float b) {
    return switch (operation) {
      case SUM -> a + b;
      case PROD -> a * b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      default -> throw Combine.noMeaning(operation, ElementKind.FLOAT);
    };
  }

  /** The one NaN for all: which of two an addition returns, and the sign of a new one, differ between CPUs. */
  static double oneNan(double value) {
    return value == value ? value : Double.NaN;
  }

  static float oneNan(float value) {
    return value == value ? value : Float.NaN;
  }
}
