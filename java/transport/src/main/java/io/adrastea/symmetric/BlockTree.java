package io.adrastea.symmetric;

import java.util.Arrays;

/**
 * The blocks that a stretch of memory is cut into, and the first free one of a size among them. Numbers alone: the
 * memory itself is never touched. Twin of {@code symmetric/adr_block_tree.h}.
 *
 * <p>
 * The blocks have no gaps between them, and no two neighbours are both free; the caller sees to the latter. They are
 * the nodes of a tree in the order of their places, a treap [Seidel 1996], in which each node knows the largest free
 * block below it, as in a Cartesian tree of free blocks [Stephenson 1983]. So each call is O(log n) for n blocks. The
 * priorities come from a generator of the tree's own, which always begins alike; they decide how long a call takes, and
 * never what it answers.
 *
 * <p>
 * A block is told by its index, which it keeps as long as it is there; 0 is no block.
 */
final class BlockTree {
  static final int NONE = 0;

  private static final int FIRST_PLACES = 16;
  private static final int FIRST_PRIORITY = 0x9E3779B9;

  private long[] start = new long[FIRST_PLACES];
  private long[] bytes = new long[FIRST_PLACES]; // up to where the next one starts
  private long[] asked = new long[FIRST_PLACES]; // bytes asked for, 0: free
  private long[] largest = new long[FIRST_PLACES]; // bytes of the largest free block among this one and those below it
  private int[] parent = new int[FIRST_PLACES];
  private int[] left = new int[FIRST_PLACES];
  private int[] right = new int[FIRST_PLACES]; // of an index without a block: the next such one
  private int[] priorities = new int[FIRST_PLACES]; // unsigned
  private int used = 2; // indexes from here on never had a block
  private int spare; // the first index that has no block any more
  private int spares;
  private int root = 1;
  private int priority = FIRST_PRIORITY; // given last

  /** A stretch of {@code bytes}, at least 1, as one free block. */
  BlockTree(long bytes) {
    this.bytes[1] = bytes;
    this.largest[1] = bytes;
    this.priorities[1] = FIRST_PRIORITY;
  }

  /** Bytes of the largest free block; 0: there is no free one. */
  long largest() {
    return largest[root];
  }

  boolean isFree(int block) {
    return block != NONE && asked[block] == 0;
  }

  long start(int block) {
    return start[block];
  }

  long bytes(int block) {
    return bytes[block];
  }

  /** Bytes asked for of a block; 0: it is free, or no block. */
  long asked(int block) {
    return asked[block];
  }

  /** Where a block ends and the next one starts. */
  long end(int block) {
    return start[block] + bytes[block];
  }

  /**
   * Makes sure that so many blocks can be split.
   *
   * @throws OutOfMemoryError when they cannot; nothing has changed then
   */
  void require(int splits) {
    if (spares + (start.length - used) >= splits) {
      return;
    }
    int places = Math.multiplyExact(2, start.length);
    long[][] longs = {start, bytes, asked, largest};
    int[][] ints = {parent, left, right, priorities};
    Arrays.setAll(longs, i -> Arrays.copyOf(longs[i], places));
    Arrays.setAll(ints, i -> Arrays.copyOf(ints[i], places));
    start = longs[0];
    bytes = longs[1];
    asked = longs[2];
    largest = longs[3];
    parent = ints[0];
    left = ints[1];
    right = ints[2];
    priorities = ints[3];
  }

  /** The next of a series of numbers that looks random and has no 0 [Marsaglia 2003]. */
  private int nextPriority() {
    priority ^= priority << 13;
    priority ^= priority >>> 17;
    priority ^= priority << 5;
    return priority;
  }

  /** An index without a block. */
  private int takeIndex() {
    int index = spare;
    if (index == NONE) {
      return used++;
    }
    spare = right[index];
    spares--;
    return index;
  }

  private void giveIndex(int index) {
    right[index] = spare;
    spare = index;
    spares++;
  }

  /** Bytes of a block that are free: all or nothing. */
  private long freeBytes(int block) {
    return asked[block] == 0 ? bytes[block] : 0;
  }

  /** Works out the largest free block below a block anew. */
  private void measure(int block) {
    largest[block] = Math.max(freeBytes(block), Math.max(largest[left[block]], largest[right[block]]));
  }

  /** Does so for a block and for all above it. */
  private void measureUp(int block) {
    for (int at = block; at != NONE; at = parent[at]) {
      measure(at);
    }
  }

  /** Puts a block, or nothing, in the place below {@code above} that another one has. */
  private void replace(int above, int block, int by) {
    if (above == NONE) {
      root = by;
    } else if (left[above] == block) {
      left[above] = by;
    } else {
      right[above] = by;
    }
    if (by != NONE) {
      parent[by] = above;
    }
  }

  /** Puts a block above the one that it is below; their order stays. */
  private void rotateUp(int block) {
    int above = parent[block];
    int between;
    replace(parent[above], above, block);
    if (left[above] == block) {
      between = right[block];
      left[above] = between;
      right[block] = above;
    } else {
      between = left[block];
      right[above] = between;
      left[block] = above;
    }
    if (between != NONE) {
      parent[between] = above;
    }
    parent[above] = block;
    measure(above);
  }

  /** The first block below a block. */
  private int leftmost(int block) {
    int at = block;
    while (left[at] != NONE) {
      at = left[at];
    }
    return at;
  }

  private int rightmost(int block) {
    int at = block;
    while (right[at] != NONE) {
      at = right[at];
    }
    return at;
  }

  /** The first block behind a block and all below it. */
  private int behind(int block) {
    int at = block;
    int above = parent[at];
    while (above != NONE && right[above] == at) {
      at = above;
      above = parent[at];
    }
    return above;
  }

  /** The last block before a block and all below it. */
  private int before(int block) {
    int at = block;
    int above = parent[at];
    while (above != NONE && left[above] == at) {
      at = above;
      above = parent[at];
    }
    return above;
  }

  /** The block that starts where a block ends. */
  int next(int block) {
    return right[block] == NONE ? behind(block) : leftmost(right[block]);
  }

  /** The block that ends where a block starts. */
  int previous(int block) {
    return left[block] == NONE ? before(block) : rightmost(left[block]);
  }

  /** The first block that does not start before {@code from}. */
  private int firstFrom(long from) {
    int found = NONE;
    int at = root;
    while (at != NONE) {
      if (start[at] < from) {
        at = right[at];
      } else {
        found = at;
        at = left[at];
      }
    }
    return found;
  }

  /** The block that starts there. */
  int at(long place) {
    int block = firstFrom(place);
    return start[block] == place ? block : NONE;
  }

  /** The first free block of at least so many bytes among a block and those below it, one of which is. */
  private int firstBelow(int block, long least) {
    int at = block;
    while (true) {
      if (largest[left[at]] >= least) {
        at = left[at];
      } else if (freeBytes(at) >= least) {
        return at;
      } else {
        at = right[at];
      }
    }
  }

  /** The first free block of at least so many bytes, at least 1, that does not start before {@code from}. */
  int firstFree(long from, long least) {
    int at = firstFrom(from);
    while (at != NONE && freeBytes(at) < least) {
      if (largest[right[at]] >= least) {
        return firstBelow(right[at], least);
      }
      at = behind(at);
    }
    return at;
  }

  /** Says how many bytes are asked for of a block; 0: it is free. */
  void setAsked(int block, long asked) {
    this.asked[block] = asked;
    measureUp(block);
  }

  /** Puts a new block right behind another one, whose size may have changed, into the tree. */
  private void insertBehind(int block, int inserted) {
    int above = right[block] == NONE ? block : leftmost(right[block]);
    if (right[block] == NONE) {
      right[above] = inserted;
    } else {
      left[above] = inserted;
    }
    parent[inserted] = above;
    while (above != NONE && Integer.compareUnsigned(priorities[inserted], priorities[above]) > 0) {
      rotateUp(inserted);
      above = parent[inserted];
    }
    measureUp(inserted);
  }

  /** Takes a block out of the tree: down to where nothing is below it, and off. */
  private void takeOut(int block) {
    while (left[block] != NONE || right[block] != NONE) {
      int first = left[block];
      int second = right[block];
      boolean goesRight = Integer.compareUnsigned(priorities[first], priorities[second]) > 0; // that of no block is 0
      rotateUp(goesRight ? first : second);
    }
    int above = parent[block];
    replace(above, block, NONE);
    measureUp(above);
  }

  /**
   * Cuts a block in two, for which {@link #require} has made sure; the second starts at {@code place}, and is free.
   *
   * @return the second
   */
  int split(int block, long place) {
    int second = takeIndex();
    start[second] = place;
    bytes[second] = end(block) - place;
    asked[second] = 0;
    parent[second] = NONE;
    left[second] = NONE;
    right[second] = NONE;
    priorities[second] = nextPriority();
    bytes[block] = place - start[block];
    insertBehind(block, second);
    return second;
  }

  /** Makes a block one with the next, whose index is no block then. */
  void joinNext(int block) {
    int next = next(block);
    long more = bytes[next];
    takeOut(next);
    giveIndex(next);
    bytes[block] += more;
    measureUp(block);
  }
}
