package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.layout.BoxEntryDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a broken peer may write into a fastbox: it is refused or not seen, and nothing outside of the ring is touched.
 */
@EveryCorePair
class CoreBoxCorruptionTest extends CoreBoxContract {
  private static long header(long sequence, int kind, int length) {
    return sequence << 20 | (long) kind << 16 | length;
  }

  /** Connects, sends message number 1, and puts another header in place of its own. */
  private void sendWithHeader(long header) {
    connect(0, 1);
    send(0, 1, 1, "12345678");
    Words.storeLong(memory, ring(0, 1), header);
  }

  private void assertCorrupt() {
    byte[] untouched = new byte[PAYLOAD];
    for (int look = 0; look < 2; look++) {
      assertEquals(Core.CORRUPT, core(1).receive(1, -1, 0, MemorySegment.ofArray(untouched), 0, PAYLOAD, 3, in));
      assertEquals(Core.CORRUPT, core(1).poll(0, in));
      assertEquals(Core.CORRUPT, core(1).poll(-1, in));
    }
    assertArrayEquals(new byte[PAYLOAD], untouched);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 6, 7})
  void aKindThatNoBoxHoldsIsCorrupt(int kind) {
    sendWithHeader(header(1, kind, 8));
    assertCorrupt();
  }

  @ParameterizedTest
  @ValueSource(ints = {RING - 15, RING, 0xffff})
  void aLengthBeyondTheEndOfTheRingIsCorrupt(int length) {
    sendWithHeader(header(1, 1, length));
    assertCorrupt();
  }

  @Test
  void aPadThatLeadsToAPadIsCorrupt() {
    sendWithHeader(header(1, 4, 0));
    assertCorrupt();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 0x10008, 0x210008, 0x100008, -1, Long.MIN_VALUE, Long.MAX_VALUE})
  void aHeaderOfAnotherNumberIsNotSeen(long header) {
    sendWithHeader(header);
    assertNothing(1);
    assertEquals(Core.AGAIN, receiveNothing(1, 1, -1, 0, PAYLOAD));
    assertEquals(Core.AGAIN, core(1).poll(0, in));
  }

  @Test
  void theLongestMessageThatTheRingCanHoldIsToldAsItIs() {
    sendWithHeader(header(1, 1, RING - 16));
    assertEquals(Core.NOMSG, receiveNothing(1, 1, -1, 0, PAYLOAD), "does not fit");
    assertPolls(1);
    assertEquals(RING - 16, in.length());
    assertEquals(ring(0, 1) + 16, in.payload());
    assertEquals(0, core(1).take(MemorySegment.ofArray(new byte[RING]), 0, RING - 16));
  }

  @Test
  void aHeldMessageThatGrowsIsCorruptWhenItIsGivenBack() {
    connect(0, 1);
    send(0, 1, 1, "x");
    assertPolls(1);
    assertEquals(0, core(1).retain());
    Words.storeLong(memory, ring(0, 1), header(1, 1, 0xffff));
    assertEquals(Core.CORRUPT, core(1).releaseRetained(0, in.place()));
  }

  /** Whatever a reader says it has read, the writer writes into the ring and nowhere else. */
  @ParameterizedTest
  @ValueSource(longs = {-1, 1, 4095, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE, -RING, -2 * RING})
  void aCountOfReadBytesThatCannotBeHarmsNobodyElse(long released) {
    connect(0, 1);
    byte[] before = outside();
    for (int i = 0; i < 3 * RING / 64; i++) {
      Words.storeLong(memory, geometry.boxEntryOffset(1, 0) + BoxEntryDescriptor.RELEASED_OFFSET, released);
      int sent = send(0, 1, 1, "x");
      assertTrue(sent == 1 || sent == Core.AGAIN, "sent: " + sent);
    }
    assertArrayEquals(before, outside());
  }

  /** The rings on both sides of the one from 0 to 1. */
  private byte[] outside() {
    byte[] around = new byte[2 * RING];
    MemorySegment copy = MemorySegment.ofArray(around);
    MemorySegment.copy(memory, ring(0, 1) + RING, copy, 0, RING);
    MemorySegment.copy(memory, geometry.cellOffset(1, CELLS - 1) + 64, copy, RING, PAYLOAD);
    return around;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void noiseInTheRingIsAnsweredWithoutHarm(long seed) {
    Random random = new Random(seed);
    connect(0, 1);
    byte[] into = new byte[RING];
    for (int round = 0; round < 2000; round++) {
      send(0, 1, 1, "x");
      long at = ring(0, 1) + 8L * random.nextInt(RING / 8);
      Words.storeLong(memory, at,
          header(random.nextInt(8), random.nextInt(8), random.nextInt(0x10000)) | random.nextInt(2) << 19);
      int status = core(1).poll(random.nextInt(3) - 1, in);
      if (status == Core.PIECE) {
        assertTrue(in.length() >= 0 && in.payload() >= ring(0, 1), "begins in the ring");
        assertTrue(in.payload() + in.length() <= ring(0, 1) + RING, "ends in the ring");
        assertEquals(0, core(1).take(MemorySegment.ofArray(into), 0, in.length()));
      } else {
        assertTrue(status == Core.AGAIN || status == Core.CORRUPT, "status: " + status);
      }
    }
  }
}
