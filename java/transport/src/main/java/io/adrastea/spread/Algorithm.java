package io.adrastea.spread;

/** How a collective by messages goes on; the classes that are called rounds say which member sends what. */
public enum Algorithm {
  /** In each round over twice the distance, in one direction around. */
  DISSEMINATION,

  /** By a binomial tree. */
  BINOMIAL,

  /** Each member sends straight to each that needs what it has. */
  DIRECT,

  /** By exchanges of two members over twice the distance in each round. */
  RECURSIVE_DOUBLING,

  /** By exchanges of two members, of half as many bytes over twice the distance in each round, and back. */
  HALVING_DOUBLING,

  /** In each round over twice or half the distance around, each block by a tree of its own. */
  CIRCULANT,

  /**
   * As {@link #CIRCULANT}, through scratch memory in which the member's own block is the first: one message a round.
   */
  BRUCK,

  /** Blocks go around, from each member to the next one. */
  RING,

  /** The root scatters to all others, and these gather from each other; of a reduce the other way around. */
  SCATTER_ALLGATHER,

  /** From each member to the next one, in segments. */
  CHAIN,

  /** The operands travel, and whoever needs the result combines them from the left. */
  OPERANDS;

  IllegalArgumentException isNone(String collective) {
    return new IllegalArgumentException("no " + collective + " goes by " + this);
  }
}
