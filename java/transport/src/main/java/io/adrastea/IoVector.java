package io.adrastea;

import io.adrastea.engine.IoEntries;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A list of pieces of memory that are sent as one message, or that one message is received into: an I/O vector [MPICH2
 * 2007, 3.1]. Parts are native or heap memory in any mixture, of any length from 0; bytes go in the order of the list.
 * Built once and used for any number of messages; no object is made per message.
 *
 * <p>
 * Sender and receiver need not divide a message alike: it is bytes, whatever they were gathered from. A message shorter
 * than all parts fills the first of them; a longer one is truncated, as in any receive. Parts to receive into should
 * not overlap: where they do, the bytes of the later part stay.
 *
 * <p>
 * Not to be changed while an operation with it is on its way, which is refused. As with any buffer, whether a part's
 * arena is closed, and whether it can be written, is checked when an operation starts.
 */
public final class IoVector {
  final IoEntries entries;

  /** An empty list. */
  public IoVector() {
    this(8);
  }

  /**
   * An empty list with places for parts; it grows beyond.
   *
   * @param places parts that it can hold without growing, 0 or more
   */
  public IoVector(int places) {
    if (places < 0) {
      throw new IllegalArgumentException("places for %d parts; 0 or more are allowed".formatted(places));
    }
    this.entries = new IoEntries(places);
  }

  /**
   * Adds all of a segment.
   *
   * @param memory the part
   * @return this
   * @throws IllegalStateException when an operation with this list is on its way
   */
  public IoVector add(MemorySegment memory) {
    return add(memory, 0, Buffers.requireNonNull(memory).byteSize());
  }

  /**
   * Adds a stretch of a segment.
   *
   * @param memory where the part lies
   * @param offset its first byte
   * @param length bytes, 0 or more
   * @return this
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws IllegalStateException when an operation with this list is on its way
   */
  public IoVector add(MemorySegment memory, long offset, long length) {
    requireInside(memory, offset, length);
    entries.add(memory, offset, length);
    return this;
  }

  /**
   * Adds a stretch of an array.
   *
   * @param array {@code byte[]}, {@code short[]}, {@code char[]}, {@code int[]}, {@code long[]}, {@code float[]} or
   * {@code double[]}
   * @param offset first element
   * @param count elements, 0 or more
   * @return this
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   * @throws IllegalStateException when an operation with this list is on its way
   */
  public IoVector addArray(Object array, int offset, int count) {
    Buffers.View view = Buffers.viewOf(array);
    entries.add(view.memory(), view.offset(offset, count), view.bytes(count));
    return this;
  }

  /**
   * Puts another part in the place of one.
   *
   * @param index which, 0 to size − 1
   * @param memory where the part lies
   * @param offset its first byte
   * @param length bytes, 0 or more
   * @return this
   * @throws IndexOutOfBoundsException when there is no such part, or the segment does not hold these bytes
   * @throws IllegalStateException when an operation with this list is on its way
   */
  public IoVector set(int index, MemorySegment memory, long offset, long length) {
    requireInside(memory, offset, length);
    entries.set(index, memory, offset, length);
    return this;
  }

  private static void requireInside(MemorySegment memory, long offset, long length) {
    Objects.checkFromIndexSize(offset, length, Buffers.requireNonNull(memory).byteSize());
  }

  /**
   * Takes all parts out.
   *
   * @return this
   * @throws IllegalStateException when an operation with this list is on its way
   */
  public IoVector clear() {
    entries.clear();
    return this;
  }

  /**
   * How many parts there are.
   *
   * @return 0 or more
   */
  public int size() {
    return entries.size();
  }

  /**
   * Length of all parts together.
   *
   * @return bytes: of the message that is sent, the most that can be received
   */
  public long bytes() {
    return entries.bytes();
  }

  /** Refuses parts that cannot be read now, before anything is sent. */
  void requireUsable(boolean many) {
    for (int i = 0; i < entries.size(); i++) {
      Buffers.requireUsable(entries.memory(i), many);
    }
  }

  /** Refuses parts that cannot be written now, before a message is taken for them. */
  void requireWritable(boolean many) {
    for (int i = 0; i < entries.size(); i++) {
      Buffers.requireWritable(entries.memory(i), many);
    }
  }

  @Override
  public String toString() {
    return "%d parts of %d bytes together".formatted(size(), bytes());
  }
}
