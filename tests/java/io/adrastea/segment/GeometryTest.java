package io.adrastea.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where things lie in a segment; the figures are those of tests/c/segment_test.c. */
class GeometryTest {
  @Test
  void computesTheSizesOfTheDefaultJob() {
    Geometry geometry = new Geometry(2, 64, 8192);
    assertEquals(8320, geometry.cellStride()); // 65 blocks: odd
    assertEquals(4096, geometry.rankTableOffset());
    assertEquals(8192, geometry.rankAreaOffset());
    assertEquals(4096, geometry.cellsOffset());
    assertEquals(536_576, geometry.rankAreaBytes());
    assertEquals(8192 + 2 * 536_576, geometry.segmentBytes());
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
  void rankAreasFollowEachOtherOnPagesAndHoldTheirCells(int ranks, int cells, int payload) {
    Geometry geometry = new Geometry(ranks, cells, payload);
    assertTrue(geometry.rankEntryOffset(ranks) <= geometry.rankAreaOffset(), "the rank table ends before the areas");
    for (int rank = 0; rank < ranks; rank++) {
      long area = geometry.rankAreaOffset(rank);
      assertEquals(0, area % 4096);
      assertEquals(area, geometry.receiveQueueOffset(rank));
      assertEquals(area + 256, geometry.freeQueueOffset(rank));
      assertEquals(area + 4096, geometry.cellOffset(rank, 0));
      long lastCellEnd = geometry.cellOffset(rank, cells - 1) + geometry.cellStride();
      assertTrue(lastCellEnd <= geometry.rankAreaOffset(rank + 1), "cells end before the next area");
      assertTrue(geometry.rankAreaOffset(rank + 1) - lastCellEnd < 4096, "no page is left over");
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
}
