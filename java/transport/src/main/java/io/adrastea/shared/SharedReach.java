package io.adrastea.shared;

import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.SegmentException;
import io.adrastea.segment.Region;
import io.adrastea.segment.Regions;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Memory of other ranks by rank and offset, mapped here at first use. Twin of {@code adr_shared_reach}. Nothing is made
 * but the segment that is returned, once a region is known. Any thread may call.
 */
public final class SharedReach {
  /** A region as it is mapped here: all of its memory, and the offset of its first byte in the segment's file. */
  public record Mapping(long offset, MemorySegment memory) {
    /** Whether all of it lies here. */
    boolean holds(long at, long bytes) {
      return at >= offset && at - offset < memory.byteSize() && bytes <= memory.byteSize() - (at - offset);
    }
  }

  private static final Mapping[] NONE = {};

  private final Segment segment;
  private final int[] jobRanks; // by rank of the node, for messages; null: the same
  private final AtomicReferenceArray<Mapping[]> mappings; // by rank; an array is replaced, never changed
  private volatile boolean closed;

  /** Reaches the memory of the ranks of a job on one node. */
  public SharedReach(Segment segment) {
    this(segment, null);
  }

  /**
   * Reaches the memory of the ranks of a node.
   *
   * @param jobRanks what messages call them
   */
  public SharedReach(Segment segment, int[] jobRanks) {
    this.segment = segment;
    this.jobRanks = jobRanks;
    this.mappings = new AtomicReferenceArray<>(segment.geometry().ranks());
  }

  /**
   * Memory of a rank: of its allocations, or of a symmetric heap.
   *
   * @param rank whose memory it is, number on the node
   * @param offset where it starts in the segment's file, as the rank told it
   * @param bytes how many, at least 1
   * @throws IllegalArgumentException when there is no such rank, or its regions do not hold these bytes
   * @throws SegmentException when what the rank says of its regions cannot be
   */
  public MemorySegment reach(int rank, long offset, long bytes) {
    Mapping mapping = mapping(rank, offset, bytes);
    return mapping.memory.asSlice(offset - mapping.offset, bytes);
  }

  /**
   * Memory of a rank whose place another rank has told in shared memory, which a broken one may have made up.
   *
   * @throws SegmentException when there is no such memory
   */
  public MemorySegment reachTold(int rank, long offset, long bytes) {
    try {
      return reach(rank, offset, bytes);
    } catch (IllegalArgumentException e) {
      throw new SegmentException(
          "rank %d is said to have %d bytes at offset %d, which no region holds; a rank of this job is broken"
              .formatted(name(rank), bytes, offset),
          e);
    }
  }

  /** The region of a rank that holds these bytes; arguments and errors as of {@link #reach}. */
  public Mapping mapping(int rank, long offset, long bytes) {
    if (rank < 0 || rank >= mappings.length()) {
      throw new ArgumentException(Reason.RANK, "rank %d: allowed is 0 to %d".formatted(rank, mappings.length() - 1));
    }
    if (bytes < 1) {
      throw new ArgumentException(Reason.COUNT, "bytes of shared memory: %d; at least 1 is allowed".formatted(bytes));
    }
    if (closed) {
      throw new IllegalStateException("the job was left; no shared memory can be had of it any more");
    }
    Mapping mapping = find(known(rank), offset, bytes);
    return mapping == null ? map(rank, offset, bytes) : mapping;
  }

  private int name(int rank) {
    return jobRanks == null || rank < 0 || rank >= jobRanks.length ? rank : jobRanks[rank];
  }

  private Mapping[] known(int rank) {
    Mapping[] known = mappings.getAcquire(rank); // SYNC known-mappings: acquire; what is in the array is read after it
    return known == null ? NONE : known;
  }

  private static Mapping find(Mapping[] known, long offset, long bytes) {
    for (Mapping mapping : known) {
      if (mapping.holds(offset, bytes)) {
        return mapping;
      }
    }
    return null;
  }

  /** At the first use of a region. */
  private synchronized Mapping map(int rank, long offset, long bytes) {
    Mapping[] known = known(rank);
    Mapping mapping = find(known, offset, bytes); // another thread may have been faster
    if (mapping != null) {
      return mapping;
    }
    Regions regions = segment.regions();
    int count = regions.count();
    for (int index = 0; index < count; index++) {
      Region region = regions.find(index);
      if (region != null && region.isOf(rank) && region.holds(offset, bytes)) {
        mapping = new Mapping(region.offset(), regions.memory(region));
        Mapping[] more = Arrays.copyOf(known, known.length + 1);
        more[known.length] = mapping;
        mappings.setRelease(rank, more); // SYNC known-mappings: release; the array is filled
        return mapping;
      }
    }
    throw new ArgumentException(Reason.BUFFER,
        ("rank %d has no shared memory of %d bytes at offset %d; allowed is what it allocated, at the offset "
            + "that it told")
            .formatted(name(rank), bytes, offset));
  }

  /** From now on nothing is given out; what was stays. */
  public void close() {
    closed = true;
  }
}
