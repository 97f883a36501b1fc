package io.adrastea.shared;

import io.adrastea.error.SegmentException;
import io.adrastea.segment.Region;
import io.adrastea.segment.RegionKind;
import io.adrastea.segment.Regions;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;

/**
 * Regions of a job's segment in which several ranks have equal parts, one behind the other: symmetric heaps [OpenSHMEM
 * over XPMEM 2011, 3.1]. One rank adds a region, and tells the others its index; each reserves pages of its own part
 * before it uses them. Twin of {@code shared/adr_symmetric_region.h}. Any thread may call.
 */
public final class SymmetricRegions {
  /** Pages are reserved, and given back, by so many bytes. */
  public static final long PAGE = Regions.PAGE;

  private final Segment segment;
  private final int rank;

  /** The regions of a job, as one rank of its node sees them. */
  public SymmetricRegions(Segment segment, int rank) {
    this.segment = segment;
    this.rank = rank;
  }

  /**
   * Adds a region of this rank, all zeros, of which no page is reserved but the last.
   *
   * @return its index
   *
   * @throws SegmentException when there is no room for it, or there are too many regions
   */
  public int add(long bytes) {
    return segment.regions().add(rank, RegionKind.SYMMETRIC, rank, bytes, true);
  }

  /**
   * All memory of a region that another rank has told, mapped here.
   *
   * @throws SegmentException when there is no such region of so many bytes, or it cannot be mapped
   */
  public MemorySegment memory(int index, long bytes) {
    Region region = segment.regions().get(index);
    if (region.kind() != RegionKind.SYMMETRIC || region.bytes() < bytes) {
      throw new SegmentException(
          "region %d is said to be a symmetric heap of %d bytes, which it is not; a rank of this job is broken"
              .formatted(index, bytes));
    }
    return segment.regions().memory(region).asSlice(0, bytes);
  }

  /**
   * Reserves whole pages, which can be used from then on. Some of them may be reserved, or in use: those stay as they
   * are.
   *
   * @throws SegmentException when there is no room for them
   */
  public void reserve(int index, long offset, long bytes) {
    segment.regions().reserve(index, offset, bytes);
  }

  /** Gives whole pages back that nobody uses; they are to be reserved again before they are used. */
  public void release(int index, long offset, long bytes) {
    segment.regions().release(index, offset, bytes);
  }

  /** Gives a region of this rank back, which no rank uses any more. */
  public void giveBack(int index) {
    segment.regions().giveBack(rank, index);
  }

  /**
   * Gives a region of another rank back, which is gone, and was gone when the region was its; several ranks may call.
   *
   * @param owner local rank
   */
  public void giveBackOf(int owner, int index) {
    segment.regions().giveBackOf(rank, owner, index);
  }
}
