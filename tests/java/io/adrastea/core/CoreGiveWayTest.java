package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.layout.RankEntryDescriptor;
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

  private static boolean knowsItsCpu(CoreProvider core) {
    return !core.name().equals("java");
  }

  @BeforeEach
  void nobodyIsPinned() {
    pinned(0, -1);
    pinned(1, -1);
  }

  @Test
  void whoGivesWayTellsWhen() {
    assertEquals(knowsItsCpu(pair.even()) ? 0 : Core.NOSYS, core(0).sleeper().giveWay(NOW));
    assertEquals(
        NOW, Words.loadRelaxedLong(ranks.segment().memory(), entry(0) + RankEntryDescriptor.GAVE_WAY_OFFSET));
  }

  @Test
  void whoWasGivenWayOnItsCpuKnowsIt() {
    boolean both = knowsItsCpu(pair.even()) && knowsItsCpu(pair.odd());
    boolean was = false;
    for (int trial = 0; trial < TRIALS && !was; trial++) {
      core(0).sleeper().giveWay(NOW);
      was = core(1).sleeper().wasGivenWay(NOW) == 1;
    }
    assertEquals(both, was);
  }

  @Test
  void whatWasLongerAgoDoesNotCountAndNeitherDoesWhatTheRankItselfDid() {
    int none = knowsItsCpu(pair.odd()) ? 0 : Core.NOSYS;
    core(0).sleeper().giveWay(NOW);
    assertEquals(none, core(1).sleeper().wasGivenWay(NOW + 1));
    core(1).sleeper().giveWay(NOW + 1);
    assertEquals(none, core(1).sleeper().wasGivenWay(NOW + 1));
  }

  @Test
  void whoIsAtWorkHasTheCpu() {
    boolean both = knowsItsCpu(pair.even()) && knowsItsCpu(pair.odd());
    boolean was = false;
    for (int trial = 0; trial < TRIALS && !was; trial++) {
      assertEquals(0, core(0).sleeper().worksUntil(NOW + 1000));
      was = core(1).sleeper().wasGivenWay(NOW + 1000) == 1;
    }
    assertEquals(both, was);
    assertTrue(core(1).sleeper().wasGivenWay(NOW + 1001) <= 0, "that time is over");
  }

  @Test
  void whatHappenedOnAnotherCpuDoesNotCount() {
    core(0).sleeper().giveWay(NOW);
    runsOn(0, NO_CPU);
    assertTrue(core(1).sleeper().wasGivenWay(NOW) <= 0);
  }

  @Test
  void theJavaCoreKnowsTheCpuThatItIsPinnedTo() {
    if (knowsItsCpu(pair.even()) || knowsItsCpu(pair.odd())) {
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
