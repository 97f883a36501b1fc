package io.adrastea.payload;

import io.adrastea.datatype.Signature;
import java.lang.foreign.MemorySegment;

/**
 * What a message carries, wherever it lies: a number of bytes in their order, in memory of this process. There is one
 * kind for each form of that memory: {@link Contiguous}, {@link IoEntries}, the I/O vector, {@link Typed}, elements of
 * a datatype, {@link Booleans}, and {@link Joined}, several of them. A payload knows nothing of how far an operation is
 * in it, which is told by the operation's {@link Cursor}; so several operations may use one payload at a time, each in
 * its own thread. It is not changed from {@link #retain} to {@link #release}.
 *
 * <p>
 * The code that moves a message goes through it in either of two ways: by {@link #pack} and {@link #unpack}, which copy
 * bytes between the payload and contiguous memory, such as a cell; or by {@link #stretch}, which tells where the next
 * bytes lie, for callers that copy them themselves. A closed arena, or another thread's, is an
 * {@link IllegalStateException} or a {@link WrongThreadException}, as in {@link MemorySegment}; then the cursor stands
 * anywhere.
 */
public interface Payload {
  /** Counts all of its bytes. */
  long bytes();

  /** The basic types of one of the equal parts that it consists of; null: it has no type. */
  default Signature signature() {
    return null;
  }

  /** Counts the equal parts that it consists of, of one signature each. */
  default long copies() {
    return 1;
  }

  /** Counts the pieces of memory that it lies in; one that none of its bytes lie in may be among them. */
  int memories();

  /** Tells a piece of memory that it lies in. */
  MemorySegment memory(int index);

  /**
   * Moves a cursor to a byte.
   *
   * @param position of the byte, or behind the last one
   * @throws IndexOutOfBoundsException when it is neither
   */
  void seek(Cursor cursor, long position);

  /**
   * Describes the contiguous memory that begins with the byte at the cursor, as far as it goes; not empty. The cursor
   * stays.
   *
   * @throws IndexOutOfBoundsException when the cursor stands behind the last byte
   */
  void stretch(Cursor cursor, Stretch to);

  /**
   * Copies the next {@code bytes} bytes, from the cursor on, to {@code to} at {@code at}, and moves the cursor behind
   * them.
   */
  void pack(Cursor cursor, MemorySegment to, long at, long bytes);

  /** Copies {@code bytes} bytes of {@code from} at {@code at} to the cursor, and moves the cursor behind them. */
  void unpack(Cursor cursor, MemorySegment from, long at, long bytes);

  /** Begins a use by an operation. */
  void retain();

  /** Ends a use by an operation. */
  void release();
}
