package io.adrastea.datatype;

/** How many elements each block of a list has, and what that tells about all: looked at once. */
public final class Lengths {
  private final long[] each; // null: all blocks have `most`
  private final int blocks;
  private final long least;
  private final long most;
  private final long total; // modulo 2^64
  private final boolean fits;

  private Lengths(long[] each, int blocks, long least, long most, long total, boolean fits) {
    this.each = each;
    this.blocks = blocks;
    this.least = least;
    this.most = most;
    this.total = total;
    this.fits = fits;
  }

  /** The lengths of any blocks; the array is not kept when all are alike. */
  public static Lengths of(long[] each) {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    long total = 0;
    long signs = 0; // of all sums: the first that does not fit is below 0
    for (long length : each) {
      least = Math.min(least, length);
      most = Math.max(most, length);
      total += length;
      signs |= total;
    }
    return new Lengths(least == most ? null : each, each.length, least, most, total, signs >= 0);
  }

  /** The lengths of so many blocks that are all alike. */
  public static Lengths of(int blocks, long length) {
    boolean fits = Math.multiplyHigh(blocks, length) == 0 && blocks * length >= 0;
    return new Lengths(null, blocks, length, length, blocks * length, fits);
  }

  /** Counts the blocks. */
  public int blocks() {
    return blocks;
  }

  /** The least of them; a list without blocks has none. */
  public long least() {
    return least;
  }

  long most() {
    return most;
  }

  boolean areAlike() {
    return each == null;
  }

  long get(int block) {
    return each == null ? most : each[block];
  }

  /** Counts the elements of all; none of them is below 0. */
  long total() {
    if (!fits) {
      throw new ArithmeticException("the %d block lengths are more than 2^63 - 1 in all".formatted(blocks));
    }
    return total;
  }
}
