package io.adrastea.agrona;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;

/** Strings, with their length in front as an int or without. What is not ASCII is put as a question mark. */
abstract class SegmentStrings extends SegmentBytes {
  private static final ByteOrder NATIVE = ByteOrder.nativeOrder();

  /** What a string that is null is put as in UTF-8; in ASCII it is empty. */
  private static final String NULL = "null";

  @Override
  public String getStringAscii(int index) {
    return getStringAscii(index, NATIVE);
  }

  @Override
  public String getStringAscii(int index, ByteOrder byteOrder) {
    return getStringAscii(index, getInt(index, byteOrder));
  }

  @Override
  public String getStringAscii(int index, int length) {
    return getStringWithoutLengthAscii(index + STR_HEADER_LEN, length);
  }

  @Override
  public int getStringAscii(int index, Appendable appendable) {
    return getStringAscii(index, appendable, NATIVE);
  }

  @Override
  public int getStringAscii(int index, Appendable appendable, ByteOrder byteOrder) {
    return getStringWithoutLengthAscii(index + STR_HEADER_LEN, getInt(index, byteOrder), appendable);
  }

  @Override
  public int getStringAscii(int index, int length, Appendable appendable) {
    boundsCheck(index, STR_HEADER_LEN);
    return getStringWithoutLengthAscii(index + STR_HEADER_LEN, length, appendable);
  }

  @Override
  public String getStringWithoutLengthAscii(int index, int length) {
    return new String(copy(index, length), US_ASCII);
  }

  @Override
  public int getStringWithoutLengthAscii(int index, int length, Appendable appendable) {
    boundsCheck(index, length);
    try {
      for (int i = index; i < index + length; i++) {
        byte c = getByte(i);
        appendable.append(c < 0 ? '?' : (char) c);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return length;
  }

  @Override
  public int putStringAscii(int index, String value) {
    return putStringAscii(index, (CharSequence) value, NATIVE);
  }

  @Override
  public int putStringAscii(int index, CharSequence value) {
    return putStringAscii(index, value, NATIVE);
  }

  @Override
  public int putStringAscii(int index, String value, ByteOrder byteOrder) {
    return putStringAscii(index, (CharSequence) value, byteOrder);
  }

  @Override
  public int putStringAscii(int index, CharSequence value, ByteOrder byteOrder) {
    int length = value == null ? 0 : value.length();
    boundsCheck(index, STR_HEADER_LEN + length);
    putInt(index, length, byteOrder);
    return STR_HEADER_LEN + putStringWithoutLengthAscii(index + STR_HEADER_LEN, value);
  }

  @Override
  public int putStringWithoutLengthAscii(int index, String value) {
    return putStringWithoutLengthAscii(index, (CharSequence) value);
  }

  @Override
  public int putStringWithoutLengthAscii(int index, CharSequence value) {
    return value == null ? 0 : putStringWithoutLengthAscii(index, value, 0, value.length());
  }

  @Override
  public int putStringWithoutLengthAscii(int index, String value, int valueOffset, int length) {
    return putStringWithoutLengthAscii(index, (CharSequence) value, valueOffset, length);
  }

  @Override
  public int putStringWithoutLengthAscii(int index, CharSequence value, int valueOffset, int length) {
    if (value == null) {
      return 0;
    }
    int count = Math.min(value.length() - valueOffset, length);
    boundsCheck(index, count);
    for (int i = 0; i < count; i++) {
      char c = value.charAt(valueOffset + i);
      putByte(index + i, c > 127 ? (byte) '?' : (byte) c);
    }
    return count;
  }

  @Override
  public String getStringUtf8(int index) {
    return getStringUtf8(index, NATIVE);
  }

  @Override
  public String getStringUtf8(int index, ByteOrder byteOrder) {
    return getStringUtf8(index, getInt(index, byteOrder));
  }

  @Override
  public String getStringUtf8(int index, int length) {
    return getStringWithoutLengthUtf8(index + STR_HEADER_LEN, length);
  }

  @Override
  public String getStringWithoutLengthUtf8(int index, int length) {
    return new String(copy(index, length), UTF_8);
  }

  @Override
  public int putStringUtf8(int index, String value) {
    return putStringUtf8(index, value, NATIVE, Integer.MAX_VALUE);
  }

  @Override
  public int putStringUtf8(int index, String value, ByteOrder byteOrder) {
    return putStringUtf8(index, value, byteOrder, Integer.MAX_VALUE);
  }

  @Override
  public int putStringUtf8(int index, String value, int maxEncodedLength) {
    return putStringUtf8(index, value, NATIVE, maxEncodedLength);
  }

  @Override
  public int putStringUtf8(int index, String value, ByteOrder byteOrder, int maxEncodedLength) {
    byte[] bytes = utf8(value);
    if (bytes.length > maxEncodedLength) {
      throw new IllegalArgumentException(
          "the string takes %d bytes in UTF-8; allowed are %d".formatted(bytes.length, maxEncodedLength));
    }
    boundsCheck(index, STR_HEADER_LEN + bytes.length);
    putInt(index, bytes.length, byteOrder);
    putBytes(index + STR_HEADER_LEN, bytes);
    return STR_HEADER_LEN + bytes.length;
  }

  @Override
  public int putStringWithoutLengthUtf8(int index, String value) {
    byte[] bytes = utf8(value);
    putBytes(index, bytes);
    return bytes.length;
  }

  private static byte[] utf8(String value) {
    return (value == null ? NULL : value).getBytes(UTF_8);
  }

  /** The check comes before the array, since a length read from memory may be anything. */
  private byte[] copy(int index, int length) {
    boundsCheck(index, length);
    byte[] bytes = new byte[length];
    getBytes(index, bytes);
    return bytes;
  }
}
