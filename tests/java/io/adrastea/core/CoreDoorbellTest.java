package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.layout.BoxEntryDescriptor;
import io.adrastea.segment.BoxSettings;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How fastboxes are asked for and opened, and how a receiver finds the active ones. */
@EveryCorePair
class CoreDoorbellTest extends CoreBoxContract {
  /** Looks after which an empty box is no longer looked at, and after which all are. */
  private static final int IDLE_LOOKS = 1024;

  private static final int SCAN_LOOKS = 4096;

  private void sendByCell(int from, int to, int times) {
    for (int i = 0; i < times; i++) {
      assertEquals(1, send(from, to, 1, "x"));
      assertTakes(to, "x");
    }
  }

  @Test
  void aSenderAsksWhenThePairHasBecomeBusyAndFindsTheBoxOnceItIsOpen() {
    sendByCell(2, 1, THRESHOLD - 1);
    assertEquals(0, marks(1));
    assertEquals(1, send(2, 1, 1, "x"));
    assertEquals(1 << 2, marks(1));
    assertEquals(Core.WANTED, core(1).poll(-1, in));
    assertEquals(2, in.source());
    assertEquals(Core.NOMSG, receiveNothing(1, 1, -1, -1, PAYLOAD), "it stays wanted");
    segment.reserveBox(1, 2);
    assertEquals(0, core(1).openBox(2));
    assertEquals(0, marks(1), "the first message through the box sets it anew, and looks whether the receiver sleeps");
    assertTakes(1, "x");
    sendByCell(2, 1, 1); // by which the sender finds the box
    assertEquals(1, send(2, 1, 1, "y"));
    assertEquals('y', memory.get(ValueLayout.JAVA_BYTE, ring(2, 1) + 16));
    assertTakes(1, "y");
  }

  @Test
  void aRefusedBoxIsNotAskedForAgainAndMessagesGoOnByCell() {
    sendByCell(0, 1, THRESHOLD - 1);
    send(0, 1, 1, "x");
    assertEquals(Core.WANTED, core(1).poll(-1, in));
    assertEquals(0, core(1).refuseBox(0));
    assertEquals(0, marks(1));
    assertTakes(1, "x");
    sendByCell(0, 1, 3 * THRESHOLD);
    assertEquals(0, marks(1));
    assertNothing(1);
  }

  @Test
  void messagesTooLongForABoxDoNotAskForOne() {
    for (int i = 0; i < 3 * THRESHOLD; i++) {
      assertEquals(LIMIT + 1, sendBytes(0, 1, 1, pattern(LIMIT + 1)));
      assertTakesBytes(1, 0, pattern(LIMIT + 1));
    }
    assertEquals(0, marks(1));
  }

  @Test
  void aBoxIsOpenedOnceAndNotRefusedThen() {
    segment.reserveBox(1, 0);
    assertEquals(0, core(1).openBox(0));
    assertEquals(Core.INVAL, core(1).openBox(0));
    assertEquals(Core.INVAL, core(1).refuseBox(0));
    for (int nobody : new int[] {-1, RANKS, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertEquals(Core.INVAL, core(1).openBox(nobody));
      assertEquals(Core.INVAL, core(1).refuseBox(nobody));
    }
  }

  @Test
  void aJobWithoutBoxesOpensNoneAndIsNotMadeToByAPeer() {
    close();
    open(new BoxSettings(0, 0, 1, 16));
    assertEquals(Core.INVAL, core(1).openBox(0));
    Words.store(memory, geometry.boxEntryOffset(1, 0) + BoxEntryDescriptor.OPEN_OFFSET, 1);
    for (int i = 0; i < 3; i++) {
      assertEquals(0, send(0, 1, 1, ""));
      assertTakes(1, "");
    }
  }

  @Test
  void aMessageMarksItsBoxAndNoOther() {
    connect(0, 1);
    connect(2, 1);
    setMarks(1, 0);
    send(2, 1, 1, "x");
    assertEquals(1 << 2, marks(1));
    send(0, 1, 1, "y");
    assertEquals(1 << 2 | 1, marks(1));
    assertTakes(1, "y");
    assertTakes(1, "x");
  }

  @Test
  void aBoxThatStaysEmptyLosesItsMarkAndGetsItBackWithTheNextMessage() {
    connect(0, 1);
    for (int round = 0; round < 3; round++) {
      send(0, 1, 1, "x");
      assertTakes(1, "x");
      for (int look = 2; look < IDLE_LOOKS; look++) {
        assertNothing(1);
      }
      assertEquals(1, marks(1));
      for (int look = 0; look < 3; look++) { // one of them may be the scan, which does not count
        assertNothing(1);
      }
      assertEquals(0, marks(1));
    }
  }

  @Test
  void aMessageWithoutAMarkIsFoundByTheScan() {
    connect(0, 1);
    send(0, 1, 1, "lost");
    setMarks(1, 0);
    int looks = 0;
    while (core(1).poll(-1, in) == Core.AGAIN) {
      assertTrue(++looks <= SCAN_LOOKS, "more looks than from one scan to the next");
    }
    assertTakes(1, "lost");
  }

  @Test
  void whoIsAskedForIsFoundWithoutAMark() {
    connect(0, 1);
    send(0, 1, 1, "lost");
    setMarks(1, 0);
    assertEquals(Core.PIECE, core(1).poll(0, in));
    assertTakes(1, "lost");
    send(0, 1, 1, "lost");
    setMarks(1, 0);
    assertReceives(1, 1, 0, "lost");
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << RANKS, 1L << 63, -1L << RANKS})
  void marksOfNobodyAreNotLookedAt(long marks) {
    setMarks(1, marks);
    assertNothing(1);
    assertNothing(1);
    send(0, 1, 1, "x");
    assertTakes(1, "x");
  }
}
