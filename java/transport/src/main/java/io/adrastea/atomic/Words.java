package io.adrastea.atomic;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Atomic words of shared memory, of 32 bits and, where the name ends in {@code Long}, of 64. Twin of
 * {@code base/adr_atomic.h}: the memory order is in the call's name, and read-modify-writes return what the word was
 * before. Java has no acquire-release form of read-modify-writes, and no relaxed form of all of them; the volatile
 * forms used here are stronger and cost the same on x86-64.
 *
 * <p>
 * A word lies at a multiple of its size in memory that is so aligned; anything else is an
 * {@link IllegalArgumentException}, as what lies outside the memory is an {@link IndexOutOfBoundsException}: no access
 * is ever made in two.
 *
 * <p>
 * Everywhere a {@link VarHandle} and never {@link MemorySegment#set}: HotSpot profiles what kind of memory the
 * arguments of a handle's call sites are. Behind the segment's own methods it knows all kinds that the JVM has seen,
 * and calls them virtually, four times for each access, once there have been two.
 */
public final class Words {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private Words() {}

  /** What comes before it in the program, loads and stores, is seen before what comes behind. */
  public static void fullFence() {
    VarHandle.fullFence();
  }

  /**
   * Exactly one load, {@code adr_load_once}: what was checked is what is used, though a broken peer may write
   * meanwhile.
   */
  public static int load(MemorySegment memory, long offset) {
    return (int) INT.getOpaque(memory, offset);
  }

  /** A plain store: the word is ordered by another one that shows it. */
  public static void store(MemorySegment memory, long offset, int value) {
    INT.set(memory, offset, value);
  }

  public static int loadRelaxed(MemorySegment memory, long offset) {
    return (int) INT.getOpaque(memory, offset);
  }

  public static int loadAcquire(MemorySegment memory, long offset) {
    return (int) INT.getAcquire(memory, offset);
  }

  public static int loadSeqCst(MemorySegment memory, long offset) {
    return (int) INT.getVolatile(memory, offset);
  }

  public static void storeRelaxed(MemorySegment memory, long offset, int value) {
    INT.setOpaque(memory, offset, value);
  }

  public static void storeRelease(MemorySegment memory, long offset, int value) {
    INT.setRelease(memory, offset, value);
  }

  public static void storeSeqCst(MemorySegment memory, long offset, int value) {
    INT.setVolatile(memory, offset, value);
  }

  public static int addRelaxed(MemorySegment memory, long offset, int value) {
    return (int) INT.getAndAdd(memory, offset, value);
  }

  public static int addAcqRel(MemorySegment memory, long offset, int value) {
    return (int) INT.getAndAdd(memory, offset, value);
  }

  public static int addSeqCst(MemorySegment memory, long offset, int value) {
    return (int) INT.getAndAdd(memory, offset, value);
  }

  public static int andRelaxed(MemorySegment memory, long offset, int bits) {
    return (int) INT.getAndBitwiseAnd(memory, offset, bits);
  }

  public static int andAcqRel(MemorySegment memory, long offset, int bits) {
    return (int) INT.getAndBitwiseAnd(memory, offset, bits);
  }

  public static int andSeqCst(MemorySegment memory, long offset, int bits) {
    return (int) INT.getAndBitwiseAnd(memory, offset, bits);
  }

  public static int orRelaxed(MemorySegment memory, long offset, int bits) {
    return (int) INT.getAndBitwiseOr(memory, offset, bits);
  }

  public static int orAcqRel(MemorySegment memory, long offset, int bits) {
    return (int) INT.getAndBitwiseOr(memory, offset, bits);
  }

  public static int orSeqCst(MemorySegment memory, long offset, int bits) {
    return (int) INT.getAndBitwiseOr(memory, offset, bits);
  }

  public static int xorRelaxed(MemorySegment memory, long offset, int bits) {
    return (int) INT.getAndBitwiseXor(memory, offset, bits);
  }

  public static int xorAcqRel(MemorySegment memory, long offset, int bits) {
    return (int) INT.getAndBitwiseXor(memory, offset, bits);
  }

  public static int xorSeqCst(MemorySegment memory, long offset, int bits) {
    return (int) INT.getAndBitwiseXor(memory, offset, bits);
  }

  public static int swapRelaxed(MemorySegment memory, long offset, int value) {
    return (int) INT.getAndSet(memory, offset, value);
  }

  public static int swapAcqRel(MemorySegment memory, long offset, int value) {
    return (int) INT.getAndSet(memory, offset, value);
  }

  public static int swapSeqCst(MemorySegment memory, long offset, int value) {
    return (int) INT.getAndSet(memory, offset, value);
  }

  /**
   * Stores the value if the word is {@code expected}; gives what it was, which is {@code expected} if it was stored.
   */
  public static int compareExchangeRelaxed(MemorySegment memory, long offset, int expected, int value) {
    return (int) INT.compareAndExchange(memory, offset, expected, value);
  }

  public static int compareExchangeAcqRel(MemorySegment memory, long offset, int expected, int value) {
    return (int) INT.compareAndExchange(memory, offset, expected, value);
  }

  public static int compareExchangeSeqCst(MemorySegment memory, long offset, int expected, int value) {
    return (int) INT.compareAndExchange(memory, offset, expected, value);
  }

  /** Stores the value if the word is {@code expected}, and tells whether it has. */
  public static boolean casRelaxed(MemorySegment memory, long offset, int expected, int value) {
    return INT.compareAndSet(memory, offset, expected, value);
  }

  public static boolean casAcqRel(MemorySegment memory, long offset, int expected, int value) {
    return INT.compareAndSet(memory, offset, expected, value);
  }

  public static boolean casSeqCst(MemorySegment memory, long offset, int expected, int value) {
    return INT.compareAndSet(memory, offset, expected, value);
  }

  /** Exactly one load, as {@link #load}. */
  public static long loadLong(MemorySegment memory, long offset) {
    return (long) LONG.getOpaque(memory, offset);
  }

  public static void storeLong(MemorySegment memory, long offset, long value) {
    LONG.set(memory, offset, value);
  }

  public static long loadRelaxedLong(MemorySegment memory, long offset) {
    return (long) LONG.getOpaque(memory, offset);
  }

  public static long loadAcquireLong(MemorySegment memory, long offset) {
    return (long) LONG.getAcquire(memory, offset);
  }

  public static long loadSeqCstLong(MemorySegment memory, long offset) {
    return (long) LONG.getVolatile(memory, offset);
  }

  public static void storeRelaxedLong(MemorySegment memory, long offset, long value) {
    LONG.setOpaque(memory, offset, value);
  }

  public static void storeReleaseLong(MemorySegment memory, long offset, long value) {
    LONG.setRelease(memory, offset, value);
  }

  public static void storeSeqCstLong(MemorySegment memory, long offset, long value) {
    LONG.setVolatile(memory, offset, value);
  }

  public static long addRelaxedLong(MemorySegment memory, long offset, long value) {
    return (long) LONG.getAndAdd(memory, offset, value);
  }

  public static long addAcqRelLong(MemorySegment memory, long offset, long value) {
    return (long) LONG.getAndAdd(memory, offset, value);
  }

  public static long addSeqCstLong(MemorySegment memory, long offset, long value) {
    return (long) LONG.getAndAdd(memory, offset, value);
  }

  public static long andRelaxedLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseAnd(memory, offset, bits);
  }

  public static long andAcqRelLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseAnd(memory, offset, bits);
  }

  public static long andSeqCstLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseAnd(memory, offset, bits);
  }

  public static long orRelaxedLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseOr(memory, offset, bits);
  }

  public static long orAcqRelLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseOr(memory, offset, bits);
  }

  public static long orSeqCstLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseOr(memory, offset, bits);
  }

  public static long xorRelaxedLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseXor(memory, offset, bits);
  }

  public static long xorAcqRelLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseXor(memory, offset, bits);
  }

  public static long xorSeqCstLong(MemorySegment memory, long offset, long bits) {
    return (long) LONG.getAndBitwiseXor(memory, offset, bits);
  }

  public static long swapRelaxedLong(MemorySegment memory, long offset, long value) {
    return (long) LONG.getAndSet(memory, offset, value);
  }

  public static long swapAcqRelLong(MemorySegment memory, long offset, long value) {
    return (long) LONG.getAndSet(memory, offset, value);
  }

  public static long swapSeqCstLong(MemorySegment memory, long offset, long value) {
    return (long) LONG.getAndSet(memory, offset, value);
  }

  /**
   * Stores the value if the word is {@code expected}; gives what it was, which is {@code expected} if it was stored.
   */
  public static long compareExchangeRelaxedLong(MemorySegment memory, long offset, long expected, long value) {
    return (long) LONG.compareAndExchange(memory, offset, expected, value);
  }

  public static long compareExchangeAcqRelLong(MemorySegment memory, long offset, long expected, long value) {
    return (long) LONG.compareAndExchange(memory, offset, expected, value);
  }

  public static long compareExchangeSeqCstLong(MemorySegment memory, long offset, long expected, long value) {
    return (long) LONG.compareAndExchange(memory, offset, expected, value);
  }

  /** Stores the value if the word is {@code expected}, and tells whether it has. */
  public static boolean casRelaxedLong(MemorySegment memory, long offset, long expected, long value) {
    return LONG.compareAndSet(memory, offset, expected, value);
  }

  public static boolean casAcqRelLong(MemorySegment memory, long offset, long expected, long value) {
    return LONG.compareAndSet(memory, offset, expected, value);
  }

  public static boolean casSeqCstLong(MemorySegment memory, long offset, long expected, long value) {
    return LONG.compareAndSet(memory, offset, expected, value);
  }
}
