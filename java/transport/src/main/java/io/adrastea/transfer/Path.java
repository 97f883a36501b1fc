package io.adrastea.transfer;

import io.adrastea.space.Space;

/** A path for the bytes of a large message: a space, or the copy ring. The order is that of preference. */
public enum Path {
  /** The bytes go straight from, or to, a shared allocation of the peer. */
  SHARED(Space.SHARED),
  /** The bytes go straight from, or to, memory of the peer that is attached here. */
  XPMEM(Space.XPMEM),
  /** The system copies the bytes straight from, or to, the memory of the peer's process. */
  CMA(Space.CMA),
  /** The bytes go through a ring in shared memory: both ends copy. */
  RING(null);

  private static final Path[] ALL = values();

  private final Space space;

  Path(Space space) {
    this.space = space;
  }

  /** The bit of this path in a set of paths; for a space the same as in a set of spaces. */
  public int bit() {
    return space == null ? Space.all() + 1 : space.bit();
  }

  /** Whether a set of paths holds this one. */
  public boolean isIn(int set) {
    return (set & bit()) != 0;
  }

  static int all() {
    return Space.all() | RING.bit();
  }

  /** The spaces in a set of paths. */
  public static int spaces(int set) {
    return set & Space.all();
  }

  /** Finds the path through a space; null: none. */
  static Path through(Space space) {
    return space == null ? null : ALL[space.ordinal()];
  }
}
