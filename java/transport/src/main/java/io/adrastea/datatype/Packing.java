package io.adrastea.datatype;

import static io.adrastea.datatype.Program.BLOCKS;
import static io.adrastea.datatype.Program.GATHER;
import static io.adrastea.datatype.Program.INDEXED;
import static io.adrastea.datatype.Program.LOOP;
import static io.adrastea.datatype.Program.NODE_COUNT;
import static io.adrastea.datatype.Program.NODE_EXTRA;
import static io.adrastea.datatype.Program.NODE_FIRST;
import static io.adrastea.datatype.Program.NODE_PACKED;
import static io.adrastea.datatype.Program.NODE_POSITION;
import static io.adrastea.datatype.Program.NODE_SIZE;
import static io.adrastea.datatype.Program.NODE_STRIDE;
import static io.adrastea.datatype.Program.RUNS;
import static io.adrastea.datatype.Program.WOVEN;
import static io.adrastea.datatype.Program.word;
import static io.adrastea.datatype.ProgramCursor.AT;
import static io.adrastea.datatype.ProgramCursor.BASE;
import static io.adrastea.datatype.ProgramCursor.COPY;
import static io.adrastea.datatype.ProgramCursor.COUNT;
import static io.adrastea.datatype.ProgramCursor.LEVELS;
import static io.adrastea.datatype.ProgramCursor.LEVEL_WORDS;
import static io.adrastea.datatype.ProgramCursor.NODE;
import static io.adrastea.datatype.ProgramCursor.POSITION;
import static io.adrastea.datatype.ProgramCursor.TOP;
import static io.adrastea.datatype.ProgramCursor.WITHIN;

import java.lang.foreign.MemorySegment;

/**
 * Packing and unpacking by a program [SCI-MPICH 2002, 3.3.2 and Fig. 6]: find_position once, then leaf after leaf, from
 * any byte on and as many bytes as are asked for; a cursor keeps the place. Twin of {@code datatype/adr_packing.c}.
 *
 * <p>
 * {@code w} are the words of the program, {@code c} those of the cursor, {@code here} and {@code up} words of levels in
 * it, {@code leaf} and {@code node} words of nodes. {@code end} is where the bytes of the call end in packed memory.
 */
public final class Packing {
  /**
   * All native memory, a byte's place being its address. A caller that knows that memory stays for the time of a call,
   * and may be written to, gives it so: that is the fastest, and nothing is checked.
   */
  public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** What is moved child by child at a time: source and destination stay in the first cache. */
  static final int WINDOW_BYTES = 8192;

  static final int LINE = 64;

  /** A piece of so many is worth to be looked at before all others. */
  private static final int INSIDE_BYTES = 512;

  private Packing() {}

  static int level(long level) {
    return LEVELS + (int) level * LEVEL_WORDS;
  }

  private static boolean isLeaf(long kind) {
    return kind <= RUNS;
  }

  static long copies(long[] w, long[] c, long level, int node) {
    return level == 0 ? c[COUNT] : w[node + NODE_COUNT];
  }

  /** Where the copy of a body lies that a level stands at. */
  static long bodyBase(long[] w, long[] c, int node, int here) {
    if (w[node] == INDEXED) {
      long entry = c[here + BASE] + w[(int) w[node + NODE_EXTRA] + 2 * (int) c[here + AT]];
      return entry + c[here + COPY] * w[node + NODE_STRIDE];
    }
    return c[here + BASE] + c[here + AT] * w[node + NODE_STRIDE];
  }

  private static void place(long[] c, int here, long number, long base) {
    c[here + NODE] = number;
    c[here + AT] = 0;
    c[here + BASE] = base;
    c[here + COPY] = 0;
  }

  /** Goes to the first block of a node. */
  static void enter(long[] w, long[] c, long from, long first, long parentBase) {
    long level = from;
    long number = first;
    long base = parentBase;
    while (true) {
      int node = word(number);
      int here = level(level);
      place(c, here, number, base + w[node + NODE_POSITION]);
      if (isLeaf(w[node])) {
        break;
      }
      base = bodyBase(w, c, node, here);
      number = w[node + NODE_FIRST];
      level++;
    }
    c[TOP] = level;
    c[WITHIN] = 0;
  }

  /** Goes on behind the node of a level, to the first block of what follows; false: nothing does. */
  static boolean finish(long[] w, long[] c, long from) {
    for (long level = from; level > 0; level--) {
      long number = c[level(level) + NODE];
      int up = level(level - 1);
      int parent = word(c[up + NODE]);
      if (w[parent] == INDEXED) {
        int entry = (int) w[parent + NODE_EXTRA] + 2 * (int) c[up + AT];
        if (++c[up + COPY] == w[entry + 3] - w[entry + 1]) {
          c[up + COPY] = 0;
          c[up + AT]++;
        }
        if (c[up + AT] == w[parent + NODE_COUNT]) {
          continue;
        }
        number = w[parent + NODE_FIRST];
      } else if (++number == w[parent + NODE_FIRST] + w[parent + NODE_EXTRA]) {
        if (++c[up + AT] == copies(w, c, level - 1, parent)) {
          continue;
        }
        number = w[parent + NODE_FIRST];
      }
      enter(w, c, level, number, bodyBase(w, c, parent, up));
      return true;
    }
    return false;
  }

  /** Moves bytes of a block, or a whole one. */
  private static void moveBytes(
      ProgramCursor cursor, MemorySegment memory, long place, MemorySegment packed, long end, long bytes,
      BlockCopy copy, boolean pack) {
    long at = end - cursor.left;
    if (pack) {
      copy.block(packed, at, memory, place, bytes);
    } else {
      copy.block(memory, place, packed, at, bytes);
    }
    cursor.left -= bytes;
  }

  /** Copies rows of blocks; the first two strides are those of the packed form. */
  private static void moveRows(
      MemorySegment packed, long at, long packedOuter, long packedInner, MemorySegment memory, long place, long outer,
      long inner, long rows, long blocks, long size, BlockCopy copy, boolean pack) {
    if (pack) {
      copy.rows(packed, at, packedOuter, packedInner, memory, place, outer, inner, rows, blocks, size);
    } else {
      copy.rows(memory, place, outer, inner, packed, at, packedOuter, packedInner, rows, blocks, size);
    }
  }

  /** Copies blocks, whose packed form is {@code packedInner} apart. */
  private static void moveRow(
      MemorySegment packed, long at, long packedInner, MemorySegment memory, long place, long inner, long blocks,
      long size, BlockCopy copy, boolean pack) {
    if (pack) {
      copy.rows(packed, at, 0, packedInner, memory, place, 0, inner, 1, blocks, size);
    } else {
      copy.rows(memory, place, 0, inner, packed, at, 0, packedInner, 1, blocks, size);
    }
  }

  /**
   * Rows whose blocks lie farther apart than the rows do, such as columns of a matrix: as many rows at a time as share
   * a cache line, and block by block in them, so that each line is used up before the next.
   */
  static boolean isCrosswise(long outer, long inner, long rows, long blocks) {
    return outer > 0 && outer <= LINE / 2 && Math.abs(inner) >= LINE && rows > 1 && blocks > 1;
  }

  private static void moveCrosswise(
      long[] w, int row, int leaf, MemorySegment memory, long place, MemorySegment packed, long at, long rows,
      BlockCopy copy, boolean pack) {
    long stride = w[row + NODE_STRIDE];
    long size = w[leaf + NODE_SIZE];
    long tile = LINE / stride;
    for (long done = 0; done < rows; done += tile) {
      long some = Math.min(tile, rows - done);
      moveRows(packed, at + done * w[row + NODE_SIZE], size, w[row + NODE_SIZE], memory, place + done * stride,
          w[leaf + NODE_STRIDE], stride, w[leaf + NODE_COUNT], some, size, copy, pack);
    }
  }

  /** Whole rows of a leaf that is alone in its loop: two levels at once. */
  private static boolean movePair(
      long[] w, ProgramCursor cursor, int leaf, int here, int row, int up, MemorySegment memory, long offset,
      MemorySegment packed, long end, BlockCopy copy, boolean pack) {
    long[] c = cursor.words;
    long total = copies(w, c, c[TOP] - 1, row);
    long size = w[row + NODE_SIZE];
    long outer = w[row + NODE_STRIDE];
    long rows = total - c[up + AT];
    if (cursor.left < rows * size) {
      rows = cursor.left / size;
    }
    if (rows == 1) { // one level is enough
      return false;
    }
    long place = offset + c[here + BASE];
    if (isCrosswise(outer, w[leaf + NODE_STRIDE], rows, w[leaf + NODE_COUNT])) {
      moveCrosswise(w, row, leaf, memory, place, packed, end - cursor.left, rows, copy, pack);
    } else {
      moveRows(packed, end - cursor.left, size, w[leaf + NODE_SIZE], memory, place, outer, w[leaf + NODE_STRIDE], rows,
          w[leaf + NODE_COUNT], w[leaf + NODE_SIZE], copy, pack);
    }
    cursor.left -= rows * size;
    c[up + AT] += rows;
    c[here + BASE] += rows * outer;
    return c[up + AT] == total;
  }

  /** Whole copies of a body of blocks, child by child, a window at a time. */
  private static boolean moveWoven(
      long[] w, ProgramCursor cursor, int loop, int up, MemorySegment memory, long offset, MemorySegment packed,
      long end, BlockCopy copy, boolean pack) {
    long[] c = cursor.words;
    long total = copies(w, c, c[TOP] - 1, loop);
    long size = w[loop + NODE_SIZE];
    long window = WINDOW_BYTES / size;
    int first = word(w[loop + NODE_FIRST]);
    int last = word(w[loop + NODE_FIRST] + w[loop + NODE_EXTRA]);
    while (c[up + AT] < total && cursor.left >= size) {
      long some = Math.min(Math.min(window, total - c[up + AT]), cursor.left / size);
      long base = offset + bodyBase(w, c, loop, up);
      for (int child = first; child < last; child += Program.NODE_WORDS) {
        long at = end - cursor.left + w[child + NODE_PACKED];
        long place = base + w[child + NODE_POSITION];
        for (long j = 0; j < w[child + NODE_COUNT]; j++) { // the loop of the copies inside: it is the longer one
          moveRow(packed, at, size, memory, place, w[loop + NODE_STRIDE], some, w[child + NODE_SIZE], copy, pack);
          at += w[child + NODE_SIZE];
          place += w[child + NODE_STRIDE];
        }
      }
      cursor.left -= some * size;
      c[up + AT] += some;
    }
    return c[up + AT] == total;
  }

  /**
   * How many whole blocks there are in the bytes that are left; a division only where they end inside the leaf.
   */
  private static long wholeBlocks(long left, long size, long blocks) {
    if (left >= blocks * size) {
      return blocks;
    }
    return (size & size - 1) == 0 ? left >> Long.numberOfTrailingZeros(size) : left / size;
  }

  /** Where a block lies, from its leaf's base on. */
  static long blockPlace(long[] w, int leaf, long block) {
    return w[leaf] == GATHER ? w[(int) (w[leaf + NODE_EXTRA] + block)] : block * w[leaf + NODE_STRIDE];
  }

  /** What a piece before has left of a block; true: it is moved, and the next one begins. */
  private static boolean moveRest(
      long[] w, ProgramCursor cursor, int leaf, int here, MemorySegment memory, long offset, MemorySegment packed,
      long end, BlockCopy copy, boolean pack) {
    long[] c = cursor.words;
    long place = offset + c[here + BASE] + blockPlace(w, leaf, c[here + AT]) + c[WITHIN];
    long part = Math.min(cursor.left, w[leaf + NODE_SIZE] - c[WITHIN]);
    moveBytes(cursor, memory, place, packed, end, part, copy, pack);
    c[WITHIN] += part;
    if (c[WITHIN] < w[leaf + NODE_SIZE]) {
      return false;
    }
    c[WITHIN] = 0;
    c[here + AT]++;
    return true;
  }

  /** Whole copies of the loop that the leaf begins; true: all of them are moved. */
  private static boolean moveCopies(
      long[] w, ProgramCursor cursor, int leaf, int here, MemorySegment memory, long offset, MemorySegment packed,
      long end, BlockCopy copy, boolean pack) {
    long[] c = cursor.words;
    int up = here - LEVEL_WORDS;
    int parent = word(c[up + NODE]);
    if (cursor.left < w[parent + NODE_SIZE]) {
      return false;
    }
    if (w[parent] == WOVEN && c[here + NODE] == w[parent + NODE_FIRST]) {
      if (moveWoven(w, cursor, parent, up, memory, offset, packed, end, copy, pack)) {
        return true;
      }
      enter(w, c, c[TOP], w[parent + NODE_FIRST], bodyBase(w, c, parent, up));
      return false;
    }
    return w[parent] == LOOP && w[parent + NODE_EXTRA] == 1
        && movePair(w, cursor, leaf, here, parent, up, memory, offset, packed, end, copy, pack);
  }

  private static void moveWhole(
      long[] w, ProgramCursor cursor, int leaf, int here, MemorySegment memory, long offset, MemorySegment packed,
      long end, BlockCopy copy, boolean pack) {
    long[] c = cursor.words;
    long size = w[leaf + NODE_SIZE];
    long at = c[here + AT];
    long some = wholeBlocks(cursor.left, size, w[leaf + NODE_COUNT] - at);
    if (some == 0) {
      return;
    }
    long base = offset + c[here + BASE];
    if (w[leaf] == GATHER) {
      int table = (int) (w[leaf + NODE_EXTRA] + at);
      if (pack) {
        copy.gather(packed, end - cursor.left, memory, base, w, table, (int) some, size);
      } else {
        copy.scatter(memory, base, packed, end - cursor.left, w, table, (int) some, size);
      }
    } else {
      moveRow(packed, end - cursor.left, size, memory, base + at * w[leaf + NODE_STRIDE], w[leaf + NODE_STRIDE], some,
          size, copy, pack);
    }
    cursor.left -= some * size;
    c[here + AT] += some;
  }

  /** Equal blocks, by stride or by table. Returns the level that is at its end, or -1. */
  private static long moveBlocks(
      long[] w, ProgramCursor cursor, int leaf, int here, MemorySegment memory, long offset, MemorySegment packed,
      long end, BlockCopy copy, boolean pack) {
    long[] c = cursor.words;
    if (c[WITHIN] != 0) {
      if (!moveRest(w, cursor, leaf, here, memory, offset, packed, end, copy, pack)) {
        return -1;
      }
    } else if (c[here + AT] == 0 && w[leaf] == BLOCKS
        && moveCopies(w, cursor, leaf, here, memory, offset, packed, end, copy, pack)) {
      return c[TOP] - 1;
    }
    moveWhole(w, cursor, leaf, here, memory, offset, packed, end, copy, pack);
    if (c[here + AT] == w[leaf + NODE_COUNT]) {
      return c[TOP];
    }
    if (cursor.left > 0) { // the front of a block
      c[WITHIN] = cursor.left;
      long place = offset + c[here + BASE] + blockPlace(w, leaf, c[here + AT]);
      moveBytes(cursor, memory, place, packed, end, cursor.left, copy, pack);
    }
    return -1;
  }

  /** Blocks of any sizes. Returns the level that is at its end, or -1. */
  private static long moveRuns(
      long[] w, ProgramCursor cursor, int leaf, int here, MemorySegment memory, long offset, MemorySegment packed,
      long end, BlockCopy copy, boolean pack) {
    long[] c = cursor.words;
    long base = offset + c[here + BASE];
    long within = c[WITHIN];
    long at = c[here + AT];
    while (at < w[leaf + NODE_COUNT] && cursor.left > 0) {
      int entry = (int) (w[leaf + NODE_EXTRA] + 2 * at);
      long size = w[entry + 3] - w[entry + 1] - within;
      long part = Math.min(cursor.left, size);
      moveBytes(cursor, memory, base + w[entry] + within, packed, end, part, copy, pack);
      within = part == size ? 0 : within + part;
      at += part == size ? 1 : 0;
    }
    c[here + AT] = at;
    c[WITHIN] = within;
    return at == w[leaf + NODE_COUNT] ? c[TOP] : -1;
  }

  private static void run(
      long[] w, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed, long at, long bytes,
      BlockCopy copy, boolean pack) {
    long[] c = cursor.words;
    if (moveInside(w, c, memory, offset, packed, at, bytes, copy, pack)) {
      return;
    }
    c[POSITION] += bytes;
    cursor.left = bytes;
    long end = at + bytes;
    while (cursor.left > 0) {
      int here = level(c[TOP]);
      int leaf = word(c[here + NODE]);
      long ended = w[leaf] == RUNS
          ? moveRuns(w, cursor, leaf, here, memory, offset, packed, end, copy, pack)
          : moveBlocks(w, cursor, leaf, here, memory, offset, packed, end, copy, pack);
      if (ended >= 0 && !finish(w, c, ended)) {
        break;
      }
    }
  }

  /** Blocks of a piece inside a leaf; -1: it is not such a piece. */
  private static long innerBlocks(long[] w, long[] c, int leaf, int here, long bytes) {
    long size = w[leaf + NODE_SIZE];
    if (c[WITHIN] != 0 || c[here + AT] == 0 || (size & size - 1) != 0 || (bytes & size - 1) != 0) {
      return -1;
    }
    long blocks = bytes >> Long.numberOfTrailingZeros(size);
    return blocks < w[leaf + NODE_COUNT] - c[here + AT] ? blocks : -1;
  }

  /**
   * Moves a short piece inside a block, or of whole blocks inside a leaf: nothing of the cursor but its leaf is looked
   * at. Returns false when it is another piece.
   */
  private static boolean moveInside(
      long[] w, long[] c, MemorySegment memory, long offset, MemorySegment packed, long at, long bytes,
      BlockCopy copy, boolean pack) {
    if (bytes < 1 || bytes > INSIDE_BYTES) { // a cursor behind the last byte has no leaf
      return false;
    }
    int here = level(c[TOP]);
    int leaf = word(c[here + NODE]);
    if (w[leaf] != BLOCKS) {
      return false;
    }
    long size = w[leaf + NODE_SIZE];
    long stride = w[leaf + NODE_STRIDE];
    long place = offset + c[here + BASE] + c[here + AT] * stride + c[WITHIN];
    if (bytes < size - c[WITHIN]) {
      if (pack) {
        copy.block(packed, at, memory, place, bytes);
      } else {
        copy.block(memory, place, packed, at, bytes);
      }
      c[WITHIN] += bytes;
    } else {
      long blocks = innerBlocks(w, c, leaf, here, bytes);
      if (blocks < 0) {
        return false;
      }
      moveRow(packed, at, size, memory, place, stride, blocks, size, copy, pack);
      c[here + AT] += blocks;
    }
    c[POSITION] += bytes;
    return true;
  }

  /**
   * Copies the next {@code bytes} bytes of the elements that lie from {@code offset} on to {@code packed}, and moves
   * the cursor behind them. The caller sees to it that there are so many.
   */
  public static void pack(
      Program program, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed, long at,
      long bytes) {
    run(program.raw(), cursor, memory, offset, packed, at, bytes, BlockCopy.between(packed, memory), true);
  }

  /** Copies {@code bytes} bytes to where the cursor stands in the elements, and moves it behind them. */
  public static void unpack(
      Program program, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed, long at,
      long bytes) {
    run(program.raw(), cursor, memory, offset, packed, at, bytes, BlockCopy.between(memory, packed), false);
  }

  /** The last of {@code count} entries with at most {@code most} before it. */
  private static int findEntry(long[] w, int entries, long count, long most) {
    int low = 0;
    for (int high = (int) count; high - low > 1;) {
      int middle = low + high >>> 1;
      if (w[entries + 2 * middle + 1] <= most) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The child in whose bytes one lies. */
  private static long findChild(long[] w, int node, long position) {
    long low = w[node + NODE_FIRST];
    for (long high = low + w[node + NODE_EXTRA]; high - low > 1;) {
      long middle = low + high >>> 1;
      if (w[word(middle) + NODE_PACKED] <= position) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Moves a cursor to a byte of the packed form of {@code count} elements, or behind its last one. */
  static void seek(Program program, ProgramCursor cursor, long count, long to) {
    long[] w = program.raw();
    long[] c = cursor.words;
    c[POSITION] = to;
    c[COUNT] = count;
    c[TOP] = 0;
    c[WITHIN] = 0;
    if (program.size() == 0 || count == 0) {
      return;
    }
    if (to == 0) { // without a division: short messages are packed from their first byte on
      enter(w, c, 0, 0, 0);
      return;
    }
    if (to / program.size() >= count) {
      return;
    }
    long position = to;
    long number = 0;
    long base = 0;
    for (long level = 0;; level++) {
      int node = word(number);
      int here = level(level);
      place(c, here, number, base + w[node + NODE_POSITION]);
      c[TOP] = level;
      int table = (int) w[node + NODE_EXTRA];
      if (w[node] == RUNS) {
        c[here + AT] = findEntry(w, table, w[node + NODE_COUNT], position);
        c[WITHIN] = position - w[table + 2 * (int) c[here + AT] + 1];
        return;
      }
      long copy = position / w[node + NODE_SIZE];
      position -= copy * w[node + NODE_SIZE];
      c[here + AT] = copy;
      if (isLeaf(w[node])) {
        c[WITHIN] = position;
        return;
      }
      if (w[node] == INDEXED) {
        c[here + AT] = findEntry(w, table, w[node + NODE_COUNT], copy);
        c[here + COPY] = copy - w[table + 2 * (int) c[here + AT] + 1];
        number = w[node + NODE_FIRST];
      } else {
        number = findChild(w, node, position);
        position -= w[word(number) + NODE_PACKED];
      }
      base = bodyBase(w, c, node, here);
    }
  }

  /** Where the byte at the cursor lies, from the origin of the first element on. */
  static long placeOf(Program program, ProgramCursor cursor) {
    long[] w = program.raw();
    long[] c = cursor.words;
    int here = level(c[TOP]);
    int leaf = word(c[here + NODE]);
    long block = w[leaf] == RUNS
        ? w[(int) (w[leaf + NODE_EXTRA] + 2 * c[here + AT])]
        : blockPlace(w, leaf, c[here + AT]);
    return c[here + BASE] + block + c[WITHIN];
  }

  /** Counts the bytes of the block at the cursor that it has not passed. */
  static long blockBytes(Program program, ProgramCursor cursor) {
    long[] w = program.raw();
    long[] c = cursor.words;
    int here = level(c[TOP]);
    int leaf = word(c[here + NODE]);
    int entry = (int) (w[leaf + NODE_EXTRA] + 2 * c[here + AT]);
    long size = w[leaf] == RUNS ? w[entry + 3] - w[entry + 1] : w[leaf + NODE_SIZE];
    return size - c[WITHIN];
  }

  /** Passes some bytes of the block at the cursor, or all; false: they are more. */
  static boolean skip(Program program, ProgramCursor cursor, long bytes) {
    long left = blockBytes(program, cursor);
    if (bytes > left) {
      return false;
    }
    long[] w = program.raw();
    long[] c = cursor.words;
    c[POSITION] += bytes;
    c[WITHIN] += bytes;
    if (bytes == left) {
      int here = level(c[TOP]);
      c[WITHIN] = 0;
      if (++c[here + AT] == w[word(c[here + NODE]) + NODE_COUNT]) {
        finish(w, c, c[TOP]);
      }
    }
    return true;
  }
}
