package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import org.junit.jupiter.api.Test;

/** Bursts: what goes by fastbox shows with one store at the end. */
@EveryCorePair
class CoreBurstTest extends CoreBoxContract {
  @Test
  void nothingShowsBeforeTheEndThoughAllIsWritten() {
    connect(0, 1);
    assertEquals(0, core(0).beginBurst(1));
    for (int number = 0; number < 5; number++) {
      assertEquals(1, send(0, 1, number, "x"));
      assertNothing(1, "held back");
      assertEquals(Core.AGAIN, receiveNothing(1, number, -1, 0, PAYLOAD));
    }
    assertEquals(0, Words.loadLong(memory, ring(0, 1)), "the first header is missing");
    assertEquals(0x78, Words.loadLong(memory, ring(0, 1) + 16), "its payload is not");
    assertEquals(0, core(0).endBurst(1));
    for (int number = 0; number < 5; number++) {
      assertReceives(1, number, 0, "x");
    }
    assertNothing(1);
  }

  @Test
  void sendsToOthersAreNotHeldBack() {
    connect(0, 1);
    connect(0, 2);
    assertEquals(0, core(0).beginBurst(1));
    send(0, 1, 1, "later");
    send(0, 2, 1, "now");
    assertTakes(2, "now");
    assertNothing(1);
    assertEquals(0, core(0).endBurst(1));
    assertTakes(1, "later");
  }

  @Test
  void burstsToSeveralDestinationsAreIndependent() {
    connect(0, 1);
    connect(0, 2);
    assertEquals(0, core(0).beginBurst(1));
    assertEquals(0, core(0).beginBurst(2));
    send(0, 1, 1, "one");
    send(0, 2, 1, "two");
    assertEquals(0, core(0).endBurst(2));
    assertNothing(1);
    assertTakes(2, "two");
    assertEquals(0, core(0).endBurst(1));
    assertTakes(1, "one");
  }

  @Test
  void aPieceByCellShowsWhatWasHeldBackBeforeIt() {
    connect(0, 1);
    assertEquals(0, core(0).beginBurst(1));
    send(0, 1, 1, "small");
    assertNothing(1);
    assertEquals(LIMIT + 1, sendBytes(0, 1, 1, pattern(LIMIT + 1)));
    assertTakes(1, "small");
    assertTakesBytes(1, 0, pattern(LIMIT + 1));
    send(0, 1, 1, "held back again");
    assertNothing(1);
    assertEquals(0, core(0).endBurst(1));
    assertTakes(1, "held back again");
  }

  @Test
  void aFullBoxShowsWhatWasHeldBack() {
    connect(0, 1);
    assertEquals(0, core(0).beginBurst(1));
    int sent = 0;
    while (send(0, 1, 1, "x") == 1) {
      sent++;
      assertTrue(sent < RING, "never full");
    }
    for (int i = 0; i < sent; i++) {
      assertTakes(1, "x");
    }
    assertNothing(1);
    assertEquals(1, send(0, 1, 1, "y"));
    assertNothing(1, "the burst goes on");
    assertEquals(0, core(0).endBurst(1));
    assertTakes(1, "y");
  }

  @Test
  void aClaimWithinABurstIsHeldBackToo() {
    connect(0, 1);
    assertEquals(0, core(0).beginBurst(1));
    assertTrue(core(0).claim(1, 1, 5, 0, 0) > 0);
    assertEquals(0, core(0).commit(1));
    assertNothing(1);
    assertEquals(0, core(0).endBurst(1));
    assertReceives(1, 5, 0, "");
  }

  @Test
  void aBurstOverTheEndOfTheRingShowsWhole() {
    connect(0, 1);
    for (int round = 0; round < 200; round++) {
      assertEquals(0, core(0).beginBurst(1));
      int messages = 1 + round % 7;
      for (int i = 0; i < messages; i++) {
        byte[] message = message(i, (round * 13 + i * 29) % (LIMIT + 1));
        assertEquals(message.length, sendBytes(0, 1, i, message));
      }
      assertNothing(1);
      assertEquals(0, core(0).endBurst(1));
      for (int i = 0; i < messages; i++) {
        assertTakesBytes(1, 0, message(i, (round * 13 + i * 29) % (LIMIT + 1)));
      }
    }
  }

  @Test
  void theEndMarksTheBoxThoughItsMarkWasTakenAwayMeanwhile() {
    connect(0, 1);
    assertEquals(0, core(0).beginBurst(1));
    send(0, 1, 1, "x");
    setMarks(1, 0);
    assertEquals(0, core(0).endBurst(1));
    assertEquals(1, marks(1));
    assertTakes(1, "x");
  }

  @Test
  void aBurstBeginsOnceAndEndsOnce() {
    assertEquals(Core.INVAL, core(0).endBurst(1));
    assertEquals(0, core(0).beginBurst(1));
    assertEquals(Core.INVAL, core(0).beginBurst(1));
    assertEquals(0, core(0).endBurst(1));
    assertEquals(Core.INVAL, core(0).endBurst(1));
    for (int nobody : new int[] {-1, RANKS, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertEquals(Core.INVAL, core(0).beginBurst(nobody));
      assertEquals(Core.INVAL, core(0).endBurst(nobody));
    }
  }
}
