package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.NEXT_OFFSET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.layout.MpscQueueDescriptor;
import org.junit.jupiter.api.Test;

/** One way of messages does not hold up another. */
@EveryCorePair
class CoreFairnessTest extends CoreBoxContract {
  private static final int MANY = 64;

  @Test
  void aStreamByFastboxDoesNotKeepTheQueueAwayEvenWhenItIsLookedAtFirst() {
    connect(0, 1);
    sendBytes(2, 1, 1, pattern(PAYLOAD));
    int looks = 0;
    do {
      assertTrue(++looks < MANY, "the stream goes on and on");
      assertEquals(1, send(0, 1, 1, "x"));
      assertEquals(Core.PIECE, core(1).poll(0, in));
      int source = in.source();
      assertEquals(0, core(1).release());
      if (source == 2) {
        return;
      }
    } while (true);
  }

  @Test
  void theQueueDoesNotKeepTheFastboxThatIsLookedAtFirstAway() {
    connect(0, 1);
    send(0, 1, 1, "x");
    for (int looks = 0; looks < 2; looks++) {
      sendBytes(2, 1, 1, pattern(PAYLOAD));
      assertEquals(Core.PIECE, core(1).poll(0, in));
      int source = in.source();
      assertEquals(0, core(1).release());
      if (source == 0) {
        return;
      }
    }
    throw new AssertionError("two looks, and not at the fastbox");
  }

  @Test
  void aMissingLinkBehindATakenCellHoldsUpTheQueueAndNothingElse() {
    connect(0, 1);
    sendBytes(2, 1, 1, message(1, PAYLOAD));
    long first = tail(1);
    sendBytes(2, 1, 1, message(2, PAYLOAD));
    Words.storeLong(memory, first + NEXT_OFFSET, 0); // as if it were not linked yet
    long second = tail(1);
    assertTakesBytes(1, 2, message(1, PAYLOAD));
    for (int round = 0; round < MANY; round++) {
      assertNothing(1);
      send(0, 1, 7, "by box");
      if (round % 2 == 0) {
        assertTakes(1, "by box");
      } else {
        assertReceives(1, 7, round % 4 == 1 ? 0 : -1, "by box");
      }
    }
    Words.storeReleaseLong(memory, first + NEXT_OFFSET, second);
    assertTakesBytes(1, 2, message(2, PAYLOAD));
    assertNothing(1);
    for (int i = 0; i < 3 * CELLS; i++) { // the cell that waited has gone back, once
      assertEquals(PAYLOAD, sendBytes(2, 1, 1, message(i, PAYLOAD)));
      assertTakesBytes(1, 2, message(i, PAYLOAD));
    }
  }

  private long tail(int rank) {
    return Words.loadLong(memory, geometry.receiveQueueOffset(rank) + MpscQueueDescriptor.TAIL_OFFSET);
  }
}
