package io.adrastea.datatype;

/**
 * Where a layout lies, in bytes from its origin: lower and upper bound, whose distance is the extent, and the true ones
 * of the bytes that are there. Without bytes the true bounds are empty, and without anything all of them.
 *
 * @param empty nothing lies there, so that the bounds say nothing
 * @param size bytes that lie there, without the gaps
 */
public record Bounds(boolean empty, long size, long lower, long upper, long trueLower, long trueUpper) {
  /** The bounds of nothing. */
  public static final Bounds EMPTY = new Bounds(true, 0, 0, 0, 0, 0);

  /** The bounds of contiguous bytes. */
  public static Bounds of(long bytes) {
    return new Bounds(false, bytes, 0, bytes, 0, bytes);
  }

  public long extent() {
    return Exact.add(upper, -lower);
  }

  /** These bytes with other bounds. */
  public Bounds resized(long lowerBound, long extent) {
    return new Bounds(false, size, lowerBound, Exact.add(lowerBound, extent), trueLower, trueUpper);
  }

  /** The bounds of {@code count} copies, {@code stride} bytes apart. */
  public Bounds repeat(long count, long stride) {
    if (count == 0 || empty) {
      return EMPTY;
    }
    long last = Exact.multiply(count - 1, stride);
    long down = Math.min(last, 0);
    long up = Math.max(last, 0);
    return new Bounds(false, Exact.multiply(count, size), Exact.add(lower, down), Exact.add(upper, up),
        Exact.add(trueLower, size == 0 ? 0 : down), Exact.add(trueUpper, size == 0 ? 0 : up));
  }

  /** The bounds of copies from each displacement on, one behind the other. */
  public Bounds indexed(long[] displacements, Lengths lengths) {
    long total = lengths.total();
    if (total == 0 || empty) {
      return EMPTY;
    }
    long extent = extent();
    long first = Long.MAX_VALUE; // where the lowest and the highest copy lie
    long last = Long.MIN_VALUE;
    if (lengths.areAlike()) {
      for (long displacement : displacements) {
        first = Math.min(first, displacement);
        last = Math.max(last, displacement);
      }
      long behind = Exact.multiply(lengths.most() - 1, extent);
      first = Exact.add(first, Math.min(behind, 0));
      last = Exact.add(last, Math.max(behind, 0));
    } else {
      Exact.multiply(lengths.most() - 1, extent); // so that no block's own product is too large
      long signs = 0; // of all sums that do not fit
      for (int i = 0; i < displacements.length; i++) {
        long length = lengths.get(i);
        if (length != 0) {
          long behind = (length - 1) * extent;
          long other = displacements[i] + behind;
          signs |= (displacements[i] ^ other) & (behind ^ other);
          first = Math.min(first, Math.min(displacements[i], other));
          last = Math.max(last, Math.max(displacements[i], other));
        }
      }
      if (signs < 0) {
        throw new ArithmeticException("blocks of up to %d elements, %d bytes apart, do not all end within 64 bits"
            .formatted(lengths.most(), extent));
      }
    }
    boolean there = size != 0;
    return new Bounds(false, Exact.multiply(total, size), Exact.add(lower, first), Exact.add(upper, last),
        Exact.add(trueLower, there ? first : 0), Exact.add(trueUpper, there ? last : 0));
  }

  /** The bounds of this layout elsewhere. */
  public Bounds at(long displacement) {
    if (empty) {
      return this;
    }
    long moved = size == 0 ? 0 : displacement;
    return new Bounds(false, size, Exact.add(lower, displacement), Exact.add(upper, displacement),
        Exact.add(trueLower, moved), Exact.add(trueUpper, moved));
  }

  /** The bounds of both together. */
  public Bounds and(Bounds other) {
    if (empty) {
      return other;
    }
    if (other.empty) {
      return this;
    }
    boolean own = size != 0;
    boolean others = other.size != 0;
    return new Bounds(false, Exact.add(size, other.size), Math.min(lower, other.lower), Math.max(upper, other.upper),
        own && others ? Math.min(trueLower, other.trueLower) : own ? trueLower : other.trueLower,
        own && others ? Math.max(trueUpper, other.trueUpper) : own ? trueUpper : other.trueUpper);
  }
}
