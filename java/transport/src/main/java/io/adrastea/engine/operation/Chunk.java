package io.adrastea.engine.operation;

import java.lang.foreign.MemorySegment;

/**
 * Heap memory that holds a piece of an unexpected message, or a private copy of one received in place. Pooled. An array
 * of longs, so that values in it are aligned as they are in a cell.
 */
public final class Chunk {
  private final MemorySegment memory;
  private final int sizeClass;
  private long length;
  private Chunk next;

  private Chunk(int sizeClass) {
    this.sizeClass = sizeClass;
    this.memory = MemorySegment.ofArray(new long[1 << sizeClass - 3]);
  }

  public MemorySegment memory() {
    return memory;
  }

  /** Bytes of it that are used. */
  public long length() {
    return length;
  }

  /** The next piece of the same message; null: it is the last so far. */
  public Chunk next() {
    return next;
  }

  public void append(Chunk piece) {
    next = piece;
  }

  /**
   * Spent chunks by size: powers of two from 64 bytes to 8 GiB. Keeps at most 1 MiB of each size, and one chunk each of
   * the sizes from 2 to 16 MiB.
   */
  public static final class Pool {
    /** The longest message that a chunk can hold. */
    public static final long MOST_BYTES = 1L << 33;

    private static final int LEAST_CLASS = 6;
    private static final int MOST_CLASS = 33;
    private static final int MOST_CLASS_KEPT = 24;
    private static final int KEPT_BYTES = 1 << 20;

    private final Chunk[] idle = new Chunk[MOST_CLASS + 1];
    private final int[] kept = new int[MOST_CLASS + 1];

    public Chunk take(long length) {
      int sizeClass = Math.max(LEAST_CLASS, 64 - Long.numberOfLeadingZeros(Math.max(1, length) - 1));
      Chunk chunk = idle[sizeClass];
      if (chunk == null) {
        chunk = new Chunk(sizeClass);
      } else {
        idle[sizeClass] = chunk.next;
        kept[sizeClass]--;
      }
      chunk.next = null;
      chunk.length = length;
      return chunk;
    }

    public void give(Chunk chunk) {
      int sizeClass = chunk.sizeClass;
      if (kept[sizeClass] < places(sizeClass)) {
        chunk.next = idle[sizeClass];
        idle[sizeClass] = chunk;
        kept[sizeClass]++;
      }
    }

    private static int places(int sizeClass) {
      return sizeClass > MOST_CLASS_KEPT ? 0 : Math.max(1, KEPT_BYTES >> sizeClass);
    }
  }
}
