package io.adrastea.bench.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.bench.collectives.Collective.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PartsTest {
  private static final int RANKS = 5;

  private static Parts parts(Collective collective, int rank, int elements) {
    return new Parts(collective, RANKS, rank, elements);
  }

  @ParameterizedTest
  @EnumSource(Collective.class)
  void partsLieOneBehindTheOtherAtBothEnds(Collective collective) {
    for (int rank = 0; rank < RANKS; rank++) {
      Parts parts = parts(collective, rank, 7);
      long given = 0;
      long taken = 0;
      for (int other = 0; other < RANKS; other++) {
        assertEquals(given, parts.givenAt(rank, other));
        assertEquals(taken, parts.takenAt(other, rank));
        given += collective.in() == Row.ALL ? parts.part(rank, other) : 0;
        taken += collective.out() == Row.ALL ? parts.part(other, rank) : 0;
      }
      assertEquals(collective.in() == Row.ONE ? parts.part(rank, 0) : given, parts.input());
      assertEquals(collective.out() == Row.ONE ? parts.part(0, rank) : taken, parts.output());
    }
  }

  @ParameterizedTest
  @CsvSource({"8, 4, 12", "7, 3, 11", "1, 0, 2", "2, 1, 3"})
  void unevenPartsHaveHalfAndOneAndAHalf(int elements, int even, int odd) {
    assertEquals(even, parts(Collective.GATHERV, 2, elements).input());
    assertEquals(odd, parts(Collective.GATHERV, 3, elements).input());
    assertEquals(even, parts(Collective.SCATTERV, 4, elements).output());
    assertEquals(odd, parts(Collective.REDUCE_SCATTER, 1, elements).output());
    assertEquals(3 * even + 2 * odd, parts(Collective.ALLGATHERV, 0, elements).output());
    assertEquals(even, parts(Collective.ALLTOALLV, 0, elements).part(3, 1));
    assertEquals(odd, parts(Collective.ALLTOALLV, 0, elements).part(2, 1));
    assertEquals(elements, parts(Collective.ALLTOALL, 0, elements).part(2, 1));
  }
}
