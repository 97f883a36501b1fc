package io.adrastea.symmetric;

import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;

/**
 * Which parts of a symmetric heap are allocated [OpenSHMEM over XPMEM 2011, 3.1 and 4.1]. Every PE keeps such a record
 * of its own, and makes the same calls in the same order, so that each object has the same offset in all of them:
 * nobody is asked, and nothing is told. What a call answers depends on the calls before it alone, in both languages.
 * Twin of {@code symmetric/adr_symmetric_heap.h}.
 *
 * <p>
 * Numbers alone: neither the heap nor any other shared memory is touched, so no stray put can spoil the record.
 *
 * <p>
 * Objects lie where they first fit in the order of offsets, and free neighbours are one. Of the known ways to choose a
 * place this one has the smallest bound of what fragmentation can cost (about log2 of the largest object in grains
 * times what the objects have at most [Robson 1977]; for best fit it is the number of grains itself), and is among the
 * two that leave the least in programs [Johnstone 1998]. It also keeps objects at low offsets, on few pages.
 *
 * <p>
 * Each object begins at a multiple of 64 bytes and shares its last line with no other one. That costs at most 63 bytes
 * an object, and no two objects share a cache line that different PEs write.
 *
 * <p>
 * Not for several threads at a time.
 */
public final class SymmetricHeap {
  /** Objects begin at multiples of so many bytes, and take up as many. */
  public static final int GRAIN = 64;

  /** Most bytes that a heap can have. */
  public static final long MAX_BYTES = Long.MAX_VALUE / 4;

  /** The offset of no object. */
  public static final long NONE = -1;

  /** No free place is large enough. */
  public static final long NO_ROOM = -28; // as in C, where this is a number of an error

  private static final int LOOKS = 16; // free blocks looked at for an alignment before one is taken that is large
                                       // anyway
  private static final int MOST_SPLITS = 2;

  private static final int ALLOCATION = 1;
  private static final int REALLOCATION = 2;
  private static final int FREE = 3;
  private static final long FNV_OFFSET = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 0x100000001B3L;

  /**
   * Whole pages of the heap, of which the last one may reach beyond its end.
   *
   * @param offset of the first
   * @param bytes of all; 0: there are none
   */
  public record Pages(long offset, long bytes) {
    /** No pages. */
    public static final Pages NONE = new Pages(0, 0);

    /** Where they end. */
    public long end() {
      return offset + bytes;
    }
  }

  private final BlockTree tree;
  private final long bytes;
  private final long pageBytes;
  private long hash;
  private long allocated;
  private Pages came;
  private Pages went;
  private long undoOffset; // of the object that the last call allocated or resized; NONE: there is nothing to take back
  private long undoAsked; // bytes of that object before; 0: it was not there
  private long undoHash;

  /**
   * A heap, all of it free.
   *
   * @param bytes how many, at least {@link #GRAIN} and at most {@link #MAX_BYTES}; whole grains of them are used
   * @param pageBytes of the pages that are told of, a power of two of at least a grain
   * @throws IllegalArgumentException when there cannot be such a heap or such pages
   */
  public SymmetricHeap(long bytes, long pageBytes) {
    boolean isPage = isPowerOfTwo(pageBytes) && pageBytes >= GRAIN;
    if (bytes < GRAIN || bytes > MAX_BYTES || !isPage || pageBytes > MAX_BYTES) {
      throw new ArgumentException(Reason.COUNT,
          ("a symmetric heap of %d bytes on pages of %d; allowed are %d to %d bytes, and pages of a power of two from "
              + "%d on").formatted(bytes, pageBytes, GRAIN, MAX_BYTES, GRAIN));
    }
    this.bytes = bytes & -GRAIN;
    this.pageBytes = pageBytes;
    begin();
    this.hash = hashed(FNV_OFFSET, bytes);
    this.tree = new BlockTree(this.bytes);
  }

  /** The hash with one more word [Fowler 2012]. */
  private static long hashed(long hash, long word) {
    long next = hash;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      next = (next ^ word >>> shift & 0xFF) * FNV_PRIME;
    }
    return next;
  }

  /** Notes a call in the hash. */
  private void note(long call, long asked, long alignment, long given, long offset) {
    hash = hashed(hash, call);
    hash = hashed(hash, asked);
    hash = hashed(hash, alignment);
    hash = hashed(hash, given);
    hash = hashed(hash, offset);
  }

  /** Begins a call, which is the last one from now on. */
  private void begin() {
    came = Pages.NONE;
    went = Pages.NONE;
    undoOffset = NONE;
  }

  /** Says what would take back the call that follows. */
  private void prepareUndo(long offset, long asked) {
    undoOffset = offset;
    undoAsked = asked;
    undoHash = hash;
  }

  private static boolean isPowerOfTwo(long value) {
    return value > 0 && (value & value - 1) == 0;
  }

  private static long alignUp(long value, long alignment) {
    return value + alignment - 1 & -alignment;
  }

  /** Where the objects before a block end; 0: there are none. */
  private long endBefore(int block) {
    int at = tree.previous(block);
    if (tree.isFree(at)) {
      at = tree.previous(at);
    }
    return at == BlockTree.NONE ? 0 : tree.end(at);
  }

  /** Where the first object behind a block starts. */
  private long startBehind(int block) {
    int at = tree.next(block);
    if (tree.isFree(at)) {
      at = tree.next(at);
    }
    return at == BlockTree.NONE ? Long.MAX_VALUE : tree.start(at);
  }

  /**
   * The pages of a place that have nothing else on them: what lies before it ends at {@code before}, what lies behind
   * it starts at {@code behind}.
   */
  private Pages pages(long start, long end, long before, long behind) {
    long first = start & -pageBytes;
    long last = alignUp(end, pageBytes);
    if (before > first) {
      first += pageBytes;
    }
    if (behind < last) {
      last -= pageBytes;
    }
    return first < last ? new Pages(first, last - first) : Pages.NONE;
  }

  /** The pages of a block that have no other object on them. */
  private Pages pagesOf(int block) {
    return pages(tree.start(block), tree.end(block), endBefore(block), startBehind(block));
  }

  /**
   * The first free block that has room for {@code whole} bytes at a multiple of an alignment. A block of so many bytes
   * may not have it at such a multiple when that is larger than a grain, so blocks are looked at one by one. Behind the
   * first few, a block is taken that is large enough wherever the multiple lies in it. Only when there is no such block
   * are all the others looked at.
   */
  private int find(long whole, long alignment) {
    long from = 0;
    for (int looks = 1;; looks++) {
      int block = tree.firstFree(from, whole);
      if (block == BlockTree.NONE) {
        return BlockTree.NONE;
      }
      long start = alignUp(tree.start(block), alignment);
      from = tree.end(block);
      if (whole <= from - start) {
        return block;
      }
      if (looks == LOOKS) {
        int large = tree.firstFree(from, whole + alignment - GRAIN);
        if (large != BlockTree.NONE) {
          return large;
        }
      }
    }
  }

  /** Takes a place for an object; gives its block, or {@link #NO_ROOM}. */
  private long take(long asked, long alignment) {
    if (asked > bytes || alignment > MAX_BYTES) {
      return NO_ROOM;
    }
    long whole = alignUp(asked, GRAIN);
    int block = find(whole, alignment);
    if (block == BlockTree.NONE) {
      return NO_ROOM;
    }
    tree.require(MOST_SPLITS);
    long start = alignUp(tree.start(block), alignment);
    if (start > tree.start(block)) {
      block = tree.split(block, start);
    }
    if (start + whole < tree.end(block)) {
      tree.split(block, start + whole);
    }
    tree.setAsked(block, asked);
    allocated += whole;
    came = pagesOf(block);
    return block;
  }

  /** Gives the place of an object back. */
  private void give(int block) {
    went = pagesOf(block);
    allocated -= tree.bytes(block);
    tree.setAsked(block, 0);
    if (tree.isFree(tree.next(block))) {
      tree.joinNext(block);
    }
    int previous = tree.previous(block);
    if (tree.isFree(previous)) {
      tree.joinNext(previous);
    }
  }

  /** How many bytes an object could have where it is. */
  private long roomAt(int block) {
    int next = tree.next(block);
    return tree.bytes(block) + (tree.isFree(next) ? tree.bytes(next) : 0);
  }

  /** Makes an object larger or smaller where it is, for which there is room, and one split is made sure of. */
  private void resize(int block, long asked) {
    long whole = alignUp(asked, GRAIN);
    long oldEnd = tree.end(block);
    long end = tree.start(block) + whole;
    long behind = startBehind(block);
    allocated += end - oldEnd;
    if (end > oldEnd) {
      came = pages(oldEnd, end, oldEnd, behind);
    } else {
      went = pages(end, oldEnd, end, behind);
    }
    if (tree.isFree(tree.next(block))) {
      tree.joinNext(block);
    }
    if (end < tree.end(block)) {
      tree.split(block, end);
    }
    tree.setAsked(block, asked);
  }

  /** The block of an object. */
  private int objectAt(long offset) {
    int block = offset < 0 ? BlockTree.NONE : tree.at(offset);
    return tree.isFree(block) ? BlockTree.NONE : block;
  }

  private int requireObject(String call, long offset) {
    int block = objectAt(offset);
    if (block == BlockTree.NONE) {
      throw new ArgumentException(Reason.BUFFER,
          "%s of offset %d in the symmetric heap: no object begins there; allowed is what was allocated, and only once"
              .formatted(call, offset));
    }
    return block;
  }

  private static void requireBytes(long asked) {
    if (asked < 0) {
      throw new ArgumentException(Reason.COUNT,
          "%d bytes of the symmetric heap; allowed are 0 and more".formatted(asked));
    }
  }

  /**
   * Allocates an object.
   *
   * @param asked its bytes; 0: nothing is changed
   * @return its offset; {@link #NONE} for 0 bytes; {@link #NO_ROOM}, and nothing has changed then
   * @throws IllegalArgumentException when the bytes are below zero
   */
  public long malloc(long asked) {
    return align(GRAIN, asked);
  }

  /**
   * Allocates an object at a multiple of an alignment. An address is as aligned as that if the heap is mapped at such a
   * multiple.
   *
   * @param alignment a power of two
   * @param asked its bytes; 0: nothing is changed
   * @return its offset; {@link #NONE} for 0 bytes; {@link #NO_ROOM}, and nothing has changed then
   * @throws IllegalArgumentException when the alignment is no power of two, or the bytes are below zero
   */
  public long align(long alignment, long asked) {
    begin();
    requireBytes(asked);
    if (!isPowerOfTwo(alignment)) {
      throw new ArgumentException(Reason.OTHER,
          "an alignment of %d in the symmetric heap; allowed is a power of two".formatted(alignment));
    }
    if (asked == 0) {
      return NONE;
    }
    long block = take(asked, Math.max(alignment, GRAIN));
    if (block < 0) {
      return block;
    }
    long offset = tree.start((int) block);
    prepareUndo(offset, 0);
    note(ALLOCATION, asked, alignment, 0, offset);
    return offset;
  }

  /** Resizes an object where it is; whether there was room. */
  private boolean tryResize(int block, long asked) {
    if (asked > roomAt(block)) {
      return false;
    }
    tree.require(1);
    prepareUndo(tree.start(block), tree.asked(block));
    resize(block, asked);
    return true;
  }

  /**
   * Makes an object larger or smaller. It stays where it is when it can. Else the result is a new object, and the old
   * one is still there: the caller copies what is in it, and frees it.
   *
   * @param offset of the object; {@link #NONE}: this is {@link #malloc}
   * @param asked its bytes from now on; 0: this is {@link #free}
   * @return the offset of the object or of the new one; {@link #NONE} for 0 bytes; {@link #NO_ROOM}, and nothing has
   *   changed then
   * @throws IllegalArgumentException when no object has this offset, or the bytes are below zero
   */
  public long realloc(long offset, long asked) {
    if (offset == NONE) {
      return malloc(asked);
    }
    if (asked == 0) {
      free(offset);
      return NONE;
    }
    begin();
    requireBytes(asked);
    int block = requireObject("realloc", offset);
    long result = offset;
    if (!tryResize(block, asked)) {
      long moved = take(asked, GRAIN);
      if (moved < 0) {
        return moved;
      }
      result = tree.start((int) moved);
      prepareUndo(result, 0);
    }
    note(REALLOCATION, asked, GRAIN, offset, result);
    return result;
  }

  /**
   * Frees an object.
   *
   * @param offset of it; {@link #NONE}: nothing is changed
   * @throws IllegalArgumentException when no object has this offset
   */
  public void free(long offset) {
    begin();
    if (offset == NONE) {
      return;
    }
    give(requireObject("free", offset));
    note(FREE, 0, 0, offset, 0);
  }

  /**
   * Takes back the last call, for a PE that learns that another one could not make it: all is as it was, the hash, too.
   * Pages that it brought into use {@linkplain #went went}.
   *
   * @throws IllegalStateException when that call allocated and resized nothing
   */
  public void undo() {
    long offset = undoOffset;
    begin();
    if (offset == NONE) {
      throw new IllegalStateException(
          "the last call for the symmetric heap allocated and resized nothing; there is nothing to take back");
    }
    int block = objectAt(offset);
    if (undoAsked == 0) {
      give(block);
    } else {
      resize(block, undoAsked);
    }
    hash = undoHash;
  }

  /** Bytes that were asked for of an object; 0: no object has this offset. */
  public long bytesOf(long offset) {
    return tree.asked(objectAt(offset));
  }

  /** Bytes of the heap, in whole grains. */
  public long bytes() {
    return bytes;
  }

  /** Bytes that objects take up, in whole grains. */
  public long allocated() {
    return allocated;
  }

  /** Most bytes that an object could be allocated with now. */
  public long largest() {
    return tree.largest();
  }

  /**
   * A hash of all calls, equal in all PEs that have made the same calls in the same order and had the same answers. It
   * is FNV-1a of 64 bits [Fowler 2012] over words of 64 bits, each by its bytes from the lowest on: the bytes of the
   * heap as they were handed in, and of each call, but for those that fail, change nothing, or are undone:
   *
   * <pre>
   *   allocation    1, bytes, alignment (malloc: 64), 0,      offset
   *   reallocation  2, bytes, 64,                     offset, offset of the result
   *   free          3, 0,     0,                      offset, 0
   * </pre>
   */
  public long hash() {
    return hash;
  }

  /** Pages that the last call brought into use: no object was on them before. */
  public Pages came() {
    return came;
  }

  /** Pages on which no object is any more since the last call. */
  public Pages went() {
    return went;
  }
}
