package io.adrastea.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.error.SegmentException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads that are interrupted in calls that need the segment's file: it stays open, and another process sees that the
 * rank lives.
 */
@Timeout(240)
class InterruptTest {
  private static final int OWN = 0;
  private static final int ROUNDS = 200;

  @TempDir
  Path directory;
  private Segment segment;
  private OtherProcess other;

  @BeforeEach
  void open() {
    segment = Segment.create(SegmentFile.path(directory, OtherProcess.JOB, 0), OtherProcess.GEOMETRY, OtherProcess.JOB);
    segment.reserveArea(OWN);
    segment.reserveBoxes(OWN);
    assertTrue(segment.lockPlace(OWN));
    other = new OtherProcess(directory);
    other.tell("attach");
  }

  @AfterEach
  void close() {
    other.close();
    segment.unlink();
    segment.close();
  }

  private void assertHeld() {
    assertEquals("HELD", other.tell("look " + OWN));
  }

  /** Makes a call with the thread's interrupt pending. */
  private void interrupted(Runnable call) {
    Thread.currentThread().interrupt();
    try {
      call.run();
    } finally {
      assertTrue(Thread.interrupted(), "the caller keeps its interrupt");
    }
    assertHeld();
  }

  private MemorySegment memory(int index) {
    return segment.regions().memory(segment.regions().get(index));
  }

  @Test
  void aRegionIsAddedAndMapped() {
    int[] index = new int[1];
    interrupted(() -> index[0] = segment.regions().add(OWN, RegionKind.HEAP, 10_000));
    interrupted(() -> Words.storeLong(memory(index[0]), 0, 42));
    assertEquals("42", other.tell("loadRegion 0"));
  }

  @Test
  void aPartIsReservedAndReleasedAndItsRegionGivenBack() {
    int index = segment.regions().add(OWN, RegionKind.SYMMETRIC, OWN, 1 << 20, true);
    interrupted(() -> segment.regions().reserve(index, 8192, 8192));
    memory(index).asSlice(8192, 8192).fill((byte) 1);
    interrupted(() -> segment.regions().release(index, 8192, 4096));
    assertEquals(0, Words.loadLong(memory(index), 8192));
    interrupted(() -> segment.regions().giveBack(OWN, index));
    interrupted(() -> assertEquals(index, segment.regions().add(OWN, RegionKind.SYMMETRIC, OWN, 1 << 20, true)));
    assertEquals(0, Words.loadLong(memory(index), 12288));
  }

  @Test
  void aRegionOfAnotherRankIsMapped() {
    assertEquals("0", other.tell("addRegion 1 5000 7"));
    interrupted(() -> assertEquals(7, Words.loadLong(memory(0), 0)));
  }

  @Test
  void whatIsRefusedIsRefusedAsEver() {
    interrupted(() -> assertThrows(SegmentException.class, () -> segment.regions().get(0)));
    interrupted(() -> assertThrows(SegmentException.class,
        () -> segment.regions().add(OWN, RegionKind.HEAP, Long.MAX_VALUE / 4)));
  }

  @Test
  void aFastboxIsReserved() {
    interrupted(() -> segment.reserveBox(OWN, 1));
  }

  @Test
  void othersAreLookedFor() {
    interrupted(() -> assertEquals(Segment.Place.FREE, segment.checkPlace(1)));
  }

  @Test
  void anInterruptInTheMiddleHarmsNothing() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  begun.countDown();
                  for (int round = 0; round < ROUNDS; round++) {
                    segment.reserveBox(OWN, 1);
                    segment.checkPlace(1);
                  }
                });
    begun.await();
    while (caller.isAlive()) {
      caller.interrupt();
    }
    assertHeld();
    segment.reserveBox(OWN, 1); // it is still open
  }
}
