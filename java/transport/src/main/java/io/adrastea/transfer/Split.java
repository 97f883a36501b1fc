package io.adrastea.transfer;

import io.adrastea.atomic.Words;
import java.lang.foreign.MemorySegment;

/**
 * Which parts of a message are taken when both of its ends copy: the receiver takes from the front, the sender from the
 * back, each about half of what is left, until all is taken. So two CPUs copy at once, for as long as both are there.
 *
 * <p>
 * The word, {@code SplitDescriptor}, is used for one transfer after the other. Its tag tells which: a sender that tries
 * late, when the receiver has copied all and gone on to the next, finds nothing to take.
 */
final class Split {
  /** Each part but the last is a multiple of so many bytes. */
  static final long PAGE = 4096;

  /** The longest message that can be split, in bytes. */
  static final long MOST_BYTES = ((1L << 24) - 1) * PAGE;

  /** What {@link #take} returns when all is taken. */
  static final long NOTHING = -1;

  private static final long LEAST_PAGES = 32; // after the first part, fewer are not worth a system call of their own
  private static final long MOST_PAGES = 256; // more at a time would keep a rank from other things for too long
  private static final int FRONT_SHIFT = 24;
  private static final int TAG_SHIFT = 48;
  private static final long PAGES_MASK = (1L << 24) - 1;
  private static final int COUNT_SHIFT = 32;

  private Split() {}

  /**
   * Makes all of the next transfer, which has this tag, free to be taken. The message that tells the sender of the word
   * shows it.
   */
  static void reset(MemorySegment split, long offset, int tag) {
    Words.storeRelaxedLong(split, offset, (long) tag << TAG_SHIFT);
  }

  private static long front(long taken) {
    return taken >>> FRONT_SHIFT & PAGES_MASK;
  }

  private static long back(long taken) {
    return taken & PAGES_MASK;
  }

  /**
   * Takes a part: about half of what is left, or all of it when that is little.
   *
   * @param bytes of the whole message
   * @param fromBack from the back rather than from the front
   * @param rest all that is left, so that the other end stops
   * @return first page, and the number of pages in the upper half; or {@link #NOTHING}
   */
  static long take(MemorySegment split, long offset, int tag, long bytes, boolean fromBack, boolean rest) {
    long all = (bytes + PAGE - 1) / PAGE;
    while (true) {
      long taken = Words.loadRelaxedLong(split, offset);
      long left = all - front(taken) - back(taken);
      if (left <= 0 || (int) (taken >>> TAG_SHIFT) != tag) {
        return NOTHING;
      }
      long now = rest ? left : Math.min(left, part(left, left == all));
      // SYNC split: relaxed. Only which end takes what is decided here; the bytes are ordered by the messages before
      // and after.
      if (Words.casRelaxedLong(split, offset, taken, taken + (fromBack ? now : now << FRONT_SHIFT))) {
        return (fromBack ? all - back(taken) - now : front(taken)) | now << COUNT_SHIFT;
      }
    }
  }

  /** The receiver, which begins, takes a little more than half: the sender has not heard of it yet. */
  private static long part(long left, boolean first) {
    return Math.clamp(first ? left / 2 + 1 : left / 2, first ? 1 : LEAST_PAGES, MOST_PAGES);
  }

  /** Whether the sender took a part; asked by the receiver once all is taken. */
  static boolean hasBack(MemorySegment split, long offset) {
    return back(Words.loadRelaxedLong(split, offset)) != 0;
  }

  static long start(long part) {
    return (part & PAGES_MASK) * PAGE;
  }

  /** Tells where a part ends: behind its last byte. */
  static long end(long part, long bytes) {
    return Math.min(bytes, start(part) + (part >>> COUNT_SHIFT) * PAGE);
  }
}
