package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages read where they lie and given back later, in any order. */
@EveryCorePair
class CoreRetainTest extends CoreBoxContract {
  /** A message held: where it lies, where it is to be given back, what it says. */
  private record Held(long payload, long place, byte[] bytes) {}

  private final List<Held> held = new ArrayList<>();

  private void hold(byte[] expected) {
    assertPolls(1);
    held.add(new Held(in.payload(), in.place(), expected));
    assertEquals(0, core(1).retain());
  }

  private void assertIntact(Held message) {
    byte[] found = memory.asSlice(message.payload, message.bytes.length).toArray(ValueLayout.JAVA_BYTE);
    assertArrayEquals(message.bytes, found);
  }

  private void give(int index) {
    Held message = held.remove(index);
    assertIntact(message);
    assertEquals(0, core(1).releaseRetained(0, message.place));
  }

  @ParameterizedTest
  @ValueSource(ints = {8, PAYLOAD})
  void whatIsHeldStaysWhileOthersComeBehindIt(int length) {
    connect(0, 1);
    sendBytes(0, 1, 1, message(1, length));
    hold(message(1, length));
    for (int round = 0; round < 5; round++) {
      sendBytes(0, 1, 2, message(2, length));
      assertTakesBytes(1, 0, message(2, length));
      assertIntact(held.get(0));
    }
    assertNothing(1);
    give(0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void messagesAreGivenBackInAnyOrderAndTheirRoomIsUsedAgain(long seed) {
    Random random = new Random(seed);
    connect(0, 1);
    connect(1, 0);
    for (int number = 0; number < 2000; number++) {
      byte[] message = message(number, random.nextInt(random.nextBoolean() ? 20 : PAYLOAD + 1));
      while (sendBytes(0, 1, 1, message) != message.length) {
        assertTrue(!held.isEmpty(), "no room though nothing is held");
        give(random.nextInt(held.size()));
        core(1).poll(-1, in); // lets spent cells go
      }
      if (random.nextInt(3) == 0) {
        hold(message);
      } else {
        assertTakesBytes(1, 0, message);
      }
      if (held.size() > 4 || random.nextInt(8) == 0 && !held.isEmpty()) {
        give(random.nextInt(held.size()));
      }
      if (random.nextInt(4) == 0) {
        send(1, 0, 1, "heard");
        assertTakes(0, "heard");
      }
    }
  }

  @Test
  void aMessageInABoxIsGivenBackOnce() {
    connect(0, 1);
    for (int number = 0; number < 3; number++) {
      sendBytes(0, 1, 1, message(number, 8));
    }
    hold(message(0, 8));
    hold(message(1, 8));
    long first = held.get(0).place;
    long second = held.get(1).place;
    assertEquals(0, core(1).releaseRetained(0, second));
    assertEquals(Core.INVAL, core(1).releaseRetained(0, second), "twice, while an older one is held");
    assertEquals(0, core(1).releaseRetained(0, first));
    assertEquals(Core.INVAL, core(1).releaseRetained(0, first), "twice");
    assertEquals(Core.INVAL, core(1).releaseRetained(0, second), "twice");
    assertPolls(1);
    assertEquals(Core.INVAL, core(1).releaseRetained(0, in.place()), "at hand, but not held");
    assertTakesBytes(1, 0, message(2, 8));
    assertNothing(1);
  }

  @Test
  void aCellIsGivenBackOnce() {
    send(0, 1, 1, "x");
    hold("x".getBytes(StandardCharsets.US_ASCII));
    long place = held.get(0).place;
    assertTrue(place > 0, "a cell");
    give(0);
    assertEquals(Core.INVAL, core(1).releaseRetained(0, place));
  }

  @Test
  void onlyAPieceAtHandCanBeHeld() {
    connect(0, 1);
    assertEquals(Core.INVAL, core(1).retain());
    send(0, 1, 1, "x");
    assertEquals(Core.INVAL, core(1).retain(), "not found by poll yet");
    assertPolls(1);
    assertEquals(0, core(1).retain());
    assertEquals(Core.INVAL, core(1).retain());
    assertEquals(Core.INVAL, core(1).release());
    assertEquals(0, core(1).releaseRetained(0, in.place()));
    sendBytes(0, 1, 1, pattern(PAYLOAD));
    assertTakesBytes(1, 0, pattern(PAYLOAD));
    assertEquals(Core.INVAL, core(1).retain(), "was taken");
  }

  @Test
  void whatWasNeverHeldIsNotTakenBack() {
    connect(0, 1);
    send(0, 1, 1, "x");
    assertPolls(1);
    assertEquals(0, core(1).retain());
    long place = in.place();
    for (long wrong : new long[] {place - 1, place - 4, place - 8, place - RING, place - 64, Long.MIN_VALUE}) {
      assertEquals(Core.INVAL, core(1).releaseRetained(0, wrong), Long.toString(wrong));
    }
    for (long wrong : new long[] {0, 64, Long.MAX_VALUE, geometry.cellOffset(0, 0), geometry.segmentBytes()}) {
      assertEquals(Core.INVAL, core(1).releaseRetained(0, wrong), "no cell is held");
    }
    for (int nobody : new int[] {-1, RANKS, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertEquals(Core.INVAL, core(1).releaseRetained(nobody, place));
    }
    assertEquals(Core.INVAL, core(1).releaseRetained(2, place), "nothing is held of that source");
    assertEquals(0, core(1).releaseRetained(0, place));
  }

  @Test
  void cellsThatAreHeldAreMissingToTheirSenderUntilTheyAreGivenBack() {
    for (int i = 0; sendBytes(0, 1, 1, message(i, PAYLOAD)) == PAYLOAD; i++) {
      hold(message(i, PAYLOAD));
    }
    assertNothing(1);
    assertEquals(Core.AGAIN, sendBytes(0, 1, 1, pattern(PAYLOAD)));
    give(held.size() / 2);
    assertEquals(PAYLOAD, sendBytes(0, 1, 1, pattern(PAYLOAD)));
    assertEquals(Core.AGAIN, sendBytes(0, 1, 1, pattern(PAYLOAD)));
    while (!held.isEmpty()) {
      give(held.size() - 1);
    }
  }
}
