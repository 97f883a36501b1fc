package io.adrastea.segment;

import static io.adrastea.layout.RankAreaDescriptor.MAX_REGIONS;
import static io.adrastea.layout.RankAreaDescriptor.REGIONS_OFFSET;
import static io.adrastea.layout.RankAreaDescriptor.REGION_COUNT_OFFSET;

import io.adrastea.atomic.Words;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.RegionDescriptor;
import io.adrastea.layout.SegmentHeaderDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Growth of a segment: a rank adds stretches to the file, reserved before they are announced, and the others map them
 * at first use. Regions live as long as the segment.
 *
 * <p>
 * Where the system offers huge pages, a region that can have one begins at a multiple of their size in the file. The
 * kernel then maps it at such an address too, and what {@link #adviseBy} was given makes the pages huge.
 */
public final class Regions {
  static final long PAGE = 4096;
  private static final long MAX_BYTES = Long.MAX_VALUE / 2;

  private final Segment segment;
  private final Supplier<HugePages> hugePages;
  private final Map<Long, MemorySegment> mapped = new ConcurrentHashMap<>();
  private volatile Consumer<MemorySegment> advice = memory -> {};

  Regions(Segment segment) {
    this(segment, () -> HugePages.of(segment.path().toAbsolutePath().getParent()));
  }

  Regions(Segment segment, Supplier<HugePages> hugePages) {
    this.segment = segment;
    this.hugePages = hugePages;
  }

  /**
   * Sets who makes huge pages of a region, from when it is mapped here on.
   *
   * @param advice given the memory of a region that can have huge pages; its pages are there, so none can be missing
   */
  public void adviseBy(Consumer<MemorySegment> advice) {
    this.advice = Objects.requireNonNull(advice, "advice");
  }

  /**
   * Adds a region of a rank, called by that rank alone; gives its index among the rank's regions.
   *
   * @throws IllegalArgumentException when {@code bytes} is not above zero
   * @throws SegmentException when the rank has all the regions it can have, or there is no room
   */
  public int add(int rank, long bytes) {
    if (bytes <= 0 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException("bytes of a region: %d; allowed is 1 to %d".formatted(bytes, MAX_BYTES));
    }
    long area = segment.geometry().rankAreaOffset(rank);
    int index = Words.load(segment.memory(), area + REGION_COUNT_OFFSET);
    if (index < 0 || index >= MAX_REGIONS) {
      throw new SegmentException("rank %d has %d regions; there can be %d".formatted(rank, index, MAX_REGIONS));
    }
    long size = (bytes + PAGE - 1) & -PAGE;
    Reservation.requireRoom(segment.path(), size); // zeros that were written in vain would stay
    long huge = hugePages.get().bytes();
    long alignment = huge != 0 && size >= huge ? huge : PAGE;
    long slack = alignment - PAGE; // to begin at a multiple; what is left of it stays a hole
    // SYNC segment-file-end: acq_rel. Each rank gets a stretch of its own, and a longer file is never cut. Acquire: one
    // that another rank has given back is reserved by us after that rank has undone its reservation. Release: for the
    // same reason at the next rank, through us.
    long start = Words.addAcqRelLong(segment.memory(), SegmentHeaderDescriptor.FILE_END_OFFSET, size + slack);
    if (start < segment.geometry().segmentBytes() || (start & PAGE - 1) != 0 || start > MAX_BYTES) {
      throw new SegmentException("the end of the file, %d, is none; a rank of this job is broken".formatted(start));
    }
    long offset = start + slack & -alignment;
    reserve(offset, size, start, size + slack);
    long entry = area + REGIONS_OFFSET + (long) index * RegionDescriptor.BYTES;
    Words.storeLong(segment.memory(), entry + RegionDescriptor.OFFSET_OFFSET, offset);
    Words.storeLong(segment.memory(), entry + RegionDescriptor.BYTES_OFFSET, size);
    // SYNC region-count: release, pairs with the acquire in `count`; orders the entry and the reserved pages.
    Words.storeRelease(segment.memory(), area + REGION_COUNT_OFFSET, index + 1);
    return index;
  }

  /** The stretch that was taken for it is given back if there is no room. */
  private void reserve(long offset, long size, long start, long taken) {
    try {
      segment.reserve(offset, size);
    } catch (SegmentException e) {
      // Back, unless another rank has added behind: else repeated failures would use the offsets up.
      // SYNC segment-file-end: acq_rel, pairs with the next rank's addition, which our writes to the stretch come
      // before.
      Words.casAcqRelLong(segment.memory(), SegmentHeaderDescriptor.FILE_END_OFFSET, start + taken, start);
      throw e;
    }
  }

  /** How many regions a rank has added. */
  public int count(int rank) {
    // SYNC region-count: acquire, pairs with the release in `add`.
    return Words.loadAcquire(
        segment.memory(), segment.geometry().rankAreaOffset(rank) + REGION_COUNT_OFFSET);
  }

  /**
   * The memory of a region, mapped here at its first use.
   *
   * @throws SegmentException when there is no such region, or its entry lies outside the file
   */
  public MemorySegment get(int rank, int index) {
    return region(rank, index).memory();
  }

  /**
   * A region as its rank told it when it was asked: its entry is read once, since a rank that is broken may write to it
   * at any time.
   *
   * @param offset of its first byte in the file
   * @param memory all of it
   */
  public record Region(long offset, MemorySegment memory) {}

  /** As {@link #get}, with the place in the file that belongs to it. */
  public Region region(int rank, int index) {
    long offset = offset(rank, index);
    long bytes = bytes(rank, index);
    return new Region(offset, mapped.computeIfAbsent(offset, at -> map(at, bytes)));
  }

  /** Where a region starts in the file, as its rank says. */
  public long offset(int rank, int index) {
    return Words.loadLong(segment.memory(), entry(rank, index) + RegionDescriptor.OFFSET_OFFSET);
  }

  /** Bytes of a region, as its rank says. */
  public long bytes(int rank, int index) {
    return Words.loadLong(segment.memory(), entry(rank, index) + RegionDescriptor.BYTES_OFFSET);
  }

  private long entry(int rank, int index) {
    if (index < 0 || index >= Math.min(count(rank), MAX_REGIONS)) {
      throw new SegmentException("rank %d has no region %d".formatted(rank, index));
    }
    return segment.geometry().rankAreaOffset(rank) + REGIONS_OFFSET + (long) index * RegionDescriptor.BYTES;
  }

  private MemorySegment map(long offset, long bytes) {
    MemorySegment memory = segment.mapLater(offset, bytes);
    if (hugePages.get().fit(offset, bytes)) {
      advice.accept(memory);
    }
    return memory;
  }
}
