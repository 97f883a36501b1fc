package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.CellDescriptor.KIND_NEXT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages by fastbox: which go there, their bytes, and their order among those that go by cell. */
@EveryCorePair
class CoreBoxTest extends CoreBoxContract {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 25, 31, 32, 33, 47, 48, 49, 64, LIMIT, LIMIT + 1})
  void everySizeUpToTheLimitGoesByBoxFromAndToAnyBuffer(int length) {
    connect(0, 1);
    byte[] sent = pattern(length + 5);
    byte[] wanted = new byte[length + 9];
    System.arraycopy(sent, 5, wanted, 9, length);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment offHeap = arena.allocateFrom(ValueLayout.JAVA_BYTE, sent);
      for (MemorySegment source : new MemorySegment[] {MemorySegment.ofArray(sent), offHeap}) {
        for (MemorySegment to : new MemorySegment[] {MemorySegment.ofArray(new byte[length + 9]),
          arena.allocate(length + 9)}) {
          assertEquals(length, core(0).trySend(1, KIND_FIRST, 7, length, source, 5, length));
          assertPolls(1);
          assertEquals(length <= LIMIT, in.place() < 0, "by box");
          assertEquals(length, core(1).receive(7, -1, 0, to, 9, length, 1, in));
          assertArrayEquals(wanted, to.toArray(ValueLayout.JAVA_BYTE));
          to.fill((byte) 0);
          assertEquals(length, core(0).trySend(1, KIND_FIRST, 7, length, source, 5, length));
          assertEquals(length, core(1).receive(7, -1, 0, to, 9, length, 1, in), "without a poll");
          assertArrayEquals(wanted, to.toArray(ValueLayout.JAVA_BYTE));
        }
      }
    }
  }

  @Test
  void arraysOfLongsAreSentByTheirBytes() {
    connect(0, 1);
    for (int bytes = 8; bytes <= 40; bytes += 8) {
      long[] sent = {1, -2, 3, -4, 5, -6};
      long[] received = new long[6];
      assertEquals(bytes, core(0).trySend(1, KIND_FIRST, 1, bytes, MemorySegment.ofArray(sent), 8, bytes));
      assertEquals(bytes, core(1).receive(1, -1, 0, MemorySegment.ofArray(received), 8, 40, 1, in));
      for (int i = 1; i < 6; i++) {
        assertEquals(i * 8 <= bytes ? sent[i] : 0, received[i]);
      }
    }
  }

  @Test
  void receiveLeavesWhatIsNotAskedForInTheBox() {
    connect(0, 1);
    send(0, 1, 0x1_0000_0002L, "other");
    assertEquals(Core.NOMSG, receiveNothing(1, 0x1_0000_0003L, -1, 0, PAYLOAD));
    assertEquals(Core.NOMSG, receiveNothing(1, 0x1_0000_0002L, -1, 0, 4), "too long");
    assertEquals(Core.NOMSG, receiveNothing(1, 0x1_0000_0002L, -1, 2, PAYLOAD), "from another");
    assertReceives(1, 0x1_0000_0002L, 0, "other");
    assertEquals(Core.AGAIN, receiveNothing(1, 0x1_0000_0002L, -1, 0, PAYLOAD));
  }

  @Test
  void aMessageOfSeveralPiecesComesBetweenItsNeighbours() {
    connect(0, 1);
    for (int round = 0; round < 50; round++) {
      send(0, 1, 1, "before");
      byte[] message = pattern(PAYLOAD + 1);
      assertEquals(PAYLOAD, sendBytes(0, 1, 2, message));
      MemorySegment rest = MemorySegment.ofArray(message);
      assertEquals(1, core(0).trySend(1, KIND_NEXT, 2, PAYLOAD + 1, rest, PAYLOAD, 1));
      send(0, 1, 1, "behind");
      assertTakes(1, "before");
      assertPolls(1);
      assertEquals(PAYLOAD, in.length());
      assertEquals(0, core(1).release());
      assertEquals(Core.NOMSG, receiveNothing(1, 1, -1, 0, PAYLOAD), "the second piece is next");
      assertPolls(1);
      assertEquals(KIND_NEXT, in.kind());
      assertEquals(0, core(1).release());
      assertReceives(1, 1, 0, "behind");
    }
  }

  @Test
  void aFullBoxMakesShortMessagesWaitAndLongerOnesGoByCell() {
    connect(0, 1);
    int sent = 0;
    // Packed once it is seen to be full.
    while (send(0, 1, 1, "twelve bytes") == 12 || send(0, 1, 1, "twelve bytes") == 12) {
      sent++;
      assertTrue(sent <= RING / 28, "more than the ring holds");
    }
    assertTrue(sent >= RING / 64 - 1, "each takes a line at most: " + sent);
    assertEquals(Core.AGAIN, send(0, 1, 1, "twelve bytes"));
    assertEquals(Core.AGAIN, sendBytes(0, 1, 2, pattern(64)));
    assertEquals(65, sendBytes(0, 1, 3, pattern(65)));
    for (int i = 0; i < sent; i++) {
      assertTakes(1, "twelve bytes");
    }
    assertTakesBytes(1, 0, pattern(65));
    assertNothing(1);
    assertEquals(12, send(0, 1, 1, "twelve bytes"));
    assertTakes(1, "twelve bytes");
  }

  @Test
  void aReceiverThatIsBehindGetsItsMessagesPacked() {
    connect(0, 1);
    int waiting = 0;
    for (int round = 0; round < 8; round++) {
      while (send(0, 1, 1, "packed") == 6 || send(0, 1, 1, "packed") == 6) {
        waiting++;
      }
      for (int i = 0; i < waiting / 4; i++) {
        assertTakes(1, "packed");
      }
      waiting -= waiting / 4;
    }
    assertTrue(waiting > RING / 64, "more than one a line: " + waiting);
  }

  @Test
  void whoIsAskedForFirstIsLookedAtFirst() {
    connect(0, 1);
    connect(2, 1);
    connect(1, 1);
    for (int first = 0; first < RANKS; first++) {
      for (int from = 0; from < RANKS; from++) {
        send(from, 1, 1, "x");
      }
      assertEquals(Core.PIECE, core(1).poll(first, in));
      assertEquals(first, in.source());
      for (int left = 0; left < RANKS; left++) {
        assertTakes(1, "x");
      }
    }
    assertEquals(Core.INVAL, core(1).poll(RANKS, in));
    assertEquals(Core.INVAL, core(1).receive(1, -1, RANKS, MemorySegment.ofArray(new byte[8]), 0, 8, 1, in));
  }

  @Test
  void busyBoxesKeepNobodyWaiting() {
    connect(0, 1);
    connect(2, 1);
    send(1, 1, 1, "by cell");
    int[] come = new int[RANKS];
    for (int look = 0; look < 32; look++) {
      send(0, 1, 1, "x");
      send(2, 1, 1, "x");
      assertPolls(1);
      come[in.source()]++;
      assertEquals(0, core(1).release());
    }
    assertEquals(1, come[1], "the queue has its turn");
    assertTrue(come[0] >= 12 && come[2] >= 12, "both boxes have theirs: " + come[0] + " and " + come[2]);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyMixOfSizesAndOfRunningAheadArrivesInOrder(long seed) {
    Random random = new Random(seed);
    connect(0, 1);
    connect(1, 0);
    ArrayDeque<byte[]> underWay = new ArrayDeque<>();
    for (int number = 0; number < 3000;) {
      boolean talksBack = random.nextInt(4) == 0;
      int most = random.nextInt(40);
      for (int i = 0; i < most; i++) {
        byte[] message = message(number, random.nextInt(random.nextBoolean() ? 20 : PAYLOAD + 1));
        if (sendBytes(0, 1, number, message) != message.length) {
          break;
        }
        underWay.add(message);
        number++;
      }
      for (int i = random.nextInt(40); i > 0 && !underWay.isEmpty(); i--) {
        assertTakesBytes(1, 0, underWay.remove());
      }
      if (talksBack) {
        send(1, 0, 1, "answer");
        assertTakes(0, "answer");
      }
    }
    while (!underWay.isEmpty()) {
      assertTakesBytes(1, 0, underWay.remove());
    }
    assertNothing(1);
  }

  @Test
  void aBufferThatCannotBeReadSendsNothingAndCostsNoRoom() {
    connect(0, 1);
    Arena arena = Arena.ofShared();
    MemorySegment closed = arena.allocate(LIMIT);
    arena.close();
    for (int length : new int[] {1, 8, 24, 40, LIMIT}) {
      for (int i = 0; i < RING / 64; i++) {
        assertThrows(
            IllegalStateException.class, () -> core(0).trySend(1, KIND_FIRST, 1, length, closed, 0, length));
      }
      assertNothing(1, "nothing was sent");
      assertEquals(4, send(0, 1, 1, "next"));
      assertTakes(1, "next");
    }
  }

  @Test
  void aBufferThatCannotBeWrittenLeavesTheMessage() {
    connect(0, 1);
    Arena arena = Arena.ofShared();
    MemorySegment closed = arena.allocate(16);
    arena.close();
    send(0, 1, 1, "stays");
    assertThrows(
        IllegalStateException.class, () -> core(1).receive(1, -1, 0, closed, 0, 16, 3, in));
    assertPolls(1);
    assertThrows(IllegalStateException.class, () -> core(1).take(closed, 0, 5));
    assertReceives(1, 1, 0, "stays");
  }
}
