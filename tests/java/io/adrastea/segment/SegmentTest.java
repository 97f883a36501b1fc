package io.adrastea.segment;

import static io.adrastea.layout.SegmentHeaderDescriptor.*;
import static io.adrastea.segment.OtherProcess.GEOMETRY;
import static io.adrastea.segment.OtherProcess.JOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.atomic.Words;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.LayoutDump;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Create, attach, reserve, unlink; and what attach refuses, by name. */
@Timeout(240)
class SegmentTest {
  @TempDir
  Path directory;
  private Path path;

  private static final int ROUNDS = 200;
  private static final int LOOKS = 200;

  @BeforeEach
  void namePath() {
    path = SegmentFile.path(directory, JOB, 0);
  }

  private Segment create() {
    return Segment.create(path, GEOMETRY, JOB);
  }

  private Segment attach() {
    return Segment.attach(path, GEOMETRY.ranks(), JOB).orElseThrow();
  }

  @Test
  void whoAttachesSeesTheSameMemoryAndGeometry() {
    try (Segment made = Segment.create(path, new Geometry(3, 5, 700), JOB);
        Segment attached = Segment.attach(path, 3, JOB).orElseThrow()) {
      assertEquals(made.geometry(), attached.geometry());
      assertEquals(made.geometry().segmentBytes(), attached.memory().byteSize());
      long cell = made.geometry().cellOffset(2, 4);
      made.reserveArea(2);
      Words.storeLong(made.memory(), cell, 0x1234_5678_9abc_def0L);
      assertEquals(0x1234_5678_9abc_def0L, Words.loadLong(attached.memory(), cell));
    }
  }

  @Test
  void whoAttachesSeesWhetherTheJobChecksTypes() {
    try (Segment made = create(); Segment attached = attach()) {
      assertFalse(attached.checksTypes());
      made.checksTypes(true);
      assertTrue(attached.checksTypes());
    }
  }

  @Test
  void anotherProcessSeesTheSameMemory() {
    try (Segment made = create();
        OtherProcess other = new OtherProcess(directory)) {
      made.reserveArea(1);
      long cell = GEOMETRY.cellOffset(1, 3);
      Words.storeLong(made.memory(), cell, 41);
      assertEquals("41", other.tell("load " + cell));
      other.tell("store " + cell + " 42");
      assertEquals(42, Words.loadLong(made.memory(), cell));
    }
  }

  @Test
  void theHeaderTellsWhoMadeItAndWithWhichSizes() {
    try (Segment made = Segment.create(path, new Geometry(3, 5, 700), JOB)) {
      MemorySegment memory = made.memory();
      assertEquals(MAGIC, Words.loadLong(memory, MAGIC_OFFSET));
      assertEquals(LayoutDump.VERSION, Words.load(memory, LAYOUT_VERSION_OFFSET));
      assertEquals(LayoutDump.CRC, Words.load(memory, LAYOUT_CRC_OFFSET));
      assertEquals(JOB, Words.loadLong(memory, JOB_ID_OFFSET));
      assertEquals(3, Words.load(memory, RANK_COUNT_OFFSET));
      assertEquals(5, Words.load(memory, CELL_COUNT_OFFSET));
      assertEquals(700, Words.load(memory, CELL_PAYLOAD_OFFSET));
      assertEquals(65_536, Words.load(memory, BOX_RING_BYTES_OFFSET));
      assertEquals(16_384 | BOX_LEARNS, Words.load(memory, BOX_LIMIT_OFFSET));
      assertEquals(16, Words.load(memory, BOX_THRESHOLD_OFFSET));
      assertEquals(16, Words.load(memory, BOX_PREALLOCATE_RANKS_OFFSET));
      assertEquals(ProcessHandle.current().pid(), Words.load(memory, CREATOR_PID_OFFSET));
      assertEquals(SegmentFile.uid(), Words.load(memory, CREATOR_UID_OFFSET));
      assertEquals(ProcessIdentity.self().start(), Words.loadLong(memory, CREATOR_START_OFFSET));
      assertEquals(made.geometry().segmentBytes(), Words.loadLong(memory, FILE_END_OFFSET));
      assertEquals(0, Words.load(memory, ATTACHED_OFFSET));
    }
  }

  @Test
  void whoComesTooEarlyIsToldToTryAgain() throws IOException {
    assertEquals(Optional.empty(), Segment.attach(path, 2, JOB), "no file yet");
    try (FileChannel file = SegmentFile.create(path)) {
      assertEquals(Optional.empty(), Segment.attach(path, 2, JOB), "no bytes yet");
      Reservation.reserve(path, file, 0, 8192, Reservation.SMALLER_SEGMENT);
      assertEquals(Optional.empty(), Segment.attach(path, 2, JOB), "no magic yet");
    }
  }

  /** Field, its bytes, a value of another, and how the refusal names it. */
  static Stream<Arguments> mismatches() {
    return Stream.of(
        Arguments.of(MAGIC_OFFSET, 8, Long.reverseBytes(MAGIC), "magic"),
        Arguments.of(LAYOUT_VERSION_OFFSET, 4, LayoutDump.VERSION + 1L, "layout version"),
        Arguments.of(LAYOUT_CRC_OFFSET, 4, LayoutDump.CRC ^ 1L, "layout CRC"),
        Arguments.of(JOB_ID_OFFSET, 8, JOB + 1, "job"),
        Arguments.of(RANK_COUNT_OFFSET, 4, 3L, "rank count"),
        Arguments.of(CELL_COUNT_OFFSET, 4, 1L, "cells: 1"),
        Arguments.of(CELL_COUNT_OFFSET, 4, -1L, "cells: -1"),
        Arguments.of(CELL_COUNT_OFFSET, 4, 4096L, "rank area size"),
        Arguments.of(CELL_PAYLOAD_OFFSET, 4, 0L, "payload of a cell: 0"),
        Arguments.of(CELL_PAYLOAD_OFFSET, 4, 4096L, "cell stride"),
        Arguments.of(CELL_STRIDE_OFFSET, 4, 192L, "cell stride"),
        Arguments.of(RANK_TABLE_OFFSET_OFFSET, 8, 256L, "rank table"),
        Arguments.of(RANK_AREA_OFFSET_OFFSET, 8, 4096L, "rank areas"),
        Arguments.of(RANK_AREA_BYTES_OFFSET, 8, 4096L, "rank area size"),
        Arguments.of(CELLS_OFFSET_OFFSET, 8, 1024L, "cells"),
        Arguments.of(BOX_RING_BYTES_OFFSET, 4, 64L, "lines of a fastbox: 1"),
        Arguments.of(BOX_RING_BYTES_OFFSET, 4, 65_537L, "ring of a fastbox"),
        Arguments.of(BOX_RING_BYTES_OFFSET, 4, 0L, "rank area size"),
        Arguments.of(BOX_LIMIT_OFFSET, 4, 32_737L, "most bytes in a fastbox of 1024 lines: 32737"),
        Arguments.of(BOX_LIMIT_OFFSET, 4, -1L, "most bytes in a fastbox of 1024 lines: 2147483647"),
        Arguments.of(BOX_THRESHOLD_OFFSET, 4, 0L,
            "threshold of fastboxes and most ranks that have them from the start: 0"),
        Arguments.of(BOX_TABLE_OFFSET_OFFSET, 8, 0L, "box table"),
        Arguments.of(BOXES_OFFSET_OFFSET, 8, 0L, "fastboxes"),
        Arguments.of(SEGMENT_BYTES_OFFSET, 8, 1L << 40, "segment size"));
  }

  @ParameterizedTest(name = "{3}: {2}")
  @MethodSource("mismatches")
  void refusesAMismatchAndNamesIt(int offset, int bytes, long value, String name) {
    try (Segment made = create()) {
      if (bytes == 4) {
        Words.store(made.memory(), offset, (int) value);
      } else {
        Words.storeLong(made.memory(), offset, value);
      }
      String message = assertThrows(SegmentException.class, this::attach).getMessage();
      assertTrue(message.contains(path + ": " + name), message);
    }
  }

  @Test
  void refusesAFileThatWasCut() throws IOException {
    try (Segment made = create()) {
      try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
        file.truncate(8192);
      }
      String message = assertThrows(SegmentException.class, this::attach).getMessage();
      assertTrue(message.contains("8192 bytes") && message.contains("" + GEOMETRY.segmentBytes()), message);
      assertTrue(message.contains("cut"), message);
      made.unlink();
    }
  }

  @Test
  void anotherNumberOfRanksIsRefused() {
    try (Segment made = create()) {
      String message =
          assertThrows(SegmentException.class, () -> Segment.attach(path, GEOMETRY.ranks() + 1, JOB)).getMessage();
      assertTrue(message.contains("rank count is 0x2") && message.contains("expects 0x3"), message);
      made.unlink();
    }
  }

  @Test
  void aRanksAreaIsReservedAndZero() throws IOException {
    Path home = Files.createTempDirectory(SegmentFile.directory(), "adrastea-test-"); // what a real job would have
    Path file = SegmentFile.path(home, JOB, 0);
    try (Segment made = Segment.create(file, GEOMETRY, JOB)) {
      long before = allocated(file);
      made.reserveArea(1);
      long given = allocated(file) - before;
      assertTrue(given >= GEOMETRY.boxesOffset(), "the file system has given the pages");
      MemorySegment area = made.memory().asSlice(GEOMETRY.rankAreaOffset(1), GEOMETRY.boxesOffset());
      assertEquals(-1, area.mismatch(MemorySegment.ofArray(new byte[(int) area.byteSize()])), "nothing but zeros");
    } finally {
      SegmentFile.unlink(file);
      Files.delete(home);
    }
  }

  @Test
  void theRingOfAFastboxIsReservedAndZeroWhenItIsMade() throws IOException {
    Path home = Files.createTempDirectory(SegmentFile.directory(), "adrastea-test-");
    Path file = SegmentFile.path(home, JOB, 0);
    try (Segment made = Segment.create(file, GEOMETRY, JOB)) {
      long before = allocated(file);
      made.reserveBox(1, 0);
      int bytes = GEOMETRY.boxes().ringBytes();
      assertTrue(allocated(file) - before >= bytes, "the file system has given the pages");
      MemorySegment ring = made.memory().asSlice(GEOMETRY.boxRingOffset(1, 0), bytes);
      assertEquals(-1, ring.mismatch(MemorySegment.ofArray(new byte[bytes])), "nothing but zeros");
    } finally {
      SegmentFile.unlink(file);
      Files.delete(home);
    }
  }

  /** Bytes that the file system has given to a file, as {@code stat} tells them. */
  private static long allocated(Path file) throws IOException {
    Process stat = new ProcessBuilder("stat", "-c", "%b %B", file.toString()).start();
    String[] blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim().split(" ");
    return Long.parseLong(blocks[0]) * Long.parseLong(blocks[1]);
  }

  @Test
  void theLastToAttachTakesTheNameAway() {
    try (Segment made = create();
        OtherProcess other = new OtherProcess(directory)) {
      assertFalse(made.allAttached());
      other.tell("count");
      assertTrue(Files.exists(path), "one is missing");
      assertFalse(made.allAttached());
      made.countAttached();
      assertTrue(made.allAttached());
      assertFalse(Files.exists(path));
      Words.storeLong(made.memory(), FILE_END_OFFSET + 8, 5);
      assertEquals("5", other.tell("load " + (FILE_END_OFFSET + 8)), "the memory lives on");
    }
  }

  @Test
  void theLastToAttachComesAlsoWhenItCannotTakeTheNameAway() throws IOException {
    try (Segment made = create()) {
      made.countAttached();
      Files.delete(path);
      Files.createDirectories(path.resolve("not-empty"));
      made.countAttached();
      assertTrue(made.allAttached());
    }
  }

  /** Else a rank that goes on could leave, and find this file where it joins a later job of the same number. */
  @Test
  void nobodyGoesOnWhileTheFileHasItsName() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      try (Segment made = create()) {
        AtomicBoolean named = new AtomicBoolean();
        CountDownLatch looks = new CountDownLatch(LOOKS);
        Thread waiter = Thread.ofPlatform().start(() -> {
          for (int look = 0; look < LOOKS; look++) { // until both calls are quick, and this thread has a CPU
            made.allAttached();
            Files.exists(path);
            looks.countDown();
          }
          while (!made.allAttached()) {
            Thread.onSpinWait();
          }
          named.set(Files.exists(path));
        });
        looks.await();
        for (int rank = 0; rank < GEOMETRY.ranks(); rank++) {
          made.countAttached();
        }
        waiter.join();
        assertFalse(named.get());
      }
    }
  }

  @Test
  void theLastToAttachMayBeAnotherThanTheCreator() {
    try (Segment made = create();
        OtherProcess other = new OtherProcess(directory)) {
      made.countAttached();
      other.tell("count");
      assertFalse(Files.exists(path));
      assertTrue(made.allAttached());
    }
  }

  @Test
  void theMemoryOutlivesTheClosedFile() {
    Segment made = create();
    made.unlink();
    made.close();
    Words.storeLong(made.memory(), CREATOR_START_OFFSET, 9);
    assertEquals(9, Words.loadLong(made.memory(), CREATOR_START_OFFSET));
  }

  @Test
  void aSecondOneOfTheSameNameIsRefusedAndTheFirstStays() {
    try (Segment made = create()) {
      String message = assertThrows(SegmentException.class, this::create).getMessage();
      assertTrue(message.contains(path.toString()), message);
      try (Segment attached = attach()) {
        assertEquals(made.geometry(), attached.geometry());
      }
    }
  }

  @Test
  void aJobThatDoesNotFitIsRefusedWithTheBytesAndTheSettings() throws IOException {
    Geometry huge = new Geometry(1024, Geometry.MAX_CELLS, Geometry.MAX_CELL_PAYLOAD);
    long there = Files.getFileStore(directory).getUsableSpace();
    assumeTrue(there < huge.reservedBytes(), "this file system has room for the greatest job");
    String message =
        assertThrows(SegmentException.class, () -> Segment.create(path, huge, JOB)).getMessage();
    assertTrue(message.contains("%,d bytes needed".formatted(huge.reservedBytes())), message);
    assertTrue(message.matches("(?s).*[0-9,]+ there; .*"), message);
    for (String setting : new String[] {"adrastea.shm.dir", "adrastea.cells", "adrastea.cell.bytes"}) {
      assertTrue(message.contains(setting), message);
    }
    assertFalse(Files.exists(path), "nothing is left behind");
  }

  @Test
  void roomThatRunsOutDuringTheReservationIsReportedNotMapped() throws IOException {
    Path full = Path.of("/dev/full"); // every write to it fails with ENOSPC
    assumeTrue(Files.isWritable(full), "this system has no /dev/full");
    try (FileChannel file = FileChannel.open(full, StandardOpenOption.WRITE)) {
      SegmentException refused =
          assertThrows(SegmentException.class,
              () -> Reservation.reserve(full, file, 4096, 1 << 20, Reservation.SMALLER_GROWTH));
      assertTrue(refused.getMessage().contains("1,048,576 bytes needed"), refused.getMessage());
      assertTrue(refused.getCause() instanceof IOException, "the system's own reason is kept");
      assertTrue(refused.getMessage().contains(refused.getCause().getMessage()), refused.getMessage());
    }
  }

  @Test
  void concurrentCountsAreAllCounted() throws InterruptedException {
    Geometry many = new Geometry(64, 2, 64);
    try (Segment made = Segment.create(path, many, JOB)) {
      Thread[] ranks = new Thread[many.ranks()];
      for (int rank = 0; rank < ranks.length; rank++) {
        ranks[rank] = Thread.ofPlatform().start(made::countAttached);
      }
      for (Thread rank : ranks) {
        rank.join(TimeUnit.SECONDS.toMillis(60));
      }
      assertEquals(many.ranks(), made.memory().get(ValueLayout.JAVA_INT, ATTACHED_OFFSET));
      assertFalse(Files.exists(path));
    }
  }
}
