package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.link.Inbound;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are found many in one call, and read where they lie. */
@EveryCorePair
class CoreBatchTest extends CoreBoxContract {
  private final Batch batch = new Batch();

  private void sendNumbered(int from, int count) {
    for (int number = from; number < from + count; number++) {
      byte[] bytes = message(number, number % 50);
      assertEquals(bytes.length, sendBytes(0, 1, number, bytes));
    }
  }

  private void assertFinds(int from, int count) {
    assertEquals(count, core(1).pollBatch(-1, batch));
    batch.begin(count, 0, memory);
    for (int number = from; number < from + count; number++) {
      assertTrue(batch.isWholeInBox());
      assertEquals(number, batch.match());
      byte[] found = memory.asSlice(batch.payload(), batch.length()).toArray(ValueLayout.JAVA_BYTE);
      assertArrayEquals(message(number, number % 50), found);
      assertEquals(number < from + count - 1, batch.pass());
    }
  }

  private void assertTakesNumbered(int from, int count) {
    for (int number = from; number < from + count; number++) {
      assertTakesBytes(1, 0, message(number, number % 50));
    }
  }

  @Test
  void allThatLieBehindEachOtherAreFoundAndThenEnded() {
    connect(0, 1);
    for (int round = 0; round < 200; round++) {
      int count = 1 + round % Batch.MOST;
      int from = 1 + round;
      sendNumbered(from, count);
      int pieces = core(1).pollBatch(-1, batch);
      int ended = 0;
      while (pieces > 0) { // two batches where the ring's end is between
        assertFinds(from + ended, pieces);
        assertEquals(0, core(1).releaseBatch(pieces, false));
        ended += pieces;
        pieces = core(1).pollBatch(-1, batch);
      }
      assertEquals(Core.AGAIN, pieces);
      assertEquals(count, ended);
    }
  }

  @Test
  void noMoreThanABatchAreFoundAtATime() {
    connect(0, 1);
    sendNumbered(1, Batch.MOST + 3);
    assertFinds(1, Batch.MOST);
    assertEquals(0, core(1).releaseBatch(Batch.MOST, false));
    assertFinds(Batch.MOST + 1, 3);
    assertEquals(0, core(1).releaseBatch(3, false));
    assertNothing(1);
  }

  @Test
  void aBatchThatNobodyGoesOnWithHasLostNothing() {
    connect(0, 1);
    sendNumbered(1, 5);
    assertFinds(1, 5);
    assertFinds(1, 5);
    assertTakesNumbered(1, 5);
    assertNothing(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void thoseThatAreNotEndedAreToldByTheNextPoll(int ended) {
    connect(0, 1);
    sendNumbered(1, 5);
    assertFinds(1, 5);
    assertEquals(0, core(1).releaseBatch(ended, true));
    assertTakesNumbered(1 + ended, 5 - ended);
    assertNothing(1);
  }

  @Test
  void theNextOneIsRetainedAndThoseBehindItAreReceived() {
    connect(0, 1);
    sendNumbered(1, 5);
    assertFinds(1, 5);
    assertEquals(0, core(1).releaseBatch(2, true));
    long place = batch.words()[2 * Inbound.WORDS + Inbound.PLACE];
    long payload = batch.words()[2 * Inbound.WORDS + Inbound.PAYLOAD];
    assertEquals(0, core(1).retain());
    assertTakesNumbered(4, 2);
    assertArrayEquals(message(3, 3), memory.asSlice(payload, 3).toArray(ValueLayout.JAVA_BYTE));
    assertEquals(0, core(1).releaseRetained(0, place));
    assertEquals(Core.INVAL, core(1).releaseRetained(0, place));
    assertNothing(1);
  }

  @Test
  void whatWentByQueueEndsABatch() {
    connect(0, 1);
    sendNumbered(1, 3);
    byte[] cell = pattern(PAYLOAD); // longer than a fastbox takes
    assertEquals(PAYLOAD, sendBytes(0, 1, 9, cell));
    sendNumbered(4, 2);
    assertFinds(1, 3);
    assertEquals(0, core(1).releaseBatch(3, false));
    assertEquals(1, core(1).pollBatch(-1, batch));
    assertEquals(9, batch.words()[Inbound.MATCH]);
    assertEquals(PAYLOAD, batch.words()[Inbound.LENGTH]);
    assertEquals(0, core(1).releaseBatch(1, false));
    assertFinds(4, 2);
  }

  @Test
  void aSourceThatWantsAFastboxIsTold() {
    for (int number = 0; number <= THRESHOLD; number++) {
      send(0, 1, 1, "x");
    }
    int status = core(1).pollBatch(-1, batch);
    while (status == 1) { // the queue has its turn
      assertEquals(0, core(1).releaseBatch(1, false));
      status = core(1).pollBatch(-1, batch);
    }
    assertEquals(0, status);
    assertEquals(0, batch.words()[Inbound.SOURCE]);
  }

  @Test
  void whatIsNotAtHandIsNotEnded() {
    connect(0, 1);
    assertEquals(Core.INVAL, core(1).releaseBatch(1, false));
    sendNumbered(1, 2);
    assertEquals(Core.INVAL, core(1).releaseBatch(1, false), "not found yet");
    assertFinds(1, 2);
    assertEquals(Core.INVAL, core(1).releaseBatch(0, true));
    assertEquals(Core.INVAL, core(1).releaseBatch(-1, false));
    assertEquals(Core.CORRUPT, core(1).releaseBatch(3, false), "there are two");
    assertEquals(Core.INVAL, core(1).pollBatch(RANKS, batch));
    assertNothing(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void messagesComeInOrderThroughBatchesAndOtherCalls(long seed) {
    Random random = new Random(seed);
    connect(0, 1);
    int sent = 1;
    int received = 1;
    while (received < 3000) {
      for (int more = random.nextInt(20); more > 0; more--) {
        byte[] bytes = message(sent, sent % 50);
        sent += sendBytes(0, 1, sent, bytes) == bytes.length ? 1 : 0;
      }
      if (random.nextInt(3) == 0) {
        if (received < sent) {
          assertTakesNumbered(received++, 1);
        }
        continue;
      }
      int found = core(1).pollBatch(-1, batch);
      if (found == Core.AGAIN) {
        assertEquals(sent, received);
        continue;
      }
      assertFinds(received, found);
      int ended = 1 + random.nextInt(found);
      assertEquals(0, core(1).releaseBatch(ended, ended < found));
      received += ended;
    }
  }

  @Test
  void theWordsOfAPollAreTheFirstOfABatch() {
    connect(0, 1);
    sendNumbered(1, 2);
    assertPolls(1);
    assertEquals(2, core(1).pollBatch(-1, batch));
    assertArrayEquals(in.words(), Arrays.copyOf(batch.words(), Inbound.WORDS));
  }
}
