package io.adrastea.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.layout.SlotDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where things lie in a segment; the figures are those of tests/c/segment_test.c. */
class GeometryTest {
  /** The first page of the directory of regions is reserved from the start, no page of the table of contexts is. */
  private static final long HOLES = 524_288 - 4096 + 1_048_576;

  @Test
  void computesTheSizesOfTheDefaultJob() {
    Geometry geometry = new Geometry(2, 64, 8192);
    assertEquals(8320, geometry.cellStride()); // 65 blocks: odd
    assertEquals(4096, geometry.rankTableOffset());
    assertEquals(8192, geometry.worldSlotOffset());
    assertEquals(12_288, geometry.regionDirectoryOffset());
    assertEquals(12_288 + 524_288, geometry.contextIdTableOffset());
    assertEquals(12_288 + 524_288 + 1_048_576, geometry.rankAreaOffset());
    assertEquals(4096, geometry.cellsOffset());
    assertEquals(536_576, geometry.boxesOffset());
    assertEquals(536_576 + 2 * 65_536, geometry.rankAreaBytes());
    assertEquals(12_288 + 524_288 + 1_048_576 + 2 * 667_648, geometry.segmentBytes());
  }

  @Test
  void aSmallJobReservesAllItsFastboxesAndAGreaterOneNone() {
    Geometry small = new Geometry(16, 64, 8192);
    assertTrue(small.hasAllBoxes());
    assertEquals(small.segmentBytes() - HOLES, small.reservedBytes());
    Geometry greater = new Geometry(17, 64, 8192);
    assertFalse(greater.hasAllBoxes());
    assertEquals(greater.segmentBytes() - HOLES - 17 * 17 * 65_536, greater.reservedBytes());
    Geometry without = new Geometry(2, 64, 8192, new BoxSettings(0, 0, 0, 16));
    assertFalse(without.hasAllBoxes());
    assertEquals(12_288 + 524_288 + 1_048_576 + 2 * 536_576, without.segmentBytes());
    assertEquals(without.segmentBytes() - HOLES, without.reservedBytes());
  }

  @Test
  void spacesCellsByAnOddNumberOfBlocks() {
    for (int payload = Geometry.MIN_CELL_PAYLOAD; payload <= Geometry.MAX_CELL_PAYLOAD; payload++) {
      int stride = new Geometry(1, 2, payload).cellStride();
      assertTrue(stride >= 64 + payload && stride < 64 + payload + 256, payload + " -> " + stride);
      assertEquals(128, stride % 256, payload + " -> " + stride);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 2, 64", "1, 64, 8192", "3, 7, 1000", "16, 64, 8192", "1024, 2, 65472", "9, 65536, 64"})
  void rankAreasFollowEachOtherOnPagesAndHoldTheirBoxTableCellsAndRings(int ranks, int cells, int payload) {
    Geometry geometry = new Geometry(ranks, cells, payload);
    assertTrue(geometry.rankEntryOffset(ranks) <= geometry.worldSlotOffset(), "the rank table ends before it");
    long slotEnd = geometry.worldSlotOffset() + SlotDescriptor.bytes(ranks);
    assertTrue(slotEnd <= geometry.regionDirectoryOffset(), "the world's slot ends before it");
    assertTrue(geometry.regionDirectoryOffset() - slotEnd < 4096, "no page is left over");
    assertEquals(geometry.regionDirectoryOffset() + 524_288, geometry.contextIdTableOffset());
    assertEquals(geometry.contextIdTableOffset() + 1_048_576, geometry.rankAreaOffset());
    for (int rank = 0; rank < ranks; rank++) {
      long area = geometry.rankAreaOffset(rank);
      assertEquals(0, area % 4096);
      assertEquals(area, geometry.receiveQueueOffset(rank));
      assertEquals(area + 256, geometry.freeQueueOffset(rank));
      assertEquals(area + 512, geometry.boxEntryOffset(rank, 0));
      long entriesEnd = geometry.boxEntryOffset(rank, ranks - 1) + 64;
      assertTrue(entriesEnd <= geometry.cellOffset(rank, 0), "box entries end before the cells");
      assertTrue(geometry.cellOffset(rank, 0) - entriesEnd < 4096, "no page is left over");
      long lastCellEnd = geometry.cellOffset(rank, cells - 1) + geometry.cellStride();
      assertTrue(lastCellEnd <= geometry.boxRingOffset(rank, 0), "cells end before the rings");
      assertTrue(geometry.boxRingOffset(rank, 0) - lastCellEnd < 4096, "no page is left over");
      assertEquals(0, geometry.boxRingOffset(rank, ranks - 1) % 4096);
      assertEquals(geometry.rankAreaOffset(rank + 1), geometry.boxRingOffset(rank, ranks - 1) + 65_536);
    }
    assertEquals(geometry.rankAreaOffset(ranks), geometry.segmentBytes());
  }

  @Test
  void sixteenRanksFitInAContainersSharedMemory() {
    assertTrue(new Geometry(16, 64, 8192).segmentBytes() < 64 << 20);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 64, 8192, 'ranks: 0; allowed is 1 to 1024'",
    "1025, 64, 8192, 'ranks: 1025; allowed is 1 to 1024'",
    "1, 1, 8192, 'cells: 1; allowed is 2 to 65536'",
    "1, 65537, 8192, 'cells: 65537; allowed is 2 to 65536'",
    "1, 64, 63, 'payload of a cell: 63; allowed is 64 to 65472'",
    "1, 64, 65473, 'payload of a cell: 65473; allowed is 64 to 65472'",
    "1, 64, -1, 'payload of a cell: -1; allowed is 64 to 65472'"
  })
  void refusesWhatIsOutOfRangeAndSaysWhatIsAllowed(int ranks, int cells, int payload, String message) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> new Geometry(ranks, cells, payload)).getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "32, 0, 1, 0, 'lines of a fastbox: 32; allowed are 0 (no fastboxes), 64, 128, 256, 512 and 1024'",
    "65, 0, 1, 0, 'lines of a fastbox: 65; '",
    "2048, 0, 1, 0, 'lines of a fastbox: 2048; '",
    "-64, 0, 1, 0, 'lines of a fastbox: -64; '",
    "64, 2017, 1, 0, 'most bytes in a fastbox of 64 lines: 2017; allowed is 0 to 2016'",
    "64, -1, 1, 0, 'most bytes in a fastbox of 64 lines: -1; allowed is 0 to 2016'",
    "64, 48, 0, 0, 'threshold of fastboxes and most ranks that have them from the start: 0 and 0; allowed is 1 "
        + "or more and 0 or more'",
    "64, 48, 1, -1, 'threshold of fastboxes and most ranks that have them from the start: 1 and -1; '"
  })
  void refusesFastboxesThatCannotBe(int slots, int limit, int threshold, int eager, String message) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> new BoxSettings(slots, limit, threshold, eager))
            .getMessage();
    assertTrue(said.startsWith(message), said);
  }

  @ParameterizedTest
  @CsvSource({"0, -1, 0", "64, 0, 4096", "64, 2016, 4096", "1024, 32736, 65536"})
  void takesFastboxesWithinTheBounds(int slots, int limit, int bytes) {
    assertEquals(bytes, new BoxSettings(slots, limit, 1, 0).ringBytes());
  }
}
