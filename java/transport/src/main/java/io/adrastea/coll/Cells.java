package io.adrastea.coll;

import java.lang.foreign.MemorySegment;

/**
 * The members' cells as one member has them, beyond one collective: their memory, and which collective each half is
 * for. Twin of {@code struct adr_cells}.
 *
 * <p>
 * Halves are given in turn to the collectives that may go through cells, when they begin, whether they need them in the
 * end or not: so all members give the same half to the same collective, in whichever order they go on with them.
 */
final class Cells {
  private static final int HALVES = 2;

  private final long[] users = new long[HALVES]; // the last collective that a half was given to
  private MemorySegment memory; // of all cells; null: not given yet
  private long count; // collectives that a half was given to

  void give(MemorySegment all) {
    memory = all;
  }

  MemorySegment memory() {
    return memory;
  }

  /** The half of the next collective that is given one. */
  int next() {
    return (int) (count & HALVES - 1);
  }

  /** The collective that was given a half last. */
  long user(int half) {
    return users[half];
  }

  /** Gives the next half to a collective. */
  void reserve(long sequence) {
    users[next()] = sequence;
    count++;
  }
}
