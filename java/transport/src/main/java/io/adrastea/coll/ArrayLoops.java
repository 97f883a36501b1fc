package io.adrastea.coll;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The loops of {@link Combine}, over arrays that operands are copied to, and results from. C2 makes vectors of loops
 * over arrays; of loops over two segments it does not, since they may overlap, and each kind of memory that such a loop
 * sees makes it slower. The copies are bulk copies inside the first level of the cache.
 */
final class ArrayLoops {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  private final int chunk;
  // pairs of arrays, made when they are first needed: an operand, which becomes the result, and the other operand
  private byte[] bytes;
  private byte[] otherBytes;
  private short[] shorts;
  private short[] otherShorts;
  private char[] chars;
  private char[] otherChars;
  private int[] ints;
  private int[] otherInts;
  private long[] longs;
  private long[] otherLongs;
  private float[] floats;
  private float[] otherFloats;
  private double[] doubles;
  private double[] otherDoubles;
  private MemorySegment results; // a copy of those that go to an array; null: none have yet

  ArrayLoops(int chunk) {
    this.chunk = chunk;
  }

  /** At most a chunk, of which all bytes are of whole elements. */
  void combine(
      Operation operation, ElementKind kind, MemorySegment target, long targetAt, MemorySegment left, long leftAt,
      MemorySegment right, long rightAt, int bytes) {
    switch (kind) {
      case BYTES, INT8, BOOL -> bytes(operation, target, targetAt, left, leftAt, right, rightAt, bytes);
      case INT16 -> shorts(operation, target, targetAt, left, leftAt, right, rightAt, bytes >> 1);
      case UINT16 -> chars(operation, target, targetAt, left, leftAt, right, rightAt, bytes >> 1);
      case INT32 -> ints(operation, target, targetAt, left, leftAt, right, rightAt, bytes >> 2);
      case INT64 -> longs(operation, target, targetAt, left, leftAt, right, rightAt, bytes >> 3);
      case FLOAT -> floats(operation, target, targetAt, left, leftAt, right, rightAt, bytes >> 2);
      case DOUBLE -> doubles(operation, target, targetAt, left, leftAt, right, rightAt, bytes >> 3);
      default -> throw Combine.notOfJava(operation, kind);
    }
  }

  private void bytes(
      Operation operation, MemorySegment target, long targetAt, MemorySegment left, long leftAt, MemorySegment right,
      long rightAt, int count) {
    if (bytes == null) {
      bytes = new byte[chunk];
      otherBytes = new byte[bytes.length];
    }
    byte[] a = bytes;
    byte[] b = otherBytes;
    MemorySegment.copy(left, BYTE, leftAt, a, 0, count);
    MemorySegment.copy(right, BYTE, rightAt, b, 0, count);
    switch (operation) {
      case SUM -> sum(a, b, count);
      case PROD -> prod(a, b, count);
      case MIN -> min(a, b, count);
      case MAX -> max(a, b, count);
      case LAND -> land(a, b, count);
      case LOR -> lor(a, b, count);
      case LXOR -> lxor(a, b, count);
      case BAND -> band(a, b, count);
      case BOR -> bor(a, b, count);
      case BXOR -> bxor(a, b, count);
    }
    MemorySegment.copy(a, 0, target, BYTE, targetAt, count);
  }

  private static void sum(byte[] a, byte[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (byte) (a[i] + b[i]);
    }
  }

  private static void prod(byte[] a, byte[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (byte) (a[i] * b[i]);
    }
  }

  private static void min(byte[] a, byte[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (byte) Math.min(a[i], b[i]);
    }
  }

  private static void max(byte[] a, byte[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (byte) Math.max(a[i], b[i]);
    }
  }

  private static void land(byte[] a, byte[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (byte) (truth(a[i]) & truth(b[i]));
    }
  }

  private static void lor(byte[] a, byte[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (byte) truth(a[i] | b[i]);
    }
  }

  private static void lxor(byte[] a, byte[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (byte) (truth(a[i]) ^ truth(b[i]));
    }
  }

  private static void band(byte[] a, byte[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (byte) (a[i] & b[i]);
    }
  }

  private static void bor(byte[] a, byte[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (byte) (a[i] | b[i]);
    }
  }

  private static void bxor(byte[] a, byte[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (byte) (a[i] ^ b[i]);
    }
  }

  private void shorts(
      Operation operation, MemorySegment target, long targetAt, MemorySegment left, long leftAt, MemorySegment right,
      long rightAt, int count) {
    if (shorts == null) {
      shorts = new short[chunk / Short.BYTES];
      otherShorts = new short[shorts.length];
    }
    short[] a = shorts;
    short[] b = otherShorts;
    MemorySegment.copy(left, SHORT, leftAt, a, 0, count);
    MemorySegment.copy(right, SHORT, rightAt, b, 0, count);
    switch (operation) {
      case SUM -> sum(a, b, count);
      case PROD -> prod(a, b, count);
      case MIN -> min(a, b, count);
      case MAX -> max(a, b, count);
      case LAND -> land(a, b, count);
      case LOR -> lor(a, b, count);
      case LXOR -> lxor(a, b, count);
      case BAND -> band(a, b, count);
      case BOR -> bor(a, b, count);
      case BXOR -> bxor(a, b, count);
    }
    MemorySegment.copy(a, 0, target, SHORT, targetAt, count);
  }

  private static void sum(short[] a, short[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (short) (a[i] + b[i]);
    }
  }

  private static void prod(short[] a, short[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (short) (a[i] * b[i]);
    }
  }

  private static void min(short[] a, short[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (short) Math.min(a[i], b[i]);
    }
  }

  private static void max(short[] a, short[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (short) Math.max(a[i], b[i]);
    }
  }

  private static void land(short[] a, short[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (short) (truth(a[i]) & truth(b[i]));
    }
  }

  private static void lor(short[] a, short[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (short) (truth(a[i] | b[i]));
    }
  }

  private static void lxor(short[] a, short[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (short) (truth(a[i]) ^ truth(b[i]));
    }
  }

  private static void band(short[] a, short[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (short) (a[i] & b[i]);
    }
  }

  private static void bor(short[] a, short[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (short) (a[i] | b[i]);
    }
  }

  private static void bxor(short[] a, short[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (short) (a[i] ^ b[i]);
    }
  }

  private void chars(
      Operation operation, MemorySegment target, long targetAt, MemorySegment left, long leftAt, MemorySegment right,
      long rightAt, int count) {
    if (chars == null) {
      chars = new char[chunk / Character.BYTES];
      otherChars = new char[chars.length];
    }
    char[] a = chars;
    char[] b = otherChars;
    MemorySegment.copy(left, CHAR, leftAt, a, 0, count);
    MemorySegment.copy(right, CHAR, rightAt, b, 0, count);
    switch (operation) {
      case SUM -> sum(a, b, count);
      case PROD -> prod(a, b, count);
      case MIN -> min(a, b, count);
      case MAX -> max(a, b, count);
      case LAND -> land(a, b, count);
      case LOR -> lor(a, b, count);
      case LXOR -> lxor(a, b, count);
      case BAND -> band(a, b, count);
      case BOR -> bor(a, b, count);
      case BXOR -> bxor(a, b, count);
    }
    MemorySegment.copy(a, 0, target, CHAR, targetAt, count);
  }

  private static void sum(char[] a, char[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (char) (a[i] + b[i]);
    }
  }

  private static void prod(char[] a, char[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (char) (a[i] * b[i]);
    }
  }

  private static void min(char[] a, char[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (char) Math.min(a[i], b[i]);
    }
  }

  private static void max(char[] a, char[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (char) Math.max(a[i], b[i]);
    }
  }

  private static void land(char[] a, char[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (char) (truth(a[i]) & truth(b[i]));
    }
  }

  private static void lor(char[] a, char[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (char) (truth(a[i] | b[i]));
    }
  }

  private static void lxor(char[] a, char[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (char) (truth(a[i]) ^ truth(b[i]));
    }
  }

  private static void band(char[] a, char[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (char) (a[i] & b[i]);
    }
  }

  private static void bor(char[] a, char[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (char) (a[i] | b[i]);
    }
  }

  private static void bxor(char[] a, char[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = (char) (a[i] ^ b[i]);
    }
  }

  private void ints(
      Operation operation, MemorySegment target, long targetAt, MemorySegment left, long leftAt, MemorySegment right,
      long rightAt, int count) {
    if (ints == null) {
      ints = new int[chunk / Integer.BYTES];
      otherInts = new int[ints.length];
    }
    int[] a = ints;
    int[] b = otherInts;
    MemorySegment.copy(left, INT, leftAt, a, 0, count);
    MemorySegment.copy(right, INT, rightAt, b, 0, count);
    switch (operation) {
      case SUM -> sum(a, b, count);
      case PROD -> prod(a, b, count);
      case MIN -> min(a, b, count);
      case MAX -> max(a, b, count);
      case LAND -> land(a, b, count);
      case LOR -> lor(a, b, count);
      case LXOR -> lxor(a, b, count);
      case BAND -> band(a, b, count);
      case BOR -> bor(a, b, count);
      case BXOR -> bxor(a, b, count);
    }
    MemorySegment.copy(a, 0, target, INT, targetAt, count);
  }

  private static void sum(int[] a, int[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] + b[i];
    }
  }

  private static void prod(int[] a, int[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] * b[i];
    }
  }

  private static void min(int[] a, int[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = Math.min(a[i], b[i]);
    }
  }

  private static void max(int[] a, int[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = Math.max(a[i], b[i]);
    }
  }

  private static void land(int[] a, int[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = truth(a[i]) & truth(b[i]);
    }
  }

  private static void lor(int[] a, int[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = truth(a[i] | b[i]);
    }
  }

  private static void lxor(int[] a, int[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = truth(a[i]) ^ truth(b[i]);
    }
  }

  private static void band(int[] a, int[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] & b[i];
    }
  }

  private static void bor(int[] a, int[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] | b[i];
    }
  }

  private static void bxor(int[] a, int[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] ^ b[i];
    }
  }

  private void longs(
      Operation operation, MemorySegment target, long targetAt, MemorySegment left, long leftAt, MemorySegment right,
      long rightAt, int count) {
    if (longs == null) {
      longs = new long[chunk / Long.BYTES];
      otherLongs = new long[longs.length];
    }
    long[] a = longs;
    long[] b = otherLongs;
    MemorySegment.copy(left, LONG, leftAt, a, 0, count);
    MemorySegment.copy(right, LONG, rightAt, b, 0, count);
    switch (operation) {
      case SUM -> sum(a, b, count);
      case PROD -> prod(a, b, count);
      case MIN -> min(a, b, count);
      case MAX -> max(a, b, count);
      case LAND -> land(a, b, count);
      case LOR -> lor(a, b, count);
      case LXOR -> lxor(a, b, count);
      case BAND -> band(a, b, count);
      case BOR -> bor(a, b, count);
      case BXOR -> bxor(a, b, count);
    }
    MemorySegment.copy(a, 0, target, LONG, targetAt, count);
  }

  private static void sum(long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] + b[i];
    }
  }

  private static void prod(long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] * b[i];
    }
  }

  private static void min(long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = Math.min(a[i], b[i]);
    }
  }

  private static void max(long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = Math.max(a[i], b[i]);
    }
  }

  private static void land(long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = truth(a[i]) & truth(b[i]);
    }
  }

  private static void lor(long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = truth(a[i] | b[i]);
    }
  }

  private static void lxor(long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = truth(a[i]) ^ truth(b[i]);
    }
  }

  private static void band(long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] & b[i];
    }
  }

  private static void bor(long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] | b[i];
    }
  }

  private static void bxor(long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] ^ b[i];
    }
  }

  private MemorySegment results() {
    if (results == null) {
      results = Arena.ofAuto().allocate(chunk, Double.BYTES);
    }
    return results;
  }

  private void floats(
      Operation operation, MemorySegment target, long targetAt, MemorySegment left, long leftAt, MemorySegment right,
      long rightAt, int count) {
    if (floats == null) {
      floats = new float[chunk / Float.BYTES];
      otherFloats = new float[floats.length];
    }
    float[] a = floats;
    float[] b = otherFloats;
    MemorySegment.copy(left, FLOAT, leftAt, a, 0, count);
    MemorySegment.copy(right, FLOAT, rightAt, b, 0, count);
    switch (operation) {
      case SUM -> sum(a, b, count);
      case PROD -> prod(a, b, count);
      case MIN -> min(a, b, count);
      case MAX -> max(a, b, count);
      default -> throw Combine.noMeaning(operation, ElementKind.FLOAT);
    }
    give(a, target, targetAt, count);
  }

  /** Hands results out; one that is no number is the one NaN. */
  private void give(float[] a, MemorySegment target, long targetAt, int count) {
    MemorySegment.copy(a, 0, target, FLOAT, targetAt, count);
    boolean isNative = target.isNative();
    if (!isNative) {
      MemorySegment.copy(a, 0, results(), FLOAT, 0, count);
    }
    if (NanSearch.floats(isNative ? target : results, isNative ? targetAt : 0, count)) {
      for (int i = 0; i < count; i++) {
        a[i] = Elements.oneNan(a[i]);
      }
      MemorySegment.copy(a, 0, target, FLOAT, targetAt, count);
    }
  }

  private static void sum(float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] + b[i];
    }
  }

  private static void prod(float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] * b[i];
    }
  }

  private static void min(float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = Math.min(a[i], b[i]);
    }
  }

  private static void max(float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = Math.max(a[i], b[i]);
    }
  }

  private void doubles(
      Operation operation, MemorySegment target, long targetAt, MemorySegment left, long leftAt, MemorySegment right,
      long rightAt, int count) {
    if (doubles == null) {
      doubles = new double[chunk / Double.BYTES];
      otherDoubles = new double[doubles.length];
    }
    double[] a = doubles;
    double[] b = otherDoubles;
    MemorySegment.copy(left, DOUBLE, leftAt, a, 0, count);
    MemorySegment.copy(right, DOUBLE, rightAt, b, 0, count);
    switch (operation) {
      case SUM -> sum(a, b, count);
      case PROD -> prod(a, b, count);
      case MIN -> min(a, b, count);
      case MAX -> max(a, b, count);
      default -> throw Combine.noMeaning(operation, ElementKind.DOUBLE);
    }
    give(a, target, targetAt, count);
  }

  /** Hands results out; one that is no number is the one NaN. */
  private void give(double[] a, MemorySegment target, long targetAt, int count) {
    MemorySegment.copy(a, 0, target, DOUBLE, targetAt, count);
    boolean isNative = target.isNative();
    if (!isNative) {
      MemorySegment.copy(a, 0, results(), DOUBLE, 0, count);
    }
    if (NanSearch.doubles(isNative ? target : results, isNative ? targetAt : 0, count)) {
      for (int i = 0; i < count; i++) {
        a[i] = Elements.oneNan(a[i]);
      }
      MemorySegment.copy(a, 0, target, DOUBLE, targetAt, count);
    }
  }

  private static void sum(double[] a, double[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] + b[i];
    }
  }

  private static void prod(double[] a, double[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = a[i] * b[i];
    }
  }

  private static void min(double[] a, double[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = Math.min(a[i], b[i]);
    }
  }

  private static void max(double[] a, double[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = Math.max(a[i], b[i]);
    }
  }

  /** 1 for all but 0. */
  private static int truth(int value) {
    return (value | -value) >>> 31;
  }

  private static long truth(long value) {
    return (value | -value) >>> 63;
  }
}
