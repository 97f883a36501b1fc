package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.DESTINATION_OFFSET;
import static io.adrastea.layout.CellDescriptor.KIND_ABORT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.MpscQueueDescriptor.TAIL_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.INTENT_CELL_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.STATE_FAILED;
import static io.adrastea.layout.RankEntryDescriptor.STATE_LEFT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that are gone: nothing is sent to them any more, and the cells that they have come back, each once. Rank 1 is
 * the one that looks.
 */
@EveryCorePair
class CoreBurialTest extends CoreSurvivalContract {
  /** Sends until there is no room. */
  private void fill(int from, int to) {
    while (send(from, to, 1, "lost") == 4) {
      assertEquals(4, "lost".length());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {STATE_FAILED, STATE_LEFT})
  void nothingGoesThereAnyMore(int state) {
    assertEquals(1, send(1, 2, 1, "x"));
    state(2, state);
    assertEquals(0, core(1).reclaim());
    for (int times = 0; times < 2; times++) {
      assertEquals(Core.GONE, send(1, 2, 1, "x"));
      assertEquals(Core.GONE, core(1).trySend(2, KIND_ABORT, 1, 0, MemorySegment.NULL, 0, 0));
      assertEquals(Core.GONE, core(1).claim(2, KIND_FIRST, 1, 8, 8));
      assertEquals(0, core(1).reclaim());
    }
    assertEquals(1, send(1, 3, 1, "y"));
    assertTakes(3, "y");
  }

  @ParameterizedTest
  @ValueSource(ints = {STATE_FAILED, STATE_LEFT})
  void whatLiesInItsQueueComesBack(int state) {
    int depth = depth(1, 5);
    fill(1, 2);
    state(2, state);
    reclaim(1);
    assertEquals(depth, depth(1, 5));
    assertEquals(depth, depth(1, 5), "and none is there twice");
  }

  @Test
  void aRankThatOutlivesManyStillSendsAsMuch() {
    int depth = depth(1, 5);
    for (int dead : new int[] {2, 3, 4}) {
      fill(1, dead);
      die(dead);
      reclaim(1);
      assertEquals(depth, depth(1, 5), "after the death of rank " + dead);
    }
    for (int times = 0; times < 5; times++) {
      assertEquals(depth, depth(1, 5));
    }
  }

  @Test
  void whatItHadReadOrHeldComesBack() {
    int depth = depth(1, 5);
    for (int i = 0; i < 4; i++) {
      send(1, 2, 1, "x");
    }
    assertTakes(2, "x");
    assertPolls(2); // the first one goes back
    assertEquals(0, core(2).retain());
    assertTakes(2, "x"); // taken, and still in the queue
    die(2);
    reclaim(1);
    assertEquals(depth, depth(1, 5));
    assertEquals(depth, depth(1, 5));
  }

  @Test
  void whatItWasAboutToGiveBackComesBack() {
    int depth = depth(1, 5);
    send(1, 2, 1, "x");
    returned(2, 1); // in its hands, without an intent
    die(2);
    reclaim(1);
    assertEquals(depth, depth(1, 5));
  }

  @Test
  void aLivingRankThatMayStillWriteToACellThereIsWaitedFor() {
    int depth = depth(1, 5);
    fill(1, 2);
    Enqueue living = message(3, 2, "does not know").intend().swap(); // has found a cell of rank 1 in the tail
    die(2);
    reclaim(1);
    assertTrue(depth(1, 5) < depth, "nothing has come back");
    living.link();
    reclaim(1);
    assertTrue(depth(1, 5) < depth, "it is not seen that it has linked");
    living.clear();
    reclaim(1);
    assertEquals(depth, depth(1, 5));
  }

  @Test
  void whoEnqueuesThereAfterThePoisonTouchesNoCellOfOthers() {
    int depth = depth(1, 5);
    int depth3 = depth(3, 5);
    fill(1, 2);
    die(2);
    reclaim(1);
    fill(3, 2); // it does not know yet
    assertEquals(depth, depth(1, 5));
    assertTrue(depth(3, 5) < depth3);
    reclaim(3);
    assertEquals(depth3, depth(3, 5));
  }

  @Test
  void oneWhoDiedOverItsEnqueueThereIsNotWaitedFor() {
    int depth = depth(1, 5);
    fill(1, 2);
    message(3, 2, "not linked").upTo(2);
    die(2, 3);
    reclaim(1);
    assertEquals(depth, depth(1, 5));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anOpenClaimIsGivenBackWhenItEnds(boolean commits) {
    int depth = depth(1, 5);
    assertTrue(core(1).claim(2, KIND_FIRST, 1, 8, 8) > 0);
    die(2);
    reclaim(1);
    assertEquals(Core.GONE, send(1, 2, 1, "x"));
    assertTrue(depth(1, 5) <= depth, "the claim has its cell");
    if (commits) {
      assertEquals(Core.GONE, core(1).commit(2));
    } else {
      assertEquals(0, core(1).abort(2));
    }
    assertEquals(Core.INVAL, core(1).commit(2), "once");
    assertEquals(depth, depth(1, 5));
    assertEquals(depth, depth(1, 5));
  }

  @Test
  void whatItHadSentIsStillReceived() {
    for (int i = 0; i < 3; i++) {
      send(2, 1, 1, "sent" + i);
    }
    die(2);
    reclaim(1);
    assertEquals(List.of("2:sent0", "2:sent1", "2:sent2"), received(1));
  }

  @Test
  void aNumberThatDoesNotAddUpIsCorrupt() {
    send(1, 2, 1, "x");
    Enqueue stolen = returned(2, 1);
    Words.store(memory, stolen.cell + DESTINATION_OFFSET, 0);
    die(2);
    int status = 0;
    for (int times = 0; times < 4 && status == 0; times++) {
      status = core(1).reclaim();
    }
    assertEquals(Core.CORRUPT, status);
  }

  @Test
  void anIntentOfTheDeadThatNamesNoCellIsCorrupt() {
    for (long bad : new long[] {64, geometry.segmentBytes(), -64, geometry.cellOffset(1, 0) + 8, -1, Long.MIN_VALUE}) {
      message(2, 1, "x").intend();
      Words.storeLong(
          memory, geometry.rankEntryOffset(2) + INTENT_CELL_OFFSET, bad);
      die(2);
      assertEquals(Core.CORRUPT, core(1).reclaim(), Long.toHexString(bad));
      close();
      open();
    }
  }

  @Test
  void aQueueThatGoesInACircleIsCorrupt() {
    send(5, 1, 1, "a");
    Enqueue last = message(2, 1, "b").upTo(3);
    Words.storeLong(memory, last.cell, last.cell);
    message(3, 1, "c").intend();
    die(2, 3);
    Words.storeLong(
        memory, last.queue + TAIL_OFFSET, geometry.cellOffset(4, 0));
    assertEquals(Core.CORRUPT, core(1).reclaim());
  }
}
