package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.layout.RankEntryDescriptor;
import org.junit.jupiter.api.Test;

/** Two ranks that wait for each other on one CPU part; that the higher one goes, and is not bound, is the C tests'. */
@EveryCorePair
class CoreAvoidSharedCpuTest extends CoreContract {
  private int runningCpu(int rank) {
    long entry = ranks.segment().geometry().rankEntryOffset(rank);
    return Words.load(ranks.segment().memory(), entry + RankEntryDescriptor.RUNNING_CPU_OFFSET);
  }

  private static boolean moves(CoreProvider core) {
    return !core.name().equals("java");
  }

  @Test
  void whoWaitsTellsWhereItRunsIfItsCoreCouldMove() {
    assertEquals(0, runningCpu(0));
    if (moves(pair.even())) {
      assertEquals(0, core(0).sleeper().avoidSharedCpu(1), "the lower one stays");
      assertTrue(runningCpu(0) > 0);
    } else {
      assertEquals(Core.NOSYS, core(0).sleeper().avoidSharedCpu(1));
      assertEquals(0, runningCpu(0));
    }
  }

  @Test
  void theHigherOneStaysWhileTheLowerHasNotTold() {
    assertEquals(moves(pair.odd()) ? 0 : Core.NOSYS, core(1).sleeper().avoidSharedCpu(0));
  }

  @Test
  void theHigherOneStaysWhileTheLowerRunsElsewhere() {
    long entry = ranks.segment().geometry().rankEntryOffset(0);
    Words.store(ranks.segment().memory(), entry + RankEntryDescriptor.RUNNING_CPU_OFFSET, Integer.MAX_VALUE);
    assertEquals(moves(pair.odd()) ? 0 : Core.NOSYS, core(1).sleeper().avoidSharedCpu(0));
  }
}
