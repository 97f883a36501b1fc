package io.adrastea.ranktable;

import static io.adrastea.layout.RankEntryDescriptor.MOVES_COLLECTIVES;
import static io.adrastea.layout.RankEntryDescriptor.MOVES_MESSAGES;
import static io.adrastea.layout.RankEntryDescriptor.MOVES_SEVERAL;

/**
 * What bytes a rank moves, as it tells in its entry of the rank table: then others that wait for them know that they
 * move, though nobody else sees them. Twin of {@code adr_rank_moving} in {@code ranktable/adr_rank_table.h}.
 */
public final class Moving {
  private static final int CALL_SHIFT = 56;
  private static final int WHAT_SHIFT = 32;
  private static final int WHAT_MASK = 0xFFFF;
  private static final long COUNT_MASK = 0xFFFF_FFFFL;

  private Moving() {}

  /**
   * Makes the one word by which the entry tells it.
   *
   * @param moves {@code RankEntryDescriptor.MOVES_…}
   * @param what a rank plus 1, the number of a communicator, or 0
   * @param count how often the rank has told so
   */
  public static long word(int moves, int what, int count) {
    return (long) moves << CALL_SHIFT | (long) (what & WHAT_MASK) << WHAT_SHIFT | count & COUNT_MASK;
  }

  /** Whether such a word tells of bytes that move. */
  static boolean isOne(long word) {
    int moves = (int) (word >>> CALL_SHIFT);
    return moves >= MOVES_MESSAGES && moves <= MOVES_SEVERAL;
  }

  /** How often a word tells so of messages to or from a rank, if it does. */
  public static long countOfMessages(long word, int rank) {
    return count(word, MOVES_MESSAGES, rank + 1);
  }

  /** How often a word tells so of collectives of a communicator, if it does. */
  public static long countOfCollectives(long word, int number) {
    return count(word, MOVES_COLLECTIVES, number & WHAT_MASK);
  }

  private static long count(long word, int moves, int what) {
    int told = (int) (word >>> CALL_SHIFT);
    boolean concerns = told == MOVES_SEVERAL || told == moves && ((int) (word >>> WHAT_SHIFT) & WHAT_MASK) == what;
    return concerns ? word & COUNT_MASK : 0;
  }
}
