package io.adrastea.lock;

/**
 * The word that each PE has of a lock in symmetric memory, and the PE whose word tells the end of the queue. Twin of
 * {@code lock/adr_lock_word.h}.
 *
 * <pre>
 * bits 0-15    last      the last PE of the queue; used in the word of the lock's home alone
 * bits 16-31   next      the PE behind this one
 * bits 32-47   signal    how far this PE is
 * bits 48-63   previous  the PE before this one: what Brightwell and Pedretti (2011, section 4.6) leave unused
 * </pre>
 *
 * <p>
 * A PE is named by its number plus 1, and 0 names no PE: so a word of zeros is one of a free lock, and there are at
 * most 65,534 PEs. The word is changed as a whole, by instructions of 64 bits: Java has none that change 16.
 */
public final class LockWord {
  /** All PEs have numbers below this one. */
  public static final int MOST_PES = 65_534;

  /** Spreads the homes of locks that lie side by side: 2^32 over the golden ratio. */
  static final long SPREAD = 0x9e3779b1L;

  // signals
  static final int FREE = 0; // not in the queue
  static final int ENTERS = 1; // about to put itself behind `previous`, or there, and not linked: not handed the lock
  static final int WAITS = 2; // behind `previous`
  static final int GRANTED = 3; // the lock was handed to this PE, which has not looked since
  static final int HOLDS = 4; // it has the lock, or is about to take it as it is free
  static final int LEAVES = 5; // behind `previous`, and being taken out: the lock is not handed to it

  private LockWord() {}

  static int last(long word) {
    return (int) word & 0xffff;
  }

  static int next(long word) {
    return (int) (word >>> 16) & 0xffff;
  }

  static int signal(long word) {
    return (int) (word >>> 32) & 0xffff;
  }

  static int previous(long word) {
    return (int) (word >>> 48);
  }

  static long withLast(long word, int last) {
    return word & ~0xffffL | last;
  }

  static long withNext(long word, int next) {
    return word & ~0xffff0000L | (long) next << 16;
  }

  /** The word with another signal and another PE before its own. */
  static long standing(long word, int signal, int previous) {
    return word & 0xffffffffL | (long) signal << 32 | (long) previous << 48;
  }

  /**
   * The PE whose word has {@code last} of the lock at an offset of the symmetric memory. No division: it is on the way
   * of each call.
   */
  public static int home(long offset, int pes) {
    int spread = (int) ((offset >>> 3) * SPREAD);
    return (int) (Integer.toUnsignedLong(spread) * pes >>> 32);
  }
}
