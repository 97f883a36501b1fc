package io.adrastea.core;

import static io.adrastea.layout.RankEntryDescriptor.STATE_ATTACHED;
import static io.adrastea.layout.RankEntryDescriptor.STATE_FAILED;
import static io.adrastea.layout.RankEntryDescriptor.STATE_LEFT;
import static io.adrastea.layout.RankEntryDescriptor.STATE_OFFSET;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.atomic.Words;
import io.adrastea.layout.BoxEntryDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fastboxes of ranks that have left. */
@EveryCorePair
class CoreReclaimTest extends CoreBoxContract {
  private void state(int rank, int state) {
    Words.storeRelease(memory, geometry.rankEntryOffset(rank) + STATE_OFFSET, state);
  }

  private int isOpen(int from, int to) {
    return Words.load(memory, geometry.boxEntryOffset(to, from) + BoxEntryDescriptor.OPEN_OFFSET);
  }

  @ParameterizedTest
  @ValueSource(ints = {STATE_LEFT, STATE_FAILED})
  void theBoxOfARankThatIsGoneIsClosedWhenItIsReadEmpty(int state) {
    connect(0, 1);
    connect(2, 1);
    send(0, 1, 1, "last words");
    state(0, state);
    state(2, STATE_ATTACHED);
    assertEquals(0, core(1).reclaim(), "something is in it");
    assertPolls(1);
    assertEquals(0, core(1).reclaim(), "something of it is at hand");
    assertTakes(1, "last words");
    assertEquals(1, core(1).reclaim());
    assertEquals(0, isOpen(0, 1));
    assertEquals(1, isOpen(2, 1), "who is still there keeps it");
    assertEquals(0, core(1).reclaim(), "once");
    send(2, 1, 1, "goes on");
    assertTakes(1, "goes on");
  }

  @Test
  void aBoxWithSomethingHeldStays() {
    connect(0, 1);
    send(0, 1, 1, "held");
    assertPolls(1);
    assertEquals(0, core(1).retain());
    state(0, STATE_LEFT);
    assertEquals(0, core(1).reclaim());
    assertEquals(0, core(1).releaseRetained(0, in.place()));
    assertEquals(1, core(1).reclaim());
  }

  @Test
  void aBoxWithAMessageBehindOneByCellStays() {
    connect(0, 1);
    sendBytes(0, 1, 1, pattern(PAYLOAD));
    send(0, 1, 1, "behind it");
    state(0, STATE_LEFT);
    assertEquals(0, core(1).reclaim());
    assertTakesBytes(1, 0, pattern(PAYLOAD));
    assertTakes(1, "behind it");
    assertEquals(1, core(1).reclaim());
  }

  @Test
  void aBoxWithAPadBehindAMessageByCellStays() {
    connect(0, 1);
    for (int sent = 0; sent < RING - 256; sent += 256) {
      sendBytes(0, 1, 1, pattern(LIMIT)); // a line more each, so that the last does not fit before the end
      assertTakesBytes(1, 0, pattern(LIMIT));
    }
    sendBytes(0, 1, 1, pattern(PAYLOAD));
    sendBytes(0, 1, 1, pattern(LIMIT));
    state(0, STATE_LEFT);
    assertEquals(0, core(1).reclaim());
    assertTakesBytes(1, 0, pattern(PAYLOAD));
    assertTakesBytes(1, 0, pattern(LIMIT));
    assertEquals(1, core(1).reclaim());
  }

  @Test
  void aRingFullOfOldMessagesIsEmpty() {
    connect(0, 1);
    for (int i = 0; i < 3 * RING / 64; i++) {
      send(0, 1, 1, "x");
      assertTakes(1, "x");
    }
    state(0, STATE_LEFT);
    assertEquals(1, core(1).reclaim());
  }

  @Test
  void aRankKeepsItsBoxToItself() {
    connect(1, 1);
    state(1, STATE_LEFT);
    assertEquals(0, core(1).reclaim());
    send(1, 1, 1, "self");
    assertTakes(1, "self");
  }

  @Test
  void aClosedBoxIsNotAskedForAgain() {
    connect(0, 1);
    send(0, 1, 1, "x");
    assertTakes(1, "x");
    assertEquals(1, marks(1));
    state(0, STATE_LEFT);
    assertEquals(1, core(1).reclaim());
    assertEquals(0, marks(1));
    assertNothing(1);
    assertNothing(1);
  }
}
