package io.adrastea.segment;

/**
 * A region as its entry told when it was asked: the entry was read once, since a rank that is broken may write to it at
 * any time.
 *
 * @param index its number in the job
 * @param kind what it is for; {@code null}: a rank of this job is broken
 * @param owner a rank, or {@link Regions#NO_OWNER}
 * @param sparse whether only parts of it are reserved
 * @param offset of its first byte in the file
 * @param bytes whole pages
 */
public record Region(int index, RegionKind kind, int owner, boolean sparse, long offset, long bytes) {
  /** Whether all of these bytes of the file lie in it. */
  public boolean holds(long at, long size) {
    return at >= offset && at - offset < bytes && size <= bytes - (at - offset);
  }

  /**
   * Whether a rank can have memory in it. A heap is its owner's alone; a symmetric heap lies in one region for all of
   * its ranks, of which one owns it.
   */
  public boolean isOf(int rank) {
    return kind == RegionKind.HEAP ? owner == rank : kind == RegionKind.SYMMETRIC;
  }
}
