package io.adrastea.segment;

import static io.adrastea.layout.RegionEntryDescriptor.MAX_REGIONS;
import static io.adrastea.layout.SegmentHeaderDescriptor.REGION_COUNT_OFFSET;
import static io.adrastea.segment.OtherProcess.GEOMETRY;
import static io.adrastea.segment.OtherProcess.JOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.adrastea.atomic.Words;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.layout.RegionEntryDescriptor;
import io.adrastea.layout.SegmentHeaderDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Growth of a segment, and that no entry of a region leads out of its file. */
@Timeout(240)
class RegionsTest {
  private static final long HUGE = 2 << 20;

  @TempDir
  Path directory;
  private Path path;
  private Segment segment;
  private Regions regions;

  @BeforeEach
  void create() {
    path = SegmentFile.path(directory, JOB, 0);
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

  private int add(int rank, long bytes) {
    return regions.add(rank, RegionKind.HEAP, bytes);
  }

  private static MemorySegment memory(Regions regions, int index) {
    return regions.memory(regions.get(index));
  }

  private MemorySegment memory(int index) {
    return memory(regions, index);
  }

  @Test
  void aRegionLiesBehindTheAreasAndIsWholePages() throws IOException {
    assertEquals(0, regions.count());
    assertEquals(0, add(0, 5000));
    assertEquals(1, regions.count());
    assertEquals(new Region(0, RegionKind.HEAP, 0, false, GEOMETRY.segmentBytes(), 8192), regions.get(0));
    assertEquals(8192, memory(0).byteSize());
    assertEquals(GEOMETRY.segmentBytes() + 8192, Files.size(path));
    assertEquals(-1, memory(0).mismatch(MemorySegment.ofArray(new byte[8192])), "nothing but zeros");
  }

  @Test
  void regionsOfAllRanksAreApart() {
    for (int i = 0; i < 6; i++) {
      assertEquals(i, add(i % 2, 4096));
      memory(i).fill((byte) (i + 1));
    }
    for (int i = 0; i < 6; i++) {
      byte[] wanted = new byte[4096];
      java.util.Arrays.fill(wanted, (byte) (i + 1));
      assertEquals(-1, memory(i).mismatch(MemorySegment.ofArray(wanted)), "region " + i);
      assertEquals(i % 2, regions.get(i).owner());
    }
  }

  @Test
  void aSecondAttachmentSeesWhatIsAddedLater() {
    try (Segment attached = Segment.attach(path, GEOMETRY.ranks(), JOB).orElseThrow()) {
      add(1, 4096);
      Words.storeLong(memory(0), 4088, 99);
      assertEquals(99, Words.loadLong(memory(attached.regions(), 0), 4088));
      Words.storeLong(memory(attached.regions(), 0), 4080, 98);
      assertEquals(98, Words.loadLong(memory(0), 4080));
    }
  }

  @Test
  void processesSeeEachOthersRegions() {
    try (OtherProcess other = new OtherProcess(directory)) {
      other.tell("attach");
      add(0, 4096);
      Words.storeLong(memory(0), 0, 7);
      assertEquals("7", other.tell("loadRegion 0"));
      assertEquals("1", other.tell("addRegion 1 100000 8"));
      assertEquals(8, Words.loadLong(memory(1), 0));
      assertEquals(102_400, memory(1).byteSize());
    }
  }

  @Test
  void aRegionIsMappedOnce() {
    add(0, 4096);
    assertSame(memory(0), memory(0));
  }

  @Test
  void aRegionThatCanHaveHugePagesBeginsAtAMultipleOfTheirSize() {
    List<MemorySegment> advised = new ArrayList<>();
    Regions huge = new Regions(segment, () -> new HugePages(HUGE, "for this test"));
    huge.adviseBy(advised::add);
    long[] sizes = {4096, HUGE - 4096, HUGE, 4096, HUGE + 1, 3 * HUGE};
    long end = GEOMETRY.segmentBytes();
    for (int i = 0; i < sizes.length; i++) {
      assertEquals(i, huge.add(0, RegionKind.HEAP, sizes[i]));
      long offset = huge.get(i).offset();
      assertTrue(offset >= end && offset < end + HUGE, "region " + i + " at " + offset);
      assertEquals(0, offset % (sizes[i] < HUGE ? 4096 : HUGE), "region " + i);
      assertEquals(-1, memory(huge, i).mismatch(MemorySegment.ofArray(new byte[(int) huge.get(i).bytes()])),
          "nothing but zeros");
      end = offset + huge.get(i).bytes();
    }
    List<MemorySegment> whole = List.of(memory(huge, 2), memory(huge, 4).asSlice(0, HUGE), memory(huge, 5));
    assertEquals(whole, advised, "whole huge pages, each once, when its region is mapped");
  }

  @Test
  void thePartOfASparseRegionIsAdvisedAsFarAsItCoversHugePages() {
    List<MemorySegment> advised = new ArrayList<>();
    Regions huge = new Regions(segment, () -> new HugePages(HUGE, "for this test"));
    huge.adviseBy(advised::add);
    huge.add(0, RegionKind.SYMMETRIC, 0, 64 * HUGE, true);
    MemorySegment memory = memory(huge, 0);
    assertEquals(0, huge.get(0).offset() % HUGE);
    huge.reserve(0, 0, HUGE - 4096);
    huge.reserve(0, HUGE - 4096, 8192);
    huge.reserve(0, HUGE + 4096, HUGE);
    assertEquals(List.of(), advised, "no whole one");
    huge.reserve(0, 4 * HUGE, 2 * HUGE);
    huge.reserve(0, 8 * HUGE - 4096, HUGE + 8192);
    assertEquals(List.of(memory.asSlice(4 * HUGE, 2 * HUGE), memory.asSlice(8 * HUGE, HUGE)), advised);
  }

  @Test
  void aRegionThatIsUsedAgainIsAdvisedAgain() {
    List<MemorySegment> advised = new ArrayList<>();
    Regions huge = new Regions(segment, () -> new HugePages(HUGE, "for this test"));
    huge.adviseBy(advised::add);
    for (int i = 1; i < 4; i++) {
      assertEquals(0, huge.add(0, RegionKind.HEAP, HUGE));
      memory(huge, 0);
      memory(huge, 0);
      assertEquals(i, advised.size());
      huge.giveBack(0, 0);
    }
  }

  @Test
  void withoutHugePagesRegionsFollowEachOtherAndNobodyIsAsked() {
    Regions plain = new Regions(segment, () -> new HugePages(0, "for this test"));
    plain.adviseBy(memory -> fail("asked for " + memory));
    plain.add(0, RegionKind.HEAP, HUGE);
    plain.add(0, RegionKind.SYMMETRIC, 0, HUGE, true);
    plain.reserve(1, 0, HUGE);
    assertEquals(GEOMETRY.segmentBytes(), plain.get(0).offset());
    assertEquals(GEOMETRY.segmentBytes() + HUGE, plain.get(1).offset());
    assertEquals(HUGE, memory(plain, 1).byteSize());
  }

  /** What is asked are files of the system, which takes much longer than a page does. */
  @Test
  void nobodyIsAskedForHugePagesWhereNoneHasRoom() {
    Regions asking = new Regions(segment, () -> new HugePages(HUGE, "for this test"));
    asking.add(0, RegionKind.SYMMETRIC, 0, HUGE, true);
    Regions silent = new Regions(segment, () -> fail("asked for huge pages"));
    silent.add(0, RegionKind.HEAP, 4096);
    silent.reserve(0, 4096, 8192);
  }

  @Test
  void aRegionCanBeHadAfterTheNameIsGone() {
    segment.unlink();
    assertEquals(0, add(0, 4096));
    memory(0).fill((byte) 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -4096, Long.MIN_VALUE, Long.MAX_VALUE})
  void aRegionOfNoBytesIsRefused(long bytes) {
    assertThrows(IllegalArgumentException.class, () -> add(0, bytes));
    add(0, 4096);
    assertEquals(4096, memory(0).byteSize());
    assertEquals(
        GEOMETRY.segmentBytes() + 4096, Words.loadLong(segment.memory(), SegmentHeaderDescriptor.FILE_END_OFFSET));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1, 31, MAX_REGIONS - 1, MAX_REGIONS, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void aRegionThatWasNotAddedIsRefused(int index) {
    add(0, 4096);
    String message = assertThrows(SegmentException.class, () -> regions.get(index)).getMessage();
    assertEquals("the job has no region %d; there are 1 or less".formatted(index), message);
    assertThrows(SegmentException.class, () -> regions.giveBack(0, index));
  }

  @Test
  void aRankThatIsNotThereHasNoRegion() {
    assertThrows(IllegalArgumentException.class, () -> add(2, 1));
    assertThrows(IllegalArgumentException.class, () -> add(-1, 1));
    assertThrows(IllegalArgumentException.class, () -> regions.add(0, RegionKind.HEAP, 2, 1, false));
    assertThrows(IllegalArgumentException.class, () -> regions.add(0, RegionKind.HEAP, -2, 1, false));
  }

  /** Looks at entries some hundred million times, for which the first compiler alone needs half a minute. */
  @Test
  @Tag("loops")
  void thereAreThousandsOfRegions() {
    for (int i = 0; i < MAX_REGIONS; i++) {
      assertEquals(i, regions.add(i % 2, RegionKind.SLOTS, Regions.NO_OWNER, 1, true));
    }
    String said = assertThrows(SegmentException.class, () -> add(0, 1)).getMessage();
    assertEquals("the job has 16384 regions; there can be no more", said);
    assertEquals(MAX_REGIONS, regions.count());
    assertEquals(4096, memory(MAX_REGIONS - 1).byteSize());
    assertEquals(RegionKind.SLOTS, regions.get(MAX_REGIONS - 1).kind());
    said = assertThrows(IllegalArgumentException.class, () -> regions.giveBack(0, 5)).getMessage();
    assertEquals("region 5 has no owner; allowed is one of rank 0, or of a rank that is gone", said);
  }

  private void depart(int rank, int state) {
    Words.storeRelease(segment.memory(), GEOMETRY.rankEntryOffset(rank) + RankEntryDescriptor.STATE_OFFSET, state);
  }

  @Test
  void ofSeveralThatGiveBackWhatADeadRankHadOneDoes() {
    assertEquals(0, add(1, 4096));
    assertFalse(regions.giveBackOf(0, 1, 0), "its owner is there");
    depart(1, RankEntryDescriptor.STATE_FAILED);
    assertFalse(regions.giveBackOf(0, 0, 0), "it is another's");
    assertFalse(regions.giveBackOf(0, 1, 1), "there is none");
    assertTrue(regions.giveBackOf(0, 1, 0));
    assertFalse(regions.giveBackOf(0, 1, 0));
    assertEquals(0, add(0, 4096), "in the same place, and its maker's own");
    assertFalse(regions.giveBackOf(0, 1, 0));
  }

  @Test
  void aRegionIsGivenBackByItsOwnerOrWhenThatIsGone() {
    add(0, 40_960);
    add(1, 40_960);
    memory(0).fill((byte) 7);
    String said = assertThrows(IllegalArgumentException.class, () -> regions.giveBack(1, 0)).getMessage();
    assertEquals("region 0 belongs to rank 0; allowed is one of rank 1, or of a rank that is gone", said);
    regions.giveBack(0, 0);
    assertThrows(SegmentException.class, () -> regions.giveBack(0, 0));
    assertThrows(SegmentException.class, () -> regions.get(0));
    assertEquals(2, add(1, 20_480), "half of it would lie idle");
    assertEquals(0, add(1, 20_481), "used again, from where it lies");
    assertEquals(-1, memory(0).mismatch(MemorySegment.ofArray(new byte[40_960])), "nothing but zeros");
    depart(1, RankEntryDescriptor.STATE_FAILED);
    regions.giveBack(0, 0);
    regions.giveBack(0, 1);
    depart(0, RankEntryDescriptor.STATE_LEFT);
    assertEquals(0, add(0, 40_960));
  }

  @Test
  void aSparseRegionTakesWhatIsReservedOfIt() throws IOException {
    long free = Files.getFileStore(directory).getUsableSpace();
    long large = (free / 4096 + 1024) * 4096; // more than there is
    assertThrows(SegmentException.class, () -> add(0, large));
    assertEquals(0, regions.add(0, RegionKind.SYMMETRIC, 0, large, true));
    assertTrue(regions.get(0).sparse());
    assertEquals(large, memory(0).byteSize());
    regions.reserve(0, large / 4096 / 2 * 4096, 8192);
    memory(0).asSlice(large / 4096 / 2 * 4096, 8192).fill((byte) 1);
    assertThrows(IllegalArgumentException.class, () -> regions.reserve(0, 1, 4096));
    assertThrows(IllegalArgumentException.class, () -> regions.reserve(0, large, 4096));
    assertThrows(IllegalArgumentException.class, () -> regions.reserve(0, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> regions.reserve(0, -4096, 4096));
    add(0, 4096);
    assertThrows(IllegalArgumentException.class, () -> regions.reserve(1, 0, 4096), "it has all");
  }

  /** What a rank leaves in an entry when it dies there; the names are those of the stop points in C. */
  enum Death {
    CLAIMED, EXTENDED, SIZED, PLACED, RESERVED, COUNTED, READY, REFUSED, SHORTENED, TAKEN_BACK, FREED
  }

  private static final long SIZE = 8192;

  private void dieAt(Death death) {
    MemorySegment memory = segment.memory();
    long entry = GEOMETRY.regionDirectoryOffset();
    long start = GEOMETRY.segmentBytes();
    long claimed = RegionEntryDescriptor.CLAIMED | 2L << RegionEntryDescriptor.RANK_SHIFT;
    if (death == Death.READY || death == Death.TAKEN_BACK || death == Death.FREED) {
      assertEquals(0, add(1, SIZE));
      memory(0).fill((byte) 9);
      if (death == Death.TAKEN_BACK) {
        Words.storeReleaseLong(memory, entry, claimed);
      } else if (death == Death.FREED) {
        regions.giveBack(1, 0);
      }
    } else {
      Words.storeReleaseLong(memory, entry, claimed);
    }
    int step = death.ordinal();
    boolean extended = step >= Death.EXTENDED.ordinal() && step <= Death.REFUSED.ordinal();
    if (extended && death != Death.READY) {
      Words.storeLong(memory, SegmentHeaderDescriptor.FILE_END_OFFSET, start + SIZE);
    }
    if (step >= Death.SIZED.ordinal() && step <= Death.SHORTENED.ordinal() && death != Death.READY) {
      Words.storeLong(memory, entry + RegionEntryDescriptor.BYTES_OFFSET, SIZE);
    }
    if (step >= Death.PLACED.ordinal() && step <= Death.COUNTED.ordinal()) {
      Words.storeLong(memory, entry + RegionEntryDescriptor.OFFSET_OFFSET, start);
    }
    if (death == Death.RESERVED || death == Death.COUNTED) {
      segment.reserve(start, SIZE);
    }
    if (death == Death.COUNTED) {
      Words.store(memory, REGION_COUNT_OFFSET, 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whereverARankDiesItsEntryIsUsedAgainAndNothingIsGivenOutTwice(Death death) {
    dieAt(death);
    Region left = regions.find(0);
    assertEquals(death == Death.READY, left != null);
    if (death != Death.FREED && death != Death.READY) {
      assertEquals(1, add(0, SIZE), "while its rank may live the entry is not touched");
    } else if (death == Death.READY) {
      assertEquals(1, add(0, SIZE));
    }
    depart(1, RankEntryDescriptor.STATE_FAILED);
    if (death == Death.READY) {
      regions.giveBack(0, 0);
    }
    assertEquals(0, add(0, SIZE), "its entry is used again");
    assertEquals(-1, memory(0).mismatch(MemorySegment.ofArray(new byte[(int) SIZE])), "nothing but zeros");
    add(0, SIZE);
    for (int i = 0; i < regions.count(); i++) {
      memory(i).fill((byte) (i + 1));
    }
    for (int i = 0; i < regions.count(); i++) {
      byte[] wanted = new byte[(int) SIZE];
      java.util.Arrays.fill(wanted, (byte) (i + 1));
      assertEquals(-1, memory(i).mismatch(MemorySegment.ofArray(wanted)), "region " + i);
    }
    long end = Words.loadLong(segment.memory(), SegmentHeaderDescriptor.FILE_END_OFFSET);
    boolean numberLost = death == Death.EXTENDED || death == Death.SIZED || death == Death.REFUSED;
    assertEquals(GEOMETRY.segmentBytes() + SIZE * (regions.count() + (numberLost ? 1 : 0)), end);
  }

  @Test
  void processesThatAreKilledWhileTheyAddLeaveNothingBehind() {
    int most = 0;
    for (int round = 0; round < 4; round++) {
      depart(1, RankEntryDescriptor.STATE_ATTACHED);
      try (OtherProcess other = new OtherProcess(directory)) {
        other.tell("attach");
        int more = regions.count() + 3 + 5 * round % 7;
        other.killWithin("addRegions 1 20000", () -> regions.count() > more);
      }
      depart(1, RankEntryDescriptor.STATE_FAILED);
      for (int index = 0; index < regions.count(); index++) {
        if (regions.find(index) != null) {
          regions.giveBack(0, index);
        }
      }
      most = Math.max(most, regions.count());
      for (int index = 0; index < most; index++) { // each is used again, and no other one is taken
        assertEquals(index, add(0, 20_000));
        memory(index).fill((byte) 1);
      }
      assertEquals(most, regions.count());
      for (int index = 0; index < most; index++) {
        regions.giveBack(0, index);
      }
    }
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
    add(0, 4096);
    long entry = GEOMETRY.regionDirectoryOffset();
    Words.storeLong(
        segment.memory(),
        entry + RegionEntryDescriptor.OFFSET_OFFSET,
        offset.equals("REGION") ? GEOMETRY.segmentBytes() : Long.decode(offset));
    Words.storeLong(segment.memory(), entry + RegionEntryDescriptor.BYTES_OFFSET, bytes);
    String message = assertThrows(SegmentException.class, () -> memory(0)).getMessage();
    assertTrue(message.contains("lies outside the file"), message);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, MAX_REGIONS + 1, 1_000_000, Integer.MIN_VALUE})
  void aCountOfRegionsThatCannotBeIsRefused(int count) {
    Words.store(segment.memory(), REGION_COUNT_OFFSET, count);
    assertThrows(SegmentException.class, () -> add(0, 4096));
    assertThrows(SegmentException.class, () -> regions.get(31));
    assertThrows(SegmentException.class, () -> regions.get(-1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 8192, -4096, Long.MAX_VALUE - 4095})
  void anEndOfTheFileInTheMiddleOfItIsRefusedBeforeAnythingIsOverwritten(long end) {
    Words.storeLong(segment.memory(), SegmentHeaderDescriptor.FILE_END_OFFSET, end);
    Words.storeLong(segment.memory(), GEOMETRY.cellOffset(0, 0), 77);
    assertThrows(SegmentException.class, () -> add(1, 4096));
    assertEquals(77, Words.loadLong(segment.memory(), GEOMETRY.cellOffset(0, 0)));
    assertEquals(
        SegmentHeaderDescriptor.MAGIC, Words.loadLong(segment.memory(), SegmentHeaderDescriptor.MAGIC_OFFSET));
  }
}
