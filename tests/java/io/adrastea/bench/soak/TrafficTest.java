package io.adrastea.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which rank sends what to which. */
class TrafficTest {
  private static final int STEPS = 300;
  private static final int LARGEST = 1 << 18;

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8, 64})
  void inAStepNoRankSendsMoreThanTheLargestMessage(int ranks) {
    Traffic traffic = new Traffic(5, 1, ranks, LARGEST);
    for (int step = 0; step < STEPS; step++) {
      for (int source = 0; source < ranks; source++) {
        long bytes = sent(traffic, step, source);
        boolean duel = traffic.pattern(step) == Traffic.Pattern.DUEL;
        assertTrue(bytes <= LARGEST || duel, "step " + step + ": " + bytes);
      }
    }
  }

  private static long sent(Traffic traffic, int step, int source) {
    long sum = 0;
    for (int destination = 0; destination < traffic.ranks(); destination++) {
      for (int number = 0; number < traffic.count(step, source, destination); number++) {
        int bytes = traffic.bytes(Traffic.tag(step, number), source, destination);
        assertTrue(bytes >= 0 && bytes <= LARGEST, "a message of " + bytes + " bytes");
        sum += bytes;
      }
    }
    return sum;
  }

  @Test
  void everyPatternComesAndSoDoEmptyAndLargeMessages() {
    Traffic traffic = new Traffic(7, 3, 4, LARGEST);
    EnumSet<Traffic.Pattern> patterns = EnumSet.noneOf(Traffic.Pattern.class);
    int empty = 0;
    int large = 0;
    for (int step = 0; step < STEPS; step++) {
      patterns.add(traffic.pattern(step));
      for (int number = 0; number < traffic.count(step, 0, 1); number++) {
        int bytes = traffic.bytes(Traffic.tag(step, number), 0, 1);
        empty += bytes == 0 ? 1 : 0;
        large += bytes > LARGEST / 4 ? 1 : 0;
      }
    }
    assertEquals(EnumSet.allOf(Traffic.Pattern.class), patterns);
    assertTrue(empty > 0 && large > 0, empty + " empty, " + large + " large");
  }

  @Test
  void aRunOfFewStepsHasEveryPatternAndDuelsOfBothKinds() {
    Set<Traffic.Pattern> all = EnumSet.allOf(Traffic.Pattern.class);
    for (int seed = 0; seed < 50; seed++) {
      Set<Traffic.Pattern> first = EnumSet.noneOf(Traffic.Pattern.class);
      Set<Boolean> together = new HashSet<>();
      for (int round = 0; round < all.size(); round++) {
        Traffic traffic = new Traffic(seed, round, 6, LARGEST);
        Set<Traffic.Pattern> inTurn = EnumSet.noneOf(Traffic.Pattern.class);
        for (int step = all.size(); step < 2 * all.size(); step++) {
          inTurn.add(traffic.pattern(step));
        }
        assertEquals(all, inTurn, "seed " + seed + ", round " + round);
        first.add(traffic.pattern(0));
        for (int rank = 0; round >= 3 && round < 5 && rank < 6; rank += 2) {
          together.add(traffic.duelsTogether(0, rank));
          assertEquals(traffic.duelsTogether(0, rank), traffic.duelsTogether(0, rank + 1));
        }
      }
      assertEquals(all, first, "seed " + seed);
      assertEquals(Set.of(true, false), together);
    }
  }

  @Test
  void theTwoOfADuelSendAsMany() {
    Traffic traffic = new Traffic(11, 0, 5, LARGEST);
    for (int step = 0; step < STEPS; step++) {
      if (traffic.pattern(step) == Traffic.Pattern.DUEL) {
        assertEquals(traffic.count(step, 2, 3), traffic.count(step, 3, 2));
        assertTrue(traffic.count(step, 2, 3) > 0);
        assertEquals(0, traffic.count(step, 4, 4), "the odd one");
      }
    }
  }

  @Test
  void theSeedAndTheRoundMakeTheMessages() {
    Traffic one = new Traffic(1, 1, 4, LARGEST);
    assertEquals(one.firstWord(17, 1, 2), new Traffic(1, 1, 4, LARGEST).firstWord(17, 1, 2));
    assertNotEquals(one.firstWord(17, 1, 2), new Traffic(2, 1, 4, LARGEST).firstWord(17, 1, 2));
    assertNotEquals(one.firstWord(17, 1, 2), new Traffic(1, 2, 4, LARGEST).firstWord(17, 1, 2));
    assertNotEquals(one.firstWord(17, 1, 2), one.firstWord(17, 2, 1));
  }

  @Test
  void aTagHoldsStepAndNumber() {
    int tag = Traffic.tag(Traffic.MOST_STEPS - 1, 1023);
    assertTrue(tag > 0);
    assertEquals(Traffic.MOST_STEPS - 1, Traffic.step(tag));
    assertEquals(1023, Traffic.number(tag));
  }
}
