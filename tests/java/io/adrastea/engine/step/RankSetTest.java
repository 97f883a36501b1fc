package io.adrastea.engine.step;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Some ranks of a job of many. */
class RankSetTest {
  private static final int RANKS = 10_000;

  private final RankSet set = new RankSet(RANKS);
  private final Set<Integer> expected = new TreeSet<>();

  private void assertAsExpected() {
    assertEquals(expected.size(), set.count());
    Set<Integer> members = new TreeSet<>();
    for (int place = 0; place < set.count(); place++) {
      members.add(set.at(place));
    }
    assertEquals(expected, members);
  }

  @Test
  void hasWhatWasAddedAndNotRemoved() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2000; i++) {
      int rank = random.nextInt(40) * (RANKS / 40) + (random.nextBoolean() ? 0 : RANKS / 40 - 1);
      if (random.nextBoolean()) {
        set.add(rank);
        expected.add(rank);
      } else {
        set.remove(rank);
        expected.remove(rank);
      }
      assertAsExpected();
    }
  }

  @Test
  void isGoneThroughInAsManyStepsAsItHasMembersAlsoWhereEachIsRemoved() {
    for (int rank = 0; rank < RANKS; rank += RANKS / 4) {
      set.add(rank);
      set.add(rank);
      expected.add(rank);
    }
    Set<Integer> seen = new TreeSet<>();
    int steps = 0;
    for (int place = set.count() - 1; place >= 0; place--) {
      seen.add(set.at(place));
      set.remove(set.at(place));
      steps++;
    }
    assertEquals(expected, seen);
    assertEquals(4, steps);
    assertEquals(0, set.count());
  }
}
