package io.adrastea.engine.window;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What each member tells all others when a window is made: the same bytes in C, {@code struct adr_window_line}. The
 * lines of all members lie one behind the other, as an allgather brings them.
 */
final class WindowLine {
  /** Bytes of a line. */
  static final int BYTES = 48;

  /** The memory lies in a shared allocation: its start is an offset in the segment's file. */
  static final int SHARED = 0;

  /** It is native memory of the process: its start is an address. */
  static final int ADDRESS = 1;

  /** Memory is attached and detached: its start is the offset of a table. */
  static final int DYNAMIC = 2;

  /** Nothing has kept the member from taking part. */
  static final int NO_FAILURE = 0;

  /** It has no room in shared memory. */
  static final int NO_ROOM = 1;

  /** It has another failure. */
  static final int OTHER_FAILURE = 3;

  /** Its process has no native memory. */
  static final int NO_MEMORY = 4;

  private static final int VERSION = 1;
  private static final int FAILURE_OFFSET = 4;
  private static final int KIND_OFFSET = 5;
  private static final int UNIT_OFFSET = 8;
  private static final int BYTES_OFFSET = 16;
  private static final int START_OFFSET = 24;
  private static final int BLOCK_OFFSET = 32;
  private static final int XPMEM_OFFSET = 40;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final MemorySegment lines;
  private final long at;

  private WindowLine(MemorySegment lines, long at) {
    this.lines = lines;
    this.at = at;
  }

  /** The line of a member among those of all. */
  static WindowLine of(MemorySegment lines, int member) {
    return new WindowLine(lines, (long) member * BYTES);
  }

  void write(int kind, int failure, int unit, long bytes, long start, long block, long xpmem) {
    lines.set(INT, at, VERSION);
    lines.set(BYTE, at + FAILURE_OFFSET, (byte) failure);
    lines.set(BYTE, at + KIND_OFFSET, (byte) kind);
    lines.set(LONG, at + UNIT_OFFSET, unit);
    lines.set(LONG, at + BYTES_OFFSET, bytes);
    lines.set(LONG, at + START_OFFSET, start);
    lines.set(LONG, at + BLOCK_OFFSET, block);
    lines.set(LONG, at + XPMEM_OFFSET, xpmem);
  }

  /** Whether a rank of this version has written it. */
  boolean isKnown() {
    return lines.get(INT, at) == VERSION && kind() >= SHARED && kind() <= DYNAMIC && unit() > 0
        && unit() <= Integer.MAX_VALUE && bytes() >= 0;
  }

  /** How the memory is reached: {@link #SHARED}, {@link #ADDRESS} or {@link #DYNAMIC}. */
  int kind() {
    return lines.get(BYTE, at + KIND_OFFSET);
  }

  /** What has kept the member from taking part; {@link #NO_FAILURE}: nothing. */
  int failure() {
    return lines.get(BYTE, at + FAILURE_OFFSET);
  }

  long unit() {
    return lines.get(LONG, at + UNIT_OFFSET);
  }

  long bytes() {
    return lines.get(LONG, at + BYTES_OFFSET);
  }

  long start() {
    return lines.get(LONG, at + START_OFFSET);
  }

  /** Where the member's block begins in the segment's file. */
  long block() {
    return lines.get(LONG, at + BLOCK_OFFSET);
  }

  /** The XPMEM segment of its process; 0: there is none. */
  long xpmem() {
    return lines.get(LONG, at + XPMEM_OFFSET);
  }
}
