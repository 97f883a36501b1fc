package io.adrastea.coll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.Core;
import io.adrastea.core.SlotMember;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Blocks of all lengths find room in stages, and those that take too many rounds are refused; no memory is needed. */
class ExchangeRoomTest {
  private static final int MOST_RANKS = 1024;
  private static final int RANKS = 200;
  private static final int BUFFERS_BYTES = StageMoves.QUARTER; // with the header

  @Test
  void aWordOfEachBlockGoesInARound() {
    for (int kind = SlotMember.GATHER; kind <= SlotMember.ALLGATHERV; kind++) {
      for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        int stretch = ExchangeRoom.stretch(kind, ranks);
        int buffer = ExchangeRoom.bufferBytes(kind, ranks);
        int blocks = Choice.hasSeveralBlocks(kind) ? ranks - 1 : 1;
        assertTrue(stretch >= 8 && stretch % 8 == 0 && blocks * stretch <= buffer, () -> "stretch " + stretch);
        assertTrue(ExchangeRoom.header(kind, ranks) + ExchangeRoom.BUFFERS * buffer <= BUFFERS_BYTES);
      }
    }
  }

  /** {@code tests/c/coll_exchange_test.c} has the same numbers. */
  @Test
  void roundsAreCountedInThirtyOneBits() {
    assertEquals(SlotMember.MOST_BYTES, ExchangeRoom.mostOfBlock(SlotMember.GATHER, MOST_RANKS));
    assertEquals(SlotMember.MOST_BYTES, ExchangeRoom.mostOfBlock(SlotMember.ALLTOALL, 2));
    assertEquals(137_438_953_280L, ExchangeRoom.mostOfBlock(SlotMember.ALLTOALL, RANKS));
    assertEquals(34_359_738_320L, ExchangeRoom.mostOfBlock(SlotMember.SCATTER, MOST_RANKS));
  }

  @Test
  void blocksThatTakeMoreAreRefused() {
    SlotMember member = new Members(RANKS, 0).get(1);
    long most = ExchangeRoom.mostOfBlock(SlotMember.ALLTOALL, RANKS);
    assertEquals(Core.INVAL, begin(member, SlotMember.ALLTOALL, 0, most + 1, 0));
    assertEquals(Core.INVAL, begin(member, SlotMember.SCATTER, 1, most + 1, 0));
    for (int row : new int[] {SlotMember.GIVE_BYTES, SlotMember.TAKE_BYTES}) {
      MemorySegment parts = member.parts();
      parts.fill((byte) 0);
      parts.setAtIndex(ValueLayout.JAVA_LONG, row * RANKS + 7, most + 1);
      long given = row == SlotMember.GIVE_BYTES ? most + 1 : 0;
      assertEquals(Core.INVAL, begin(member, SlotMember.ALLTOALL, 0, given, SlotMember.BY_PARTS));
    }
    assertEquals(SlotMember.EXPOSE, begin(member, SlotMember.ALLTOALL, 0, most, 0));
  }

  private static int begin(SlotMember member, int kind, int root, long bytes, int flags) {
    return member.begin(kind, root, bytes, 0, flags, null, 0, null, 0, 1);
  }
}
