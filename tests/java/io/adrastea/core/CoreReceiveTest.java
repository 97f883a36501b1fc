package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.CellDescriptor.KIND_NEXT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fused receive: it takes what it was asked for, and leaves everything else to poll. */
@EveryCorePairOnBothWays
class CoreReceiveTest extends CoreContract {
  private int receive(long match, long mask, int source, int spins) {
    return core(1).receive(match, mask, source, MemorySegment.ofArray(new byte[8]), 0, 8, spins, in);
  }

  @Test
  void receiveTellsSourceAndMatch() {
    long match = 0x7fff_ffff_0000_0005L;
    send(2, 1, match, "wanted");
    assertReceives(1, match, 2, "wanted");
    assertEquals(2, in.source());
    assertEquals(match, in.match());
    assertNothing(1);
  }

  @Test
  void receiveTakesAnySourceAndAnyTagOfItsContext() {
    send(2, 1, 0x8_0000_0003L, "any");
    assertEquals(3, receive(0x8_0000_0000L, 0xffff_ffff_0000_0000L, -1, 3));
    assertEquals(2, in.source());
    assertEquals(0x8_0000_0003L, in.match());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 1000})
  void receiveGivesUpAfterItsLooks(int spins) {
    assertEquals(Core.AGAIN, receive(1, -1, 0, spins));
  }

  @Test
  void oneLookIsEnoughForWhatIsThere() {
    for (int spins = -1; spins < 2; spins++) {
      send(0, 1, 1, "here");
      assertEquals(4, receive(1, -1, 0, spins));
    }
  }

  @Test
  void receiveLeavesAnotherMessageToPoll() {
    send(0, 1, 0x1_0000_0002L, "other");
    assertEquals(Core.NOMSG, receiveNothing(1, 0x1_0000_0003L, -1, -1, PAYLOAD), "another tag");
    assertEquals(Core.NOMSG, receiveNothing(1, 0x2_0000_0002L, -1, -1, PAYLOAD), "another context");
    assertEquals(Core.NOMSG, receiveNothing(1, 0x2_0000_0000L, -1L << 32, -1, PAYLOAD), "another context, any tag");
    assertEquals(Core.NOMSG, receiveNothing(1, 0x1_0000_0002L, -1, 0, 4), "too long");
    assertTakes(1, "other");
    assertEquals(Core.AGAIN, receiveNothing(1, 0x1_0000_0002L, -1, -1, PAYLOAD));
  }

  @Test
  void receiveLeavesAMessageOfSeveralPiecesToPoll() {
    MemorySegment message = MemorySegment.ofArray(pattern(PAYLOAD + 1));
    core(0).trySend(1, KIND_FIRST, 1, PAYLOAD + 1, message, 0, PAYLOAD + 1);
    core(0).trySend(1, KIND_NEXT, 1, PAYLOAD + 1, message, PAYLOAD, 1);
    for (int length : new int[] {PAYLOAD, 1}) {
      assertEquals(Core.NOMSG, receiveNothing(1, 1, -1, 0, PAYLOAD));
      assertPolls(1);
      assertEquals(length, in.length());
      assertEquals(0, core(1).release());
    }
  }

  @Test
  void receiveTakesWhatPollHasFound() {
    send(0, 1, 1, "found");
    assertPolls(1);
    assertReceives(1, 1, 0, "found");
    assertNothing(1);
  }
}
