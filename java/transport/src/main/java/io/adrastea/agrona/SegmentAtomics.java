package io.adrastea.agrona;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.AtomicBuffer;

/** Access in the memory order that its name tells; the order is that of the {@link VarHandle} mode of the same name. */
abstract class SegmentAtomics extends SegmentNumbers implements AtomicBuffer {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle SHORT = ValueLayout.JAVA_SHORT.varHandle();
  private static final VarHandle CHAR = ValueLayout.JAVA_CHAR.varHandle();
  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

  @Override
  public long getLongVolatile(int index) {
    return (long) LONG.getVolatile(memory, (long) index);
  }

  @Override
  public void putLongVolatile(int index, long value) {
    LONG.setVolatile(memory, (long) index, value);
  }

  @Override
  public long getLongAcquire(int index) {
    return (long) LONG.getAcquire(memory, (long) index);
  }

  @Override
  public void putLongRelease(int index, long value) {
    LONG.setRelease(memory, (long) index, value);
  }

  @Override
  public void putLongOrdered(int index, long value) {
    putLongRelease(index, value);
  }

  @Override
  public long getLongOpaque(int index) {
    return (long) LONG.getOpaque(memory, (long) index);
  }

  @Override
  public void putLongOpaque(int index, long value) {
    LONG.setOpaque(memory, (long) index, value);
  }

  @Override
  public long addLongRelease(int index, long increment) {
    return (long) LONG.getAndAddRelease(memory, (long) index, increment);
  }

  @Override
  public long addLongOrdered(int index, long increment) {
    return addLongRelease(index, increment);
  }

  /** Not atomic: there is one writer. */
  @Override
  public long addLongOpaque(int index, long increment) {
    long before = getLongOpaque(index);
    putLongOpaque(index, before + increment);
    return before;
  }

  @Override
  public boolean compareAndSetLong(int index, long expectedValue, long updateValue) {
    return LONG.compareAndSet(memory, (long) index, expectedValue, updateValue);
  }

  @Override
  public long compareAndExchangeLong(int index, long expectedValue, long updateValue) {
    return (long) LONG.compareAndExchange(memory, (long) index, expectedValue, updateValue);
  }

  @Override
  public long getAndSetLong(int index, long value) {
    return (long) LONG.getAndSet(memory, (long) index, value);
  }

  @Override
  public long getAndAddLong(int index, long delta) {
    return (long) LONG.getAndAdd(memory, (long) index, delta);
  }

  @Override
  public int getIntVolatile(int index) {
    return (int) INT.getVolatile(memory, (long) index);
  }

  @Override
  public void putIntVolatile(int index, int value) {
    INT.setVolatile(memory, (long) index, value);
  }

  @Override
  public int getIntAcquire(int index) {
    return (int) INT.getAcquire(memory, (long) index);
  }

  @Override
  public void putIntRelease(int index, int value) {
    INT.setRelease(memory, (long) index, value);
  }

  @Override
  public void putIntOrdered(int index, int value) {
    putIntRelease(index, value);
  }

  @Override
  public int getIntOpaque(int index) {
    return (int) INT.getOpaque(memory, (long) index);
  }

  @Override
  public void putIntOpaque(int index, int value) {
    INT.setOpaque(memory, (long) index, value);
  }

  @Override
  public int addIntRelease(int index, int increment) {
    return (int) INT.getAndAddRelease(memory, (long) index, increment);
  }

  @Override
  public int addIntOrdered(int index, int increment) {
    return addIntRelease(index, increment);
  }

  /** Not atomic: there is one writer. */
  @Override
  public int addIntOpaque(int index, int increment) {
    int before = getIntOpaque(index);
    putIntOpaque(index, before + increment);
    return before;
  }

  @Override
  public boolean compareAndSetInt(int index, int expectedValue, int updateValue) {
    return INT.compareAndSet(memory, (long) index, expectedValue, updateValue);
  }

  @Override
  public int compareAndExchangeInt(int index, int expectedValue, int updateValue) {
    return (int) INT.compareAndExchange(memory, (long) index, expectedValue, updateValue);
  }

  @Override
  public int getAndSetInt(int index, int value) {
    return (int) INT.getAndSet(memory, (long) index, value);
  }

  @Override
  public int getAndAddInt(int index, int delta) {
    return (int) INT.getAndAdd(memory, (long) index, delta);
  }

  @Override
  public short getShortVolatile(int index) {
    return (short) SHORT.getVolatile(memory, (long) index);
  }

  @Override
  public void putShortVolatile(int index, short value) {
    SHORT.setVolatile(memory, (long) index, value);
  }

  @Override
  public char getCharVolatile(int index) {
    return (char) CHAR.getVolatile(memory, (long) index);
  }

  @Override
  public void putCharVolatile(int index, char value) {
    CHAR.setVolatile(memory, (long) index, value);
  }

  @Override
  public byte getByteVolatile(int index) {
    return (byte) BYTE.getVolatile(memory, (long) index);
  }

  @Override
  public void putByteVolatile(int index, byte value) {
    BYTE.setVolatile(memory, (long) index, value);
  }
}
