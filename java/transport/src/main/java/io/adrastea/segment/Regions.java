package io.adrastea.segment;

import static io.adrastea.layout.RegionEntryDescriptor.BYTES_OFFSET;
import static io.adrastea.layout.RegionEntryDescriptor.CLAIMED;
import static io.adrastea.layout.RegionEntryDescriptor.FREE;
import static io.adrastea.layout.RegionEntryDescriptor.KIND_SHIFT;
import static io.adrastea.layout.RegionEntryDescriptor.MAX_REGIONS;
import static io.adrastea.layout.RegionEntryDescriptor.OFFSET_OFFSET;
import static io.adrastea.layout.RegionEntryDescriptor.RANK_SHIFT;
import static io.adrastea.layout.RegionEntryDescriptor.READY;
import static io.adrastea.layout.RegionEntryDescriptor.SPARSE;
import static io.adrastea.layout.RegionEntryDescriptor.STATE_OFFSET;
import static io.adrastea.layout.SegmentHeaderDescriptor.FILE_END_OFFSET;
import static io.adrastea.layout.SegmentHeaderDescriptor.REGION_COUNT_OFFSET;

import io.adrastea.atomic.Words;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.layout.RegionEntryDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Growth of a segment by regions: stretches of the file behind the rank areas, with a kind and an owner, listed in the
 * job's directory, and mapped by each process once, at its first use of them. Twin of {@code segment/adr_region.h}.
 *
 * <p>
 * A region is known to all ranks by its index, which is that of its entry in the directory. The directory is a hole in
 * the file, whose pages are reserved entry by entry, before the entry is used. An entry goes from FREE to CLAIMED by a
 * CAS of the rank that makes a region of it; it gets a stretch of the file, once and for all; the stretch is reserved;
 * the entry is READY. A rank that dies in between leaves an entry that is CLAIMED by a rank that is gone, which the
 * next one that adds takes over, with its stretch: so no page is lost. What may be lost is a number, a stretch of the
 * file that was never reserved and costs nothing. Nobody waits for anybody, and there is no lock.
 *
 * <p>
 * Where the system offers huge pages, a region that can have one begins at a multiple of their size in the file. The
 * kernel then maps it at such an address too, and what {@link #adviseBy} was given makes the pages huge.
 *
 * <p>
 * Java alone cannot make holes in a file. A core in C can, which {@link #releaseBy} takes: then the pages of a region
 * that is given back, or of a part that is released, are the system's again. Otherwise they stay in the file, and zeros
 * are written into them before a region is made of them anew.
 */
public final class Regions {
  /** In place of an owner: the region lives until the segment ends. */
  public static final int NO_OWNER = -1;

  public static final long PAGE = 4096;
  private static final long MAX_BYTES = Long.MAX_VALUE / 4;
  private static final long STATE_MASK = 0xff;

  private final Segment segment;
  private final Supplier<HugePages> hugePages;
  private final Map<Integer, Mapping> mapped = new ConcurrentHashMap<>(); // by index
  private volatile Mapping[] located = {}; // those that are regions, in order of addresses; replaced, never changed
  private volatile Consumer<MemorySegment> advice = memory -> {};
  private volatile Predicate<MemorySegment> punch = memory -> false;

  /** A region as it is mapped here, all of it: nothing that a peer can change. */
  public record Mapping(Region region, MemorySegment memory) {
    /** Where the byte at an address of this process lies in the segment's file. */
    public long offset(long address) {
      return region.offset() + (address - memory.address());
    }

    private boolean holds(long address, long bytes) {
      long start = address - memory.address();
      return start >= 0 && start < memory.byteSize() && bytes >= 0 && bytes <= memory.byteSize() - start;
    }
  }

  Regions(Segment segment) {
    this(segment, () -> HugePages.of(segment.path().toAbsolutePath().getParent()));
  }

  Regions(Segment segment, Supplier<HugePages> hugePages) {
    this.segment = segment;
    this.hugePages = hugePages;
  }

  /**
   * Sets what makes huge pages of a region, from when it is mapped here on.
   *
   * @param advice given the memory of a region that can have huge pages; its pages are there, so none can be missing
   */
  public void adviseBy(Consumer<MemorySegment> advice) {
    this.advice = Objects.requireNonNull(advice, "advice");
  }

  /**
   * Sets what gives pages back to the system, from now on.
   *
   * @param release given whole pages of a region's memory, which nobody uses; tells whether the file has a hole there
   * now, of which zeros are read
   */
  public void releaseBy(Predicate<MemorySegment> release) {
    this.punch = Objects.requireNonNull(release, "release");
  }

  private long entryOf(int index) {
    return segment.geometry().regionDirectoryOffset() + (long) index * RegionEntryDescriptor.BYTES;
  }

  private static long claimedBy(int rank) {
    return CLAIMED | rank + 1L << RANK_SHIFT;
  }

  /** Whether a rank does nothing any more; {@code number} is its rank + 1. */
  private boolean isGone(long number) {
    if (number < 1 || number > segment.geometry().ranks()) {
      return false;
    }
    long entry = segment.geometry().rankEntryOffset((int) number - 1);
    // SYNC rank-state: acquire, pairs with the release at its end; what it stored in entries is seen.
    int state = Words.loadAcquire(segment.memory(), entry + RankEntryDescriptor.STATE_OFFSET);
    return state == RankEntryDescriptor.STATE_LEFT || state == RankEntryDescriptor.STATE_FAILED;
  }

  /** Whether an entry can become a region of so many bytes: it has no stretch yet, or one not much too large. */
  private boolean suits(long entry, long size) {
    // SYNC region-stretch: acquire, pairs with `place`, whose size comes before.
    boolean hasStretch = Words.loadAcquireLong(segment.memory(), entry + OFFSET_OFFSET) != 0;
    long bytes = Words.loadRelaxedLong(segment.memory(), entry + BYTES_OFFSET);
    return !hasStretch || bytes >= size && bytes / 2 < size;
  }

  /** Leaves an entry to others again. */
  private void letGo(long entry) {
    // SYNC region-state: release, pairs with the acquire in `claim`; orders the stretch, and that it was cleared.
    Words.storeReleaseLong(segment.memory(), entry + STATE_OFFSET, FREE);
  }

  private boolean claim(int rank, long entry, long size) {
    // SYNC region-state: acquire, pairs with the release of the rank that let the entry go; its stretch is read after
    // it.
    long state = Words.loadAcquireLong(segment.memory(), entry + STATE_OFFSET);
    boolean left = state == FREE || (state & STATE_MASK) == CLAIMED && isGone(state >>> RANK_SHIFT);
    if (!left || !suits(entry, size)) {
      return false;
    }
    // SYNC region-state: acq_rel, pairs with `letGo`, which may have come in between: so the stretch is asked once
    // more. One rank gets it.
    if (!Words.casAcqRelLong(segment.memory(), entry + STATE_OFFSET, state, claimedBy(rank))) {
      return false;
    }
    if (suits(entry, size)) {
      return true;
    }
    letGo(entry);
    return false;
  }

  /** Claims the first entry that can become the region. */
  private int claimAny(int rank, long size) {
    int count = count();
    for (int index = 0; index < MAX_REGIONS; index++) {
      if (index >= count) { // below it all entries have their page; what is written is zero in every entry
        segment.reserve(entryOf(index) + RegionEntryDescriptor.RESERVED0_OFFSET, Long.BYTES);
      }
      if (claim(rank, entryOf(index), size)) {
        return index;
      }
    }
    throw new SegmentException("the job has %d regions; there can be no more".formatted(MAX_REGIONS));
  }

  /**
   * Gives an entry its stretch of the file. The numbers are the entry's before anything is reserved, so that a rank
   * that takes it over finds the pages.
   */
  private void place(long entry, long size, boolean sparse) {
    MemorySegment memory = segment.memory();
    long huge = size < HugePages.LEAST_BYTES ? 0 : hugePages.get().bytes();
    long alignment = huge != 0 && size >= huge ? huge : PAGE;
    long slack = alignment - PAGE; // to begin at a multiple; what is left of it stays a hole
    // SYNC segment-file-end: acq_rel. Each region gets a stretch of its own. Acquire: one that another rank has given
    // back is reserved by us after that rank has undone its reservation. Release: for the same reason at the next
    // rank, through us.
    long start = Words.addAcqRelLong(memory, FILE_END_OFFSET, size + slack);
    if (start < segment.geometry().segmentBytes() || (start & PAGE - 1) != 0 || start > Long.MAX_VALUE / 2) {
      throw new SegmentException(
          ("the segment's file is said to end at byte %d; it ends at a multiple of %d, at or behind byte %d, so a "
              + "rank of this job is broken; end the job").formatted(start, PAGE, segment.geometry().segmentBytes()));
    }
    long offset = start + slack & -alignment;
    Words.storeRelaxedLong(memory, entry + BYTES_OFFSET, size);
    // SYNC region-stretch: release, pairs with the acquire in `suits`; the size comes before.
    Words.storeReleaseLong(memory, entry + OFFSET_OFFSET, offset);
    try {
      if (sparse) {
        segment.reserve(offset + size - PAGE, PAGE); // the file is that long then
      } else {
        segment.reserve(offset, size);
      }
    } catch (SegmentException e) {
      refuse(entry, start, start + size + slack);
      throw e;
    }
  }

  /**
   * There is no room: takes a stretch that is new away from the entry, and the end of the file back, unless another
   * rank has added behind. First from the entry: in between nobody has it.
   */
  private void refuse(long entry, long start, long end) {
    // SYNC region-stretch: release, as in `place`.
    Words.storeReleaseLong(segment.memory(), entry + OFFSET_OFFSET, 0);
    // SYNC segment-file-end: acq_rel, pairs with the next rank's addition, which our writes to the stretch come before.
    Words.casAcqRelLong(segment.memory(), FILE_END_OFFSET, end, start);
  }

  /** Makes a part of a stretch all zeros, and gives its pages to the system if the core can. */
  private void empty(MemorySegment memory, long start, long offset, long bytes) {
    if (bytes > 0 && !punch.test(memory.asSlice(offset, bytes))) {
      segment.clear(start + offset, bytes);
    }
  }

  /** Makes an entry's stretch that was used before all zeros, and reserves it; of a sparse one the last page alone. */
  private void renew(int index, long offset, long bytes, boolean sparse) {
    segment.requireRegion(offset, bytes, Long.MAX_VALUE);
    segment.reserve(offset + bytes - PAGE, PAGE); // the file is that long then, so that it can be mapped
    MemorySegment memory = mapNow(index, offset, bytes);
    empty(memory, offset, 0, bytes - PAGE);
    if (sparse) {
      return;
    }
    try {
      Reservation.complete(segment.path(), memory, Reservation.SMALLER_GROWTH);
    } catch (SegmentException e) {
      punch.test(memory); // what was reserved of it stays only where the core cannot give it back
      throw e;
    }
  }

  /** Fills a claimed entry's stretch with zeros that are there. */
  private void fill(int index, long size, boolean sparse) {
    long entry = entryOf(index);
    long offset = Words.loadRelaxedLong(segment.memory(), entry + OFFSET_OFFSET);
    if (offset != 0) {
      renew(index, offset, Words.loadRelaxedLong(segment.memory(), entry + BYTES_OFFSET), sparse);
      return;
    }
    // Zeros that were written before the room ran out would stay.
    Reservation.requireRoom(segment.path(), sparse ? PAGE : size, Reservation.SMALLER_GROWTH);
    place(entry, size, sparse);
  }

  /** Lets others look at an entry. */
  private void raiseCount(int index) {
    int count = count();
    while (count <= index) {
      // SYNC region-count: acq_rel. Release: the pages of all entries below it are reserved; ours, and those of a rank
      // that raised it before.
      count = Words.compareExchangeAcqRel(segment.memory(), REGION_COUNT_OFFSET, count, index + 1);
    }
  }

  /** Adds a region that its maker owns and that is reserved, as {@link #add(int, RegionKind, int, long, boolean)}. */
  public int add(int rank, RegionKind kind, long bytes) {
    return add(rank, kind, rank, bytes, false);
  }

  /**
   * Adds a region: all zeros, its space reserved unless it is sparse. One that was given back is used again for one, of
   * any kind, that needs more than half of it.
   *
   * @param rank the caller
   * @param kind what it is for
   * @param owner a rank: it, and when it is gone anybody, can give it back; or {@link #NO_OWNER}: it stays
   * @param bytes at least so many, at least 1
   * @param sparse nothing but its last page is reserved: {@link #reserve} comes before a part of it is touched
   * @return its index
   * @throws IllegalArgumentException when {@code bytes} is not above zero, or there is no such rank
   * @throws SegmentException when there are all the regions that there can be, or there is no room
   */
  public int add(int rank, RegionKind kind, int owner, long bytes, boolean sparse) {
    int ranks = segment.geometry().ranks();
    if (bytes <= 0 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException("bytes of a region: %d; allowed is 1 to %d".formatted(bytes, MAX_BYTES));
    }
    if (rank < 0 || rank >= ranks || owner < NO_OWNER || owner >= ranks) {
      throw new IllegalArgumentException(
          "region of rank %d, made by rank %d; allowed is 0 to %d, and %d for no owner"
              .formatted(owner, rank, ranks - 1, NO_OWNER));
    }
    long ready = READY | (long) kind.number() << KIND_SHIFT | (sparse ? SPARSE : 0) | owner + 1L << RANK_SHIFT;
    long size = (bytes + PAGE - 1) & -PAGE;
    int index = claimAny(rank, size);
    long entry = entryOf(index);
    try {
      fill(index, size, sparse);
    } catch (RuntimeException | Error e) {
      letGo(entry);
      throw e;
    }
    raiseCount(index);
    // SYNC region-state: acq_rel. Release: the stretch, and that it is reserved and zero, come before. A CAS: a rank
    // that was taken for dead finds out.
    if (!Words.casAcqRelLong(segment.memory(), entry + STATE_OFFSET, claimedBy(rank), ready)) {
      throw new SegmentException(
          "rank %d was taken for dead while it added region %d; it can take no part any more".formatted(rank, index));
    }
    return index;
  }

  /**
   * How many entries may be looked at: indices below it may be regions.
   *
   * @throws SegmentException when there cannot be so many: a rank is broken
   */
  public int count() {
    // SYNC region-count: acquire, pairs with `raiseCount`; the pages of the entries below it are there.
    int count = Words.loadAcquire(segment.memory(), REGION_COUNT_OFFSET);
    if (count < 0 || count > MAX_REGIONS) {
      throw new SegmentException(
          "the job has %d regions; there can be %d: a rank of this job is broken".formatted(count, MAX_REGIONS));
    }
    return count;
  }

  /** What an entry tells; {@code null}: it is no region (any more). */
  public Region find(int index) {
    if (index < 0 || index >= count()) {
      return null;
    }
    MemorySegment memory = segment.memory();
    long entry = entryOf(index);
    // SYNC region-state: acquire, pairs with the CAS to READY; the stretch is whole and its pages are there.
    long state = Words.loadAcquireLong(memory, entry + STATE_OFFSET);
    if ((state & STATE_MASK) != READY) {
      return null;
    }
    RegionKind kind = RegionKind.of((int) (state >>> KIND_SHIFT & STATE_MASK));
    return new Region(index, kind, (int) (state >>> RANK_SHIFT) - 1, (state & SPARSE) != 0,
        Words.loadRelaxedLong(memory, entry + OFFSET_OFFSET), Words.loadRelaxedLong(memory, entry + BYTES_OFFSET));
  }

  /**
   * A region of the job.
   *
   * @throws SegmentException when there is no such region
   */
  public Region get(int index) {
    Region region = find(index);
    if (region == null) {
      throw new SegmentException("the job has no region %d; there are %d or less".formatted(index, count()));
    }
    return region;
  }

  /** An entry keeps its stretch, and so its mapping, when its region is given back and another one follows. */
  private synchronized MemorySegment mapNow(int index, long offset, long bytes) {
    Mapping before = mapped.get(index);
    if (before == null) {
      MemorySegment memory = segment.mapLater(offset, bytes);
      mapped.put(index, new Mapping(free(index, offset, bytes), memory));
      return memory;
    }
    if (before.region.offset() != offset || before.region.bytes() != bytes) {
      throw new SegmentException(
          "region %d has moved, which no region does; a rank of this job is broken".formatted(index));
    }
    return before.memory;
  }

  /** A stretch that is no region's. */
  private static Region free(int index, long offset, long bytes) {
    return new Region(index, null, NO_OWNER, false, offset, bytes);
  }

  /**
   * Makes pages huge, as far as a part of a region, whose pages are all there, covers whole huge ones. Without them it
   * is as good.
   *
   * @param start of the region, in the file
   */
  private void makeHuge(MemorySegment memory, long start, long offset, long bytes) {
    if (bytes < HugePages.LEAST_BYTES) {
      return;
    }
    HugePages pages = hugePages.get();
    long from = offset + pages.bytes() - 1 & -pages.bytes();
    long to = offset + bytes & -pages.bytes();
    if (pages.fit(start, bytes) && from < to) {
      advice.accept(memory.asSlice(from, to - from));
    }
  }

  /** Has {@link #locate} find the second, and the first no more; {@code null}: there is no such one. */
  private void list(Mapping before, Mapping mapping) {
    located =
        Stream.concat(Arrays.stream(located).filter(each -> each != before), Stream.ofNullable(mapping))
            .sorted(Comparator.comparingLong(each -> each.memory.address())).toArray(Mapping[]::new);
  }

  /** What lies there is no region's any more. It stays mapped, for the next region of that entry. */
  private synchronized void forget(int index) {
    Mapping before = mapped.get(index);
    if (before != null) {
      mapped.put(index, new Mapping(free(index, before.region.offset(), before.region.bytes()), before.memory));
      list(before, null);
    }
  }

  private synchronized Mapping map(Region region) {
    Mapping before = mapped.get(region.index());
    if (before != null && before.region.equals(region)) { // another thread was faster
      return before;
    }
    Mapping mapping = new Mapping(region, mapNow(region.index(), region.offset(), region.bytes()));
    if (!region.sparse()) { // of a sparse one that would take all pages
      makeHuge(mapping.memory, region.offset(), 0, region.bytes());
    }
    mapped.put(region.index(), mapping);
    list(before, mapping);
    return mapping;
  }

  /**
   * A region and its memory, mapped here at its first use. From then on {@link #locate} finds what lies in it.
   *
   * @throws SegmentException when its entry lies outside the file, or has changed
   */
  public Mapping mapping(Region region) {
    Mapping mapping = mapped.get(region.index());
    return mapping != null && mapping.region.equals(region) ? mapping : map(region);
  }

  /** The memory of a region; all else is as of {@link #mapping}. */
  public MemorySegment memory(Region region) {
    return mapping(region).memory;
  }

  /**
   * Finds the region that memory of this process lies in: one that is mapped here and was not given back here. What it
   * tells was read and checked when the region was mapped, so no peer can spoil it. Any thread may call; no object is
   * made.
   *
   * @return {@code null} when the bytes do not lie in one region
   */
  public Mapping locate(long address, long bytes) {
    Mapping[] all = located;
    int low = 0;
    for (int high = all.length; low < high;) { // in the end `low` is the first one that begins behind the address
      int middle = (low + high) >>> 1;
      if (all[middle].memory.address() <= address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && all[low - 1].holds(address, bytes) ? all[low - 1] : null;
  }

  /** The sparse region that a part lies in, which is whole pages. */
  private Region partOf(int index, long offset, long bytes) {
    Region region = get(index);
    boolean pages = ((offset | bytes) & PAGE - 1) == 0 && bytes > 0;
    if (!region.sparse() || !pages || offset < 0 || offset > region.bytes() || bytes > region.bytes() - offset) {
      throw new IllegalArgumentException(
          "%d bytes at %d of region %d, of %d bytes; allowed are whole pages (%d) of a sparse region"
              .formatted(bytes, offset, index, region.bytes(), PAGE));
    }
    return region;
  }

  /**
   * Reserves a part of a sparse region, whole pages, of which some may be in use; only then the others are touched, by
   * anybody. No byte of it changes: what nobody has used is all zeros. Where the system offers huge pages, those that
   * lie in the part whole are made huge, as of {@link #adviseBy}. Any thread may call.
   *
   * @throws IllegalArgumentException when the region is not sparse, or the part is no whole pages within it
   * @throws SegmentException when there is no such region, or no room; all that was reserved before still is, and some
   * of the part may be
   */
  public void reserve(int index, long offset, long bytes) {
    Region region = partOf(index, offset, bytes);
    MemorySegment memory = memory(region);
    Reservation.complete(segment.path(), memory.asSlice(offset, bytes), Reservation.SMALLER_GROWTH);
    makeHuge(memory, region.offset(), offset, bytes);
  }

  /**
   * Gives the pages of a part of a sparse region back to the system, where the core can; it is all zeros in any case,
   * and to be reserved again before anybody touches it. The caller sees to it that nobody uses it. Where the core
   * cannot, as the core {@code java}, the pages stay in the file until the job ends.
   *
   * @throws IllegalArgumentException when the region is not sparse, or the part is no whole pages within it
   * @throws SegmentException when there is no such region
   */
  public void release(int index, long offset, long bytes) {
    Region region = partOf(index, offset, bytes);
    empty(memory(region), region.offset(), offset, bytes);
  }

  /** Frees an entry that was read in this state; false: it has changed. */
  private boolean takeBack(int rank, int index, long state) {
    long entry = entryOf(index);
    // SYNC region-state: acq_rel; of several that give it back one does, after all that its owner did.
    if (!Words.casAcqRelLong(segment.memory(), entry + STATE_OFFSET, state, claimedBy(rank))) {
      return false;
    }
    try {
      punch.test(mapNow(index, Words.loadRelaxedLong(segment.memory(), entry + OFFSET_OFFSET),
          Words.loadRelaxedLong(segment.memory(), entry + BYTES_OFFSET)));
    } catch (SegmentException e) {
      // it cannot be mapped, so its pages stay
    } finally {
      forget(index);
      letGo(entry);
    }
    return true;
  }

  /**
   * Gives a region back. The caller sees to it that no rank uses it any more. Its pages go to the system where the core
   * can; otherwise, as with the core {@code java}, they stay the job's, for the next region of about that size.
   *
   * @param rank the caller, which is its owner; or the owner is gone
   * @throws SegmentException when there is no such region
   * @throws IllegalArgumentException when it has no owner, or one that is there
   */
  public void giveBack(int rank, int index) {
    if (index < 0 || index >= count()) {
      throw new SegmentException("the job has no region %d; there are %d or less".formatted(index, count()));
    }
    // SYNC region-state: acquire, as in `find`.
    long state = Words.loadAcquireLong(segment.memory(), entryOf(index) + STATE_OFFSET);
    long owner = state >>> RANK_SHIFT;
    boolean ready = (state & STATE_MASK) == READY;
    if (ready && owner != rank + 1L && !isGone(owner)) {
      throw new IllegalArgumentException(
          "region %d %s; allowed is one of rank %d, or of a rank that is gone"
              .formatted(index, owner == 0 ? "has no owner" : "belongs to rank " + (owner - 1), rank));
    }
    if (!ready || !takeBack(rank, index, state)) {
      throw new SegmentException("the job has no region %d any more; it was given back".formatted(index));
    }
  }

  /**
   * Gives a region back whose owner is gone, as {@link #giveBack}, of which several ranks may each think that it is
   * theirs to give back: one does. The caller knows that it was that owner's when this was gone: then nothing else can
   * be taken for it, since one that is gone makes no region.
   *
   * @param rank the caller
   * @return whether this call has; false: another rank has, or the owner is there
   */
  public boolean giveBackOf(int rank, int owner, int index) {
    if (index < 0 || index >= count()) {
      return false;
    }
    // SYNC region-state: acquire, as in `find`.
    long state = Words.loadAcquireLong(segment.memory(), entryOf(index) + STATE_OFFSET);
    boolean isIts = (state & STATE_MASK) == READY && state >>> RANK_SHIFT == owner + 1L;
    return isIts && isGone(owner + 1L) && takeBack(rank, index, state);
  }
}
