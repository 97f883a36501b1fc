package io.adrastea.datatype;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies of blocks of equal size between two strided places: the loops below all packing and unpacking [SCI-MPICH 2002,
 * 3.3.2]. Packing and unpacking are the same copy with its ends exchanged. Twin of {@code datatype/adr_block_copy.h}.
 *
 * <p>
 * Java has words of 1, 2, 4 and 8 bytes: larger blocks are several of them. The two ends may have any alignment, and an
 * array of bytes has none, so the layouts ask for none.
 */
final class BlockCopy {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /** Longer blocks are copied by a call. */
  private static final int INLINE = 64;

  /** Blocks of a loop with an {@code int} counter, which the JIT makes the most of. */
  private static final int COUNTED = 1 << 20;

  /** Called through an interface, so that the JIT compiles each by itself, whichever other sizes are used. */
  private static final Rows[] LOOPS = loops();

  private BlockCopy() {}

  /** A loop for blocks of some sizes. */
  @FunctionalInterface
  private interface Rows {
    void rows(
        MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
        long sourceOuter, long sourceInner, long rows, long blocks, long size);
  }

  /** One block of any size. */
  static void copy(MemorySegment to, long target, MemorySegment from, long source, long size) {
    if (size > INLINE) {
      MemorySegment.copy(from, source, to, target, size);
    } else if (size >= 16) {
      copyPairs(to, target, from, source, size);
    } else if (size >= 8) {
      copyWord(to, target, from, source);
      copyWord(to, target + size - 8, from, source + size - 8);
    } else {
      copyFew(to, target, from, source, size);
    }
  }

  /** 16 to 64 bytes. */
  private static void copyPairs(MemorySegment to, long target, MemorySegment from, long source, long size) {
    copyPair(to, target, from, source);
    if (size > 32) {
      copyPair(to, target + 16, from, source + 16);
      copyPair(to, target + size - 32, from, source + size - 32);
    }
    copyPair(to, target + size - 16, from, source + size - 16);
  }

  /** Fewer than 8 bytes. */
  private static void copyFew(MemorySegment to, long target, MemorySegment from, long source, long size) {
    if (size >= 4) {
      to.set(INT, target, from.get(INT, source));
      to.set(INT, target + size - 4, from.get(INT, source + size - 4));
    } else if (size > 0) {
      to.set(BYTE, target, from.get(BYTE, source));
      to.set(BYTE, target + size / 2, from.get(BYTE, source + size / 2));
      to.set(BYTE, target + size - 1, from.get(BYTE, source + size - 1));
    }
  }

  private static void copyWord(MemorySegment to, long target, MemorySegment from, long source) {
    to.set(LONG, target, from.get(LONG, source));
  }

  private static void copyPair(MemorySegment to, long target, MemorySegment from, long source) {
    long first = from.get(LONG, source);
    long second = from.get(LONG, source + 8);
    to.set(LONG, target, first);
    to.set(LONG, target + 8, second);
  }

  /** Copies {@code blocks} blocks of {@code size} bytes each. */
  static void row(
      MemorySegment to, long target, long targetInner, MemorySegment from, long source, long sourceInner, long blocks,
      long size) {
    rows(to, target, 0, targetInner, from, source, 0, sourceInner, 1, blocks, size);
  }

  /** Copies {@code rows} rows of {@code blocks} blocks of {@code size} bytes each: two levels in one loop. */
  static void rows(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    LOOPS[(int) Math.min(size, INLINE + 1)].rows(
        to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks, size);
  }

  /** The loop of each size, the last one for all that are longer. */
  private static Rows[] loops() {
    Rows[] loops = new Rows[INLINE + 2];
    for (int size = 0; size < loops.length; size++) {
      loops[size] = switch (size) {
        case 1 -> BlockCopy::bytes;
        case 2 -> BlockCopy::shorts;
        case 4 -> BlockCopy::ints;
        case 8 -> BlockCopy::words;
        case 16 -> BlockCopy::pairs;
        case 32 -> BlockCopy::quads;
        case 64 -> BlockCopy::lines;
        default ->
          size > INLINE ? BlockCopy::longs
              : size > 32 ? BlockCopy::quadEnds
                  : size > 16 ? BlockCopy::pairEnds
                      : size > 8 ? BlockCopy::wordEnds
                          : BlockCopy::fews;
      };
    }
    return loops;
  }

  private static void bytes(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    for (long row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long left = blocks; left > 0;) {
        int some = (int) Math.min(left, COUNTED);
        for (int i = 0; i < some; i++) {
          to.set(BYTE, t, from.get(BYTE, f));
          t += targetInner;
          f += sourceInner;
        }
        left -= some;
      }
    }
  }

  private static void shorts(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    for (long row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long left = blocks; left > 0;) {
        int some = (int) Math.min(left, COUNTED);
        for (int i = 0; i < some; i++) {
          to.set(SHORT, t, from.get(SHORT, f));
          t += targetInner;
          f += sourceInner;
        }
        left -= some;
      }
    }
  }

  private static void ints(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    for (long row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long left = blocks; left > 0;) {
        int some = (int) Math.min(left, COUNTED);
        for (int i = 0; i < some; i++) {
          to.set(INT, t, from.get(INT, f));
          t += targetInner;
          f += sourceInner;
        }
        left -= some;
      }
    }
  }

  private static void words(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    for (long row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long left = blocks; left > 0;) {
        int some = (int) Math.min(left, COUNTED);
        for (int i = 0; i < some; i++) {
          copyWord(to, t, from, f);
          t += targetInner;
          f += sourceInner;
        }
        left -= some;
      }
    }
  }

  private static void pairs(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    for (long row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long left = blocks; left > 0;) {
        int some = (int) Math.min(left, COUNTED);
        for (int i = 0; i < some; i++) {
          copyPair(to, t, from, f);
          t += targetInner;
          f += sourceInner;
        }
        left -= some;
      }
    }
  }

  private static void quads(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    for (long row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long left = blocks; left > 0;) {
        int some = (int) Math.min(left, COUNTED);
        for (int i = 0; i < some; i++) {
          copyPair(to, t, from, f);
          copyPair(to, t + 16, from, f + 16);
          t += targetInner;
          f += sourceInner;
        }
        left -= some;
      }
    }
  }

  private static void lines(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    for (long row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long left = blocks; left > 0;) {
        int some = (int) Math.min(left, COUNTED);
        for (int i = 0; i < some; i++) {
          copyPair(to, t, from, f);
          copyPair(to, t + 16, from, f + 16);
          copyPair(to, t + 32, from, f + 32);
          copyPair(to, t + 48, from, f + 48);
          t += targetInner;
          f += sourceInner;
        }
        left -= some;
      }
    }
  }

  /** Blocks of 9 to 15 bytes. */
  private static void wordEnds(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    long last = size - 8;
    for (long row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long left = blocks; left > 0;) {
        int some = (int) Math.min(left, COUNTED);
        for (int i = 0; i < some; i++) {
          copyWord(to, t, from, f);
          copyWord(to, t + last, from, f + last);
          t += targetInner;
          f += sourceInner;
        }
        left -= some;
      }
    }
  }

  /** Blocks of 17 to 31 bytes. */
  private static void pairEnds(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    long last = size - 16;
    for (long row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long left = blocks; left > 0;) {
        int some = (int) Math.min(left, COUNTED);
        for (int i = 0; i < some; i++) {
          copyPair(to, t, from, f);
          copyPair(to, t + last, from, f + last);
          t += targetInner;
          f += sourceInner;
        }
        left -= some;
      }
    }
  }

  /** Blocks of 33 to 63 bytes. */
  private static void quadEnds(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    long last = size - 32;
    for (long row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long left = blocks; left > 0;) {
        int some = (int) Math.min(left, COUNTED);
        for (int i = 0; i < some; i++) {
          copyPair(to, t, from, f);
          copyPair(to, t + 16, from, f + 16);
          copyPair(to, t + last, from, f + last);
          copyPair(to, t + last + 16, from, f + last + 16);
          t += targetInner;
          f += sourceInner;
        }
        left -= some;
      }
    }
  }

  /** Blocks of 3, 5, 6 or 7 bytes. */
  private static void fews(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    for (long row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long left = blocks; left > 0;) {
        int some = (int) Math.min(left, COUNTED);
        for (int i = 0; i < some; i++) {
          copyFew(to, t, from, f, size);
          t += targetInner;
          f += sourceInner;
        }
        left -= some;
      }
    }
  }

  /** Blocks of more than 64 bytes. */
  private static void longs(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    for (long row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long left = blocks; left > 0;) {
        int some = (int) Math.min(left, COUNTED);
        for (int i = 0; i < some; i++) {
          MemorySegment.copy(from, f, to, t, size);
          t += targetInner;
          f += sourceInner;
        }
        left -= some;
      }
    }
  }

  /**
   * Copies {@code blocks} blocks of {@code size} bytes each between contiguous memory and where a table tells.
   *
   * @param first of the table's words
   */
  static void table(
      MemorySegment packed, long at, MemorySegment memory, long origin, long[] table, int first, int blocks, long size,
      boolean pack) {
    if (pack) {
      gather(packed, at, memory, origin, table, first, blocks, size);
    } else {
      scatter(packed, at, memory, origin, table, first, blocks, size);
    }
  }

  private static void gather(
      MemorySegment packed, long from, MemorySegment memory, long origin, long[] table, int first, int blocks,
      long size) {
    long at = from;
    if (size == 8) {
      for (int i = first; i < first + blocks; i++) {
        long place = origin + table[i];
        packed.set(LONG, at, memory.get(LONG, place));
        at += size;
      }
    } else if (size == 4) {
      for (int i = first; i < first + blocks; i++) {
        long place = origin + table[i];
        packed.set(INT, at, memory.get(INT, place));
        at += size;
      }
    } else if (size >= 16 && size <= 32) {
      gatherPairs(packed, at, memory, origin, table, first, blocks, size);
    } else {
      for (int i = first; i < first + blocks; i++) {
        long place = origin + table[i];
        copy(packed, at, memory, place, size);
        at += size;
      }
    }
  }

  /** Blocks of 16 to 32 bytes. */
  private static void gatherPairs(
      MemorySegment packed, long from, MemorySegment memory, long origin, long[] table, int first, int blocks,
      long size) {
    long at = from;
    long last = size - 16;
    for (int i = first; i < first + blocks; i++) {
      long place = origin + table[i];
      copyPair(packed, at, memory, place);
      copyPair(packed, at + last, memory, place + last);
      at += size;
    }
  }

  private static void scatter(
      MemorySegment packed, long from, MemorySegment memory, long origin, long[] table, int first, int blocks,
      long size) {
    long at = from;
    if (size == 8) {
      for (int i = first; i < first + blocks; i++) {
        long place = origin + table[i];
        memory.set(LONG, place, packed.get(LONG, at));
        at += size;
      }
    } else if (size == 4) {
      for (int i = first; i < first + blocks; i++) {
        long place = origin + table[i];
        memory.set(INT, place, packed.get(INT, at));
        at += size;
      }
    } else if (size >= 16 && size <= 32) {
      scatterPairs(packed, at, memory, origin, table, first, blocks, size);
    } else {
      for (int i = first; i < first + blocks; i++) {
        long place = origin + table[i];
        copy(memory, place, packed, at, size);
        at += size;
      }
    }
  }

  /** Blocks of 16 to 32 bytes. */
  private static void scatterPairs(
      MemorySegment packed, long from, MemorySegment memory, long origin, long[] table, int first, int blocks,
      long size) {
    long at = from;
    long last = size - 16;
    for (int i = first; i < first + blocks; i++) {
      long place = origin + table[i];
      copyPair(memory, place, packed, at);
      copyPair(memory, place + last, packed, at + last);
      at += size;
    }
  }
}
