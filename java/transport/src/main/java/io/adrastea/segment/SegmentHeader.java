package io.adrastea.segment;

import static io.adrastea.layout.SegmentHeaderDescriptor.*;

import io.adrastea.atomic.Words;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.LayoutDump;
import io.adrastea.layout.SlotDescriptor;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Writes and checks the header of a segment. Every mismatch is refused by name. */
final class SegmentHeader {
  /** Bytes that hold the header, rounded up to a page. */
  static final long PAGE_BYTES = 4096;

  private SegmentHeader() {}

  static void write(MemorySegment memory, Geometry geometry, long job) {
    Words.store(memory, LAYOUT_VERSION_OFFSET, LayoutDump.VERSION);
    Words.store(memory, LAYOUT_CRC_OFFSET, LayoutDump.CRC);
    Words.storeLong(memory, JOB_ID_OFFSET, job);
    Words.storeLong(memory, SEGMENT_BYTES_OFFSET, geometry.segmentBytes());
    Words.store(memory, RANK_COUNT_OFFSET, geometry.ranks());
    Words.store(memory, CELL_COUNT_OFFSET, geometry.cells());
    Words.store(memory, CELL_STRIDE_OFFSET, geometry.cellStride());
    Words.store(memory, CELL_PAYLOAD_OFFSET, geometry.cellPayload());
    Words.storeLong(memory, RANK_TABLE_OFFSET_OFFSET, geometry.rankTableOffset());
    Words.storeLong(memory, RANK_AREA_OFFSET_OFFSET, geometry.rankAreaOffset());
    Words.storeLong(memory, RANK_AREA_BYTES_OFFSET, geometry.rankAreaBytes());
    Words.storeLong(memory, CELLS_OFFSET_OFFSET, geometry.cellsOffset());
    BoxSettings boxes = geometry.boxes();
    Words.store(memory, BOX_RING_BYTES_OFFSET, boxes.ringBytes());
    Words.store(memory, BOX_LIMIT_OFFSET, boxes.limit() | (boxes.learns() ? BOX_LEARNS : 0));
    Words.store(memory, BOX_THRESHOLD_OFFSET, boxes.threshold());
    Words.store(memory, BOX_PREALLOCATE_RANKS_OFFSET, boxes.preallocateRanks());
    Words.storeLong(memory, BOX_TABLE_OFFSET_OFFSET, geometry.boxTableOffset());
    Words.storeLong(memory, BOXES_OFFSET_OFFSET, geometry.boxesOffset());
    ProcessIdentity self = ProcessIdentity.self();
    Words.store(memory, CREATOR_PID_OFFSET, (int) self.pid());
    Words.store(memory, CREATOR_UID_OFFSET, SegmentFile.uid());
    Words.storeLong(memory, CREATOR_START_OFFSET, self.start());
    Words.storeLong(memory, FILE_END_OFFSET, geometry.segmentBytes());
    writeWorldSlot(memory, geometry);
    // SYNC segment-magic: release, pairs with the attacher's acquire; orders the header's other fields.
    Words.storeReleaseLong(memory, MAGIC_OFFSET, MAGIC);
  }

  /** Its lines are zeros: no collective yet. */
  private static void writeWorldSlot(MemorySegment memory, Geometry geometry) {
    long slot = geometry.worldSlotOffset();
    Words.store(memory, slot + SlotDescriptor.RANKS_OFFSET, geometry.ranks());
    for (int rank = 0; rank < geometry.ranks(); rank++) {
      Words.store(memory, slot + SlotDescriptor.rankOffset(rank), rank);
    }
  }

  static boolean isComplete(MemorySegment header) {
    // SYNC segment-magic: acquire, pairs with the creator's release.
    return Words.loadAcquireLong(header, MAGIC_OFFSET) != 0;
  }

  static long job(MemorySegment memory) {
    return Words.loadLong(memory, JOB_ID_OFFSET); // written before the segment was complete
  }

  static int ranks(MemorySegment header) {
    return Words.load(header, RANK_COUNT_OFFSET); // likewise
  }

  static Geometry read(Path path, MemorySegment header, int ranks, long job) {
    require(path, "magic", Words.loadLong(header, MAGIC_OFFSET), MAGIC);
    require(path, "layout version", Words.load(header, LAYOUT_VERSION_OFFSET), LayoutDump.VERSION);
    require(path, "layout CRC", Words.load(header, LAYOUT_CRC_OFFSET), LayoutDump.CRC);
    require(path, "job", Words.loadLong(header, JOB_ID_OFFSET), job);
    require(path, "rank count", Words.load(header, RANK_COUNT_OFFSET), ranks);
    Geometry geometry = geometry(path, header, ranks);
    require(path, "cell stride", Words.load(header, CELL_STRIDE_OFFSET), geometry.cellStride());
    require(path, "rank table", Words.loadLong(header, RANK_TABLE_OFFSET_OFFSET), geometry.rankTableOffset());
    require(path, "rank areas", Words.loadLong(header, RANK_AREA_OFFSET_OFFSET), geometry.rankAreaOffset());
    require(path, "rank area size", Words.loadLong(header, RANK_AREA_BYTES_OFFSET), geometry.rankAreaBytes());
    require(path, "cells", Words.loadLong(header, CELLS_OFFSET_OFFSET), geometry.cellsOffset());
    require(path, "ring of a fastbox", Words.load(header, BOX_RING_BYTES_OFFSET), geometry.boxes().ringBytes());
    require(path, "box table", Words.loadLong(header, BOX_TABLE_OFFSET_OFFSET), geometry.boxTableOffset());
    require(path, "fastboxes", Words.loadLong(header, BOXES_OFFSET_OFFSET), geometry.boxesOffset());
    require(path, "segment size", Words.loadLong(header, SEGMENT_BYTES_OFFSET), geometry.segmentBytes());
    return geometry;
  }

  private static Geometry geometry(Path path, MemorySegment header, int ranks) {
    int limit = Words.load(header, BOX_LIMIT_OFFSET);
    try {
      return new Geometry(
          ranks,
          Words.load(header, CELL_COUNT_OFFSET),
          Words.load(header, CELL_PAYLOAD_OFFSET),
          new BoxSettings(
              Words.load(header, BOX_RING_BYTES_OFFSET) >>> 6,
              limit & ~BOX_LEARNS,
              Words.load(header, BOX_THRESHOLD_OFFSET),
              Words.load(header, BOX_PREALLOCATE_RANKS_OFFSET),
              (limit & BOX_LEARNS) != 0));
    } catch (IllegalArgumentException e) {
      throw new SegmentException(path + ": " + e.getMessage(), e);
    }
  }

  private static void require(Path path, String what, long found, long wanted) {
    if (found != wanted) {
      throw new SegmentException(
          ("%s: %s is 0x%x, this process expects 0x%x; all ranks of a job must run the same version with the "
              + "same settings")
              .formatted(path, what, found, wanted));
    }
  }
}
