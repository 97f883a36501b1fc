package io.adrastea.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.RegionEntryDescriptor;
import io.adrastea.layout.SegmentHeaderDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory of other ranks: what is told is found, what is not there is refused. */
class SharedReachTest extends MappedTwice {
  @Test
  void writtenHereIsReadThere() {
    for (int i = 0; i < 5; i++) {
      MemorySegment memory = heap.allocate(REGION - 64 * i, 8); // each in a region of its own
      MemorySegment other = reach.reach(0, heap.offset(memory), memory.byteSize());
      assertEquals(memory.byteSize(), other.byteSize());
      memory.set(ValueLayout.JAVA_LONG, 4096, 77 + i);
      assertEquals(77 + i, other.get(ValueLayout.JAVA_LONG, 4096));
      other.set(ValueLayout.JAVA_LONG, 8, 99 + i);
      assertEquals(99 + i, memory.get(ValueLayout.JAVA_LONG, 8));
    }
  }

  @Test
  void aPartIsReachedByItsOwnOffset() {
    heap.allocate(1000, 8);
    MemorySegment memory = heap.allocate(1000, 8);
    memory.asSlice(500, 10).fill((byte) 4);
    MemorySegment part = reach.reach(0, heap.offset(memory.asSlice(500, 10)), 10);
    assertEquals(-1, part.mismatch(memory.asSlice(500, 10)));
  }

  @Test
  void aRegionIsMappedOnce() {
    long offset = heap.offset(heap.allocate(1000, 8));
    long address = reach.reach(0, offset, 1000).address();
    assertEquals(address, reach.reach(0, offset, 1).address());
    assertEquals(address + 999, reach.reach(0, offset + 999, 1).address());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void aRankThatIsNoneIsRefused(int rank) {
    long offset = heap.offset(heap.allocate(8, 8));
    String said = assertThrows(IllegalArgumentException.class, () -> reach.reach(rank, offset, 8)).getMessage();
    assertEquals("rank %d: allowed is 0 to 1".formatted(rank), said);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void bytesThatCannotBeAreRefused(long bytes) {
    long offset = heap.offset(heap.allocate(8, 8));
    String said = assertThrows(IllegalArgumentException.class, () -> reach.reach(0, offset, bytes)).getMessage();
    assertTrue(said.contains(bytes + "; at least 1 is allowed"), said);
  }

  /** Offsets are counted from the start of the first of two regions. */
  @ParameterizedTest
  @CsvSource({
    "-1, 1", "-8, 16", "0, 262145", "262143, 2", "524288, 1", "0, 9223372036854775807", "9223372036854775000, 8",
    "-9223372036854775808, 8"
  })
  void whatDoesNotLieInOneRegionIsRefusedAlsoOnceTheRegionsAreKnown(long from, long bytes) {
    long offset = heap.offset(heap.allocate(REGION, 8));
    long next = heap.offset(heap.allocate(REGION, 8));
    assertEquals(offset + REGION, next);
    for (int i = 0; i < 2; i++) {
      String said =
          assertThrows(IllegalArgumentException.class, () -> reach.reach(0, offset + from, bytes)).getMessage();
      assertTrue(said.contains("rank 0 has no shared memory of %d bytes".formatted(bytes)), said);
      reach.reach(0, offset, REGION);
      reach.reach(0, next, REGION);
    }
  }

  @Test
  void theMemoryOfAnotherRankIsRefused() {
    long offset = heap.offset(heap.allocate(8, 8));
    new SharedHeap(segment, 1).allocate(8, 8);
    assertThrows(IllegalArgumentException.class, () -> reach.reach(1, offset, 8));
  }

  @Test
  void theSegmentItselfIsNotReached() {
    heap.allocate(8, 8);
    for (long offset : new long[] {0, GEOMETRY.rankAreaOffset(0), GEOMETRY.segmentBytes() - 8}) {
      assertThrows(IllegalArgumentException.class, () -> reach.reach(0, offset, 8));
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1048576", "4096, 8192", "1099511627776, 4096"})
  void anEntryThatLeadsOutOfTheRegionsIsTheRanksFault(long offset, long bytes) {
    heap.allocate(8, 8);
    long entry = GEOMETRY.regionDirectoryOffset();
    Words.storeLong(segment.memory(), entry + RegionEntryDescriptor.OFFSET_OFFSET, offset);
    Words.storeLong(segment.memory(), entry + RegionEntryDescriptor.BYTES_OFFSET, bytes);
    String said = assertThrows(SegmentException.class, () -> reach.reach(0, offset, 8)).getMessage();
    assertTrue(said.contains("lies outside the file"), said);
  }

  @Test
  void anEntryThatGrowsIsTheRanksFault() {
    long offset = heap.offset(heap.allocate(REGION, 8));
    heap.allocate(REGION, 8);
    reach.reach(0, offset, 8);
    long entry = GEOMETRY.regionDirectoryOffset();
    Words.storeLong(segment.memory(), entry + RegionEntryDescriptor.BYTES_OFFSET, 2 * REGION);
    String said = assertThrows(SegmentException.class, () -> reach.reach(0, offset, 2 * REGION)).getMessage();
    assertTrue(said.contains("region 0 has moved"), said);
    reach.reach(0, offset, REGION);
  }

  @Test
  void moreRegionsThanThereCanBeAreTheRanksFault() {
    heap.allocate(8, 8);
    Words.store(segment.memory(), SegmentHeaderDescriptor.REGION_COUNT_OFFSET, 1_000_000);
    assertThrows(SegmentException.class, () -> reach.reach(0, 1L << 40, 8));
  }

  @Test
  void whatWasReachedCanBeUsedAfterTheEndOfTheJob() {
    MemorySegment memory = heap.allocate(8, 8);
    MemorySegment other = reach.reach(0, heap.offset(memory), 8);
    long offset = heap.offset(memory);
    reach.close();
    second.close();
    other.set(ValueLayout.JAVA_LONG, 0, 5);
    assertEquals(5, memory.get(ValueLayout.JAVA_LONG, 0));
    assertThrows(IllegalStateException.class, () -> reach.reach(0, offset, 8));
  }
}
