package io.adrastea.lock;

import io.adrastea.atomic.Words;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;

/**
 * The library's table beside the locks: who is just taking PEs out of queues. It has 64 words, all zeros at the start,
 * in memory that every PE maps; a lock uses the one that its offset tells. Twin of {@code lock/adr_lock_table.h}.
 *
 * <p>
 * A word has its owner plus 1 in its lower half, and in its upper half a generation, which each change of owner raises.
 * It is held for a few steps, within one call. The next one takes it over from an owner that is dead: what that one has
 * left half done shows in the words of the lock, and those that come across it there complete it.
 */
public final class LockTable {
  static final int WORDS = 64;

  private LockTable() {}

  /** Bytes of the table, at a multiple of 8. */
  public static long bytes() {
    return (long) Long.BYTES * WORDS;
  }

  /** The offset of the word of the lock at {@code offset} of the symmetric memory. */
  static long place(long offset) {
    return offset & bytes() - Long.BYTES;
  }

  /** Plus 1; 0: none. */
  static int owner(long word) {
    return (int) word;
  }

  /** The word with another owner, plus 1, of the next generation. */
  static long owned(long word, int owner) {
    return (word >>> Integer.SIZE) + 1 << Integer.SIZE | owner;
  }

  /**
   * Whether this PE has the word now: it was free, or its owner is dead. A PE that has it already, from a call that an
   * exception has ended, goes on.
   */
  static boolean tryAcquire(MemorySegment table, long offset, int self, int pes, IntPredicate dead) {
    long at = place(offset);
    long word = Words.loadRelaxedLong(table, at); // the exchange decides
    int owner = owner(word);
    if (owner > 0 && owner <= pes && owner != self + 1 && !dead.test(owner - 1)) {
      return false;
    }
    // SYNC lock-table: acq_rel, pairs with release; orders what this PE reads of the queue after it.
    return Words.casAcqRelLong(table, at, word, owned(word, self + 1));
  }

  static void release(MemorySegment table, long offset) {
    long at = place(offset);
    long word = Words.loadRelaxedLong(table, at); // this PE's own
    // SYNC lock-table: release, pairs with tryAcquire; orders what this PE has changed before it.
    Words.storeReleaseLong(table, at, owned(word, 0));
  }
}
