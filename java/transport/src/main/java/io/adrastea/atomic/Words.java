package io.adrastea.atomic;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Words of shared memory. The memory order is in the call's name, as in {@code base/adr_atomic.h}. Java has no
 * acquire-release form of read-modify-writes, and no relaxed form of all of them; the volatile forms used here are
 * stronger and cost the same on x86-64.
 */
public final class Words {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private Words() {}

  /** Exactly one load: what was checked is what is used, though a broken peer may write meanwhile. */
  public static int load(MemorySegment memory, long offset) {
    return (int) INT.getOpaque(memory, offset);
  }

  public static void store(MemorySegment memory, long offset, int value) {
    memory.set(ValueLayout.JAVA_INT, offset, value);
  }

  public static int loadAcquire(MemorySegment memory, long offset) {
    return (int) INT.getAcquire(memory, offset);
  }

  /** Relaxed in C11's terms. */
  public static void storeRelaxed(MemorySegment memory, long offset, int value) {
    INT.setOpaque(memory, offset, value);
  }

  public static void storeRelease(MemorySegment memory, long offset, int value) {
    INT.setRelease(memory, offset, value);
  }

  public static int addAcqRel(MemorySegment memory, long offset, int value) {
    return (int) INT.getAndAdd(memory, offset, value);
  }

  public static int swapAcqRel(MemorySegment memory, long offset, int value) {
    return (int) INT.getAndSet(memory, offset, value);
  }

  public static boolean casAcqRel(MemorySegment memory, long offset, int expected, int value) {
    return INT.compareAndSet(memory, offset, expected, value);
  }

  /** Decides who was first; the caller relies on no order. */
  public static boolean casRelaxed(MemorySegment memory, long offset, int expected, int value) {
    return INT.compareAndSet(memory, offset, expected, value);
  }

  /** Exactly one load, as {@link #load}. */
  public static long loadLong(MemorySegment memory, long offset) {
    return (long) LONG.getOpaque(memory, offset);
  }

  public static void storeLong(MemorySegment memory, long offset, long value) {
    memory.set(ValueLayout.JAVA_LONG, offset, value);
  }

  /** Relaxed in C11's terms. */
  public static long loadRelaxedLong(MemorySegment memory, long offset) {
    return (long) LONG.getOpaque(memory, offset);
  }

  /** Relaxed in C11's terms. */
  public static void storeRelaxedLong(MemorySegment memory, long offset, long value) {
    LONG.setOpaque(memory, offset, value);
  }

  public static long loadAcquireLong(MemorySegment memory, long offset) {
    return (long) LONG.getAcquire(memory, offset);
  }

  public static void storeReleaseLong(MemorySegment memory, long offset, long value) {
    LONG.setRelease(memory, offset, value);
  }

  public static long addAcqRelLong(MemorySegment memory, long offset, long value) {
    return (long) LONG.getAndAdd(memory, offset, value);
  }

  public static long orAcqRelLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseOr(memory, offset, bits);
  }

  public static long andAcqRelLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseAnd(memory, offset, bits);
  }

  /** The caller relies on no order. */
  public static long orRelaxedLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseOr(memory, offset, bits);
  }

  /** The caller relies on no order. */
  public static long andRelaxedLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseAnd(memory, offset, bits);
  }

  public static long swapAcqRelLong(MemorySegment memory, long offset, long value) {
    return (long) LONG.getAndSet(memory, offset, value);
  }

  public static boolean casAcqRelLong(MemorySegment memory, long offset, long expected, long value) {
    return LONG.compareAndSet(memory, offset, expected, value);
  }

  /** Decides who was first; the caller relies on no order. */
  public static boolean casRelaxedLong(MemorySegment memory, long offset, long expected, long value) {
    return LONG.compareAndSet(memory, offset, expected, value);
  }
}
