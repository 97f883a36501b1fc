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
  private static final int INLINE = 128;

  private BlockCopy() {}

  /** One block of any size. */
  static void copy(MemorySegment to, long target, MemorySegment from, long source, long size) {
    if (size > INLINE) {
      MemorySegment.copy(from, source, to, target, size);
    } else if (size >= 8) {
      longs(to, target, from, source, (int) size);
    } else if (size >= 4) {
      to.set(INT, target, from.get(INT, source));
      to.set(INT, target + size - 4, from.get(INT, source + size - 4));
    } else if (size > 0) {
      to.set(BYTE, target, from.get(BYTE, source));
      to.set(BYTE, target + size / 2, from.get(BYTE, source + size / 2));
      to.set(BYTE, target + size - 1, from.get(BYTE, source + size - 1));
    }
  }

  /** Words of 8 bytes, of which the last overlaps. */
  private static void longs(MemorySegment to, long target, MemorySegment from, long source, int size) {
    int last = size - 8;
    for (int at = 0; at < last; at += 8) {
      to.set(LONG, target + at, from.get(LONG, source + at));
    }
    to.set(LONG, target + last, from.get(LONG, source + last));
  }

  private static void pair(MemorySegment to, long target, MemorySegment from, long source) {
    long first = from.get(LONG, source);
    long second = from.get(LONG, source + 8);
    to.set(LONG, target, first);
    to.set(LONG, target + 8, second);
  }

  /** Copies {@code rows} rows of {@code blocks} blocks of {@code size} bytes each: two levels in one loop. */
  static void rows(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    long t = target;
    long f = source;
    for (long row = 0; row < rows; row++) {
      row(to, t, targetInner, from, f, sourceInner, blocks, size);
      t += targetOuter;
      f += sourceOuter;
    }
  }

  /** A row; its loops have {@code int} counters, which the JIT unrolls. */
  static void row(
      MemorySegment to, long target, long targetInner, MemorySegment from, long source, long sourceInner, long blocks,
      long size) {
    long t = target;
    long f = source;
    for (long done = 0; done < blocks;) {
      int some = (int) Math.min(blocks - done, 1 << 20);
      some(to, t, targetInner, from, f, sourceInner, some, size);
      done += some;
      t += some * targetInner;
      f += some * sourceInner;
    }
  }

  private static void some(
      MemorySegment to, long target, long targetInner, MemorySegment from, long source, long sourceInner, int blocks,
      long size) {
    switch ((int) Math.min(size, INLINE + 1)) {
      case 1 -> bytes(to, target, targetInner, from, source, sourceInner, blocks);
      case 2 -> shorts(to, target, targetInner, from, source, sourceInner, blocks);
      case 4 -> ints(to, target, targetInner, from, source, sourceInner, blocks);
      case 8 -> words(to, target, targetInner, from, source, sourceInner, blocks);
      case 16 -> pairs(to, target, targetInner, from, source, sourceInner, blocks);
      case 32 -> quads(to, target, targetInner, from, source, sourceInner, blocks);
      case 64 -> lines(to, target, targetInner, from, source, sourceInner, blocks);
      default -> others(to, target, targetInner, from, source, sourceInner, blocks, size);
    }
  }

  private static void bytes(
      MemorySegment to, long target, long targetInner, MemorySegment from, long source, long sourceInner, int blocks) {
    long t = target;
    long f = source;
    for (int i = 0; i < blocks; i++) {
      to.set(BYTE, t, from.get(BYTE, f));
      t += targetInner;
      f += sourceInner;
    }
  }

  private static void shorts(
      MemorySegment to, long target, long targetInner, MemorySegment from, long source, long sourceInner, int blocks) {
    long t = target;
    long f = source;
    for (int i = 0; i < blocks; i++) {
      to.set(SHORT, t, from.get(SHORT, f));
      t += targetInner;
      f += sourceInner;
    }
  }

  private static void ints(
      MemorySegment to, long target, long targetInner, MemorySegment from, long source, long sourceInner, int blocks) {
    long t = target;
    long f = source;
    for (int i = 0; i < blocks; i++) {
      to.set(INT, t, from.get(INT, f));
      t += targetInner;
      f += sourceInner;
    }
  }

  private static void words(
      MemorySegment to, long target, long targetInner, MemorySegment from, long source, long sourceInner, int blocks) {
    long t = target;
    long f = source;
    for (int i = 0; i < blocks; i++) {
      to.set(LONG, t, from.get(LONG, f));
      t += targetInner;
      f += sourceInner;
    }
  }

  private static void pairs(
      MemorySegment to, long target, long targetInner, MemorySegment from, long source, long sourceInner, int blocks) {
    long t = target;
    long f = source;
    for (int i = 0; i < blocks; i++) {
      pair(to, t, from, f);
      t += targetInner;
      f += sourceInner;
    }
  }

  private static void quads(
      MemorySegment to, long target, long targetInner, MemorySegment from, long source, long sourceInner, int blocks) {
    long t = target;
    long f = source;
    for (int i = 0; i < blocks; i++) {
      pair(to, t, from, f);
      pair(to, t + 16, from, f + 16);
      t += targetInner;
      f += sourceInner;
    }
  }

  private static void lines(
      MemorySegment to, long target, long targetInner, MemorySegment from, long source, long sourceInner, int blocks) {
    long t = target;
    long f = source;
    for (int i = 0; i < blocks; i++) {
      pair(to, t, from, f);
      pair(to, t + 16, from, f + 16);
      pair(to, t + 32, from, f + 32);
      pair(to, t + 48, from, f + 48);
      t += targetInner;
      f += sourceInner;
    }
  }

  private static void others(
      MemorySegment to, long target, long targetInner, MemorySegment from, long source, long sourceInner, int blocks,
      long size) {
    long t = target;
    long f = source;
    for (int i = 0; i < blocks; i++) {
      copy(to, t, from, f, size);
      t += targetInner;
      f += sourceInner;
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
      MemorySegment packed, long at, MemorySegment memory, long origin, long[] table, int first, int blocks,
      long size) {
    long t = at;
    if (size == 8) {
      for (int i = first; i < first + blocks; i++) {
        packed.set(LONG, t, memory.get(LONG, origin + table[i]));
        t += 8;
      }
    } else if (size == 4) {
      for (int i = first; i < first + blocks; i++) {
        packed.set(INT, t, memory.get(INT, origin + table[i]));
        t += 4;
      }
    } else {
      for (int i = first; i < first + blocks; i++) {
        copy(packed, t, memory, origin + table[i], size);
        t += size;
      }
    }
  }

  private static void scatter(
      MemorySegment packed, long at, MemorySegment memory, long origin, long[] table, int first, int blocks,
      long size) {
    long f = at;
    if (size == 8) {
      for (int i = first; i < first + blocks; i++) {
        memory.set(LONG, origin + table[i], packed.get(LONG, f));
        f += 8;
      }
    } else if (size == 4) {
      for (int i = first; i < first + blocks; i++) {
        memory.set(INT, origin + table[i], packed.get(INT, f));
        f += 4;
      }
    } else {
      for (int i = first; i < first + blocks; i++) {
        copy(memory, origin + table[i], packed, f, size);
        f += size;
      }
    }
  }
}
