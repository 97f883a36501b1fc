package io.adrastea.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.RegionEntryDescriptor;
import io.adrastea.segment.Region;
import io.adrastea.segment.RegionKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a rank's memory all ranks of its host reach, and at which offset. As {@code tests/c/shared_test.c}. */
class LocateTest extends MappedTwice {
  private Region region(RegionKind kind, int owner, boolean sparse) {
    return segment.regions().get(segment.regions().add(1, kind, owner, REGION, sparse));
  }

  private MemorySegment memory(Region region) {
    return segment.regions().memory(region);
  }

  private static MemorySegment at(long address) {
    return MemorySegment.ofAddress(address);
  }

  private void located(MemorySegment memory, long offset) {
    assertEquals(offset, heap.locate(memory, 0, 8));
    assertEquals(offset + 100, heap.locate(memory, 100, REGION - 100));
    assertEquals(offset, heap.offset(memory));
    assertNotLocated(at(memory.address()), -1, 8);
    assertNotLocated(memory, 0, REGION + 1);
    assertNotLocated(memory, REGION - 7, 8);
    assertNotLocated(memory, REGION, 0);
    assertNotLocated(memory, 8, Long.MAX_VALUE);
    assertNotLocated(memory, 8, -1);
  }

  private void assertNotLocated(MemorySegment memory, long offset, long bytes) {
    assertTrue(heap.locate(memory, offset, bytes) < 0, bytes + " bytes at " + offset);
  }

  private void reached(MemorySegment memory, long offset, int rank) {
    MemorySegment other = reach.reach(rank, offset, 8);
    assertNotEquals(memory.address(), other.address());
    other.set(ValueLayout.JAVA_BYTE, 7, (byte) (40 + rank));
    assertEquals(40 + rank, memory.get(ValueLayout.JAVA_BYTE, 7));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, -1})
  void memoryOfASymmetricHeapIsLocatedAndReached(int owner) {
    Region region = region(RegionKind.SYMMETRIC, owner, false);
    located(memory(region), region.offset());
    reached(memory(region), region.offset(), 0);
    reached(memory(region), region.offset(), 1);
  }

  @Test
  void memoryOfTheHeapIsLocatedAndReached() {
    MemorySegment memory = heap.allocate(REGION, 8);
    long offset = segment.regions().get(0).offset();
    located(memory, offset);
    reached(memory, offset, 0);
  }

  @Test
  void otherMemoryIsNotLocated() {
    MemorySegment own = Arena.ofAuto().allocate(8);
    assertNotLocated(own, 0, 8); // nothing is mapped yet
    MemorySegment memory = heap.allocate(1000, 8);
    assertNotLocated(own, 0, 8);
    assertNotLocated(MemorySegment.ofArray(new byte[8]), 0, 8);
    assertNotLocated(at(0), 0, 8);
    assertTrue(heap.locate(memory, 500, 500) > 0);
    assertNotLocated(memory, 500, 501); // nobody has the rest
    assertNotLocated(memory, 2048, 8);
    MemorySegment other = reach.reach(0, heap.offset(memory), 1000);
    assertTrue(new SharedHeap(second, 1).locate(other, 0, 8) < 0, "the heap of another rank");
    heap.free(memory);
    assertNotLocated(memory, 0, 8);
    assertNotLocated(memory(region(RegionKind.SLOTS, 0, false)), 0, 8);
    heap.close();
    assertNotLocated(memory(region(RegionKind.SYMMETRIC, 0, false)), 0, 8);
  }

  @Test
  void aPartOfASparseRegionIsLocatedAndReached() {
    Region region = region(RegionKind.SYMMETRIC, 0, true);
    segment.regions().reserve(region.index(), 8192, 4096);
    assertEquals(region.offset() + 8192, heap.locate(memory(region), 8192, 4096));
    reached(memory(region).asSlice(8192), region.offset() + 8192, 1);
  }

  @Test
  void memoryThatWasGivenBackIsNotLocatedUntilThereIsARegionAgain() {
    Region region = region(RegionKind.SYMMETRIC, 0, false);
    MemorySegment memory = memory(region);
    segment.regions().giveBack(0, region.index());
    assertNotLocated(memory, 0, 8);
    Region again = region(RegionKind.SYMMETRIC, 0, false); // in the same stretch
    assertEquals(region, again);
    assertEquals(memory.address(), memory(again).address());
    located(memory, region.offset());
  }

  @Test
  void whatPeersWriteIntoAnEntryMovesNoMemory() {
    Region region = region(RegionKind.SYMMETRIC, 1, false);
    MemorySegment memory = memory(region);
    reached(memory, region.offset(), 0);
    long next = region(RegionKind.SYMMETRIC, 0, false).offset();
    write(RegionEntryDescriptor.BYTES_OFFSET, 1L << 50);
    write(RegionEntryDescriptor.OFFSET_OFFSET, 0);
    located(memory, region.offset());
    assertThrows(SegmentException.class, () -> reach.reach(0, 4096, 8));
    reach.reach(0, region.offset(), 8); // it is mapped
    write(RegionEntryDescriptor.OFFSET_OFFSET, next);
    write(RegionEntryDescriptor.BYTES_OFFSET, REGION);
    String said = assertThrows(SegmentException.class, () -> reach.reach(0, next, 8)).getMessage();
    assertTrue(said.contains("region 0 has moved"), said);
    located(memory, region.offset());
  }

  private void write(int field, long value) {
    Words.storeLong(segment.memory(), GEOMETRY.regionDirectoryOffset() + field, value);
  }
}
