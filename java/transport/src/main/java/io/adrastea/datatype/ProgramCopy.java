package io.adrastea.datatype;

import static io.adrastea.datatype.Program.BLOCKS;
import static io.adrastea.datatype.Program.GATHER;
import static io.adrastea.datatype.Program.INDEXED;
import static io.adrastea.datatype.Program.LOOP;
import static io.adrastea.datatype.Program.NODE_COUNT;
import static io.adrastea.datatype.Program.NODE_EXTRA;
import static io.adrastea.datatype.Program.NODE_FIRST;
import static io.adrastea.datatype.Program.NODE_POSITION;
import static io.adrastea.datatype.Program.NODE_SIZE;
import static io.adrastea.datatype.Program.NODE_STRIDE;
import static io.adrastea.datatype.Program.NODE_WORDS;
import static io.adrastea.datatype.Program.RUNS;
import static io.adrastea.datatype.Program.WOVEN;
import static io.adrastea.datatype.Program.word;
import static io.adrastea.datatype.ProgramCursor.AT;
import static io.adrastea.datatype.ProgramCursor.BASE;
import static io.adrastea.datatype.ProgramCursor.LEVEL_WORDS;
import static io.adrastea.datatype.ProgramCursor.NODE;
import static io.adrastea.datatype.ProgramCursor.POSITION;
import static io.adrastea.datatype.ProgramCursor.TOP;
import static io.adrastea.datatype.ProgramCursor.WITHIN;

import java.lang.foreign.MemorySegment;

/**
 * One copy between two layouts: from the blocks of one program to those of another, in the packed order that both have
 * in common. Where both ends are regular alike, their loops are one loop; where a block of one end holds several of the
 * other, it is packed memory to that end ({@link Packing}); what is left goes piece by piece, each as long as both ends
 * are contiguous. Twin of {@code adr_datatype_copy} in {@code datatype/adr_packing.c}.
 *
 * <p>
 * The words are named as in {@link Packing}: {@code t} and {@code f} are those of the programs, {@code tc} and
 * {@code fc} those of the cursors, of the end that is copied to and of the end that is copied from.
 */
public final class ProgramCopy {
  private ProgramCopy() {}

  /** Goes on behind blocks of the leaf at a cursor. */
  private static void passBlocks(long[] w, long[] c, int here, long blocks, long bytes) {
    c[POSITION] += bytes;
    c[here + AT] += blocks;
    if (c[here + AT] == w[word(c[here + NODE]) + NODE_COUNT]) {
      Packing.finish(w, c, c[TOP]);
    }
  }

  /** Goes on behind whole copies of the loop above the leaf at a cursor, which stands at the first byte of one. */
  private static void passCopies(long[] w, long[] c, int loop, int up, long some) {
    long level = c[TOP] - 1;
    c[POSITION] += some * w[loop + NODE_SIZE];
    c[up + AT] += some;
    if (c[up + AT] < Packing.copies(w, c, level, loop)) {
      Packing.enter(w, c, level + 1, w[loop + NODE_FIRST], Packing.bodyBase(w, c, loop, up));
    } else {
      Packing.finish(w, c, level);
    }
  }

  /** Copies rows of blocks, crosswise where that uses up each cache line before the next. */
  private static void copyRows(
      MemorySegment toMemory, long to, long toOuter, long toInner, MemorySegment fromMemory, long from, long fromOuter,
      long fromInner, long rows, long blocks, long size, boolean woven, BlockCopy loops) {
    boolean crosswise = Packing.isCrosswise(toOuter, toInner, rows, blocks);
    if (!woven && !crosswise && !Packing.isCrosswise(fromOuter, fromInner, rows, blocks)) {
      loops.rows(toMemory, to, toOuter, toInner, fromMemory, from, fromOuter, fromInner, rows, blocks, size);
      return;
    }
    long tile = woven ? rows : Packing.LINE / (crosswise ? toOuter : fromOuter);
    for (long done = 0; done < rows; done += tile) {
      loops.rows(toMemory, to + done * toOuter, toInner, toOuter, fromMemory, from + done * fromOuter, fromInner,
          fromOuter, blocks, Math.min(tile, rows - done), size);
    }
  }

  /** Whether two bodies have the same blocks, each of them in places of its own. */
  private static boolean isAlike(long[] t, int toLoop, long[] f, int fromLoop) {
    if (t[toLoop] == INDEXED || t[toLoop] != f[fromLoop] || t[toLoop + NODE_EXTRA] != f[fromLoop + NODE_EXTRA]
        || t[toLoop + NODE_SIZE] != f[fromLoop + NODE_SIZE] || t[toLoop] == LOOP && t[toLoop + NODE_EXTRA] != 1) {
      return false;
    }
    int there = word(t[toLoop + NODE_FIRST]);
    int here = word(f[fromLoop + NODE_FIRST]);
    int last = there + (int) t[toLoop + NODE_EXTRA] * NODE_WORDS;
    for (; there < last; there += NODE_WORDS, here += NODE_WORDS) {
      if (t[there] != BLOCKS || f[here] != BLOCKS || t[there + NODE_SIZE] != f[here + NODE_SIZE]
          || t[there + NODE_COUNT] != f[here + NODE_COUNT]) {
        return false;
      }
    }
    return true;
  }

  /** Copies of bodies that are alike, child by child. */
  private static void copyBodies(
      long[] t, int toLoop, MemorySegment toMemory, long toBase, long[] f, int fromLoop, MemorySegment fromMemory,
      long fromBase, long rows, boolean woven, BlockCopy loops) {
    int there = word(t[toLoop + NODE_FIRST]);
    int here = word(f[fromLoop + NODE_FIRST]);
    int last = there + (int) t[toLoop + NODE_EXTRA] * NODE_WORDS;
    for (; there < last; there += NODE_WORDS, here += NODE_WORDS) {
      copyRows(toMemory, toBase + t[there + NODE_POSITION], t[toLoop + NODE_STRIDE], t[there + NODE_STRIDE],
          fromMemory, fromBase + f[here + NODE_POSITION], f[fromLoop + NODE_STRIDE], f[here + NODE_STRIDE], rows,
          t[there + NODE_COUNT], t[there + NODE_SIZE], woven, loops);
    }
  }

  /**
   * Many copies of bodies that are alike, which both cursors stand at the first byte of. Returns the bytes that were
   * copied; 0: there is nothing of that kind here.
   */
  private static long copyLoops(
      long[] t, long[] tc, int toHere, MemorySegment toMemory, long toOffset, long[] f, long[] fc, int fromHere,
      MemorySegment fromMemory, long fromOffset, long left, BlockCopy loops) {
    int toUp = toHere - LEVEL_WORDS;
    int fromUp = fromHere - LEVEL_WORDS;
    int toLoop = word(tc[toUp + NODE]);
    int fromLoop = word(fc[fromUp + NODE]);
    if (tc[toHere + NODE] != t[toLoop + NODE_FIRST] || fc[fromHere + NODE] != f[fromLoop + NODE_FIRST]
        || !isAlike(t, toLoop, f, fromLoop)) {
      return 0;
    }
    long size = t[toLoop + NODE_SIZE];
    long some = Math.min(Packing.copies(t, tc, tc[TOP] - 1, toLoop) - tc[toUp + AT],
        Packing.copies(f, fc, fc[TOP] - 1, fromLoop) - fc[fromUp + AT]);
    some = Math.min(some, left / size);
    if (some < 2) {
      return 0;
    }
    boolean woven = t[toLoop] == WOVEN;
    long window = woven ? Packing.WINDOW_BYTES / size : some;
    long toBase = toOffset + Packing.bodyBase(t, tc, toLoop, toUp);
    long fromBase = fromOffset + Packing.bodyBase(f, fc, fromLoop, fromUp);
    for (long done = 0; done < some; done += window) {
      copyBodies(t, toLoop, toMemory, toBase + done * t[toLoop + NODE_STRIDE], f, fromLoop, fromMemory,
          fromBase + done * f[fromLoop + NODE_STRIDE], Math.min(window, some - done), woven, loops);
    }
    passCopies(t, tc, toLoop, toUp, some);
    passCopies(f, fc, fromLoop, fromUp, some);
    return some * size;
  }

  /** Whole blocks of one size at both ends. Returns the bytes that were copied; 0: there are none. */
  private static long copyBlocks(
      Program to, ProgramCursor toCursor, MemorySegment toMemory, long toOffset, Program from,
      ProgramCursor fromCursor, MemorySegment fromMemory, long fromOffset, long left, BlockCopy loops) {
    long[] t = to.raw();
    long[] f = from.raw();
    long[] tc = toCursor.words;
    long[] fc = fromCursor.words;
    int toHere = Packing.level(tc[TOP]);
    int fromHere = Packing.level(fc[TOP]);
    int toLeaf = word(tc[toHere + NODE]);
    int fromLeaf = word(fc[fromHere + NODE]);
    long size = t[toLeaf + NODE_SIZE];
    if (t[toLeaf] == RUNS || f[fromLeaf] == RUNS || size != f[fromLeaf + NODE_SIZE] || left < size
        || (tc[WITHIN] | fc[WITHIN]) != 0) {
      return 0;
    }
    if ((tc[toHere + AT] | fc[fromHere + AT]) == 0) {
      long bytes =
          copyLoops(t, tc, toHere, toMemory, toOffset, f, fc, fromHere, fromMemory, fromOffset, left, loops);
      if (bytes != 0) {
        return bytes;
      }
    }
    long blocks = Math.min(t[toLeaf + NODE_COUNT] - tc[toHere + AT], f[fromLeaf + NODE_COUNT] - fc[fromHere + AT]);
    blocks = left < blocks * size ? left / size : blocks;
    long toBase = toOffset + tc[toHere + BASE];
    long fromBase = fromOffset + fc[fromHere + BASE];
    long toAt = tc[toHere + AT];
    long fromAt = fc[fromHere + AT];
    if (t[toLeaf] == GATHER || f[fromLeaf] == GATHER) {
      for (long i = 0; i < blocks; i++) {
        loops.block(toMemory, toBase + Packing.blockPlace(t, toLeaf, toAt + i), fromMemory,
            fromBase + Packing.blockPlace(f, fromLeaf, fromAt + i), size);
      }
    } else {
      loops.rows(toMemory, toBase + toAt * t[toLeaf + NODE_STRIDE], 0, t[toLeaf + NODE_STRIDE], fromMemory,
          fromBase + fromAt * f[fromLeaf + NODE_STRIDE], 0, f[fromLeaf + NODE_STRIDE], 1, blocks, size);
    }
    passBlocks(t, tc, toHere, blocks, blocks * size);
    passBlocks(f, fc, fromHere, blocks, blocks * size);
    return blocks * size;
  }

  /** Bytes that are contiguous at one end at least. Returns their number. */
  private static long copyBlock(
      Program to, ProgramCursor toCursor, MemorySegment toMemory, long toOffset, Program from,
      ProgramCursor fromCursor, MemorySegment fromMemory, long fromOffset, long left, BlockCopy loops) {
    long toBytes = Packing.blockBytes(to, toCursor);
    long fromBytes = Packing.blockBytes(from, fromCursor);
    long bytes;
    if (fromBytes >= 2 * toBytes) { // contiguous, as seen from the other end
      bytes = Math.min(fromBytes, left);
      long place = fromOffset + Packing.placeOf(from, fromCursor);
      Packing.unpack(to, toCursor, toMemory, toOffset, fromMemory, place, bytes);
      Packing.skip(from, fromCursor, bytes);
    } else if (toBytes >= 2 * fromBytes) {
      bytes = Math.min(toBytes, left);
      long place = toOffset + Packing.placeOf(to, toCursor);
      Packing.pack(from, fromCursor, fromMemory, fromOffset, toMemory, place, bytes);
      Packing.skip(to, toCursor, bytes);
    } else {
      bytes = Math.min(Math.min(toBytes, fromBytes), left);
      loops.block(toMemory, toOffset + Packing.placeOf(to, toCursor), fromMemory,
          fromOffset + Packing.placeOf(from, fromCursor), bytes);
      Packing.skip(to, toCursor, bytes);
      Packing.skip(from, fromCursor, bytes);
    }
    return bytes;
  }

  /**
   * Copies the next {@code bytes} bytes of elements to elements of another layout, and moves both cursors behind them.
   * The caller sees to it that there are so many at both ends, and that their memories do not overlap.
   */
  public static void copy(
      Program to, ProgramCursor toCursor, MemorySegment toMemory, long toOffset, Program from,
      ProgramCursor fromCursor, MemorySegment fromMemory, long fromOffset, long bytes) {
    BlockCopy loops = BlockCopy.between(toMemory, fromMemory);
    long left = bytes;
    while (left > 0) {
      long copied =
          copyBlocks(to, toCursor, toMemory, toOffset, from, fromCursor, fromMemory, fromOffset, left, loops);
      if (copied == 0) {
        copied = copyBlock(to, toCursor, toMemory, toOffset, from, fromCursor, fromMemory, fromOffset, left, loops);
      }
      left -= copied;
    }
  }
}
