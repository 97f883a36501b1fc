package io.adrastea.engine.window;

import io.adrastea.error.SegmentException;
import io.adrastea.space.Exposed;
import io.adrastea.window.WindowTable;

/**
 * The stretches of memory that a member of a dynamic window has attached, at one version of its table, in ascending
 * order. It does not change, but for what is learnt of a stretch at its first use: any thread may read it.
 */
final class StretchList {
  /** There are none. */
  static final StretchList EMPTY = new StretchList(0);

  /** Memory that was attached at once, and is detached at once. */
  static final class One {
    final long start;
    final long bytes;
    final long place; // in the segment's file; below zero: memory of the process alone
    final long segment; // of XPMEM; 0: none
    final long number;
    volatile Exposed.Part part; // as this rank reaches it; null: it was not used yet

    One(long start, long bytes, long place, long segment, long number) {
      this.start = start;
      this.bytes = bytes;
      this.place = place;
      this.segment = segment;
      this.number = number;
    }

    /** Whether all bytes of a range lie in it, whose end is not before its beginning. */
    boolean holds(long low, long high) {
      return low >= start && high - start <= bytes;
    }
  }

  final long version;
  private final One[] all;
  private int last; // that was found; any thread may write it

  private StretchList(long version, One... all) {
    this.version = version;
    this.all = all;
  }

  int count() {
    return all.length;
  }

  One get(int index) {
    return all[index];
  }

  /** The stretch that holds all bytes of a range; null: there is none. */
  One find(long low, long high) {
    int hint = last;
    if (hint < all.length && all[hint].holds(low, high)) {
      return all[hint];
    }
    int index = before(low);
    if (index < 0 || !all[index].holds(low, high)) {
      return null;
    }
    last = index;
    return all[index];
  }

  /** The last stretch that does not begin behind an address; below zero: there is none. */
  private int before(long address) {
    int from = 0;
    int to = all.length;
    while (from < to) {
      int middle = from + to >>> 1;
      if (all[middle].start <= address) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from - 1;
  }

  /** A stretch that shares a byte with some range of at least one; null: there is none. */
  One overlap(long start, long bytes) {
    int index = before(start + bytes - 1);
    return index >= 0 && all[index].start + all[index].bytes > start ? all[index] : null;
  }

  /** The list of the next version, which has one more. */
  StretchList with(One more) {
    One[] next = new One[all.length + 1];
    int at = before(more.start) + 1;
    System.arraycopy(all, 0, next, 0, at);
    next[at] = more;
    System.arraycopy(all, at, next, at + 1, all.length - at);
    return new StretchList(version + 1, next);
  }

  /** The list of the next version, which has one less. */
  StretchList without(One gone) {
    One[] next = new One[all.length - 1];
    int count = 0;
    for (One one : all) {
      if (one != gone) {
        next[count++] = one;
      }
    }
    return new StretchList(version + 1, next);
  }

  /** As they stand in a table. */
  long[] words() {
    long[] words = new long[all.length * WindowTable.WORDS];
    for (int index = 0; index < all.length; index++) {
      One one = all[index];
      int at = index * WindowTable.WORDS;
      words[at + WindowTable.START] = one.start;
      words[at + WindowTable.BYTES] = one.bytes;
      words[at + WindowTable.PLACE] = one.place;
      words[at + WindowTable.SEGMENT] = one.segment;
      words[at + WindowTable.NUMBER] = one.number;
    }
    return words;
  }

  /**
   * Stretches as a member has told them, which a broken one may have made up. Those of a list before that are still
   * there are the same objects.
   *
   * @param name of the member, for exceptions
   */
  static StretchList of(long version, StretchList before, String name, long... words) {
    One[] all = new One[words.length / WindowTable.WORDS];
    long end = 1; // no memory is at address 0
    for (int index = 0; index < all.length; index++) {
      int at = index * WindowTable.WORDS;
      long start = words[at + WindowTable.START];
      long bytes = words[at + WindowTable.BYTES];
      if (start < end || bytes < 1 || bytes > Long.MAX_VALUE - start) {
        throw new SegmentException(
            "rank %s tells of %d bytes at address %d in a dynamic window, behind %d; that rank is broken".formatted(
                name, bytes, start, end));
      }
      end = start + bytes;
      long number = words[at + WindowTable.NUMBER];
      One known = before.find(start, end);
      boolean isSame = known != null && known.number == number && known.start == start && known.bytes == bytes;
      all[index] = isSame ? known
          : new One(start, bytes, words[at + WindowTable.PLACE], words[at + WindowTable.SEGMENT], number);
    }
    return new StretchList(version, all);
  }

  /** Whether a stretch is one of these. */
  boolean has(One one) {
    int index = before(one.start);
    return index >= 0 && all[index] == one;
  }
}
