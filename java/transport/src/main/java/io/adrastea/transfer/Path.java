package io.adrastea.transfer;

/** A way for the bytes of a large message. The order is that of preference. */
public enum Path {
  /** Straight from, or to, a shared allocation of the peer. */
  SHARED,
  /** Straight from, or to, memory of the peer that is attached here. */
  XPMEM,
  /** Straight from, or to, the memory of the peer's process, by the system. */
  CMA,
  /** Through a ring in shared memory: both ends copy. */
  RING;

  private static final Path[] ALL = values();

  /** Its bit in a set of them. */
  public int bit() {
    return 1 << ordinal();
  }

  /** Whether a set of them holds it. */
  public boolean isIn(int set) {
    return (set & bit()) != 0;
  }

  /** All of them. */
  static int all() {
    return (1 << ALL.length) - 1;
  }

  /** By its number; null: there is none such. */
  static Path of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : null;
  }
}
