package io.adrastea.datatype;

/**
 * Where a layout lies, in bytes from its origin: lower and upper bound, whose distance is the extent, and the true ones
 * of the bytes that are there. Without bytes the true bounds are empty, and without anything all of them.
 *
 * @param empty nothing lies there, so that the bounds say nothing
 * @param size bytes that lie there, without the gaps
 */
public record Bounds(boolean empty, long size, long lower, long upper, long trueLower, long trueUpper) {
  /** Of nothing. */
  public static final Bounds EMPTY = new Bounds(true, 0, 0, 0, 0, 0);

  /** Of contiguous bytes. */
  public static Bounds of(long bytes) {
    return new Bounds(false, bytes, 0, bytes, 0, bytes);
  }

  public long extent() {
    return Exact.add(upper, -lower);
  }

  /** The same bytes with other bounds. */
  public Bounds resized(long lowerBound, long extent) {
    return new Bounds(false, size, lowerBound, Exact.add(lowerBound, extent), trueLower, trueUpper);
  }

  /** Of {@code count} copies, {@code stride} bytes apart. */
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

  /** Of {@code total} copies in all: from each displacement on so many, one behind the other. */
  public Bounds indexed(long[] displacements, long[] counts, long total) {
    if (total == 0 || empty) {
      return EMPTY;
    }
    long extent = extent();
    long first = Long.MAX_VALUE; // where the lowest and the highest copy lie
    long last = Long.MIN_VALUE;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != 0) {
        long other =
            counts[i] == 1 ? displacements[i] : Exact.add(displacements[i], Exact.multiply(counts[i] - 1, extent));
        first = Math.min(first, Math.min(displacements[i], other));
        last = Math.max(last, Math.max(displacements[i], other));
      }
    }
    boolean there = size != 0;
    return new Bounds(false, Exact.multiply(total, size), Exact.add(lower, first), Exact.add(upper, last),
        Exact.add(trueLower, there ? first : 0), Exact.add(trueUpper, there ? last : 0));
  }

  /** Of the same layout elsewhere. */
  public Bounds at(long displacement) {
    if (empty) {
      return this;
    }
    long moved = size == 0 ? 0 : displacement;
    return new Bounds(false, size, Exact.add(lower, displacement), Exact.add(upper, displacement),
        Exact.add(trueLower, moved), Exact.add(trueUpper, moved));
  }

  /** Of both together. */
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
