package io.adrastea.transfer;

/** A path for the bytes of a large message. The order is that of preference. */
public enum Path {
  /** The bytes go straight from, or to, a shared allocation of the peer. */
  SHARED,
  /** The bytes go straight from, or to, memory of the peer that is attached here. */
  XPMEM,
  /** The system copies the bytes straight from, or to, the memory of the peer's process. */
  CMA,
  /** The bytes go through a ring in shared memory: both ends copy. */
  RING;

  private static final Path[] ALL = values();

  /** The bit of this path in a set of paths. */
  public int bit() {
    return 1 << ordinal();
  }

  /** Whether a set of paths holds this one. */
  public boolean isIn(int set) {
    return (set & bit()) != 0;
  }

  static int all() {
    return (1 << ALL.length) - 1;
  }

  /** Finds a path by its number; null: there is none such. */
  static Path of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : null;
  }
}
