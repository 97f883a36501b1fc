package io.adrastea.coll;

import java.lang.foreign.MemorySegment;

/**
 * The members' stages as one member has them, beyond one collective: their memory, and which collective each quarter is
 * for. Twin of {@code struct adr_stages}.
 *
 * <p>
 * Quarters are given in turn to the collectives that may go through stages, when they begin, whether they need them in
 * the end or not: so all members give the same quarter to the same collective, in whichever order they go on with them.
 */
final class Stages {
  /**
   * So many collectives later memory is written again: to write over what others have just read takes longer.
   */
  static final int QUARTERS = 4;

  private final long[] users = new long[QUARTERS]; // the last collective that a quarter was given to
  private MemorySegment memory; // of all stages; null: not given yet
  private long count; // collectives that a quarter was given to

  void give(MemorySegment all) {
    memory = all;
  }

  MemorySegment memory() {
    return memory;
  }

  /** The quarter of the next collective that is given one. */
  int next() {
    return (int) (count & QUARTERS - 1);
  }

  /** The collective that was given a quarter last. */
  long user(int quarter) {
    return users[quarter];
  }

  /** Gives the next quarter to a collective. */
  void reserve(long sequence) {
    users[next()] = sequence;
    count++;
  }
}
