package io.adrastea.core.pure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests the same as {@code tests/c/box_costs_test.c}, on a clock of its own. */
class BoxCostsTest {
  private static final int LENGTH = 4000;
  private static final int CELL = 8192;
  private static final int LONG_RUN = 20_000;

  private long nanos;
  private long byBoxTakes;
  private long byCellsTakes;
  private long sequence;
  private int byBox; // messages counted
  private final BoxCosts costs = new BoxCosts(() -> nanos, false);
  private final BoxCosts answers = new BoxCosts(() -> nanos, true);

  /** One message; the time that its way takes passes. */
  private boolean pass(BoxCosts sender, long number, int length) {
    boolean cells = sender.byCells(number, length, CELL);
    nanos += cells ? byCellsTakes : byBoxTakes;
    return cells;
  }

  private void play(int messages, int length) {
    byBox = 0;
    for (int i = 0; i < messages; i++) {
      boolean cells = pass(costs, sequence, length);
      sequence += cells && length > CELL ? 2 : 1;
      byBox += cells ? 0 : 1;
    }
  }

  private void take(long box, long cells) {
    byBoxTakes = box;
    byCellsTakes = cells;
  }

  @Test
  void goesByCellsWhereTheyTakeLess() {
    take(1000, 800);
    play(BoxCosts.FIRST, LENGTH);
    assertEquals(BoxCosts.FIRST, byBox, "before the first trial");
    play(LONG_RUN, LENGTH);
    assertTrue(byBox < LONG_RUN / 25, () -> byBox + " by fastbox");
    play(LONG_RUN, 2 * CELL);
    assertTrue(byBox < LONG_RUN / 25, () -> byBox + " by fastbox, not by two cells");
  }

  @Test
  void staysWithTheFastboxWhereItTakesLessOrNotMuchMore() {
    take(1000, 970);
    play(LONG_RUN, LENGTH);
    assertTrue(byBox > LONG_RUN / 25 * 24, () -> byBox + " by fastbox");
    assertTrue(byBox < LONG_RUN, "cells are tried");
  }

  @Test
  void comesBackWhenTheCpusHaveMoved() {
    take(1000, 800);
    play(LONG_RUN, LENGTH);
    take(1000, 1200);
    play(BoxCosts.MOST + 2 * LONG_RUN, LENGTH);
    play(1000, LENGTH);
    assertTrue(byBox > 800, () -> byBox + " by fastbox");
  }

  @Test
  void bothRanksFindOutAtTheSameTime() {
    take(1000, 800);
    for (int behind = 0; behind < BoxCosts.BLOCK * BoxCosts.BLOCKS; behind += 7) {
      play(behind, LENGTH);
      for (int i = 0; i < 3000; i++) {
        pass(costs, sequence, LENGTH);
        pass(answers, sequence++, LENGTH);
      }
      int late = 0;
      for (int i = 0; i < 100; i++) {
        late += pass(costs, sequence, LENGTH) ? 0 : 1;
        late += pass(answers, sequence++, LENGTH) ? 0 : 1;
      }
      assertTrue(late <= BoxCosts.BLOCK * BoxCosts.BLOCKS, "in the middle of a trial at most");
    }
  }

  @Test
  void tellsNothingWhereSomethingElseIsSentInBetween() {
    take(1000, 800);
    for (int i = 0; i < LONG_RUN; i++) {
      pass(costs, sequence, LENGTH);
      sequence += 2;
    }
    boolean cells = false;
    for (int i = 0; i < BoxCosts.BLOCK; i++) {
      cells |= pass(costs, sequence += 2, LENGTH);
    }
    assertFalse(cells);
  }

  @Test
  void aClassIsTwiceAsLongAsTheOneBefore() {
    assertEquals("0 0 1 1 2 3 3", "%d %d %d %d %d %d %d".formatted(of(1025), of(2048), of(2049), of(4096), of(4097),
        of(8193), of(32_000)));
  }

  private static int of(int length) {
    return BoxCosts.classOf(length, 1024);
  }
}
