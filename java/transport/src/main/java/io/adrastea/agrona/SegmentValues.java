package io.adrastea.agrona;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.nio.ByteOrder;
import java.util.Objects;

/** Plain access to single values, at any index. */
abstract class SegmentValues extends SegmentMemory {
  private static final ByteOrder NATIVE = ByteOrder.nativeOrder();

  private static boolean isForeign(ByteOrder order) {
    return Objects.requireNonNull(order, "the byte order is null") != NATIVE;
  }

  @Override
  public long getLong(int index) {
    return memory.get(JAVA_LONG_UNALIGNED, index);
  }

  @Override
  public long getLong(int index, ByteOrder byteOrder) {
    long bits = getLong(index);
    return isForeign(byteOrder) ? Long.reverseBytes(bits) : bits;
  }

  @Override
  public void putLong(int index, long value) {
    memory.set(JAVA_LONG_UNALIGNED, index, value);
  }

  @Override
  public void putLong(int index, long value, ByteOrder byteOrder) {
    putLong(index, isForeign(byteOrder) ? Long.reverseBytes(value) : value);
  }

  @Override
  public int getInt(int index) {
    return memory.get(JAVA_INT_UNALIGNED, index);
  }

  @Override
  public int getInt(int index, ByteOrder byteOrder) {
    int bits = getInt(index);
    return isForeign(byteOrder) ? Integer.reverseBytes(bits) : bits;
  }

  @Override
  public void putInt(int index, int value) {
    memory.set(JAVA_INT_UNALIGNED, index, value);
  }

  @Override
  public void putInt(int index, int value, ByteOrder byteOrder) {
    putInt(index, isForeign(byteOrder) ? Integer.reverseBytes(value) : value);
  }

  @Override
  public double getDouble(int index) {
    return memory.get(JAVA_DOUBLE_UNALIGNED, index);
  }

  @Override
  public double getDouble(int index, ByteOrder byteOrder) {
    return Double.longBitsToDouble(getLong(index, byteOrder));
  }

  @Override
  public void putDouble(int index, double value) {
    memory.set(JAVA_DOUBLE_UNALIGNED, index, value);
  }

  @Override
  public void putDouble(int index, double value, ByteOrder byteOrder) {
    putLong(index, Double.doubleToRawLongBits(value), byteOrder);
  }

  @Override
  public float getFloat(int index) {
    return memory.get(JAVA_FLOAT_UNALIGNED, index);
  }

  @Override
  public float getFloat(int index, ByteOrder byteOrder) {
    return Float.intBitsToFloat(getInt(index, byteOrder));
  }

  @Override
  public void putFloat(int index, float value) {
    memory.set(JAVA_FLOAT_UNALIGNED, index, value);
  }

  @Override
  public void putFloat(int index, float value, ByteOrder byteOrder) {
    putInt(index, Float.floatToRawIntBits(value), byteOrder);
  }

  @Override
  public short getShort(int index) {
    return memory.get(JAVA_SHORT_UNALIGNED, index);
  }

  @Override
  public short getShort(int index, ByteOrder byteOrder) {
    short bits = getShort(index);
    return isForeign(byteOrder) ? Short.reverseBytes(bits) : bits;
  }

  @Override
  public void putShort(int index, short value) {
    memory.set(JAVA_SHORT_UNALIGNED, index, value);
  }

  @Override
  public void putShort(int index, short value, ByteOrder byteOrder) {
    putShort(index, isForeign(byteOrder) ? Short.reverseBytes(value) : value);
  }

  @Override
  public char getChar(int index) {
    return memory.get(JAVA_CHAR_UNALIGNED, index);
  }

  @Override
  public char getChar(int index, ByteOrder byteOrder) {
    return (char) getShort(index, byteOrder);
  }

  @Override
  public void putChar(int index, char value) {
    memory.set(JAVA_CHAR_UNALIGNED, index, value);
  }

  @Override
  public void putChar(int index, char value, ByteOrder byteOrder) {
    putShort(index, (short) value, byteOrder);
  }

  @Override
  public byte getByte(int index) {
    return memory.get(JAVA_BYTE, index);
  }

  @Override
  public void putByte(int index, byte value) {
    memory.set(JAVA_BYTE, index, value);
  }
}
