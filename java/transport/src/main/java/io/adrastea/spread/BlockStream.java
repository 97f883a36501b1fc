package io.adrastea.spread;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Blocks one behind the other in a stretch of memory, each behind its length, so that members may pass them on that
 * know neither how long they are nor whether they are there: of a long one there is the length alone, and it goes
 * straight from its giver to its taker. What is sent of a stream begins at {@link #HEADER}. Static, since the memory
 * has all state: where the stream ends, and which block comes next.
 */
public final class BlockStream {
  /** Bytes before the first block. */
  public static final long HEADER = 16;

  /** Bytes before each block. */
  static final long LENGTH = Integer.BYTES;

  private static final long NEXT = 8;
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private BlockStream() {}

  /** Bytes of a message of so many blocks, each of which has so many bytes at most. */
  static long bytes(long blocks, long most) {
    return blocks * (LENGTH + most);
  }

  /** Bytes of memory for a stream of so many blocks. */
  static long room(long blocks, long most) {
    return HEADER + (bytes(blocks, most) + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
  }

  /** Begins a stream without blocks. */
  public static void clear(MemorySegment memory, long stream) {
    received(memory, stream, 0);
  }

  /** Begins a stream of what a message had, which lies behind the header. */
  public static void received(MemorySegment memory, long stream, long bytes) {
    memory.set(WORD, stream, bytes);
    memory.set(WORD, stream + NEXT, 0);
  }

  /** Bytes that a message of the stream has. */
  public static long bytes(MemorySegment memory, long stream) {
    return memory.get(WORD, stream);
  }

  /** Puts a block to the end. */
  public static void put(MemorySegment memory, long stream, MemorySegment from, long fromAt, long length) {
    long end = bytes(memory, stream);
    memory.set(INT, stream + HEADER + end, (int) length);
    if (length > 0) { // else there may be no memory
      MemorySegment.copy(from, fromAt, memory, stream + HEADER + end + LENGTH, length);
    }
    memory.set(WORD, stream, end + LENGTH + length);
  }

  /** Puts the length of a block to the end, which is not there. */
  public static void putLength(MemorySegment memory, long stream, long length) {
    long end = bytes(memory, stream);
    memory.set(INT, stream + HEADER + end, ~told(length));
    memory.set(WORD, stream, end + LENGTH);
  }

  private static int told(long length) {
    return (int) Math.min(length, Integer.MAX_VALUE);
  }

  /** Passes the next blocks on to the end of another stream; whether there were so many. */
  public static boolean pass(MemorySegment memory, long from, long to, long blocks) {
    long first = memory.get(WORD, from + NEXT);
    for (long block = 0; block < blocks; block++) {
      if (skip(memory, from) < 0) {
        return false;
      }
    }
    long bytes = memory.get(WORD, from + NEXT) - first;
    long end = bytes(memory, to);
    MemorySegment.copy(memory, from + HEADER + first, memory, to + HEADER + end, bytes);
    memory.set(WORD, to, end + bytes);
    return true;
  }

  /** Goes over the next block. @return how long it is, whether it is there or not; below zero: the stream ends in it */
  private static long skip(MemorySegment memory, long stream) {
    long left = bytes(memory, stream) - memory.get(WORD, stream + NEXT) - LENGTH;
    if (left < 0) {
      return -1;
    }
    long next = memory.get(WORD, stream + NEXT);
    int word = memory.get(INT, stream + HEADER + next);
    if (word > left) {
      return -1;
    }
    memory.set(WORD, stream + NEXT, next + LENGTH + Math.max(word, 0));
    return word < 0 ? ~word : word;
  }

  /**
   * Takes the next block, which is copied where it has the length that is expected.
   *
   * @param comes it is to be there; else its length alone
   * @return how long it is; below zero: the stream has no such block
   */
  public static long take(
      MemorySegment memory, long stream, boolean comes, MemorySegment to, long toAt, long expected) {
    long at = memory.get(WORD, stream + NEXT);
    long length = skip(memory, stream);
    if (length != told(expected)) {
      return length;
    }
    boolean isThere = memory.get(INT, stream + HEADER + at) >= 0;
    if (isThere != comes) {
      return -1;
    }
    if (comes && length > 0) {
      MemorySegment.copy(memory, stream + HEADER + at + LENGTH, to, toAt, length);
    }
    return expected;
  }
}
