package io.adrastea.bench.soak;

/**
 * Which rank sends what to which in a round: a function of the seed, so that every rank knows the messages of all
 * others. A round has steps; the messages of a pair in a step are numbered, and the tag holds step and number. In a
 * step no rank sends more than {@code largest} bytes, a duel apart, which is one message at a time.
 *
 * @param seed of the whole run
 * @param round number of the round
 * @param ranks of the job
 * @param largest most bytes of a message, at least {@link #LEAST_LARGEST}
 */
record Traffic(long seed, int round, int ranks, int largest) {
  static final int LEAST_LARGEST = 1 << 16;
  static final int MOST_STEPS = 1 << 20;

  private static final Pattern[] PATTERNS = Pattern.values();
  private static final int NUMBER_BITS = 10;
  private static final int LINE = 64;
  private static final int PAGE = 4096;
  private static final int FEW_CELLS = 1 << 15;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** Which rank sends to which in a step. */
  enum Pattern {
    /** Every rank to every rank. */
    ALL,
    /** Every rank to the next one and the one before. */
    NEIGHBOURS,
    /** Every rank to one. */
    INCAST,
    /** One rank to all. */
    FANOUT,
    /** The two ranks of a pair, much. */
    PAIRS,
    /** Every rank to one that chance names. */
    SPARSE,
    /** The two ranks of a pair in turn, each waiting for the other. */
    DUEL
  }

  static int tag(int step, int number) {
    return step << NUMBER_BITS | number;
  }

  static int step(int tag) {
    return tag >> NUMBER_BITS;
  }

  static int number(int tag) {
    return tag & (1 << NUMBER_BITS) - 1;
  }

  private static long mix(long word) {
    long z = word * GOLDEN;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** A number of the seed, the round and whatever else is named. */
  long chance(long... of) {
    long word = mix(seed + round);
    for (long one : of) {
      word = mix(word ^ one + GOLDEN);
    }
    return word;
  }

  private int upTo(int most, long... of) {
    return (int) Math.floorMod(chance(of), most + 1L);
  }

  /**
   * Each comes once in as many steps as there are patterns, and is the first of one round in as many: so a run of few
   * steps has them all, too. Which follows which is chance: a stride through them, whose number is prime.
   */
  Pattern pattern(int step) {
    int turn = step / PATTERNS.length;
    int stride = 1 + upTo(PATTERNS.length - 2, 1, turn);
    return PATTERNS[(round + turn + stride * (step % PATTERNS.length)) % PATTERNS.length];
  }

  /** Whether the two of a duel send and receive in one call, which each pair does in one round of four. */
  boolean duelsTogether(int step, int rank) {
    return (round + step / PATTERNS.length + Math.min(rank, partner(rank)) / 2) % 4 == 0;
  }

  /** The rank that a rank duels with; itself when it is the odd one. */
  int partner(int rank) {
    return (rank ^ 1) < ranks ? rank ^ 1 : rank;
  }

  /** How many messages a rank sends another in a step. */
  int count(int step, int source, int destination) {
    int root = upTo(ranks - 1, 2, step);
    return switch (pattern(step)) {
      case ALL -> upTo(8, 3, step, source, destination);
      case NEIGHBOURS -> isNeighbour(source, destination) ? upTo(40, 3, step, source, destination) : 0;
      case INCAST -> destination == root ? upTo(40, 3, step, source) : 0;
      case FANOUT -> source == root ? upTo(40, 3, step, destination) : 0;
      case PAIRS -> destination == partner(source) ? upTo(400, 3, step, source) : 0;
      case SPARSE -> destination == upTo(ranks - 1, 4, step, source) ? upTo(100, 3, step, source) : 0;
      case DUEL ->
        destination == partner(source) && destination != source
            ? 1 + upTo(30, 3, step, Math.min(source, destination))
            : 0;
    };
  }

  private boolean isNeighbour(int source, int destination) {
    return destination == (source + 1) % ranks || destination == (source + ranks - 1) % ranks;
  }

  /** Length of a message. */
  int bytes(int tag, int source, int destination) {
    int step = step(tag);
    if (pattern(step) == Pattern.DUEL) {
      return upTo(7, 5, tag, source, destination) == 0
          ? large(largest, tag, source, destination)
          : usual(largest, tag, source, destination);
    }
    int count = count(step, source, destination);
    int half = share(step) / 2;
    boolean isLargest = upTo(count - 1, 6, step, source, destination) == number(tag);
    return isLargest
        ? large(half, tag, source, destination)
        : usual(half / count, tag, source, destination);
  }

  /** What a rank may send one other in a step. */
  private int share(int step) {
    return switch (pattern(step)) {
      case ALL, FANOUT -> largest / ranks;
      case NEIGHBOURS -> largest / 2;
      default -> largest;
    };
  }

  /** Draws a length: as many lie between 1 and 2 KiB as between 1 and 2 MiB. */
  private int large(int most, int tag, int source, int destination) {
    int bits = upTo(31 - Integer.numberOfLeadingZeros(most), 7, tag, source, destination);
    return Math.min(most, upTo((2 << bits) - 1, 8, tag, source, destination));
  }

  private int usual(int most, int tag, int source, int destination) {
    int kind = upTo(9, 7, tag, source, destination);
    int limit = kind == 0 ? 0 : kind < 6 ? LINE : kind < 9 ? PAGE : FEW_CELLS;
    return upTo(Math.min(limit, most), 8, tag, source, destination);
  }

  /** What a message's contents begin with. */
  long firstWord(int tag, int source, int destination) {
    return chance(9, tag, source, destination);
  }

  /** Whether all ranks meet after a step. */
  boolean meetsAfter(int step) {
    return upTo(3, 10, step) == 0;
  }

  /** How long a rank does nothing in a step: mostly not at all, sometimes long enough for the others to fall asleep. */
  int pauseMicros(int step, int rank) {
    return switch (upTo(63, 11, step, rank)) {
      case 0 -> upTo(60_000, 12, step, rank);
      case 1, 2, 3 -> upTo(3_000, 12, step, rank);
      case 4, 5, 6, 7, 8, 9 -> upTo(150, 12, step, rank);
      default -> 0;
    };
  }
}
