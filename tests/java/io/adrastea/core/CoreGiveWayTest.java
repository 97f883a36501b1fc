package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.layout.RankEntryDescriptor;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranks tell each other when they give way, and on which CPU; all of these run in one thread. */
@EveryCorePair
class CoreGiveWayTest extends CoreContract {
  private static final int TRIALS = 1000; // the system may send the thread elsewhere between two calls
  private static final long NOW = 1_000_000;
  private static final int NO_CPU = Integer.MAX_VALUE;

  private long entry(int rank) {
    return ranks.segment().geometry().rankEntryOffset(rank);
  }

  private void pinned(int rank, int cpu) {
    Words.store(ranks.segment().memory(), entry(rank) + RankEntryDescriptor.CPU_OFFSET, cpu);
  }

  private void runsOn(int rank, int cpu) {
    Words.store(ranks.segment().memory(), entry(rank) + RankEntryDescriptor.RUNNING_CPU_OFFSET, cpu);
  }

  private static boolean yields(CoreProvider core) {
    return !core.name().equals("java");
  }

  /** What the core {@code java} knows of its CPU counts for a millisecond: it is to read it anew in each trial. */
  private void beginTrial() {
    if (!yields(pair.even()) || !yields(pair.odd())) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @BeforeEach
  void nobodyIsPinned() {
    pinned(0, -1);
    pinned(1, -1);
  }

  @Test
  void whoGivesWayTellsWhen() {
    assertEquals(yields(pair.even()) ? 0 : Core.NOSYS, core(0).sleeper().giveWay(NOW));
    assertEquals(
        NOW, Words.loadRelaxedLong(ranks.segment().memory(), entry(0) + RankEntryDescriptor.GAVE_WAY_OFFSET));
  }

  @Test
  void whoWasGivenWayOnItsCpuKnowsIt() {
    boolean was = false;
    for (int trial = 0; trial < TRIALS && !was; trial++) {
      beginTrial();
      core(0).sleeper().giveWay(NOW);
      was = core(1).sleeper().wasGivenWay(NOW) == 1;
    }
    assertTrue(was);
  }

  @Test
  void whatWasLongerAgoDoesNotCountAndNeitherDoesWhatTheRankItselfDid() {
    core(0).sleeper().giveWay(NOW);
    assertEquals(0, core(1).sleeper().wasGivenWay(NOW + 1));
    core(1).sleeper().giveWay(NOW + 1);
    assertEquals(0, core(1).sleeper().wasGivenWay(NOW + 1));
  }

  @Test
  void whoIsAtWorkHasTheCpu() {
    boolean was = false;
    for (int trial = 0; trial < TRIALS && !was; trial++) {
      beginTrial();
      assertEquals(0, core(0).sleeper().worksUntil(NOW + 1000));
      was = core(1).sleeper().wasGivenWay(NOW + 1000) == 1;
    }
    assertTrue(was);
    assertEquals(0, core(1).sleeper().wasGivenWay(NOW + 1001), "that time is over");
  }

  @Test
  void whatHappenedOnAnotherCpuDoesNotCount() {
    core(0).sleeper().giveWay(NOW);
    runsOn(0, NO_CPU);
    assertEquals(0, core(1).sleeper().wasGivenWay(NOW));
  }

  @Test
  void theJavaCoreTakesTheCpuThatItIsPinnedTo() {
    if (yields(pair.even()) || yields(pair.odd())) {
      return; // those look where they run, wherever they are pinned
    }
    pinned(0, 3);
    pinned(1, 3);
    core(0).sleeper().giveWay(NOW);
    assertEquals(1, core(1).sleeper().wasGivenWay(NOW));
    pinned(1, 4);
    assertEquals(0, core(1).sleeper().wasGivenWay(NOW));
  }
}
