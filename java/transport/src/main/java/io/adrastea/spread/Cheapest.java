package io.adrastea.spread;

import io.adrastea.spread.Spread.Kind;

/**
 * Chooses the algorithm of a collective among some members, all as far from each other: that which takes the least time
 * at the busiest member by the model of [Hockney 1994]. Each round takes the latency of the link, each message some
 * work, and each byte its time. The rounds, messages and bytes of the algorithms are those of [Thakur 2005]. Pure
 * functions; all algorithms that are chosen combine in rank order.
 */
final class Cheapest {
  static final long NEVER = Long.MAX_VALUE / 4;

  /** Most bytes of operands that a member has of all at once: beyond that they are combined in parts. */
  static final long MOST_OPERANDS = 1 << 20;

  private static final long COMBINE_PICOS = 250; // of a byte
  private static final long COPY_PICOS = 100;

  private static final Algorithm[] ALL = Algorithm.values();

  private final int size;
  private final LinkClass link;
  private final int share;
  private final int levels; // binary digits of the members' number, of which one more is needed
  private final int fullLevels; // of the greatest power of two that they have
  private final int pairRounds; // before and behind those of a power of two

  /**
   * Makes the choice among so many members.
   *
   * @param share members that have one link to others between them
   */
  Cheapest(int size, LinkClass link, int share) {
    this.size = size;
    this.link = link;
    this.share = share;
    this.levels = Halves.levels(size);
    this.fullLevels = 31 - Integer.numberOfLeadingZeros(size);
    this.pairRounds = levels == fullLevels ? 0 : 2;
  }

  /** The algorithm that takes the least time. */
  Algorithm algorithm(Kind kind, long bytes, boolean anyBrackets) {
    if (size == 1) {
      return first(kind, anyBrackets);
    }
    Algorithm best = null;
    long least = Long.MAX_VALUE;
    for (Algorithm algorithm : ALL) {
      if (mayTake(kind, algorithm, anyBrackets) && cost(kind, algorithm, bytes) < least) {
        best = algorithm;
        least = cost(kind, algorithm, bytes);
      }
    }
    return best;
  }

  /** Picoseconds that it takes. */
  long cost(Kind kind, long bytes, boolean anyBrackets) {
    return size == 1 ? 0 : cost(kind, algorithm(kind, bytes, anyBrackets), bytes);
  }

  private Algorithm first(Kind kind, boolean anyBrackets) {
    for (Algorithm algorithm : ALL) {
      if (mayTake(kind, algorithm, anyBrackets)) {
        return algorithm;
      }
    }
    throw new IllegalArgumentException(kind + " has no algorithm");
  }

  /** Whether an algorithm of that kind combines in rank order, with the brackets that are allowed. */
  private static boolean mayTake(Kind kind, Algorithm algorithm, boolean anyBrackets) {
    return switch (kind) {
      case BARRIER -> algorithm == Algorithm.DISSEMINATION;
      case BCAST ->
        algorithm == Algorithm.BINOMIAL || algorithm == Algorithm.SCATTER_ALLGATHER || algorithm == Algorithm.CHAIN;
      case REDUCE ->
        algorithm == Algorithm.DIRECT || algorithm == (anyBrackets ? Algorithm.BINOMIAL : Algorithm.OPERANDS);
      case ALLREDUCE ->
        algorithm == Algorithm.DIRECT
            || (anyBrackets
                ? algorithm == Algorithm.RECURSIVE_DOUBLING || algorithm == Algorithm.HALVING_DOUBLING
                : algorithm == Algorithm.OPERANDS);
      case SCAN ->
        algorithm == Algorithm.CHAIN
            || algorithm == (anyBrackets ? Algorithm.RECURSIVE_DOUBLING : Algorithm.OPERANDS);
      case REDUCE_SCATTER ->
        algorithm == Algorithm.DIRECT || anyBrackets && algorithm == Algorithm.RECURSIVE_DOUBLING;
      case ALLGATHER -> algorithm == Algorithm.BRUCK || algorithm == Algorithm.CIRCULANT;
      case ALLGATHER_BY_PARTS -> algorithm == Algorithm.BRUCK || algorithm == Algorithm.RING;
      case GATHER, SCATTER -> algorithm == Algorithm.DIRECT || algorithm == Algorithm.BINOMIAL;
      case ALLTOALL -> algorithm == Algorithm.DIRECT;
    };
  }

  private long cost(Kind kind, Algorithm algorithm, long bytes) {
    return switch (kind) {
      case BCAST -> costOfBcast(algorithm, bytes);
      case REDUCE -> costOfReduce(algorithm, bytes);
      case ALLREDUCE -> costOfAllreduce(algorithm, bytes);
      case SCAN -> costOfScan(algorithm, bytes);
      case REDUCE_SCATTER -> algorithm == Algorithm.DIRECT ? costOfParts(bytes) : costOfPairs(bytes);
      case ALLGATHER -> costOfAllgather(algorithm, size * bytes);
      case ALLGATHER_BY_PARTS -> costOfAllgather(algorithm, bytes);
      case GATHER, SCATTER -> algorithm == Algorithm.DIRECT
          ? cost(1, size - 1, (size - 1) * bytes)
          : cost(levels, levels, (size - 1) * bytes);
      case ALLTOALL -> cost(
          (size - 1 + Operands.PARTNERS - 1) / Operands.PARTNERS, size - 1, (size - 1) * bytes);
      case BARRIER -> 0; // there is one
    };
  }

  private long cost(long rounds, long messages, long bytes) {
    return link.cost(rounds, messages, bytes * share);
  }

  /** As many bytes as those of all parts but the member's own. */
  private long others(long bytes) {
    return bytes / size * (size - 1) + bytes % size * (size - 1) / size;
  }

  static long copying(long bytes) {
    return bytes * COPY_PICOS;
  }

  static long combining(long bytes) {
    return bytes * COMBINE_PICOS;
  }

  /** In each round all bytes over twice the distance. */
  private long costOfDoubling(long bytes) {
    return cost(levels, levels, levels * bytes);
  }

  /** From member to member, a segment behind the other. */
  private long costOfChain(long bytes) {
    long segments = Math.max(1, (bytes + Spread.SEGMENT - 1) / Spread.SEGMENT);
    long rounds = size - 2 + segments;
    return cost(rounds, rounds, rounds * Math.min(bytes, Spread.SEGMENT));
  }

  /** Each member combines a part of the operands of all, some of which are under way at once. */
  private long costOfParts(long bytes) {
    long rounds = (size - 1 + Operands.PARTNERS - 1) / Operands.PARTNERS;
    return cost(rounds, size - 1, others(bytes)) + combining(others(bytes));
  }

  /** All combine all, by pairs that exchange what they have, with others before and behind. */
  private long costOfPairs(long bytes) {
    int rounds = fullLevels + pairRounds;
    return cost(rounds, rounds, rounds * bytes) + combining(rounds * bytes);
  }

  /** The operands travel, in as few rounds as can be, and are combined from the left. */
  private long costOfOperands(long bytes) {
    return size * bytes > MOST_OPERANDS ? NEVER
        : cost(levels, levels, (size - 1) * bytes) + combining((size - 1) * bytes);
  }

  private long costOfBcast(Algorithm algorithm, long bytes) {
    return switch (algorithm) {
      case BINOMIAL -> costOfDoubling(bytes);
      case CHAIN -> costOfChain(bytes);
      default -> cost(1 + levels, size - 1L + levels, 2 * bytes);
    };
  }

  private long costOfReduce(Algorithm algorithm, long bytes) {
    return switch (algorithm) {
      case BINOMIAL -> costOfDoubling(bytes) + combining(levels * bytes);
      case OPERANDS -> costOfOperands(bytes);
      default -> costOfParts(bytes) + cost(1, size - 1, others(bytes));
    };
  }

  private long costOfAllreduce(Algorithm algorithm, long bytes) {
    return switch (algorithm) {
      case RECURSIVE_DOUBLING -> costOfPairs(bytes);
      case HALVING_DOUBLING -> {
        int rounds = 2 * fullLevels + pairRounds;
        long half = bytes - (bytes >> fullLevels);
        yield cost(rounds, rounds, 2 * half + pairRounds * bytes) + combining(half + pairRounds / 2 * bytes);
      }
      case OPERANDS -> costOfOperands(bytes);
      default -> costOfParts(bytes) + cost(levels, 2L * levels, others(bytes));
    };
  }

  private long costOfScan(Algorithm algorithm, long bytes) {
    return switch (algorithm) {
      case CHAIN -> costOfChain(bytes) + combining(bytes);
      case OPERANDS -> costOfOperands(bytes);
      default -> costOfDoubling(bytes) + combining(levels * bytes);
    };
  }

  /** @param bytes of all blocks */
  private long costOfAllgather(Algorithm algorithm, long bytes) {
    return switch (algorithm) {
      case BRUCK -> cost(levels, levels, others(bytes)) + copying(bytes);
      case CIRCULANT -> cost(levels, 2L * levels, others(bytes));
      default -> cost(size - 1, size - 1, others(bytes));
    };
  }
}
