package io.adrastea.shared;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Threads;
import io.adrastea.atomic.Words;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.RegionEntryDescriptor;
import io.adrastea.layout.SegmentHeaderDescriptor;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a rank allocates, frees and tells of it, on a segment of its own. */
class SharedHeapTest {
  private static final long JOB = 0x88;
  private static final Geometry GEOMETRY = new Geometry(2, 4, 64);
  private static final int REGIONS = RegionEntryDescriptor.MAX_REGIONS;

  @TempDir
  Path directory;
  private Path path;
  private Segment segment;
  private SharedHeap heap;

  @BeforeEach
  void create() {
    path = SegmentFile.path(directory, JOB, 0);
    segment = Segment.create(path, GEOMETRY, JOB);
    segment.reserveArea(0);
    segment.reserveArea(1);
    heap = new SharedHeap(segment, 0);
  }

  @AfterEach
  void close() {
    segment.unlink();
    segment.close();
  }

  private static boolean isZero(MemorySegment memory) {
    return memory.mismatch(MemorySegment.ofArray(new byte[(int) memory.byteSize()])) == -1;
  }

  @Test
  void memoryIsZeroAlsoWhenItWasUsedBefore() {
    MemorySegment first = heap.allocate(5000, 1);
    assertTrue(isZero(first));
    first.fill((byte) 1);
    long at = heap.offset(first);
    heap.free(first);
    MemorySegment second = heap.allocate(10_000, 1);
    assertEquals(at, heap.offset(second));
    assertTrue(isZero(second));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 8, 64, 128, 256, 1024, 4096})
  void addressesAndOffsetsAreAligned(long alignment) {
    for (int i = 0; i < 20; i++) {
      MemorySegment memory = heap.allocate(1 + 100 * i, alignment);
      assertEquals(0, memory.address() % Math.max(alignment, 64));
      assertEquals(0, heap.offset(memory) % Math.max(alignment, 64));
      assertEquals(1 + 100 * i, memory.byteSize());
    }
  }

  @Test
  void theOffsetIsThatInTheFile() throws IOException {
    heap.allocate(300, 8);
    MemorySegment memory = heap.allocate(300, 8);
    memory.set(ValueLayout.JAVA_LONG, 8, 0x1122334455667788L);
    byte[] file = Files.readAllBytes(path);
    MemorySegment part = memory.asSlice(8, 16);
    assertEquals(heap.offset(memory) + 8, heap.offset(part));
    assertEquals(
        0x1122334455667788L,
        MemorySegment.ofArray(file).get(ValueLayout.JAVA_LONG_UNALIGNED, heap.offset(part)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatIsHeldKeepsItsContentsWhateverIsFreedAround(long seed) {
    Random random = new Random(seed);
    List<MemorySegment> held = new ArrayList<>();
    List<Byte> marks = new ArrayList<>();
    for (int step = 0; step < 3000; step++) {
      if (held.size() > 20 + random.nextInt(80)) {
        int index = random.nextInt(held.size());
        MemorySegment memory = held.remove(index);
        check(memory, marks.remove(index));
        heap.free(memory);
      } else {
        MemorySegment memory = heap.allocate(1 + random.nextInt(20_000), 1L << random.nextInt(13));
        assertTrue(isZero(memory));
        marks.add((byte) (1 + random.nextInt(100)));
        memory.fill(marks.getLast());
        held.add(memory);
      }
    }
    assertTrue(segment.regions().count() < 6, "what is freed is used again");
  }

  private static void check(MemorySegment memory, byte mark) {
    byte[] wanted = new byte[(int) memory.byteSize()];
    java.util.Arrays.fill(wanted, mark);
    assertEquals(-1, memory.mismatch(MemorySegment.ofArray(wanted)));
  }

  @Test
  void regionsGrowSoThatTheySuffice() {
    long held = 0;
    while (held < 200L << 20) {
      held += heap.allocate(1 << 20, 4096).byteSize();
    }
    assertTrue(segment.regions().count() <= 20, "regions: " + segment.regions().count());
  }

  @Test
  void regionsThatAreNeighboursInTheFileAreNotOne() {
    List<MemorySegment> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(heap.allocate(256 << 10, 1));
    }
    assertEquals(3, segment.regions().count());
    all.forEach(heap::free);
    assertEquals(768 << 10, heap.allocate(768 << 10, 1).byteSize());
    assertEquals(4, segment.regions().count(), "it lies in one mapping");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
  void bytesThatCannotBeAreRefused(long bytes) {
    String said = assertThrows(IllegalArgumentException.class, () -> heap.allocate(bytes, 8)).getMessage();
    assertTrue(said.contains(bytes + "; allowed is 1 to "), said);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 3, 24, 8192, 1 << 20, Long.MIN_VALUE})
  void alignmentsThatCannotBeAreRefused(long alignment) {
    String said = assertThrows(IllegalArgumentException.class, () -> heap.allocate(8, alignment)).getMessage();
    assertTrue(said.contains(alignment + "; allowed is a power of two from 1 to 4096"), said);
  }

  @Test
  void moreThanThereIsNamesWhatIsNeededAndChangesNothing() throws IOException {
    long before = Files.size(path);
    String said = assertThrows(SegmentException.class, () -> heap.allocate(1L << 50, 8)).getMessage();
    assertTrue(said.contains("%,d bytes needed, ".formatted(1L << 50)), said);
    assertEquals(before, Files.size(path));
    assertEquals(0, segment.regions().count());
    heap.allocate(8, 8);
  }

  private long entry(int index) {
    return segment.geometry().regionDirectoryOffset() + (long) index * RegionEntryDescriptor.BYTES;
  }

  @Test
  void noMoreRegionsIsSaidAndTheRestGoesOn() {
    for (int i = 0; i < REGIONS - 1; i++) { // taken for other things
      Words.storeLong(segment.memory(), entry(i) + RegionEntryDescriptor.STATE_OFFSET, RegionEntryDescriptor.READY);
    }
    Words.store(segment.memory(), SegmentHeaderDescriptor.REGION_COUNT_OFFSET, REGIONS - 1);
    MemorySegment last = heap.allocate(200 << 10, 8);
    String said = assertThrows(SegmentException.class, () -> heap.allocate(100 << 10, 8)).getMessage();
    assertTrue(said.contains("the job has 16384 regions"), said);
    heap.free(last);
    heap.allocate(100 << 10, 8);
  }

  @Test
  void aSecondFreeIsRefused() {
    MemorySegment memory = heap.allocate(100, 8);
    heap.free(memory);
    assertThrows(IllegalArgumentException.class, () -> heap.free(memory));
    MemorySegment again = heap.allocate(200, 8);
    assertThrows(IllegalArgumentException.class, () -> heap.free(memory), "its place is another's now");
    heap.free(again);
  }

  @Test
  void whatWasNotAllocatedIsNotFreed() {
    MemorySegment memory = heap.allocate(100, 8);
    try (Arena arena = Arena.ofConfined()) {
      for (MemorySegment other : List.of(
          memory.asSlice(8),
          memory.asSlice(0, 99),
          memory.asSlice(100),
          arena.allocate(100),
          MemorySegment.ofArray(new byte[100]),
          MemorySegment.NULL,
          segment.memory(),
          new SharedHeap(segment, 1).allocate(100, 8))) {
        String said = assertThrows(IllegalArgumentException.class, () -> heap.free(other)).getMessage();
        assertTrue(said.contains("is no allocation of rank 0"), said);
      }
    }
    assertEquals("memory", assertThrows(NullPointerException.class, () -> heap.free(null)).getMessage());
    heap.free(memory);
  }

  @Test
  void onlyWhatIsAllocatedHasAnOffset() {
    MemorySegment memory = heap.allocate(100, 8);
    MemorySegment freed = heap.allocate(100, 8);
    heap.free(freed);
    for (MemorySegment other : List.of(freed, MemorySegment.ofArray(new byte[8]), Arena.global().allocate(8),
        segment.memory())) {
      String said = assertThrows(IllegalArgumentException.class, () -> heap.offset(other)).getMessage();
      assertTrue(said.contains("does not lie in an allocation of rank 0"), said);
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> heap.offset(MemorySegment.ofAddress(memory.address()).reinterpret(101)));
    assertEquals("memory", assertThrows(NullPointerException.class, () -> heap.offset(null)).getMessage());
  }

  @Test
  void whatWasAllocatedCanBeUsedAfterTheEndOfTheJob() {
    MemorySegment memory = heap.allocate(100, 8);
    heap.close();
    segment.close();
    memory.fill((byte) 3);
    check(memory, (byte) 3);
    assertThrows(IllegalStateException.class, () -> heap.allocate(8, 8));
    assertThrows(IllegalStateException.class, () -> heap.free(memory));
    assertThrows(IllegalStateException.class, () -> heap.offset(memory));
    assertDoesNotThrow(heap::close);
  }

  @Test
  void threadsAllocateAndFreeAtTheSameTime() throws Exception {
    Threads.run(4, number -> churn((byte) (1 + number)));
  }

  private void churn(byte mark) {
    Random random = new Random(mark);
    for (int i = 0; i < 2000; i++) {
      MemorySegment memory = heap.allocate(1 + random.nextInt(5000), 64);
      memory.fill(mark);
      heap.offset(memory);
      check(memory, mark);
      heap.free(memory);
    }
  }
}
