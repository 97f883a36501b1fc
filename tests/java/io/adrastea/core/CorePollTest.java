package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.link.Inbound;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finding pieces, taking them and letting them go. */
@EveryCorePairOnBothWays
class CorePollTest extends CoreContract {
  @Test
  void pollTellsAllAboutAPieceAndLeavesIt() {
    assertNothing(1);
    long match = 0x0123_4567_89ab_cdefL;
    assertEquals(5, send(0, 1, match, "hello"));
    for (int look = 0; look < 2; look++) {
      assertPolls(1);
      assertEquals(0, in.source());
      assertEquals(KIND_FIRST, in.kind());
      assertEquals(match, in.match());
      assertEquals(5, in.length());
      assertEquals(5, in.totalLength());
      assertEquals(pair.firstSequence(), in.words()[Inbound.SEQUENCE]);
      assertEquals("hello", inPlace());
      assertEquals(pair.boxes(), in.place() < 0);
    }
    assertTakes(1, "hello");
    assertNothing(1);
  }

  private String inPlace() {
    byte[] payload = ranks.segment().memory().asSlice(in.payload(), in.length()).toArray(ValueLayout.JAVA_BYTE);
    return new String(payload, StandardCharsets.US_ASCII);
  }

  @Test
  void aPollThatFindsNothingLeavesWhatWasToldBefore() {
    send(0, 1, 7, "told");
    assertTakes(1, "told");
    assertNothing(1);
    assertEquals(7, in.match());
    assertEquals(4, in.length());
  }

  @Test
  void piecesAreNumberedForEachDestination() {
    for (int number = 0; number < 5; number++) {
      for (int to = 0; to < RANKS; to++) {
        send(0, to, 1, "x");
        assertPolls(to);
        assertEquals(pair.firstSequence() + number, in.words()[Inbound.SEQUENCE], "to " + to);
        assertEquals(0, core(to).release());
      }
    }
  }

  @Test
  void anEmptyMessageArrives() {
    assertEquals(0, core(0).trySend(1, KIND_FIRST, 9, 0, MemorySegment.NULL, 0, 0));
    assertTakes(1, "");
    assertEquals(0, send(0, 1, 9, ""));
    assertEquals(0, core(1).receive(9, -1, 0, MemorySegment.NULL, 0, 0, 3, in));
    assertNothing(1);
  }

  @Test
  void aRankReachesItself() {
    for (int rank = 0; rank < RANKS; rank++) {
      for (int i = 0; i < 3 * CELLS; i++) {
        assertEquals(4, send(rank, rank, i, "self"));
        assertReceives(rank, i, rank, "self");
      }
    }
  }

  @Test
  void takeCopiesAsMuchAsIsAskedForToWhereItIsAsked() {
    send(0, 1, 1, "abcdef");
    assertPolls(1);
    byte[] buffer = "..........".getBytes(StandardCharsets.US_ASCII);
    assertEquals(0, core(1).take(MemorySegment.ofArray(buffer), 3, 4));
    assertEquals("...abcd...", new String(buffer, StandardCharsets.US_ASCII));
    assertNothing(1, "the rest is gone with its room");
  }

  @Test
  void takeAndReleaseNeedAPieceFoundByPoll() {
    MemorySegment buffer = MemorySegment.ofArray(new byte[8]);
    assertEquals(Core.INVAL, core(1).take(buffer, 0, 0));
    assertEquals(Core.INVAL, core(1).release());
    send(0, 1, 1, "four");
    assertPolls(1);
    assertEquals(Core.INVAL, core(1).take(buffer, 0, 5));
    assertEquals(Core.INVAL, core(1).take(buffer, 0, -1));
    assertTakes(1, "four");
    assertEquals(Core.INVAL, core(1).take(buffer, 0, 0));
    assertEquals(Core.INVAL, core(1).release());
  }

  @Test
  void aPieceThatWasReceivedOrLetGoOfCannotBeTaken() {
    MemorySegment buffer = MemorySegment.ofArray(new byte[8]);
    send(0, 1, 1, "one");
    send(0, 1, 1, "two");
    assertPolls(1);
    assertReceives(1, 1, 0, "one");
    assertEquals(Core.INVAL, core(1).take(buffer, 0, 0));
    assertPolls(1);
    assertEquals(0, core(1).release());
    assertEquals(Core.INVAL, core(1).take(buffer, 0, 0));
  }

  @Test
  void aPieceThatReceiveDidNotWantCanStillBeTaken() {
    send(0, 1, 1, "kept");
    assertPolls(1);
    assertEquals(Core.NOMSG, receiveNothing(1, 2, -1, 0, PAYLOAD));
    byte[] buffer = new byte[4];
    assertEquals(0, core(1).take(MemorySegment.ofArray(buffer), 0, 4));
    assertEquals("kept", new String(buffer, StandardCharsets.US_ASCII));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, RANKS, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void aDestinationOutOfRangeIsRefused(int destination) {
    assertEquals(Core.INVAL, core(0).trySend(destination, KIND_FIRST, 1, 1, bytes("x"), 0, 1));
  }

  @Test
  void aLengthBelowZeroIsRefused() {
    assertEquals(Core.INVAL, core(0).trySend(1, KIND_FIRST, 1, 1, bytes("x"), 0, -1));
    assertNothing(1, "nothing was sent");
  }

  @Test
  void aCallThatIsRefusedDoesNothing() {
    send(0, 1, 1, "there");
    assertPolls(1);
    assertEquals(Core.INVAL, core(1).refuseBox(-1));
    assertTakes(1, "there");
  }
}
