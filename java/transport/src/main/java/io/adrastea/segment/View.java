package io.adrastea.segment;

import java.lang.foreign.MemorySegment;

/**
 * The segment's memory and which offsets may name a cell. Twin of {@code segment/adr_view.h}, which tells what the
 * check is for.
 */
public final class View {
  private static final long LINE_MASK = 63;

  private final MemorySegment memory;
  private final long cellsLow;
  private final long cellsSpan;

  /** A view of the whole segment. */
  public View(Segment segment) {
    this(segment.memory(), segment.geometry().rankAreaOffset(), segment.geometry().cellsSpan());
  }

  /** A view of memory whose cells lie at {@code cellsLow} to {@code cellsLow + cellsSpan}. */
  View(MemorySegment memory, long cellsLow, long cellsSpan) {
    this.memory = memory;
    this.cellsLow = cellsLow;
    this.cellsSpan = cellsSpan;
  }

  public MemorySegment memory() {
    return memory;
  }

  /** Whether a cell's header and payload at this offset lie inside the segment. */
  public boolean holds(long offset) {
    return Long.compareUnsigned(offset - cellsLow, cellsSpan) <= 0 && (offset & LINE_MASK) == 0;
  }
}
