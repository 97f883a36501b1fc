package io.adrastea.coll;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Products of complex numbers, the real part first, as annex G.5.1 of the C standard defines them: where both parts
 * come out as no numbers though an operand is infinite, or a product of parts has overflowed, the result is infinite.
 * Twin of the loops of complex numbers in {@code coll/adr_combine.c}, operation by operation, so that results have
 * equal bits.
 */
final class ComplexProducts {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  private ComplexProducts() {}

  static void combine(
      ElementKind kind, MemorySegment target, long targetAt, MemorySegment left, long leftAt, MemorySegment right,
      long rightAt, long bytes) {
    if (kind == ElementKind.FLOAT_COMPLEX) {
      floats(target, targetAt, left, leftAt, right, rightAt, bytes);
    } else {
      doubles(target, targetAt, left, leftAt, right, rightAt, bytes);
    }
  }

  private static void floats(
      MemorySegment target, long targetAt, MemorySegment left, long leftAt, MemorySegment right, long rightAt,
      long bytes) {
    for (long at = 0; at < bytes; at += 2 * Float.BYTES) {
      float a = left.get(FLOAT, leftAt + at);
      float b = left.get(FLOAT, leftAt + at + Float.BYTES);
      float c = right.get(FLOAT, rightAt + at);
      float d = right.get(FLOAT, rightAt + at + Float.BYTES);
      float x = a * c - b * d;
      float y = a * d + b * c;
      if (x != x && y != y) {
        recover(a, b, c, d, target, targetAt + at);
      } else {
        target.set(FLOAT, targetAt + at, Elements.oneNan(x));
        target.set(FLOAT, targetAt + at + Float.BYTES, Elements.oneNan(y));
      }
    }
  }

  private static void doubles(
      MemorySegment target, long targetAt, MemorySegment left, long leftAt, MemorySegment right, long rightAt,
      long bytes) {
    for (long at = 0; at < bytes; at += 2 * Double.BYTES) {
      double a = left.get(DOUBLE, leftAt + at);
      double b = left.get(DOUBLE, leftAt + at + Double.BYTES);
      double c = right.get(DOUBLE, rightAt + at);
      double d = right.get(DOUBLE, rightAt + at + Double.BYTES);
      double x = a * c - b * d;
      double y = a * d + b * c;
      if (x != x && y != y) {
        recover(a, b, c, d, target, targetAt + at);
      } else {
        target.set(DOUBLE, targetAt + at, Elements.oneNan(x));
        target.set(DOUBLE, targetAt + at + Double.BYTES, Elements.oneNan(y));
      }
    }
  }

  /** Writes (a + bi)(c + di), of which both parts have come out as no numbers. */
  private static void recover(float a, float b, float c, float d, MemorySegment target, long at) {
    boolean leftInfinite = Float.isInfinite(a) || Float.isInfinite(b);
    boolean rightInfinite = Float.isInfinite(c) || Float.isInfinite(d);
    boolean overflows = Float.isInfinite(a * c) || Float.isInfinite(b * d) || Float.isInfinite(a * d)
        || Float.isInfinite(b * c);
    if (!leftInfinite && !rightInfinite && !overflows) {
      target.set(FLOAT, at, Float.NaN);
      target.set(FLOAT, at + Float.BYTES, Float.NaN);
      return;
    }
    float p = bounded(a, leftInfinite);
    float q = bounded(b, leftInfinite);
    float r = bounded(c, rightInfinite);
    float s = bounded(d, rightInfinite);
    target.set(FLOAT, at, Elements.oneNan(Float.POSITIVE_INFINITY * (p * r - q * s)));
    target.set(FLOAT, at + Float.BYTES, Elements.oneNan(Float.POSITIVE_INFINITY * (p * s + q * r)));
  }

  private static void recover(double a, double b, double c, double d, MemorySegment target, long at) {
    boolean leftInfinite = Double.isInfinite(a) || Double.isInfinite(b);
    boolean rightInfinite = Double.isInfinite(c) || Double.isInfinite(d);
    boolean overflows = Double.isInfinite(a * c) || Double.isInfinite(b * d) || Double.isInfinite(a * d)
        || Double.isInfinite(b * c);
    if (!leftInfinite && !rightInfinite && !overflows) {
      target.set(DOUBLE, at, Double.NaN);
      target.set(DOUBLE, at + Double.BYTES, Double.NaN);
      return;
    }
    double p = bounded(a, leftInfinite);
    double q = bounded(b, leftInfinite);
    double r = bounded(c, rightInfinite);
    double s = bounded(d, rightInfinite);
    target.set(DOUBLE, at, Elements.oneNan(Double.POSITIVE_INFINITY * (p * r - q * s)));
    target.set(DOUBLE, at + Double.BYTES, Elements.oneNan(Double.POSITIVE_INFINITY * (p * s + q * r)));
  }

  /**
   * A part of an operand, with its sign: 0 for no number; where the operand is infinite, 1 for infinity and 0 for all
   * else. The sign is taken from the bits: {@link Math#copySign} may leave out that of what is no number.
   */
  private static float bounded(float part, boolean ofInfinite) {
    if (!ofInfinite && part == part) {
      return part;
    }
    float magnitude = Float.isInfinite(part) ? 1 : 0;
    return Float.floatToRawIntBits(part) < 0 ? -magnitude : magnitude;
  }

  private static double bounded(double part, boolean ofInfinite) {
    if (!ofInfinite && part == part) {
      return part;
    }
    double magnitude = Double.isInfinite(part) ? 1 : 0;
    return Double.doubleToRawLongBits(part) < 0 ? -magnitude : magnitude;
  }
}
