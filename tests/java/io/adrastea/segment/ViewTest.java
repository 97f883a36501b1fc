package io.adrastea.segment;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.GivenSegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of an offset that a peer wrote: no offset that passes leads out of the segment. */
class ViewTest {
  @TempDir
  Path directory;

  @Test
  void holdsEveryCellOfEveryRank() {
    try (Segment segment = GivenSegment.blank(directory, 3, 5, 100)) {
      View view = new View(segment);
      for (int rank = 0; rank < 3; rank++) {
        for (int index = 0; index < 5; index++) {
          assertTrue(view.holds(segment.geometry().cellOffset(rank, index)), rank + ", " + index);
        }
      }
    }
  }

  @Test
  void holdsNoOffsetWhoseCellWouldLeaveTheRankAreas() {
    try (Segment segment = GivenSegment.blank(directory, 1, 2, 64)) {
      View view = new View(segment);
      Geometry geometry = segment.geometry();
      long last = geometry.segmentBytes() - geometry.cellStride();
      assertTrue(view.holds(last));
      assertFalse(view.holds(last + 64));
      assertFalse(view.holds(geometry.segmentBytes()));
      assertFalse(view.holds(geometry.rankAreaOffset() - 64));
      for (long wild : new long[] {0, 64, -64, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 63, 1L << 62}) {
        assertFalse(view.holds(wild), Long.toHexString(wild));
      }
    }
  }

  @Test
  void holdsNoOffsetOffALine() {
    try (Segment segment = GivenSegment.blank(directory, 1, 2, 64)) {
      View view = new View(segment);
      long cell = segment.geometry().cellOffset(0, 0);
      for (int off = 1; off < 64; off++) {
        assertFalse(view.holds(cell + off), "+" + off);
      }
    }
  }
}
