package io.adrastea;

import java.lang.foreign.ValueLayout;

/** Values as they stand in messages: in the byte order of the machine, at any offset. */
final class Elements {
  static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED;
  static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  private Elements() {}

  /** How the elements of an array stand in a message. */
  static ValueLayout of(Object array) {
    return switch (array) {
      case null -> throw new NullPointerException("the array is null");
      case byte[] bytes -> BYTE;
      case short[] shorts -> SHORT;
      case char[] chars -> CHAR;
      case int[] ints -> INT;
      case long[] longs -> LONG;
      case float[] floats -> FLOAT;
      case double[] doubles -> DOUBLE;
      default ->
        throw new IllegalArgumentException(
            "an array cannot be a %s; allowed are byte[], short[], char[], int[], long[], float[] and double[]"
                .formatted(array.getClass().getTypeName()));
    };
  }

  /** What is said of a stretch that does not lie inside; {@code what} it is a stretch of. */
  static IndexOutOfBoundsException outside(String what, long offset, long length, long bytes) {
    return new IndexOutOfBoundsException(
        "%d bytes at offset %d do not lie in a %s of %d bytes".formatted(length, offset, what, bytes));
  }
}
