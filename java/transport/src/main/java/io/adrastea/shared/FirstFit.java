package io.adrastea.shared;

import java.util.Arrays;

/**
 * Which parts of a stretch of memory are taken: first fit, neighbours that are free are one. Numbers alone; the memory
 * itself is never touched, so no peer can spoil the bookkeeping. Twin of {@code shared/adr_first_fit.h}.
 *
 * <p>
 * The stretch is cut into blocks without gaps, in order; no two neighbours are both free. Blocks begin at multiples of
 * {@link #GRAIN}, so what two owners write never shares a cache line.
 */
public final class FirstFit {
  public static final int GRAIN = 128;

  /** No free block is large enough. */
  public static final long NO_ROOM = -1;

  private static final int FIRST_PLACES = 16;
  private static final int MOST_NEW_BLOCKS = 2;

  private long[] start = new long[FIRST_PLACES]; // of each block; one more: where the stretch ends
  private long[] asked = new long[FIRST_PLACES]; // bytes asked for, 0: free
  private int count = 1;

  /** A stretch of {@code bytes}, a multiple of the grain, all of it free. */
  public FirstFit(long bytes) {
    start[1] = bytes;
  }

  /** The next multiple of an alignment, a power of two. */
  public static long alignUp(long value, long alignment) {
    return (value + alignment - 1) & -alignment;
  }

  /** Room for the blocks that a split makes. */
  private void requirePlaces() {
    if (count + 1 + MOST_NEW_BLOCKS > start.length) {
      start = Arrays.copyOf(start, 2 * start.length);
      asked = Arrays.copyOf(asked, 2 * asked.length);
    }
  }

  /** Cuts a block in two; the second starts at {@code at} and is free. */
  private void split(int index, long at) {
    System.arraycopy(start, index + 1, start, index + 2, count - index);
    System.arraycopy(asked, index + 1, asked, index + 2, count - index);
    start[index + 1] = at;
    asked[index + 1] = 0;
    count++;
  }

  /** Makes a block one with the next. */
  private void joinNext(int index) {
    System.arraycopy(start, index + 2, start, index + 1, count - index - 1);
    System.arraycopy(asked, index + 2, asked, index + 1, count - index - 1);
    count--;
  }

  private boolean isFree(int index) {
    return index < count && asked[index] == 0;
  }

  private long takeFrom(int index, long from, long bytes) {
    long end = from + alignUp(bytes, GRAIN);
    int taken = index;
    requirePlaces();
    if (from > start[taken]) {
      split(taken++, from);
    }
    if (end < start[taken + 1]) {
      split(taken, end);
    }
    asked[taken] = bytes;
    return from;
  }

  /** Takes bytes at a multiple of {@code alignment}, a power of two; gives where they start, or {@link #NO_ROOM}. */
  public long take(long bytes, long alignment) {
    long whole = alignUp(bytes, GRAIN);
    for (int index = 0; index < count; index++) {
      long from = alignUp(start[index], alignment);
      if (isFree(index) && whole <= start[index + 1] - from) {
        return takeFrom(index, from, bytes);
      }
    }
    return NO_ROOM;
  }

  /** Bytes asked for of what was taken and starts there; 0: nothing taken does. */
  public long taken(long from) {
    int index = Arrays.binarySearch(start, 0, count, from);
    return index < 0 ? 0 : asked[index];
  }

  /**
   * Start of what was taken and holds {@code at}, and {@code bytes} from there on, or {@link #NO_ROOM}: nothing does.
   */
  long holder(long at, long bytes) {
    int index = Arrays.binarySearch(start, 0, count, at);
    int holder = index < 0 ? -index - 2 : index;
    return bytes <= asked[holder] - (at - start[holder]) && !isFree(holder) ? start[holder] : NO_ROOM;
  }

  /** Gives back what was taken and starts there. */
  public void give(long from) {
    int index = Arrays.binarySearch(start, 0, count, from);
    asked[index] = 0;
    if (isFree(index + 1)) {
      joinNext(index);
    }
    if (index > 0 && isFree(index - 1)) {
      joinNext(index - 1);
    }
  }
}
