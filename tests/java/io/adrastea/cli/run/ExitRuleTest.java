package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.cli.base.ExitStatus;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What exit code a job has whose ranks have all ended. */
class ExitRuleTest {
  private static RankEnds.End end(int rank, int code) {
    return new RankEnds.End(rank, new ExitStatus(code));
  }

  @Test
  void aJobWithoutAFailureSucceedsByEachRule() {
    for (ExitRule rule : ExitRule.values()) {
      assertEquals(0, rule.code(List.of()), rule::name);
    }
  }

  @Test
  void theFirstIsTheOneThatWasHeardOfFirst() {
    assertEquals(7, ExitRule.first.code(List.of(end(2, 7), end(0, 3))));
  }

  @Test
  void rankZeroIsTheOnlyOneThatCountsForItself() {
    assertEquals(3, ExitRule.rank0.code(List.of(end(2, 7), end(0, 3))));
    assertEquals(0, ExitRule.rank0.code(List.of(end(2, 137), end(1, 7))));
  }

  @Test
  void moreFailuresThanAnExitCodeTakesAreCountedAs125() {
    assertEquals(2, ExitRule.failures.code(List.of(end(2, 7), end(0, 3))));
    assertEquals(125, ExitRule.failures.code(Collections.nCopies(300, end(1, 1))));
  }
}
