package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.cli.base.ExitStatus;
import org.junit.jupiter.api.Test;

/** Which end of a rank counts as the cause where several end with an error, in any order. */
class RankEndsTest {
  private static final int KILLED = 128 + 9;

  private final RankEnds ends = new RankEnds(Long.MAX_VALUE);

  private int cause(int aborts) throws InterruptedException {
    return ends.cause(ends.next(() -> false, () -> {}), end -> end.rank() == aborts).rank();
  }

  private void ends(int rank, int code) {
    ends.add(rank, new ExitStatus(code));
  }

  @Test
  void isThatOfTheRankThatAbortedThoughItsVictimsEndSooner() throws Exception {
    ends(0, 1);
    ends(2, 1);
    ends(1, 7);
    ends(3, 1);
    assertEquals(1, cause(1));
  }

  @Test
  void isThatOfTheRankThatAbortedThoughOneIsKilledBehindIt() throws Exception {
    ends(1, 7);
    ends(0, KILLED);
    assertEquals(1, cause(1));
  }

  @Test
  void isThatOfTheRankThatWasKilledThoughAnotherFailsForIt() throws Exception {
    ends(0, 1);
    ends(1, KILLED);
    assertEquals(1, cause(-2));
  }

  @Test
  void isTheFirstWhereNoneWasKilledOrAborted() throws Exception {
    ends(2, 1);
    ends(0, 3);
    assertEquals(2, cause(-2));
  }

  @Test
  void isTheTimeLimitWhereNoRankEndsBeforeIt() throws Exception {
    RankEnds soon = new RankEnds(1);
    assertEquals(RankEnds.LATE, soon.next(() -> false, () -> {}).rank());
    int[] looks = new int[1];
    RankEnds.End end = soon.next(() -> true, () -> looks[0]++);
    assertEquals(new RankEnds.End(RankEnds.LATE, new ExitStatus(124)), end);
    assertEquals(1, looks[0]);
    soon.add(3, new ExitStatus(5)); // of what has been heard nothing is lost
    assertEquals(3, soon.next(() -> false, () -> {}).rank());
  }

  @Test
  void isNotTheEndOfWhoReadsTheOutput() throws Exception {
    ends(2, 1);
    ends(RankEnds.NOBODY, 141);
    ends(1, KILLED);
    assertEquals(2, cause(-2));
  }
}
