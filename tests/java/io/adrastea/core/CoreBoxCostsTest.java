package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.CellDescriptor.KIND_NEXT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.segment.BoxSettings;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Long messages of a ping-pong, whose way changes while their sender finds out which costs less. What each way costs is
 * up to the machine: {@code BoxCostsTest} and {@code box_costs_test.c} set the clock.
 */
@EveryCorePair
class CoreBoxCostsTest extends CoreBoxContract {
  private static final int TRIED = 600; // messages: the first trial is over

  private int byBox;
  private int byCells;

  private void open(boolean learns) {
    close();
    BoxSettings boxes = BoxSettings.DEFAULTS;
    open(new BoxSettings(boxes.slots(), boxes.limit(), boxes.threshold(), boxes.preallocateRanks(), learns));
    connect(0, 1);
    connect(1, 0);
  }

  /** Sends a message of any length, whole or in pieces, and receives it. */
  private void pass(int from, int to, int number, byte[] message) {
    MemorySegment source = MemorySegment.ofArray(message);
    for (int at = 0; at < message.length;) {
      int sent = core(from).trySend(to, at == 0 ? KIND_FIRST : KIND_NEXT, number, message.length, source, at,
          message.length - at);
      assertTrue(sent > 0, () -> "sent " + sent);
      at += sent;
    }
    byte[] received = new byte[message.length];
    for (int at = 0; at < received.length; at += in.length()) {
      assertPolls(to);
      assertEquals(number, in.match());
      byBox += in.place() < 0 ? 1 : 0;
      byCells += at == 0 && in.place() >= 0 ? 1 : 0;
      assertEquals(0, core(to).take(MemorySegment.ofArray(received), at, in.length()));
    }
    assertArrayEquals(message, received);
  }

  @Test
  void orderAndContentAreKeptWhileTheWayChanges() {
    open(true);
    Random random = new Random(5);
    for (int number = 1; number <= TRIED; number++) {
      pass(0, 1, number, message(number, 1025 + random.nextInt(1000))); // of one class
      pass(1, 0, number, message(number, 16));
    }
    assertTrue(byCells >= 32, () -> byCells + " by cells: a trial has gone through both ways");
    assertTrue(byBox >= TRIED + 256, () -> byBox + " by fastbox: the answers, and what came before the trial");
  }

  @Test
  void theWayThatWasFoundOutIsTold() {
    open(true);
    assertEquals(Core.WAY_BOX, core(0).way(1, 0));
    assertEquals(Core.WAY_BOX, core(0).way(1, 16_384), "it is taken first");
    assertEquals(Core.WAY_CELLS, core(0).way(1, 16_385), "above the limit");
    assertEquals(Core.WAY_CELLS, core(0).way(2, 8), "no fastbox yet");
    assertEquals(Core.INVAL, core(0).way(3, 8));
    assertEquals(Core.INVAL, core(0).way(-1, 8));
    assertEquals(Core.INVAL, core(0).way(1, -1));
  }

  /** Behind an answer a window begins again: its first message goes by cells, too, but not where each is answered. */
  @Test
  void theFirstOfAWindowGoesWithTheOthers() {
    open(false);
    for (int window = 1; window <= 3; window++) {
      byCells = 0;
      for (int i = 0; i < 4; i++) {
        pass(0, 1, window, message(i, 2000));
      }
      assertTrue(window == 1 || byCells == 4, () -> byCells + " by cells");
      pass(1, 0, window, message(window, 16));
    }
    pass(0, 1, 4, message(4, 2000));
    pass(1, 0, 4, message(4, 16));
    byBox = 0;
    pass(0, 1, 5, message(5, 2000));
    assertEquals(1, byBox, "each was answered");
  }

  @Test
  void allGoByFastboxUpToALimitThatWasGiven() {
    open(false);
    for (int number = 1; number <= TRIED; number++) {
      pass(0, 1, number, message(number, 2000));
      pass(1, 0, number, message(number, 16));
    }
    assertEquals(2 * TRIED, byBox);
  }
}
