package io.adrastea.coll;

/**
 * How the parts of a reduce_scatter share a buffer of a quarter of a stage: in a round there is a stretch of each part
 * of a group. Where there are so many members that a stretch would be very short, the parts of one group come first,
 * then those of the next. Twin of {@code coll/adr_fold_room.h}.
 */
public final class FoldRoom {
  /** Most rounds of a reduce_scatter: a member fills up to two rounds ahead, and counts them in 31 bits. */
  public static final int MOST_ROUNDS = Integer.MAX_VALUE - 2;

  /** Bytes of a round, of all parts of a group. */
  static final int BUFFER = 16_384;

  /** What one member combines, or one part of a round, is no shorter, so that few members do not wait for many. */
  private static final int LEAST_PART = 256;

  private FoldRoom() {}

  /** The least bytes that one member combines of elements that have {@code unit} bytes. */
  static int leastPart(int unit) {
    return (LEAST_PART + unit - 1) / unit * unit;
  }

  /** Parts that come in one round. */
  static int group(int ranks, int unit) {
    return Math.min(ranks, BUFFER / leastPart(unit));
  }

  /** Bytes of each part that go in a round, whole elements. */
  public static int stretch(int ranks, int unit) {
    return BUFFER / group(ranks, unit) / unit * unit;
  }

  /**
   * Rounds of parts of the first lengths, as many as there are ranks: each group has those of its longest part.
   *
   * @param unit bytes of an element
   */
  public static long rounds(int ranks, int unit, long[] lengths) {
    int group = group(ranks, unit);
    int stretch = stretch(ranks, unit);
    long rounds = 0;
    for (int begin = 0; begin < ranks; begin += group) {
      long longest = 0;
      for (int part = begin; part < ranks && part < begin + group; part++) {
        longest = Math.max(longest, lengths[part]);
      }
      rounds += (longest + stretch - 1) / stretch;
    }
    return rounds;
  }

  /** Whether parts may have these lengths. Those that are all as long never take too many rounds. */
  public static boolean takes(int ranks, int unit, long[] lengths) {
    return rounds(ranks, unit, lengths) <= MOST_ROUNDS;
  }
}
