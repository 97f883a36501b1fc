package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.NEXT_OFFSET;
import static io.adrastea.layout.CellDescriptor.SEQUENCE_OFFSET;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.layout.MpscQueueDescriptor;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pieces that come before their turn: they wait for those before them, and nobody waits for them. */
@EveryCorePair
class CoreEarlyTest extends CoreBoxContract {
  /** Sends a text by cell under a number of the test's choice. */
  private void sendAs(int from, int to, long sequence, String text) {
    byte[] padded = filled(PAYLOAD, ' ');
    System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, padded, 0, text.length());
    assertEquals(PAYLOAD, sendBytes(from, to, 1, padded));
    Words.storeLong(memory, sentLast(to) + SEQUENCE_OFFSET, sequence);
  }

  /** Offset of the cell that was sent last to a rank. */
  private long sentLast(int to) {
    return Words.loadLong(memory, geometry.receiveQueueOffset(to) + MpscQueueDescriptor.TAIL_OFFSET);
  }

  private void assertTakesText(int rank, int source, String text) {
    assertPolls(rank);
    assertEquals(source, in.source());
    byte[] taken = new byte[PAYLOAD];
    assertEquals(0, core(rank).take(MemorySegment.ofArray(taken), 0, PAYLOAD));
    assertEquals(text, new String(taken, StandardCharsets.US_ASCII).trim());
  }

  @Test
  void oneSourceIsReorderedWhileAnotherFlows() {
    connect(2, 1);
    sendAs(0, 1, 2, "third");
    sendAs(0, 1, 1, "second");
    for (int i = 0; i < 3 * CELLS; i++) {
      byte[] message = message(i, i % 4 < 2 ? 8 : PAYLOAD); // by box, by cell
      assertEquals(message.length, sendBytes(2, 1, i, message));
      if (i % 2 == 0) {
        assertTakesBytes(1, 2, message);
      } else {
        byte[] received = new byte[message.length];
        assertEquals(
            message.length,
            core(1).receive(i, -1, 2, MemorySegment.ofArray(received), 0, message.length, 3, in));
        assertArrayEquals(message, received);
      }
      assertNothing(1, "the first is missing");
    }
    sendAs(0, 1, 0, "first");
    assertTakesText(1, 0, "first");
    assertTakesText(1, 0, "second");
    assertTakesText(1, 0, "third");
    assertNothing(1);
  }

  @Test
  void receiveWaitsForTheFirstToo() {
    sendAs(0, 1, 1, "second");
    assertEquals(Core.AGAIN, receiveNothing(1, 1, -1, 0, PAYLOAD));
    assertEquals(Core.AGAIN, receiveNothing(1, 1, -1, -1, PAYLOAD));
    sendAs(0, 1, 0, "first");
    for (String text : new String[] {"first", "second"}) {
      byte[] received = new byte[PAYLOAD];
      assertEquals(PAYLOAD, core(1).receive(1, -1, 0, MemorySegment.ofArray(received), 0, PAYLOAD, 3, in));
      assertEquals(text, new String(received, StandardCharsets.US_ASCII).trim());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void anyOrderOfCellsOfTwoSourcesIsPutRight(long seed) {
    Random random = new Random(seed);
    long base = 0;
    for (int round = 0; round < 20; round++) {
      List<Long> order = new ArrayList<>(List.of(0L, 1L, 2L, 3L, 4L, 5L));
      Collections.shuffle(order, random);
      for (long number : order) {
        sendAs(0, 1, base + number, "a" + number);
        sendAs(2, 1, base + 5 - number, "b" + (5 - number));
      }
      int[] next = new int[RANKS];
      for (int i = 0; i < 12; i++) {
        assertPolls(1);
        int source = in.source();
        assertTakesText(1, source, (source == 0 ? "a" : "b") + next[source]++);
      }
      assertNothing(1, "round " + round);
      base += 6;
    }
  }

  @Test
  void whatTheBoxHoldsComesBeforeACellThatIsBehindIt() {
    connect(0, 1);
    for (int round = 0; round < 20; round++) { // so that each kind of look meets it
      send(0, 1, 1, "by box");
      setMarks(1, 0);
      sendBytes(0, 1, 1, pattern(PAYLOAD));
      if (round % 3 == 0) {
        assertReceives(1, 1, -1, "by box");
      } else {
        assertTakes(1, "by box");
      }
      assertTakesBytes(1, 0, pattern(PAYLOAD));
      assertNothing(1);
    }
  }

  @Test
  void aCellSetAsideWaitsForAMessageByBox() {
    connect(0, 1); // number 0 went
    sendAs(0, 1, 2, "cell");
    assertNothing(1);
    assertEquals(2, sendBoxAs(1, "mm"));
    assertTakes(1, "mm");
    assertTakesText(1, 0, "cell");
    assertNothing(1);
  }

  /** Sends a text by box under a number of the test's choice, to rank 1. */
  private int sendBoxAs(long sequence, String text) {
    int sent = send(0, 1, 1, text);
    long header = Words.loadLong(memory, ring(0, 1));
    Words.storeLong(memory, ring(0, 1), sequence << 20 | header & 0xfffff);
    return sent;
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 32, -1, CELLS + RING / 16 + 1})
  void whatIsEarlierThanCanBeIsCorrupt(long sequence) {
    sendAs(0, 1, sequence, "never");
    assertEquals(Core.CORRUPT, core(1).poll(-1, in));
    Words.storeLong(memory, sentLast(1) + SEQUENCE_OFFSET, CELLS + RING / 16);
    assertNothing(1, "just early");
  }

  @Test
  void aBrokenChainOfCellsSetAsideIsCorrupt() {
    sendAs(0, 1, 3, "fourth");
    long fourth = sentLast(1);
    assertNothing(1);
    for (long bad : new long[] {64, geometry.segmentBytes(), fourth + 8, Long.MIN_VALUE, fourth}) {
      Words.storeLong(memory, fourth + NEXT_OFFSET, bad);
      sendAs(0, 1, 4, "fifth");
      assertEquals(Core.CORRUPT, core(1).poll(-1, in), Long.toHexString(bad));
    }
  }

  @Test
  void everyCellComesHomeThoughItWasSetAside() {
    long base = 0;
    for (int round = 0; round < 3 * CELLS; round++) {
      sendAs(0, 1, base + 1, "second");
      sendAs(0, 1, base, "first");
      assertTakesText(1, 0, "first");
      assertPolls(1);
      assertEquals(0, round % 2 == 0 ? core(1).release() : hold());
      base += 2;
    }
    assertNothing(1);
    int sent = 0;
    while (sendBytes(0, 1, 1, pattern(PAYLOAD)) == PAYLOAD) {
      sent++;
    }
    assertTrue(sent >= CELLS / 2, "cells: " + sent);
  }

  private int hold() {
    assertEquals(0, core(1).retain());
    return core(1).releaseRetained(0, in.place());
  }

  /** A rank that rewrites links while cells are set aside has the same cell come again, but not for ever. */
  @Test
  void moreCellsSetAsideThanThereAreAreCorrupt() {
    long last = asideAs(5);
    long first = asideAs(2);
    long between = asideAs(3);
    int status = Core.AGAIN;
    for (int again = 0; again <= RANKS * CELLS && status == Core.AGAIN; again++) {
      Words.storeLong(memory, first + NEXT_OFFSET, last); // so it is not met on the way to its place
      enqueueAlone(between);
      status = core(1).poll(-1, in);
    }
    assertEquals(Core.CORRUPT, status);
  }

  private long asideAs(long sequence) {
    sendAs(0, 1, sequence, "early");
    long cell = sentLast(1);
    assertNothing(1, "it is early");
    return cell;
  }

  private void enqueueAlone(long cell) {
    long queue = geometry.receiveQueueOffset(1);
    Words.storeLong(memory, cell + NEXT_OFFSET, 0);
    Words.storeLong(memory, queue + MpscQueueDescriptor.SHADOW_HEAD_OFFSET, 0);
    Words.storeLong(memory, queue + MpscQueueDescriptor.HEAD_OFFSET, cell);
    Words.storeLong(memory, queue + MpscQueueDescriptor.TAIL_OFFSET, cell);
  }
}
