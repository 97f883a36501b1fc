package io.adrastea.segment;

import static io.adrastea.segment.OtherProcess.GEOMETRY;
import static io.adrastea.segment.OtherProcess.JOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.atomic.Words;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.layout.RegionEntryDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Parts of sparse regions that are reserved, once or again, while others use them, and released; regions that are given
 * back and made anew in the same place. As {@code tests/c/segment_sparse_test.c}.
 */
@Timeout(240)
@ParameterizedClass(name = "{0}")
@MethodSource("cores")
class SparseRegionsTest {
  private static final int PART = 16 * 4096;
  private static final long LARGE = 1L << 36; // more than any memory file system of a test has
  private static final long SMALL = 1 << 20; // a core in Java alone looks at every page of it
  private static final int CYCLES = 1000;
  private static final int ROUNDS = 3000;

  @Parameter
  String core;
  private Path directory;
  private Path path;
  private Segment segment;
  private Regions regions;

  static Stream<String> cores() {
    return Cores.all().stream().map(CoreProvider::name);
  }

  @BeforeEach
  void create() throws IOException {
    directory = Files.createTempDirectory(SegmentFile.directory(), "adrastea-test-");
    path = SegmentFile.path(directory, JOB, 0);
    segment = Segment.create(path, GEOMETRY, JOB);
    segment.reserveArea(0);
    segment.reserveArea(1);
    regions = segment.regions();
    Spaces spaces = Cores.choose(core).spaces();
    regions.adviseBy(spaces::advise);
    regions.releaseBy(memory -> spaces.release(memory) == 0);
  }

  @AfterEach
  void close() throws IOException {
    segment.unlink();
    segment.close();
    Files.delete(directory);
  }

  /** Whether pages of the file are the system's again: the core in Java alone keeps them. */
  private boolean givesPages() {
    return !core.equals("java");
  }

  private int add(int rank, long bytes, boolean sparse) {
    return regions.add(rank, RegionKind.SYMMETRIC, rank, bytes, sparse);
  }

  private MemorySegment part(int index, long offset, long bytes) {
    return regions.memory(regions.get(index)).asSlice(offset, bytes);
  }

  private static void assertBytes(int expected, MemorySegment memory) {
    byte[] wanted = new byte[(int) memory.byteSize()];
    java.util.Arrays.fill(wanted, (byte) expected);
    assertEquals(-1, memory.mismatch(MemorySegment.ofArray(wanted)), "first byte that is not " + expected);
  }

  /** Bytes that the file takes. */
  private long taken() throws IOException {
    Process stat = new ProcessBuilder("stat", "-c", "%b", path.toString()).start();
    return Long.parseLong(new String(stat.getInputStream().readAllBytes()).strip()) * 512;
  }

  @Test
  void aPartThatIsReservedAgainKeepsItsBytes() throws IOException {
    int index = add(0, LARGE, true);
    regions.reserve(index, PART, PART);
    part(index, PART, PART).fill((byte) 7);
    long before = taken();
    regions.reserve(index, PART, PART);
    assertEquals(before, taken());
    regions.reserve(index, 0, 3 * PART); // overlapping at both ends
    assertEquals(before + 2 * PART, taken());
    assertBytes(0, part(index, 0, PART));
    assertBytes(7, part(index, PART, PART));
    assertBytes(0, part(index, 2 * PART, PART));
  }

  @Test
  void whatIsNoPartIsRefused() {
    int index = add(0, LARGE, true);
    int whole = add(0, PART, false);
    long[][] bad = {{1, 4096}, {0, 0}, {0, 1}, {8, 8}, {LARGE, 4096}, {LARGE - 4096, 8192}, {4096, -4096},
      {-4096, 4096}, {4096, Long.MAX_VALUE - 4095}};
    for (long[] each : bad) {
      assertThrows(IllegalArgumentException.class, () -> regions.reserve(index, each[0], each[1]));
      assertThrows(IllegalArgumentException.class, () -> regions.release(index, each[0], each[1]));
    }
    assertThrows(IllegalArgumentException.class, () -> regions.reserve(whole, 0, 4096), "it has all");
    assertThrows(IllegalArgumentException.class, () -> regions.release(whole, 0, 4096));
    assertThrows(SegmentException.class, () -> regions.reserve(7, 0, 4096));
    assertThrows(SegmentException.class, () -> regions.release(7, 0, 4096));
  }

  @Test
  void aPartThatIsReleasedIsAllZerosAndWhatLiesBesideItStays() throws IOException {
    int index = add(0, LARGE, true);
    regions.reserve(index, 0, 3 * PART);
    part(index, 0, 3 * PART).fill((byte) 5);
    long before = taken();
    regions.release(index, PART, PART);
    assertEquals(before - (givesPages() ? PART : 0), taken());
    assertBytes(5, part(index, 0, PART));
    assertBytes(5, part(index, 2 * PART, PART));
    regions.reserve(index, PART, PART);
    assertBytes(0, part(index, PART, PART));
    assertEquals(before, taken());
    regions.release(index, 8 * PART, PART); // nobody has reserved that
    assertEquals(before, taken());
  }

  @Test
  void aThousandRegionsAfterEachOtherTakeOnePlace() throws IOException {
    long size = 0;
    long most = 0;
    long empty = 0;
    for (int i = 0; i < CYCLES; i++) {
      assertEquals(0, add(0, SMALL, true));
      regions.reserve(0, 0, PART);
      regions.reserve(0, SMALL / 2, PART);
      for (MemorySegment each : new MemorySegment[] {part(0, 0, PART), part(0, SMALL / 2, PART),
        part(0, SMALL - 4096, 4096)}) { // the last page is always there
        assertBytes(0, each);
        each.fill((byte) (i | 1));
      }
      boolean look = i == 0 || i == CYCLES - 1;
      if (look) {
        most = i == 0 ? taken() : most;
        assertEquals(most, taken());
      }
      regions.giveBack(0, 0);
      if (look) {
        empty = i == 0 ? taken() : empty;
        size = i == 0 ? Files.size(path) : size;
        assertEquals(empty, taken());
      }
      assertEquals(size, Files.size(path));
    }
    assertEquals(givesPages() ? 2 * PART + 4096 : 0, most - empty);
    assertEquals(1, regions.count());
  }

  @Test
  void thePlaceOfOneKindIsUsedAgainByTheOther() throws IOException {
    long before = taken();
    assertEquals(0, add(0, 4 * PART, true));
    regions.reserve(0, PART, PART);
    part(0, PART, PART).fill((byte) 3);
    regions.giveBack(0, 0);
    assertEquals(before + (givesPages() ? 0 : PART + 4096), taken());
    assertEquals(0, add(0, 3 * PART, false), "more than half of it");
    assertEquals(before + 4 * PART, taken());
    assertBytes(0, part(0, 0, 4 * PART));
    part(0, 0, 4 * PART).fill((byte) 4);
    regions.giveBack(0, 0);
    assertEquals(0, add(0, 4 * PART, true));
    assertEquals(before + (givesPages() ? 4096 : 4 * PART), taken());
    regions.reserve(0, 0, 4 * PART);
    assertBytes(0, part(0, 0, 4 * PART));
    assertEquals(1, add(0, 2 * PART, true), "half of it, or less, has a place of its own");
    assertEquals(2, add(0, 8 * PART, true));
  }

  @Test
  void aRegionOfARankThatIsGoneIsGivenBackByAnyAndUsedAgain() throws IOException {
    int index = add(1, SMALL, true);
    regions.reserve(index, PART, PART);
    part(index, PART, PART).fill((byte) 9);
    assertThrows(IllegalArgumentException.class, () -> regions.giveBack(0, index));
    long size = Files.size(path);
    long entry = GEOMETRY.rankEntryOffset(1) + RankEntryDescriptor.STATE_OFFSET;
    Words.storeRelease(segment.memory(), entry, RankEntryDescriptor.STATE_FAILED);
    regions.giveBack(0, index);
    assertEquals(index, add(0, SMALL, true));
    regions.reserve(index, PART, PART);
    assertBytes(0, part(index, PART, PART));
    assertEquals(size, Files.size(path));
  }

  /** It died while it gave the region back, before it had given up any of its pages. */
  @Test
  void anEntryThatADeadRankHasClaimedIsTakenOverWithItsPlace() throws IOException {
    int index = add(1, SMALL, true);
    regions.reserve(index, PART, PART);
    part(index, PART, PART).fill((byte) 9);
    part(index, SMALL - 4096, 4096).fill((byte) 9);
    long size = Files.size(path);
    long claimed = RegionEntryDescriptor.CLAIMED | 2L << RegionEntryDescriptor.RANK_SHIFT;
    Words.storeReleaseLong(segment.memory(), GEOMETRY.regionDirectoryOffset(), claimed);
    assertEquals(1, add(0, SMALL, true), "its rank may live");
    long entry = GEOMETRY.rankEntryOffset(1) + RankEntryDescriptor.STATE_OFFSET;
    Words.storeRelease(segment.memory(), entry, RankEntryDescriptor.STATE_FAILED);
    assertEquals(index, add(0, SMALL, true));
    assertBytes(0, part(index, SMALL - 4096, 4096));
    regions.reserve(index, PART, PART);
    assertBytes(0, part(index, PART, PART));
    assertEquals(size + SMALL, Files.size(path));
  }

  @Test
  void anotherProcessUsesAndReleasesParts() throws IOException {
    try (OtherProcess other = new OtherProcess(directory)) {
      other.tell("attach");
      int index = add(1, SMALL, true);
      long before = taken();
      other.tell("usePart " + index + " " + PART + " " + PART + " 6");
      regions.reserve(index, 0, PART);
      regions.reserve(index, PART, PART);
      assertBytes(6, part(index, PART, PART));
      assertBytes(0, part(index, 0, PART));
      assertEquals(before + 2 * PART, taken());
      regions.release(index, PART, PART);
      other.tell("usePart " + index + " " + 2 * PART + " " + PART + " 8");
      regions.reserve(index, PART, PART);
      assertBytes(0, part(index, PART, PART));
      assertBytes(8, part(index, 2 * PART, PART));
    }
  }

  /** One process counts in every word of its pages while the other one reserves over them: no count is lost. */
  @Test
  void aPartCanBeReservedWhileAnotherProcessUsesIt() {
    try (OtherProcess other = new OtherProcess(directory)) {
      other.tell("attach");
      int index = add(0, LARGE, true);
      regions.reserve(index, PART, PART);
      CompletableFuture<String> counting = CompletableFuture
          .supplyAsync(() -> other.tell("countPart " + index + " " + PART + " " + PART + " " + ROUNDS));
      int reserved = 0;
      for (; !counting.isDone(); reserved++) {
        regions.reserve(index, 0, 3 * PART);
      }
      assertEquals("done", counting.join());
      assertTrue(reserved > 0);
      MemorySegment part = part(index, PART, PART);
      for (long at = 0; at < PART; at += Long.BYTES) {
        assertEquals(ROUNDS, Words.loadLong(part, at));
      }
    }
  }

  @Test
  void pagesAreGivenBackByCoresThatCan() throws IOException {
    assumeTrue(givesPages());
    Spaces spaces = Cores.choose(core).spaces();
    int index = add(0, SMALL, false);
    MemorySegment memory = part(index, 0, SMALL);
    memory.fill((byte) 1);
    long before = taken();
    assertTrue(spaces.release(memory.asSlice(8, 4096)) < 0, "no whole pages");
    assertTrue(spaces.release(memory.asSlice(0, 4095)) < 0, "no whole pages");
    assertTrue(spaces.release(memory.asSlice(0, 0)) < 0, "no page");
    assertTrue(spaces.release(MemorySegment.ofAddress(4096).reinterpret(1 << 16)) < 0, "not mapped");
    assertBytes(1, memory);
    assertEquals(before, taken());
    assertEquals(0, spaces.release(memory.asSlice(PART, PART)));
    assertEquals(before - PART, taken());
  }
}
