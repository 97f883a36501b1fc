package io.adrastea.segment;

import static io.adrastea.layout.RankAreaDescriptor.MAX_REGIONS;
import static io.adrastea.layout.RankAreaDescriptor.REGIONS_OFFSET;
import static io.adrastea.layout.RankAreaDescriptor.REGION_COUNT_OFFSET;
import static io.adrastea.segment.OtherProcess.GEOMETRY;
import static io.adrastea.segment.OtherProcess.JOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.adrastea.atomic.Words;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.RegionDescriptor;
import io.adrastea.layout.SegmentHeaderDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Growth of a segment, and that no entry of a region leads out of its file. */
@Timeout(60)
class RegionsTest {
  private static final long HUGE = 2 << 20;

  @TempDir
  Path directory;
  private Path path;
  private Segment segment;
  private Regions regions;

  @BeforeEach
  void create() {
    path = SegmentFile.path(directory, JOB);
    segment = Segment.create(path, GEOMETRY, JOB);
    segment.reserveArea(0);
    segment.reserveArea(1);
    regions = segment.regions();
  }

  @AfterEach
  void close() {
    segment.unlink();
    segment.close();
  }

  @Test
  void aRegionLiesBehindTheAreasAndIsWholePages() throws IOException {
    assertEquals(0, regions.count(0));
    assertEquals(0, regions.add(0, 5000));
    assertEquals(1, regions.count(0));
    assertEquals(0, regions.count(1));
    assertEquals(8192, regions.get(0, 0).byteSize());
    assertEquals(GEOMETRY.segmentBytes() + 8192, Files.size(path));
    assertEquals(-1, regions.get(0, 0).mismatch(MemorySegment.ofArray(new byte[8192])), "nothing but zeros");
  }

  @Test
  void regionsOfAllRanksAreApart() {
    for (int i = 0; i < 3; i++) {
      for (int rank = 0; rank < 2; rank++) {
        assertEquals(i, regions.add(rank, 4096));
        regions.get(rank, i).fill((byte) (10 * rank + i + 1));
      }
    }
    for (int rank = 0; rank < 2; rank++) {
      for (int i = 0; i < 3; i++) {
        byte[] wanted = new byte[4096];
        java.util.Arrays.fill(wanted, (byte) (10 * rank + i + 1));
        assertEquals(-1, regions.get(rank, i).mismatch(MemorySegment.ofArray(wanted)), rank + ", " + i);
      }
    }
  }

  @Test
  void aSecondAttachmentSeesWhatIsAddedLater() {
    try (Segment attached = Segment.attach(path, GEOMETRY.ranks(), JOB).orElseThrow()) {
      regions.add(1, 4096);
      Words.storeLong(regions.get(1, 0), 4088, 99);
      assertEquals(99, Words.loadLong(attached.regions().get(1, 0), 4088));
      Words.storeLong(attached.regions().get(1, 0), 4080, 98);
      assertEquals(98, Words.loadLong(regions.get(1, 0), 4080));
    }
  }

  @Test
  void processesSeeEachOthersRegions() {
    try (OtherProcess other = new OtherProcess(directory)) {
      other.tell("attach");
      regions.add(0, 4096);
      Words.storeLong(regions.get(0, 0), 0, 7);
      assertEquals("7", other.tell("loadRegion 0 0"));
      assertEquals("0", other.tell("addRegion 1 100000 8"));
      assertEquals(8, Words.loadLong(regions.get(1, 0), 0));
      assertEquals(102_400, regions.get(1, 0).byteSize());
    }
  }

  @Test
  void aRegionIsMappedOnce() {
    regions.add(0, 4096);
    assertSame(regions.get(0, 0), regions.get(0, 0));
  }

  @Test
  void aRegionThatCanHaveHugePagesBeginsAtAMultipleOfTheirSize() {
    List<MemorySegment> advised = new ArrayList<>();
    Regions huge = new Regions(segment, () -> new HugePages(HUGE, "for this test"));
    huge.adviseBy(advised::add);
    long[] sizes = {4096, HUGE - 4096, HUGE, 4096, HUGE + 1, 3 * HUGE};
    long end = GEOMETRY.segmentBytes();
    for (int i = 0; i < sizes.length; i++) {
      assertEquals(i, huge.add(0, sizes[i]));
      long offset = huge.offset(0, i);
      assertTrue(offset >= end && offset < end + HUGE, "region " + i + " at " + offset);
      assertEquals(0, offset % (sizes[i] < HUGE ? 4096 : HUGE), "region " + i);
      assertEquals(-1, huge.get(0, i).mismatch(MemorySegment.ofArray(new byte[(int) huge.bytes(0, i)])),
          "nothing but zeros");
      end = offset + huge.bytes(0, i);
    }
    assertEquals(List.of(huge.get(0, 2), huge.get(0, 4), huge.get(0, 5)), advised, "each once, when it is mapped");
  }

  @Test
  void withoutHugePagesRegionsFollowEachOtherAndNobodyIsAsked() {
    Regions plain = new Regions(segment, () -> new HugePages(0, "for this test"));
    plain.adviseBy(memory -> fail("asked for " + memory));
    plain.add(0, HUGE);
    plain.add(0, HUGE);
    assertEquals(GEOMETRY.segmentBytes(), plain.offset(0, 0));
    assertEquals(GEOMETRY.segmentBytes() + HUGE, plain.offset(0, 1));
    assertEquals(HUGE, plain.get(0, 1).byteSize());
  }

  @Test
  void aRegionCanBeHadAfterTheNameIsGone() {
    segment.unlink();
    assertEquals(0, regions.add(0, 4096));
    regions.get(0, 0).fill((byte) 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -4096, Long.MIN_VALUE, Long.MAX_VALUE})
  void aRegionOfNoBytesIsRefused(long bytes) {
    assertThrows(IllegalArgumentException.class, () -> regions.add(0, bytes));
    regions.add(0, 4096);
    assertEquals(4096, regions.get(0, 0).byteSize());
    assertEquals(
        GEOMETRY.segmentBytes() + 4096, Words.loadLong(segment.memory(), SegmentHeaderDescriptor.FILE_END_OFFSET));
  }

  @ParameterizedTest
  @CsvSource({"0, -1", "0, 1", "0, 31", "1, 0"})
  void aRegionThatWasNotAddedIsRefused(int rank, int index) {
    regions.add(0, 4096);
    String message = assertThrows(SegmentException.class, () -> regions.get(rank, index)).getMessage();
    assertEquals("rank %d has no region %d".formatted(rank, index), message);
  }

  @Test
  void thereIsAMostOfRegions() {
    for (int i = 0; i < MAX_REGIONS; i++) {
      assertEquals(i, regions.add(0, 1));
    }
    assertThrows(SegmentException.class, () -> regions.add(0, 1));
    assertEquals(MAX_REGIONS, regions.count(0));
    assertEquals(0, regions.add(1, 1), "another rank still can");
    assertEquals(4096, regions.get(0, MAX_REGIONS - 1).byteSize());
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource({
    "0, 4096, the header",
    "8192, 4096, a rank's area",
    "-4096, 4096, an offset below zero",
    "0x7ffffffffffff000, 8192, an offset and bytes that overflow",
    "1048576, 4096, behind the end of the file",
    "REGION, 1048576, bytes beyond the end of the file",
    "REGION, -1, bytes below zero"
  })
  void anEntryThatLiesOutsideTheFileIsRefused(String offset, long bytes, String what) {
    regions.add(0, 4096);
    long entry = GEOMETRY.rankAreaOffset(0) + REGIONS_OFFSET;
    Words.storeLong(
        segment.memory(),
        entry + RegionDescriptor.OFFSET_OFFSET,
        offset.equals("REGION") ? GEOMETRY.segmentBytes() : Long.decode(offset));
    Words.storeLong(segment.memory(), entry + RegionDescriptor.BYTES_OFFSET, bytes);
    String message = assertThrows(SegmentException.class, () -> regions.get(0, 0)).getMessage();
    assertTrue(message.contains("lies outside the file"), message);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 32, 1_000_000, Integer.MIN_VALUE})
  void aCountOfRegionsThatCannotBeIsRefused(int count) {
    Words.store(segment.memory(), GEOMETRY.rankAreaOffset(0) + REGION_COUNT_OFFSET, count);
    assertThrows(SegmentException.class, () -> regions.add(0, 4096));
    assertThrows(SegmentException.class, () -> regions.get(0, 31));
    assertThrows(SegmentException.class, () -> regions.get(0, -1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 8192, -4096, Long.MAX_VALUE - 4095})
  void anEndOfTheFileInTheMiddleOfItIsRefusedBeforeAnythingIsOverwritten(long end) {
    Words.storeLong(segment.memory(), SegmentHeaderDescriptor.FILE_END_OFFSET, end);
    Words.storeLong(segment.memory(), GEOMETRY.cellOffset(0, 0), 77);
    assertThrows(SegmentException.class, () -> regions.add(1, 4096));
    assertEquals(77, Words.loadLong(segment.memory(), GEOMETRY.cellOffset(0, 0)));
    assertEquals(
        SegmentHeaderDescriptor.MAGIC, Words.loadLong(segment.memory(), SegmentHeaderDescriptor.MAGIC_OFFSET));
  }
}
