package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_ABORT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.CellDescriptor.KIND_NEXT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages written in place: room claimed, filled, and committed or given back. */
@EveryCorePair
class CoreClaimTest extends CoreBoxContract {
  private long claim(int from, int to, int length) {
    return core(from).claim(to, KIND_FIRST, 7, length, length);
  }

  private long claimAndFill(int from, int to, byte[] message) {
    long room = claim(from, to, message.length);
    assertTrue(room > 0, "room: " + room);
    MemorySegment.copy(message, 0, memory, ValueLayout.JAVA_BYTE, room, message.length);
    return room;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8, 48, 49, LIMIT, LIMIT + 1, PAYLOAD})
  void whatIsWrittenIntoTheRoomArrivesWithTheCommit(int length) {
    connect(0, 1);
    for (int round = 0; round < 3 * RING / 64; round++) {
      byte[] message = message(round, length);
      long room = claimAndFill(0, 1, message);
      long inRing = room - ring(0, 1);
      assertEquals(length <= LIMIT, inRing >= 0 && inRing <= RING - length, "in the fastbox");
      assertNothing(1, "not before the commit");
      assertEquals(0, core(0).commit(1));
      assertPolls(1);
      assertEquals(7, in.match());
      assertEquals(length, in.totalLength());
      assertTakesBytes(1, 0, message);
    }
  }

  @Test
  void aPieceOfALongMessageCanBeClaimedToo() {
    byte[] message = pattern(PAYLOAD + 3);
    long first = core(0).claim(1, KIND_FIRST, 7, message.length, PAYLOAD);
    MemorySegment.copy(message, 0, memory, ValueLayout.JAVA_BYTE, first, PAYLOAD);
    assertEquals(0, core(0).commit(1));
    long next = core(0).claim(1, KIND_NEXT, 7, message.length, 3);
    MemorySegment.copy(message, PAYLOAD, memory, ValueLayout.JAVA_BYTE, next, 3);
    assertEquals(0, core(0).commit(1));
    byte[] copy = new byte[message.length];
    assertPolls(1);
    assertEquals(message.length, in.totalLength());
    assertEquals(0, core(1).take(MemorySegment.ofArray(copy), 0, PAYLOAD));
    assertPolls(1);
    assertEquals(KIND_NEXT, in.kind());
    assertEquals(0, core(1).take(MemorySegment.ofArray(copy), PAYLOAD, 3));
    assertArrayEquals(message, copy);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, PAYLOAD})
  void anOpenClaimKeepsTheDestinationBusyAndNoOther(int length) {
    connect(0, 1);
    assertTrue(claim(0, 1, length) > 0);
    assertEquals(Core.BUSY, claim(0, 1, 8));
    assertEquals(Core.BUSY, send(0, 1, 1, "x"));
    assertEquals(Core.BUSY, core(0).trySend(1, KIND_ABORT, 7, 0, MemorySegment.NULL, 0, 0));
    assertEquals(1, send(0, 2, 1, "y"));
    assertTakes(2, "y");
    assertTrue(claim(0, 2, 8) > 0);
    assertEquals(0, core(0).commit(1));
    assertEquals(1, send(0, 1, 1, "x"));
    assertEquals(0, core(0).abort(2));
  }

  /** It is as those about large messages are: of no communicator. */
  @ParameterizedTest
  @ValueSource(ints = {8, PAYLOAD})
  void aControlMessagePassesAnOpenClaim(int length) {
    connect(0, 1);
    long control = -1L << 31 | 2;
    byte[] message = pattern(length);
    for (int round = 0; round < 3; round++) {
      claimAndFill(0, 1, message);
      MemorySegment cookie = MemorySegment.ofArray("cookie".getBytes(StandardCharsets.US_ASCII));
      assertEquals(6, core(0).trySend(1, KIND_FIRST, control, 6, cookie, 0, 6));
      assertEquals(Core.BUSY, send(0, 1, 1, "x"), "messages do not");
      assertPolls(1);
      assertEquals(control, in.match());
      assertTakesBytes(1, 0, cookie.toArray(ValueLayout.JAVA_BYTE));
      assertNothing(1);
      assertEquals(0, core(0).commit(1));
      assertPolls(1);
      assertEquals(7, in.match());
      assertTakesBytes(1, 0, message);
    }
  }

  @Test
  void aClaimLongerThanACellIsRefused() {
    connect(0, 1);
    assertEquals(Core.MSGSIZE, claim(0, 1, PAYLOAD + 1));
    assertEquals(Core.MSGSIZE, core(0).claim(1, KIND_FIRST, 7, 1L << 40, 1L << 32));
    assertEquals(Core.INVAL, claim(0, 1, -1));
    for (int nobody : new int[] {-1, RANKS, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertEquals(Core.INVAL, claim(0, nobody, 8));
      assertEquals(Core.INVAL, core(0).commit(nobody));
      assertEquals(Core.INVAL, core(0).abort(nobody));
    }
    assertEquals(1, send(0, 1, 1, "x"));
    assertTakes(1, "x");
  }

  @Test
  void withoutAClaimThereIsNothingToCommitOrAbort() {
    connect(0, 1);
    for (int length : new int[] {8, PAYLOAD}) {
      assertEquals(Core.INVAL, core(0).commit(1));
      assertEquals(Core.INVAL, core(0).abort(1));
      claim(0, 1, length);
      assertEquals(0, core(0).commit(1));
      assertEquals(Core.INVAL, core(0).commit(1));
      claim(0, 1, length);
      assertEquals(0, core(0).abort(1));
      assertEquals(Core.INVAL, core(0).abort(1));
      assertTakesLength(length);
      assertNothing(1);
    }
  }

  private void assertTakesLength(int length) {
    assertPolls(1);
    assertEquals(length, in.length());
    assertEquals(0, core(1).release());
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 100, PAYLOAD})
  void anAbortLeavesNothingWhateverWasWrittenAndCostsNoRoom(int length) {
    connect(0, 1);
    connect(1, 0);
    for (int round = 0; round < 3 * RING / 64; round++) {
      long room = claim(0, 1, length);
      long sequence = 1 + 2L * round;
      for (long at = 0; at + 8 <= length; at += 8) { // whatever could be taken for the next header
        memory.set(ValueLayout.JAVA_LONG, room + at, sequence + 1 << 20 | KIND_FIRST << 16 | 8);
      }
      assertEquals(0, core(0).abort(1));
      assertNothing(1, "nothing was sent");
      for (String text : new String[] {"first", "second"}) {
        assertEquals(text.length(), send(0, 1, 1, text));
        assertTakes(1, text);
        assertNothing(1, "nothing behind it");
      }
      send(1, 0, 1, "heard"); // so that the next begins a line, over what was aborted
      assertTakes(0, "heard");
    }
  }

  @Test
  void aClaimWithoutRoomIsToldSo() {
    connect(0, 1);
    int sent = 0;
    while (claim(0, 1, LIMIT) > 0) {
      assertEquals(0, core(0).commit(1));
      sent++;
    }
    assertEquals(Core.AGAIN, claim(0, 1, LIMIT));
    assertTrue(sent > RING / 256, "the box first, then the cells: " + sent);
    assertTakesLength(LIMIT);
    for (int i = 1; i < sent; i++) {
      assertTakesLength(LIMIT);
    }
    assertNothing(1);
    assertTrue(claim(0, 1, LIMIT) > 0);
  }
}
