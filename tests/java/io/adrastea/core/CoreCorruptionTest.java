package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.*;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.core.CorePair.Ranks;
import io.adrastea.layout.MpscQueueDescriptor;
import io.adrastea.link.Inbound;
import io.adrastea.segment.Geometry;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a broken peer may write: every core says CORRUPT, and touches nothing beyond the segment. */
@Timeout(240)
@ParameterizedClass(name = "{0}")
@MethodSource("pairs")
class CoreCorruptionTest {
  private static final int CELLS = 8;
  private static final int PAYLOAD = 64;
  private static final int RANKS = 2;

  @Parameter
  CorePair pair;
  @TempDir
  Path directory;
  private Ranks ranks;
  private Geometry geometry;
  private MemorySegment memory;
  private final Inbound in = new Inbound();

  static Stream<CorePair> pairs() {
    return CorePair.all();
  }

  @BeforeEach
  void open() {
    ranks = pair.open(directory, RANKS, CELLS, PAYLOAD);
    geometry = ranks.segment().geometry();
    memory = ranks.segment().memory();
  }

  @AfterEach
  void close() {
    ranks.close();
  }

  private int send(int from, int to) {
    return ranks.core(from).trySend(to, KIND_FIRST, 1, 8, MemorySegment.ofArray(new byte[8]), 0, 8);
  }

  /** Offset of the cell that was sent last to a rank. */
  private long sentLast(int to) {
    return Words.loadLong(memory, geometry.receiveQueueOffset(to) + MpscQueueDescriptor.TAIL_OFFSET);
  }

  private int receive(int rank, byte[] buffer) {
    return ranks.core(rank).receive(1, -1, -1, MemorySegment.ofArray(buffer), 0, buffer.length, 3, in);
  }

  @ParameterizedTest(name = "{0} = {3}")
  @CsvSource({
    "source, 36, 4, 2",
    "source, 36, 4, -1",
    "source, 36, 4, -2147483648",
    "owner, 44, 4, 2",
    "owner, 44, 4, -1",
    "length, 32, 4, 65",
    "length, 32, 4, -1",
    "length, 32, 4, -2147483648",
    "length beyond the total, 32, 4, 9",
    "total length, 16, 8, 7",
    "total length, 16, 8, -1",
    "total length, 16, 8, -9223372036854775808",
    "kind, 40, 4, 0",
    "kind, 40, 4, 4",
    "kind, 40, 4, -1",
    "sequence, 24, 8, 0",
    "sequence, 24, 8, 2000",
    "sequence, 24, 8, -1"
  })
  void aHeaderThatNoCorrectRankWritesIsCorrupt(String field, int offset, int bytes, long value) {
    assertEquals(8, send(0, 1)); // so that the number of the next piece is 1
    assertEquals(8, receive(1, new byte[8]));
    for (int look = 0; look < 2; look++) { // by poll, then by receive in a job of its own
      assertEquals(8, send(0, 1));
      write(sentLast(1) + offset, bytes, value);
      byte[] untouched = new byte[PAYLOAD];
      assertEquals(Core.CORRUPT, look == 0 ? ranks.core(1).poll(-1, in) : receive(1, untouched), field);
      assertArrayEquals(new byte[PAYLOAD], untouched);
      close();
      open();
      send(0, 1);
      receive(1, new byte[8]);
    }
  }

  private void write(long offset, int bytes, long value) {
    if (bytes == 4) {
      Words.store(memory, offset, (int) value);
    } else {
      Words.storeLong(memory, offset, value);
    }
  }

  private long[] badOffsets() {
    long cell = geometry.cellOffset(0, 1);
    return new long[] {64, geometry.segmentBytes(), -64, cell + 8, Long.MIN_VALUE, Long.MAX_VALUE - 63};
  }

  @Test
  void aReceiveQueueThatNamesNoCellIsCorrupt() {
    for (long bad : badOffsets()) {
      write(geometry.receiveQueueOffset(1) + MpscQueueDescriptor.HEAD_OFFSET, 8, bad);
      assertEquals(Core.CORRUPT, ranks.core(1).poll(-1, in), Long.toHexString(bad));
      assertEquals(Core.CORRUPT, receive(1, new byte[8]), Long.toHexString(bad));
      write(geometry.receiveQueueOffset(1) + MpscQueueDescriptor.SHADOW_HEAD_OFFSET, 8, 0);
    }
  }

  @Test
  void aLinkThatNamesNoCellIsCorrupt() {
    for (long bad : badOffsets()) {
      assertEquals(8, send(0, 1));
      write(sentLast(1) + NEXT_OFFSET, 8, bad);
      int first = ranks.core(1).poll(-1, in); // sound itself; a link with the sign bit reads as an error already here
      assertTrue(first == 1 || first == Core.CORRUPT, bad + ": " + first);
      if (first == 1) {
        ranks.core(1).release();
      }
      assertEquals(Core.CORRUPT, ranks.core(1).poll(-1, in), Long.toHexString(bad));
      close();
      open();
    }
  }

  @Test
  void aSendBehindATailThatNamesNoCellIsCorrupt() {
    for (long bad : badOffsets()) {
      write(geometry.receiveQueueOffset(1) + MpscQueueDescriptor.TAIL_OFFSET, 8, bad);
      assertEquals(Core.CORRUPT, send(0, 1), Long.toHexString(bad));
    }
  }

  @Test
  void aCellGivenBackToAFreeQueueWhoseTailNamesNoCellIsCorrupt() {
    for (long bad : badOffsets()) {
      send(0, 1);
      write(geometry.freeQueueOffset(0) + MpscQueueDescriptor.TAIL_OFFSET, 8, bad);
      assertEquals(1, ranks.core(1).poll(-1, in));
      assertEquals(0, ranks.core(1).release());
      assertEquals(Core.CORRUPT, ranks.core(1).poll(-1, in), Long.toHexString(bad)); // here the cell goes back
      close();
      open();
    }
  }

  /** Sends until the cells at hand are used up, so that the next send looks into the free queue. */
  private void useUpCells() {
    for (int sent = send(0, 1); sent == 8; sent = send(0, 1)) {
      assertTrue(sentLast(1) != 0);
    }
    for (int sent = send(0, 0); sent == 8; sent = send(0, 0)) {
      assertTrue(sentLast(0) != 0);
    }
  }

  private void giveBack(long cell) {
    long free = geometry.freeQueueOffset(0);
    write(cell + NEXT_OFFSET, 8, 0);
    write(free + MpscQueueDescriptor.TAIL_OFFSET, 8, cell);
    write(free + MpscQueueDescriptor.HEAD_OFFSET, 8, cell);
  }

  @Test
  void anotherRanksCellInTheFreeQueueIsCorrupt() {
    useUpCells();
    giveBack(geometry.cellOffset(1, 0));
    assertEquals(Core.CORRUPT, send(0, 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {RANKS + 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void aCellThatCameBackFromNobodyIsCorrupt(int destination) {
    useUpCells();
    long cell = geometry.cellOffset(0, 3);
    giveBack(cell);
    write(cell + DESTINATION_OFFSET, 4, destination);
    assertEquals(Core.CORRUPT, send(0, 1));
  }

  @Test
  void aCellThatComesBackMoreOftenThanItWasSentIsCorrupt() {
    assertEquals(8, send(0, 1));
    long cell = sentLast(1);
    useUpCells();
    for (int destination = 1; destination <= RANKS; destination++) {
      int status = 0;
      for (int times = 0; times <= CELLS && status != Core.CORRUPT; times++) {
        giveBack(cell);
        write(cell + DESTINATION_OFFSET, 4, destination);
        status = send(0, 1 - (destination - 1)); // to the other, so that nothing is charged to this one
      }
      assertEquals(Core.CORRUPT, status, "cells of rank " + (destination - 1));
      close();
      open();
      assertEquals(8, send(0, 1));
      cell = sentLast(1);
      useUpCells();
    }
  }

  @Test
  void aPendingLinkIsNoErrorButNothingYet() {
    assertEquals(8, send(0, 1));
    long first = sentLast(1);
    assertEquals(8, send(0, 1));
    long second = sentLast(1);
    write(first + NEXT_OFFSET, 8, 0); // as if the second enqueuer had not linked yet
    assertEquals(8, receive(1, new byte[8]), "the first needs no link");
    for (int look = 0; look < 3; look++) {
      assertEquals(Core.AGAIN, ranks.core(1).poll(-1, in));
      assertEquals(Core.AGAIN, receive(1, new byte[8]));
    }
    write(first + NEXT_OFFSET, 8, second);
    assertEquals(8, receive(1, new byte[8]));
    assertEquals(Core.AGAIN, receive(1, new byte[8]));
  }

  /** Set aside again and again, they would be walked for ever. */
  @Test
  void earlyCellsThatLinkToEachOtherAreCorrupt() {
    assertEquals(8, send(0, 1));
    long first = sentLast(1);
    assertEquals(8, send(0, 1));
    long second = sentLast(1);
    write(first + SEQUENCE_OFFSET, 8, 1);
    write(second + SEQUENCE_OFFSET, 8, 1);
    write(second + NEXT_OFFSET, 8, first);
    int status = assertTimeoutPreemptively(Duration.ofSeconds(200), () -> ranks.core(1).poll(-1, in));
    assertEquals(Core.CORRUPT, status);
  }

  private void giveBackAsNew(int index) {
    long cell = geometry.cellOffset(0, index);
    giveBack(cell);
    write(cell + DESTINATION_OFFSET, 4, 0);
  }

  /** Its owner has no place for more cells than it has. */
  @Test
  void aClaimThatIsAbortedWhenAllCellsAreBackAlreadyAddsNone() {
    assertTrue(ranks.core(0).claim(1, KIND_FIRST, 1, 8, 8) > 0);
    int sent = 0;
    while (send(0, 0) == 8) {
      sent++;
    }
    for (int index = 0; index <= sent; index++) { // with the one that was left for rank 1
      giveBackAsNew(index);
      assertEquals(Core.AGAIN, send(0, 0), "they came back, but nobody had them");
    }
    assertEquals(0, ranks.core(0).abort(1));
    for (int index = 0; index < 2; index++) {
      giveBackAsNew(index);
      assertEquals(Core.CORRUPT, send(0, 0));
    }
  }

  @Test
  void aPendingLinkInTheFreeQueueIsNoErrorButNoCellYet() {
    useUpCells();
    for (int piece = 0; piece < 2; piece++) {
      assertEquals(1, ranks.core(1).poll(-1, in));
      assertEquals(0, ranks.core(1).release());
    }
    ranks.core(1).poll(-1, in); // so that both cells have gone back
    long free = geometry.freeQueueOffset(0);
    long first = Words.loadLong(memory, free + MpscQueueDescriptor.HEAD_OFFSET);
    long second = Words.loadLong(memory, first + NEXT_OFFSET);
    write(first + NEXT_OFFSET, 8, 0);
    assertEquals(Core.AGAIN, send(0, 1));
    write(first + NEXT_OFFSET, 8, second);
    assertEquals(8, send(0, 1));
    assertEquals(8, send(0, 1));
    assertEquals(Core.AGAIN, send(0, 1));
  }
}
