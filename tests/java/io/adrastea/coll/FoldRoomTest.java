package io.adrastea.coll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.Core;
import io.adrastea.core.SlotMember;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Parts of a reduce_scatter that take too many rounds are refused, and none that are all as long; no memory is needed.
 */
class FoldRoomTest {
  private static final int MOST_RANKS = 1024;
  private static final int MOST_UNIT = 8192;
  private static final int RANKS = 64;
  private static final long MOST = 256L * FoldRoom.MOST_ROUNDS; // of one part among so many ranks

  @Test
  void wholeElementsOfEachPartGoInARound() {
    for (int unit = 1; unit <= MOST_UNIT; unit++) {
      for (int ranks = 1; ranks <= MOST_RANKS; ranks = 2 * ranks + ranks % 3) {
        int stretch = FoldRoom.stretch(ranks, unit);
        assertTrue(stretch > 0 && stretch % unit == 0, "stretch " + stretch);
        assertTrue(FoldRoom.group(ranks, unit) * stretch <= FoldRoom.BUFFER, "stretch " + stretch);
      }
    }
  }

  /** {@code tests/c/coll_test.c} has the same numbers. */
  @Test
  void eachGroupHasTheRoundsOfItsLongestPart() {
    long[] lengths = new long[MOST_RANKS];
    assertEquals(0, FoldRoom.rounds(RANKS, 8, lengths));
    lengths[5] = 1L << 39;
    assertEquals(1L << 31, FoldRoom.rounds(RANKS, 8, lengths));
    assertEquals(1_108_378_658L, FoldRoom.rounds(33, 8, lengths));
    lengths[6] = 1L << 38;
    lengths[64] = 257;
    assertEquals(1L << 31, FoldRoom.rounds(RANKS, 8, lengths));
    assertEquals((1L << 31) + 2, FoldRoom.rounds(MOST_RANKS, 8, lengths));
  }

  @Test
  void equalPartsNeverTakeTooMany() {
    long[] lengths = new long[MOST_RANKS];
    for (int unit : new int[] {1, 6, 8, 12, 16, 255, 257, 5000, MOST_UNIT}) {
      for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        Arrays.fill(lengths, SlotMember.MOST_BYTES / ranks / unit * unit);
        assertTrue(FoldRoom.takes(ranks, unit, lengths), "ranks " + ranks);
      }
    }
  }

  @Test
  void partsThatTakeMoreAreRefused() {
    SlotMember member = new Members(RANKS, 0).get(1);
    assertEquals(Core.INVAL, begin(member, 1L << 39, 0));
    assertEquals(Core.INVAL, begin(member, MOST + 8, 0));
    assertEquals(Core.INVAL, begin(member, MOST, MOST + 8 - SlotMember.MOST_BYTES)); // below zero
    assertEquals(SlotMember.EXPOSE, begin(member, MOST, 8));
  }

  private static int begin(SlotMember member, long one, long other) {
    MemorySegment parts = member.parts();
    parts.fill((byte) 0);
    parts.setAtIndex(ValueLayout.JAVA_LONG, SlotMember.GIVE_BYTES * RANKS + 7, one);
    parts.setAtIndex(ValueLayout.JAVA_LONG, SlotMember.GIVE_BYTES * RANKS + 8, other);
    return member.begin(
        SlotMember.REDUCE_SCATTER, 1, one + other, ElementKind.INT64.number(), Operator.SUM.number(), null, 0, null,
        0, 1);
  }
}
