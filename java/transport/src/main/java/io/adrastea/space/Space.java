package io.adrastea.space;

/** A way to reach memory of another process. The order is that of preference. */
public enum Space {
  /** Shared allocations of the peer, which are mapped here. An address is an offset in the segment's file. */
  SHARED,
  /** Memory of the peer's process, which is attached here by XPMEM. */
  XPMEM,
  /** Memory of the peer's process, from and to which the system copies (cross memory attach). */
  CMA;

  private static final Space[] ALL = values();

  /** The bit of this space in a set of spaces. */
  public int bit() {
    return 1 << ordinal();
  }

  /** Whether a set of spaces holds this one. */
  public boolean isIn(int set) {
    return (set & bit()) != 0;
  }

  /** The set of all spaces. */
  public static int all() {
    return (1 << ALL.length) - 1;
  }

  /** Finds a space by its number; null: there is none such. */
  public static Space of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : null;
  }
}
