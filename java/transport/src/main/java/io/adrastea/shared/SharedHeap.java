package io.adrastea.shared;

import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.SegmentException;
import io.adrastea.segment.Region;
import io.adrastea.segment.RegionKind;
import io.adrastea.segment.Regions;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Memory that a rank takes for all ranks of its host to reach. Twin of {@code shared/adr_shared.h}.
 *
 * <p>
 * Allocations lie in regions of the rank. A region is at least half as large as all before it, so that there are few,
 * or just as large as needed when there is no room for that. Regions live as long as the segment; what is freed is for
 * later allocations of the same rank. Any thread may call.
 */
public final class SharedHeap {
  /** Most that an alignment can be: each process maps the memory at another page. */
  public static final long MAX_ALIGNMENT = 4096;

  private static final long LEAST_REGION_BYTES = 256 << 10;
  private static final long MAX_BYTES = Long.MAX_VALUE / 4;
  private static final long NOWHERE = -1;

  /** A region that allocations are taken from: what of it is taken, and up to where it was ever given out. */
  private static final class Part {
    private final MemorySegment memory;
    private final FirstFit fit;
    private long used; // behind it nothing but the zeros of the reservation

    Part(MemorySegment memory) {
      this.memory = memory;
      this.fit = new FirstFit(memory.byteSize());
    }

    long bytes() {
      return memory.byteSize();
    }

    /** {@code null}: there is no room here. */
    MemorySegment take(long bytes, long alignment) {
      long start = fit.take(bytes, alignment);
      if (start == FirstFit.NO_ROOM) {
        return null;
      }
      long end = start + bytes;
      if (start < used) {
        memory.asSlice(start, Math.min(end, used) - start).fill((byte) 0);
      }
      used = Math.max(used, end);
      return memory.asSlice(start, bytes);
    }

    /** Whether it was what a {@link #take} gave, and is free now. */
    boolean free(MemorySegment allocation) {
      long start = start(allocation);
      if (fit.taken(start) != allocation.byteSize() || allocation.byteSize() == 0) {
        return false;
      }
      fit.give(start);
      return true;
    }

    boolean contains(long address) {
      long start = address - memory.address(); // below zero, or huge, when outside
      return start >= 0 && start < memory.byteSize();
    }

    /** Whether the bytes lie within what one {@link #take} gave. */
    boolean isAllocated(long address, long bytes) {
      return fit.holder(address - memory.address(), bytes) != FirstFit.NO_ROOM;
    }

    private long start(MemorySegment part) {
      return part.address() - memory.address();
    }
  }

  private final Segment segment;
  private final int rank;
  private final List<Part> parts = new ArrayList<>(); // guarded by this, as what they hold
  private long held;
  private volatile boolean closed; // set inside

  /** Makes the heap for the allocations of {@code rank}, which is the caller. */
  public SharedHeap(Segment segment, int rank) {
    this.segment = segment;
    this.rank = rank;
  }

  /** From now on nothing is given or taken; what was allocated stays. */
  public synchronized void close() {
    closed = true;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("rank %d has left its job; it can allocate and free no more".formatted(rank));
    }
  }

  /** A region with room for the bytes. */
  private Part grow(long bytes) {
    long wanted = Math.max(Math.max(bytes, LEAST_REGION_BYTES), held / 2);
    int index;
    try {
      index = segment.regions().add(rank, RegionKind.HEAP, wanted);
    } catch (SegmentException e) {
      if (wanted == bytes) {
        throw e;
      }
      index = segment.regions().add(rank, RegionKind.HEAP, bytes); // what it says counts: what is needed, not what
                                                                   // would be good to have
    }
    Region region = segment.regions().get(index);
    try {
      return new Part(segment.regions().memory(region));
    } catch (RuntimeException | Error e) {
      segment.regions().giveBack(rank, index); // it is not lost
      throw e;
    }
  }

  private synchronized MemorySegment takeOrGrow(long bytes, long alignment) {
    requireOpen();
    for (Part part : parts) {
      MemorySegment memory = part.take(bytes, alignment);
      if (memory != null) {
        return memory;
      }
    }
    Part part = grow(bytes);
    MemorySegment memory = part.take(bytes, alignment);
    if (memory == null) {
      throw new SegmentException(
          "the region that rank %d has just added has %d bytes, not %d; a rank of this job is broken".formatted(rank,
              part.bytes(), bytes));
    }
    parts.add(part);
    held += part.bytes();
    return memory;
  }

  /**
   * Takes memory: all zeros, its pages there and near the calling thread, sharing no cache line with another
   * allocation.
   *
   * @param bytes how many, at least 1
   * @param alignment a power of two, at most {@link #MAX_ALIGNMENT}
   * @throws SegmentException when there is no room
   */
  public MemorySegment allocate(long bytes, long alignment) {
    if (bytes < 1 || bytes > MAX_BYTES) {
      throw new ArgumentException(Reason.COUNT,
          "bytes of a shared allocation: %d; allowed is 1 to %d".formatted(bytes, MAX_BYTES));
    }
    if (alignment < 1 || alignment > MAX_ALIGNMENT || Long.bitCount(alignment) != 1) {
      throw new ArgumentException(Reason.OTHER,
          "alignment of a shared allocation: %d; allowed is a power of two from 1 to %d"
              .formatted(alignment, MAX_ALIGNMENT));
    }
    return takeOrGrow(bytes, alignment);
  }

  private Part partOf(MemorySegment memory) {
    Objects.requireNonNull(memory, "memory");
    if (memory.isNative()) {
      for (Part part : parts) {
        if (part.contains(memory.address())) {
          return part;
        }
      }
    }
    return null;
  }

  /**
   * Gives an allocation back; the caller sees to it that no rank uses it any more.
   *
   * @throws IllegalArgumentException when it is no allocation of this rank, is a part of one, or was freed already
   */
  public synchronized void free(MemorySegment memory) {
    requireOpen();
    Part part = partOf(memory);
    if (part == null || !part.free(memory)) {
      throw new ArgumentException(Reason.BUFFER,
          "%s is no allocation of rank %d; allowed is what it allocated, whole, and once".formatted(memory, rank));
    }
  }

  /** Whether the bytes lie in one allocation. */
  private synchronized boolean isAllocated(long address, long bytes) {
    for (int i = 0; i < parts.size(); i++) { // no iterator: called for messages
      if (parts.get(i).contains(address)) {
        return parts.get(i).isAllocated(address, bytes);
      }
    }
    return false;
  }

  /**
   * Finds out whether memory of this rank lies where all ranks of the host reach it as this rank's: in one allocation,
   * or in a symmetric heap. No object is made.
   *
   * @return its offset in the segment's file; below zero: it is private memory, or that of another rank's heap
   */
  public long locate(MemorySegment memory, long offset, long bytes) {
    if (closed || !memory.isNative()) {
      return NOWHERE;
    }
    long address = memory.address() + offset;
    Regions.Mapping mapping = segment.regions().locate(address, bytes);
    boolean isOwn = mapping != null && mapping.region().isOf(rank);
    boolean lies = isOwn && (mapping.region().kind() != RegionKind.HEAP || isAllocated(address, bytes));
    return lies ? mapping.offset(address) : NOWHERE;
  }

  /**
   * Tells the offset of memory of this rank in the segment's file, see {@link #locate}.
   *
   * @throws IllegalArgumentException when it lies in no allocation and no symmetric heap
   */
  public long offset(MemorySegment memory) {
    requireOpen();
    long offset = locate(Objects.requireNonNull(memory, "memory"), 0, memory.byteSize());
    if (offset < 0) {
      throw new ArgumentException(Reason.BUFFER,
          "%s does not lie in an allocation of rank %d; allowed is what it allocated and has not freed, or a part of it"
              .formatted(memory, rank));
    }
    return offset;
  }
}
