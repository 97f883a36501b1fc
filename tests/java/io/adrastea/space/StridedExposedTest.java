package io.adrastea.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Memory of ranks at equal distances in one mapping. */
class StridedExposedTest {
  private static final int RANKS = 3;
  private static final long STRIDE = 128;
  private static final long BYTES = 100;

  private final MemorySegment whole = Arena.ofAuto().allocate((RANKS - 1) * STRIDE + BYTES, 64);
  private final StridedExposed exposed = StridedExposed.of(whole, STRIDE, BYTES, RANKS);

  @Test
  void aByteOfARankIsThatOfItsPartAlone() {
    for (int rank = 0; rank < RANKS; rank++) {
      for (long offset : new long[] {0, 1, BYTES - 1}) {
        whole.fill((byte) 0);
        whole.set(ValueLayout.JAVA_BYTE, exposed.place(rank, offset), (byte) 7);
        for (int other = 0; other < RANKS; other++) {
          MemorySegment part = exposed.direct(other);
          assertEquals(BYTES, part.byteSize());
          assertEquals(whole.address() + other * STRIDE, part.address());
          assertEquals(other == rank ? 7 : 0, part.get(ValueLayout.JAVA_BYTE, offset));
        }
      }
    }
  }

  @Test
  void aPartIsReachedDirectlyAndCountedInBytes() {
    Exposed all = Exposed.of(exposed.part(0), exposed.part(1), exposed.part(2));
    assertEquals(exposed.ranks(), all.ranks());
    for (int rank = 0; rank < RANKS; rank++) {
      assertEquals(Exposed.Way.DIRECT, all.part(rank).way());
      assertEquals(exposed.bytes(), all.bytes(rank));
      assertEquals(1, all.unit(rank));
      assertEquals(whole.address() + rank * STRIDE, all.part(rank).address());
      assertEquals(all.part(rank).address(), all.direct(rank).address());
      assertNull(all.part(rank).exposure());
    }
  }

  @Test
  void noPartHoldsWhatLiesBeyondIt() {
    assertTrue(exposed.holds(0, 0, BYTES));
    assertTrue(exposed.holds(RANKS - 1, BYTES - 1, 1));
    assertTrue(exposed.holds(1, BYTES, 0));
    assertFalse(exposed.holds(0, BYTES, 1), "between two parts");
    assertFalse(exposed.holds(0, STRIDE, 1), "in the next part");
    assertFalse(exposed.holds(1, -1, 1), "in the part before");
    assertFalse(exposed.holds(1, 0, -1));
    assertFalse(exposed.holds(RANKS, 0, 1));
    assertFalse(exposed.holds(-1, STRIDE, 1));
    assertFalse(exposed.holds(0, Long.MAX_VALUE, Long.MAX_VALUE));
    assertFalse(exposed.holds(0, 1, Long.MAX_VALUE));
  }

  @Test
  void someOfTheRanksHaveTheirPartsByOtherNumbers() {
    StridedExposed ends = exposed.some(0, 2, 2);
    assertEquals(2, ends.ranks());
    assertEquals(exposed.direct(0).address(), ends.direct(0).address());
    assertEquals(exposed.direct(2).address(), ends.direct(1).address());
    assertEquals(BYTES, ends.direct(1).byteSize());
    StridedExposed last = exposed.some(1, 1, 2).some(1, 1, 1);
    assertEquals(exposed.direct(2).address(), last.direct(0).address());
    assertEquals(exposed.direct(2).address(), last.whole().address() + last.place(0, 0));
    for (int[] wrong : new int[][] {{-1, 1, 1}, {3, 1, 1}, {0, 1, 4}, {0, 2, 3}, {0, 0, 2}, {0, 1, 0},
      {1, Integer.MAX_VALUE, 2}}) {
      assertThrows(IllegalArgumentException.class, () -> exposed.some(wrong[0], wrong[1], wrong[2]));
    }
  }

  @Test
  void refusesPartsThatOverlapOrDoNotLieInTheMapping() {
    assertRefused(STRIDE, BYTES + 1, RANKS);
    assertRefused(STRIDE, BYTES, RANKS + 1);
    assertRefused(STRIDE + 8, BYTES, RANKS);
    assertRefused(STRIDE - 4, BYTES, RANKS);
    assertRefused(96, BYTES, RANKS);
    assertRefused(STRIDE, -1, RANKS);
    assertRefused(STRIDE, BYTES, 0);
    assertRefused(1L << 62, BYTES, 5);
    assertRefused(Long.MAX_VALUE - 7, Long.MAX_VALUE - 7, 1);
    assertEquals(whole.byteSize(), StridedExposed.of(whole, 1L << 40, whole.byteSize(), 1).direct(0).byteSize());
  }

  private void assertRefused(long stride, long bytes, int ranks) {
    assertThrows(IllegalArgumentException.class, () -> StridedExposed.of(whole, stride, bytes, ranks));
  }
}
