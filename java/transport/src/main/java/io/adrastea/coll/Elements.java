package io.adrastea.coll;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Few elements, combined one by one where they lie, or by value: what {@link Combine} does for small values. */
public final class Elements {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  private Elements() {}

  static void combine(
      Operator op, ElementKind kind, MemorySegment target, long targetAt, MemorySegment left, long leftAt,
      MemorySegment right, long rightAt, int bytes) {
    switch (kind) {
      case DOUBLE -> {
        for (int at = 0; at < bytes; at += Double.BYTES) {
          target.set(DOUBLE, targetAt + at,
              combined(op, left.get(DOUBLE, leftAt + at), right.get(DOUBLE, rightAt + at)));
        }
      }
      case INT64 -> {
        for (int at = 0; at < bytes; at += Long.BYTES) {
          target.set(LONG, targetAt + at,
              combined(op, left.get(LONG, leftAt + at), right.get(LONG, rightAt + at)));
        }
      }
      case INT32 -> {
        for (int at = 0; at < bytes; at += Integer.BYTES) {
          target.set(INT, targetAt + at,
              (int) combined(op, left.get(INT, leftAt + at), right.get(INT, rightAt + at)));
        }
      }
      case FLOAT -> {
        for (int at = 0; at < bytes; at += Float.BYTES) {
          target.set(FLOAT, targetAt + at,
              combined(op, left.get(FLOAT, leftAt + at), right.get(FLOAT, rightAt + at)));
        }
      }
      default ->
        combineSmall(op, kind, target, targetAt, left, leftAt, right, rightAt, bytes);
    }
  }

  /** Combines elements of one or two bytes. */
  private static void combineSmall(
      Operator op, ElementKind kind, MemorySegment target, long targetAt, MemorySegment left, long leftAt,
      MemorySegment right, long rightAt, int bytes) {
    switch (kind) {
      case INT16 -> {
        for (int at = 0; at < bytes; at += Short.BYTES) {
          target.set(SHORT, targetAt + at,
              (short) combined(op, left.get(SHORT, leftAt + at), right.get(SHORT, rightAt + at)));
        }
      }
      case UINT16 -> {
        for (int at = 0; at < bytes; at += Character.BYTES) {
          target.set(CHAR, targetAt + at,
              (char) combined(op, left.get(CHAR, leftAt + at), right.get(CHAR, rightAt + at)));
        }
      }
      case BYTES, INT8, BOOL -> {
        for (int at = 0; at < bytes; at++) {
          target.set(BYTE, targetAt + at,
              (byte) combined(op, left.get(BYTE, leftAt + at), right.get(BYTE, rightAt + at)));
        }
      }
      default -> throw op.notOfJava(kind);
    }
  }

  // Operators are compared, and not switched by: where one is a constant, the JIT knows which it is, which it does not
  // of
  // the table that a switch goes by.

  /**
   * Combines two integers, bytes or booleans, whose kind is widened to long numbers as Java does it; the low bytes of
   * the result are the element. The operator is one of those that compute with numbers and truth values.
   */
  public static long combined(Operator op, long a, long b) {
    if (op == Operator.SUM) {
      return a + b;
    }
    if (op == Operator.PROD) {
      return a * b;
    }
    if (op == Operator.MIN) {
      return Math.min(a, b);
    }
    if (op == Operator.MAX) {
      return Math.max(a, b);
    }
    return combinedBits(op, a, b);
  }

  private static long combinedBits(Operator op, long a, long b) {
    if (op == Operator.BAND) {
      return a & b;
    }
    if (op == Operator.BOR) {
      return a | b;
    }
    if (op == Operator.BXOR) {
      return a ^ b;
    }
    if (op == Operator.LAND) {
      return a != 0 && b != 0 ? 1 : 0;
    }
    if (op == Operator.LOR) {
      return (a | b) != 0 ? 1 : 0;
    }
    if (op == Operator.LXOR) {
      return a != 0 ^ b != 0 ? 1 : 0;
    }
    throw op.noMeaning(ElementKind.INT64);
  }

  /** Combines two numbers, by SUM, PROD, MIN or MAX. */
  public static double combined(Operator op, double a, double b) {
    if (op == Operator.SUM) {
      return oneNan(a + b);
    }
    if (op == Operator.PROD) {
      return oneNan(a * b);
    }
    if (op == Operator.MIN) {
      return oneNan(Math.min(a, b));
    }
    if (op == Operator.MAX) {
      return oneNan(Math.max(a, b));
    }
    throw op.noMeaning(ElementKind.DOUBLE);
  }

  /** Combines two numbers, by SUM, PROD, MIN or MAX. */
  public static float combined(Operator op, float a, float b) {
    if (op == Operator.SUM) {
      return oneNan(a + b);
    }
    if (op == Operator.PROD) {
      return oneNan(a * b);
    }
    if (op == Operator.MIN) {
      return oneNan(Math.min(a, b));
    }
    if (op == Operator.MAX) {
      return oneNan(Math.max(a, b));
    }
    throw op.noMeaning(ElementKind.FLOAT);
  }

  /** The one NaN for all: which of two an addition returns, and the sign of a new one, differ between CPUs. */
  static double oneNan(double value) {
    return value == value ? value : Double.NaN;
  }

  static float oneNan(float value) {
    return value == value ? value : Float.NaN;
  }
}
