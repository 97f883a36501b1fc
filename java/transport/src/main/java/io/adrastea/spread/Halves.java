package io.adrastea.spread;

/**
 * The binomial tree over members in their order. A block of level k has 2^k members, from a multiple of 2^k on, as far
 * as there are so many; two blocks of a level make one of the next. A block is led by the root of the collective where
 * it is in it, else by its first member. So blocks are always in rank order, whichever member the root is, and each
 * member but the root meets a leader above it once.
 */
final class Halves {
  private Halves() {}

  /** Levels of blocks above the members: the rounds of all trees and exchanges over blocks. */
  static int levels(int size) {
    return 32 - Integer.numberOfLeadingZeros(size - 1);
  }

  /** The level of the largest block that a member leads. */
  static int ledBy(int rank, int root, int size) {
    return rank == root ? levels(size) : Math.min(highestFirst(rank), blockApart(rank, root));
  }

  /** The first member of a member's block. */
  static int first(int rank, int level) {
    return rank >>> level << level;
  }

  /** The first member behind a member's block. */
  static int end(int rank, int level, int size) {
    return (int) Math.min(size, first(rank, level) + (1L << level));
  }

  /** The first member of the block beside a member's block, which may be past the last member. */
  static int beside(int rank, int level) {
    return first(rank, level) ^ 1 << level;
  }

  /** The leader of the block that a member is in. */
  static int leader(int rank, int level, int root) {
    return rank >>> level == root >>> level ? root : first(rank, level);
  }

  /** The highest level at which a member is the first of its block. */
  private static int highestFirst(int rank) {
    return rank == 0 ? 31 : Integer.numberOfTrailingZeros(rank);
  }

  /** The highest level at which two members are in two blocks. */
  private static int blockApart(int rank, int root) {
    return 31 - Integer.numberOfLeadingZeros(rank ^ root);
  }
}
