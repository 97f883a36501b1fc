package io.adrastea.space;

import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.lang.foreign.MemorySegment;

/**
 * Memory that each of several ranks has opened to all of them, as {@link Exposed}, where the parts of all ranks are
 * alike and lie at equal distances in one mapping: a place in a rank's part is found by one multiplication and one
 * addition, and no table is read, as in the address of a rank under SMARTMAP [OpenSHMEM over XPMEM 2011, Fig. 1]. Every
 * part is reached directly, and counted in bytes. Immutable: any thread may read it, outside of the gate.
 */
public final class StridedExposed {
  private final MemorySegment whole;
  private final long stride;
  private final long bytes;
  private final int ranks;

  private StridedExposed(MemorySegment whole, long stride, long bytes, int ranks) {
    this.whole = whole;
    this.stride = stride;
    this.bytes = bytes;
    this.ranks = ranks;
  }

  /**
   * The parts of several ranks, in the order of their numbers.
   *
   * @param whole the mapping; the part of rank 0 begins where it does
   * @param stride bytes from the start of one part to that of the next, a multiple of 8, so that a word that is aligned
   * in one part is in all
   * @param bytes of each part, at most the stride
   * @param ranks how many there are, at least 1
   * @throws IllegalArgumentException when the parts overlap, the mapping does not hold them, or the stride is no
   * multiple of 8
   */
  public static StridedExposed of(MemorySegment whole, long stride, long bytes, int ranks) {
    boolean isStride = bytes >= 0 && stride >= bytes && stride % Long.BYTES == 0;
    if (ranks < 1 || !isStride || bytes > whole.byteSize()
        || ranks > 1 && stride > (whole.byteSize() - bytes) / (ranks - 1)) {
      throw new ArgumentException(Reason.COUNT,
          ("%d parts of %d bytes each, %d apart, in a mapping of %d bytes; allowed is what fits in it, at a distance "
              + "that is a multiple of %d and no less than a part")
              .formatted(ranks, bytes, stride, whole.byteSize(), Long.BYTES));
    }
    return new StridedExposed(whole, stride, bytes, ranks);
  }

  /**
   * The parts of some of the ranks, numbered anew from 0 on.
   *
   * @param first the one that becomes 0
   * @param distance from each to the next, at least 1
   * @param count of them, at least 1
   * @throws IllegalArgumentException when there are no such ranks
   */
  public StridedExposed some(int first, int distance, int count) {
    boolean fits = first >= 0 && distance >= 1 && count >= 1 && first + (long) distance * (count - 1) < ranks;
    if (!fits) {
      throw new ArgumentException(Reason.RANK,
          "the parts of %d ranks from %d on, %d apart, of %d ranks; allowed are some that there are".formatted(count,
              first, distance, ranks));
    }
    return new StridedExposed(whole.asSlice(place(first, 0)), distance * stride, bytes, count);
  }

  /** Counts the ranks. */
  public int ranks() {
    return ranks;
  }

  /** Bytes of each rank's memory. */
  public long bytes() {
    return bytes;
  }

  /** The mapping in which the memory of all ranks lies. */
  public MemorySegment whole() {
    return whole;
  }

  /** Whether there is such a rank, and its memory holds these bytes. */
  public boolean holds(int rank, long offset, long length) {
    return (rank | offset | length) >= 0 && rank < ranks && length <= bytes - offset;
  }

  /**
   * Where a byte of a rank's memory lies in the {@link #whole} mapping. Nothing is checked: the caller has asked
   * {@link #holds}, since a place beyond a rank's memory may be another rank's.
   */
  public long place(int rank, long offset) {
    return rank * stride + offset;
  }

  /** A rank's memory. */
  public MemorySegment direct(int rank) {
    return whole.asSlice(place(rank, 0), bytes);
  }

  /** A rank's memory as {@link Exposed} has it, for code that serves every way. */
  public Exposed.Part part(int rank) {
    MemorySegment there = direct(rank);
    return new Exposed.Part(Exposed.Way.DIRECT, bytes, 1, there, there.address(), null, 0);
  }
}
