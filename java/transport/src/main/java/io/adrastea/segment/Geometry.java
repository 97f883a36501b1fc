package io.adrastea.segment;

import io.adrastea.config.Tunable;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.ArgumentException;
import io.adrastea.layout.BoxEntryDescriptor;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.ContextIdEntryDescriptor;
import io.adrastea.layout.RankAreaDescriptor;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.layout.RegionEntryDescriptor;
import io.adrastea.layout.SegmentHeaderDescriptor;
import io.adrastea.layout.SlotDescriptor;

/**
 * Where things lie in a segment. Twin of {@code segment/adr_geometry.h}.
 *
 * @param ranks local ranks
 * @param cells cells of each rank
 * @param cellPayload bytes of payload of one cell
 * @param boxes fastboxes
 */
public record Geometry(int ranks, int cells, int cellPayload, BoxSettings boxes) {
  private static final long PAGE = 4096;
  private static final int BLOCK = 128;

  /** Least and most cells of a rank, least and most payload of a cell. */
  public static final int MIN_CELLS = Tunable.CELLS.least();

  public static final int MAX_CELLS = Tunable.CELLS.most();
  public static final int MIN_CELL_PAYLOAD = Tunable.CELL_BYTES.least();
  public static final int MAX_CELL_PAYLOAD = Tunable.CELL_BYTES.most();

  /** Refuses what is out of range. */
  public Geometry {
    require("ranks", ranks, 1, SegmentHeaderDescriptor.MAX_LOCAL_RANKS);
    require("cells", cells, MIN_CELLS, MAX_CELLS);
    require("payload of a cell", cellPayload, MIN_CELL_PAYLOAD, MAX_CELL_PAYLOAD);
  }

  /** With the default fastboxes. */
  public Geometry(int ranks, int cells, int cellPayload) {
    this(ranks, cells, cellPayload, BoxSettings.DEFAULTS);
  }

  private static void require(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ArgumentException(Reason.SETTING,
          "%s: %d; allowed is %d to %d".formatted(what, value, least, most));
    }
  }

  private static long alignUp(long value, long alignment) {
    return (value + alignment - 1) & -alignment;
  }

  /** An odd number of 128-byte blocks, so that the headers of successive cells fall into different cache sets. */
  public int cellStride() {
    int stride = (int) alignUp(CellDescriptor.BYTES + cellPayload, BLOCK);
    return (stride / BLOCK & 1) == 1 ? stride : stride + BLOCK;
  }

  public long rankTableOffset() {
    return PAGE;
  }

  public long rankEntryOffset(int rank) {
    return rankTableOffset() + (long) rank * RankEntryDescriptor.BYTES;
  }

  public long rankAreaOffset() {
    return contextIdTableOffset() + ContextIdEntryDescriptor.TABLE_BYTES;
  }

  /** The offset of the slot of all ranks, the communicator with the number 0. */
  public long worldSlotOffset() {
    return alignUp(rankEntryOffset(ranks), PAGE);
  }

  /** The offset of the directory of regions, of which the first page is reserved from the start. */
  public long regionDirectoryOffset() {
    return worldSlotOffset() + alignUp(SlotDescriptor.bytes(ranks), PAGE);
  }

  /** The offset of the table of communicators' numbers, of which no page is reserved from the start. */
  public long contextIdTableOffset() {
    return regionDirectoryOffset() + RegionEntryDescriptor.DIRECTORY_BYTES;
  }

  /** Header, rank table, the world's slot and the first page of the directory. */
  long headReservedBytes() {
    return regionDirectoryOffset() + PAGE;
  }

  public long rankAreaBytes() {
    return boxesOffset() + (long) ranks * boxes.ringBytes();
  }

  public long rankAreaOffset(int rank) {
    return rankAreaOffset() + rank * rankAreaBytes();
  }

  /** The offset of a rank's first cell in its area. */
  public long cellsOffset() {
    return alignUp(boxTableOffset() + (long) ranks * BoxEntryDescriptor.BYTES, PAGE);
  }

  /** The offset of a rank's box entries in its area. */
  public long boxTableOffset() {
    return RankAreaDescriptor.BYTES;
  }

  /** The offset of a rank's first ring in its area, and the bytes of the area that are reserved from the start. */
  public long boxesOffset() {
    return alignUp(cellsOffset() + (long) cells * cellStride(), PAGE);
  }

  public long boxEntryOffset(int rank, int source) {
    return rankAreaOffset(rank) + boxTableOffset() + (long) source * BoxEntryDescriptor.BYTES;
  }

  public long boxRingOffset(int rank, int source) {
    return rankAreaOffset(rank) + boxesOffset() + (long) source * boxes.ringBytes();
  }

  /** Whether all fastboxes are made at once. */
  public boolean hasAllBoxes() {
    return boxes.slots() > 0 && ranks <= boxes.preallocateRanks();
  }

  /** Bytes that the job needs from the start. */
  public long reservedBytes() {
    return headReservedBytes() + ranks * (hasAllBoxes() ? rankAreaBytes() : boxesOffset());
  }

  public long cellOffset(int rank, int index) {
    return rankAreaOffset(rank) + cellsOffset() + (long) index * cellStride();
  }

  public long receiveQueueOffset(int rank) {
    return rankAreaOffset(rank) + RankAreaDescriptor.RECEIVE_QUEUE_OFFSET;
  }

  public long freeQueueOffset(int rank) {
    return rankAreaOffset(rank) + RankAreaDescriptor.FREE_QUEUE_OFFSET;
  }

  /** All up to the end of the last rank area; regions lie behind. */
  public long segmentBytes() {
    return rankAreaOffset(ranks);
  }

  /** Greatest distance from the first rank area to an offset that may name a cell. */
  public long cellsSpan() {
    return segmentBytes() - rankAreaOffset() - cellStride();
  }
}
