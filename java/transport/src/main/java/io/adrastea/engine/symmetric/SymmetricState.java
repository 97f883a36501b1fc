package io.adrastea.engine.symmetric;

import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.collective.Form;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.SegmentException;
import io.adrastea.lock.McsLock;
import io.adrastea.payload.Contiguous;
import io.adrastea.shared.SymmetricRegions;
import io.adrastea.space.StridedExposed;
import io.adrastea.symmetric.SymmetricHeap;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;

/**
 * A symmetric heap as one PE has it: the memory of all PEs' parts, mapped once, so that a place in a PE's part lies at
 * pe × stride + offset [OpenSHMEM over XPMEM 2011, 3.1]; and which objects there are, which each PE works out by itself
 * ({@link SymmetricHeap}).
 * <p>
 * An object is allocated and freed by all PEs together. Each reserves the pages of its own part, and tells the others
 * in the line of an allgather what it calls and whether it can. So either all have the object, and no store ever meets
 * a page that is not there, or all are refused alike, and nothing is kept. The allgather is the barrier, too: behind it
 * all have their part of a new object, and before it all are done with one that is freed.
 */
public final class SymmetricState {
  /** So many bytes of pages that a free has left stay, for the next object. */
  private static final long MOST_SPARE = 16 << 10;

  private final Resources resources;
  private final Collectives collectives;
  private final Members members;
  private final int rank;
  private final int pes;
  private final int region;
  private final MemorySegment local;
  private final StridedExposed parts;
  private final SymmetricHeap heap;
  private SymmetricHeap.Pages spare = SymmetricHeap.Pages.NONE; // of this part: reserved, and no object is on them
  private final WordWaits waits;
  private final SymmetricLocks locks;
  private final MemorySegment ownLine = MemorySegment.ofArray(new long[SymmetricLine.BYTES / Long.BYTES]);
  private final MemorySegment lines;
  private String broken; // why the PEs' records of the heap differ; null: they do not
  private boolean closed;
  private boolean outlivesOwner; // the PE whose region it is was gone when this one closed the heap

  SymmetricState(Resources resources, Waits waits, Collectives collectives, Members members, int rank, int region,
      MemorySegment whole, long stride, long bytes) {
    this.resources = resources;
    this.collectives = collectives;
    this.members = members;
    this.rank = rank;
    this.pes = members.numbering().size();
    this.region = region;
    this.heap = new SymmetricHeap(bytes, SymmetricRegions.PAGE);
    this.parts = StridedExposed.of(whole, stride, heap.bytes(), pes);
    this.local = parts.direct(rank);
    this.waits = new WordWaits(resources, waits, members);
    this.locks = new SymmetricLocks(resources, waits, members, rank, new McsLock(whole, stride,
        whole.asSlice(whole.byteSize() - SymmetricRegions.PAGE), pes, rank));
    this.lines = MemorySegment.ofArray(new long[pes * (SymmetricLine.BYTES / Long.BYTES)]);
  }

  /** The parts of all PEs. */
  public StridedExposed parts() {
    return parts;
  }

  public int rank() {
    return rank;
  }

  /** Bytes that objects take up. */
  public synchronized long allocated() {
    return heap.allocated();
  }

  public WordWaits waits() {
    return waits;
  }

  public SymmetricLocks locks() {
    return locks;
  }

  /**
   * Allocates an object at all PEs, all zeros; all call it alike.
   *
   * @return its offset in each part
   */
  public synchronized long allocate(long alignment, long bytes) {
    requireUsable("allocate");
    long hash = heap.hash();
    long offset = heap.align(alignment, bytes);
    RuntimeException failure = offset == SymmetricHeap.NO_ROOM ? full(bytes) : reserve(heap.came());
    if (failure == null) {
      local.asSlice(offset, bytes).fill((byte) 0);
    }
    agree("allocate", hash, SymmetricLine.ALLOCATE, bytes, alignment, failure, offset);
    return offset;
  }

  /**
   * Makes an object larger or smaller at all PEs; all call it alike. What is in it stays, as far as it has room; what
   * comes new is zero.
   *
   * @return its offset from now on
   */
  public synchronized long reallocate(long offset, long bytes) {
    requireUsable("reallocate");
    long before = heap.bytesOf(offset);
    long hash = heap.hash();
    long moved = heap.realloc(offset, bytes);
    RuntimeException failure = moved == SymmetricHeap.NO_ROOM ? full(bytes) : reserve(heap.came());
    if (failure == null) {
      if (moved != offset) {
        MemorySegment.copy(local, offset, local, moved, Math.min(before, bytes));
      }
      if (bytes > before) {
        local.asSlice(moved + before, bytes - before).fill((byte) 0);
      }
    }
    agree("reallocate", hash, SymmetricLine.REALLOCATE, bytes, offset, failure, moved);
    spare();
    if (moved != offset) {
      heap.free(offset);
      spare();
    }
    return moved;
  }

  /** Frees an object at all PEs; all call it alike. */
  public synchronized void free(long offset) {
    requireUsable("free");
    agree("free", heap.hash(), SymmetricLine.FREE, 0, offset, null, SymmetricHeap.NONE);
    heap.free(offset);
    spare();
  }

  /** Ends the heap for this PE, which waits for nobody. Others may use its part until they have closed it, too. */
  public synchronized void close() {
    requireOpen("close");
    closed = true;
    outlivesOwner = !resources.peers().isPresent(owner());
  }

  private int owner() {
    return members.numbering().jobRank(SymmetricHeaps.ROOT);
  }

  /**
   * All PEs have closed it, or are gone: its memory is for others. The PE gives it back that has added it; where that
   * one was gone before, one of those that had the heap then. They alone know that no other region can be meant.
   */
  public void end() {
    if (rank == SymmetricHeaps.ROOT) {
      resources.symmetric().giveBack(region);
    } else if (outlivesOwner) {
      resources.symmetric().giveBackOf(resources.peers().nodes().localRank(owner()), region);
    }
  }

  private SegmentException full(long bytes) {
    return new SegmentException(
        ("the symmetric heap has no place for %d bytes: %d of %d bytes are allocated, and the largest free place has "
            + "%d; free objects, or make a larger heap").formatted(bytes, heap.allocated(), heap.bytes(),
                heap.largest()));
  }

  /** Gives pages of this PE's part to the system. */
  private void giveBack(long start, long end) {
    if (start < end) {
      resources.symmetric().release(region, parts.place(rank, start), end - start);
    }
  }

  /** The spare pages are no more where some of them are used, or given back. */
  private void spend(SymmetricHeap.Pages pages) {
    SymmetricHeap.Pages former = spare;
    if (pages.end() <= former.offset() || former.end() <= pages.offset()) {
      return;
    }
    spare = SymmetricHeap.Pages.NONE;
    giveBack(former.offset(), pages.offset());
    giveBack(pages.end(), former.end());
  }

  /** Reserves pages of this PE's part, unless they are spare; gives why it could not. */
  private RuntimeException reserve(SymmetricHeap.Pages pages) {
    if (pages.bytes() == 0) {
      return null;
    }
    boolean isSpare = spare.offset() <= pages.offset() && pages.end() <= spare.end();
    spend(pages);
    if (isSpare) {
      return null;
    }
    try {
      resources.symmetric().reserve(region, parts.place(rank, pages.offset()), pages.bytes());
      return null;
    } catch (SegmentException e) {
      return e;
    }
  }

  /**
   * Gives the pages of this PE's part back on which no object is any more since the last call of the heap; they may not
   * all be there.
   */
  private void release() {
    SymmetricHeap.Pages went = heap.went();
    if (went.bytes() > 0) {
      spend(went);
      giveBack(went.offset(), went.end());
    }
  }

  /**
   * Keeps those pages for the next object, in place of the former ones, if they are few: a program that allocates and
   * frees small objects has calls of the system for none.
   */
  private void spare() {
    SymmetricHeap.Pages went = heap.went();
    SymmetricHeap.Pages former = spare;
    if (went.bytes() > MOST_SPARE) {
      release();
    } else if (went.bytes() > 0) {
      spare = went;
      giveBack(former.offset(), former.end());
    }
  }

  /**
   * Tells all PEs what this one calls, and hears what they do.
   *
   * @param failure why it cannot be done here; null: it can
   * @param offset what is taken back where it cannot be done at all PEs; below zero: nothing
   */
  private void agree(String call, long hash, long kind, long bytes, long argument, RuntimeException failure,
      long offset) {
    long status = failure == null ? SymmetricLine.ABLE
        : offset == SymmetricHeap.NO_ROOM ? SymmetricLine.NO_PLACE : SymmetricLine.NO_PAGES;
    SymmetricLine.of(ownLine, 0).write(hash, kind, bytes, argument, status);
    boolean agreed = false;
    try {
      collectives.allgather(Form.BLOCKING, new Contiguous(ownLine, 0, SymmetricLine.BYTES),
          new Contiguous(lines, 0, lines.byteSize()), SymmetricLine.BYTES, 0);
      requireAlike(call);
      requireAble(call, failure);
      agreed = true;
    } finally {
      if (!agreed && offset >= 0) {
        heap.undo();
        release();
      }
    }
  }

  private void requireAlike(String call) {
    SymmetricLine first = SymmetricLine.of(lines, 0);
    for (int pe = 1; pe < pes; pe++) {
      SymmetricLine line = SymmetricLine.of(lines, pe);
      if (!line.isLike(first)) {
        broken = "PE 0 %s, and PE %d %s%s".formatted(first, pe, line,
            line.toString().equals(first.toString()) ? " after other calls" : "");
        throw disagreement(call);
      }
    }
  }

  private AdrasteaException disagreement(String call) {
    return new AdrasteaException(
        ("%s in the symmetric heap of %s: %s; all PEs are to make the same calls in the same order, and these can "
            + "allocate nothing more there").formatted(call, members.label(), broken));
  }

  private void requireAble(String call, RuntimeException failure) {
    if (failure != null) {
      throw failure;
    }
    for (int pe = 0; pe < pes; pe++) {
      if (SymmetricLine.of(lines, pe).status() != SymmetricLine.ABLE) {
        throw new SegmentException(
            ("%s in the symmetric heap of %s: PE %d has no room for the pages of its part, and has thrown why; no PE "
                + "has got anything").formatted(call, members.label(), pe));
      }
    }
  }

  private void requireOpen(String call) {
    if (closed) {
      throw new IllegalStateException(
          "%s in the symmetric heap of %s: it is closed".formatted(call, members.label()));
    }
  }

  private void requireUsable(String call) {
    requireOpen(call);
    if (broken != null) {
      throw disagreement(call);
    }
  }
}
