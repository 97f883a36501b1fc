package io.adrastea.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.Core;
import io.adrastea.core.SleeplessNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The phases of a wait: how soon a thread is drowsy, and what makes it wide awake again. */
class WaiterTest {
  private static final int SPINS = 300;
  private static final int POLLS = 100; // of one step
  private static final int OTHER = 3; // rank that is waited for
  private static final long TICK = 1000; // nanoseconds from one look at a clock to the next
  private static final int YIELDS = 16; // before it looks where that runs

  /** Time goes by as a test says. */
  private long now;

  private final Others others = new Others();

  /** What the other ranks of the node do while this one has given way, and what they tell of it. */
  private final class Others extends SleeplessNode {
    long yieldNanos; // a yield takes so long
    long ranksGaveWay = Long.MIN_VALUE; // when one of them last did, on the CPU of this rank
    int knows = 0; // whether this core knows of it; else the error
    int works; // how often this rank has told that it goes on to its work
    int told; // how often this rank has told that it gives way

    @Override
    public int giveWay(long at) {
      told++;
      now += yieldNanos;
      return knows;
    }

    @Override
    public int worksUntil(long time) {
      works++;
      return 0;
    }

    @Override
    public int wasGivenWay(long since) {
      return knows < 0 ? knows : ranksGaveWay >= since ? 1 : 0;
    }
  }

  private int idlesUntilDrowsy(Waiter waiter) {
    int idles = 0;
    while (!waiter.isDrowsy(false)) {
      waiter.idle(others);
      idles++;
    }
    return idles;
  }

  @Test
  void spinsAsManyLooksAsAskedForAndYieldsForAWhileBeforeItSleeps() {
    long[] now = {0};
    Waiter waiter = new Waiter(false, false, SPINS, () -> now[0] += TICK);
    assertEquals(POLLS, waiter.polls());
    waiter.reset(OTHER);
    for (int step = 0; step < SPINS / POLLS; step++) {
      assertFalse(waiter.isDrowsy(false));
      waiter.idle(others);
    }
    assertFalse(waiter.isDrowsy(false), "it has not yielded yet");
    long start = now[0];
    int yields = idlesUntilDrowsy(waiter);
    assertTrue(now[0] - start >= 300_000, "it has yielded for 300 microseconds");
    assertEquals(300_000 / TICK / 2, yields, 1, "two looks at the clock in each step");
  }

  @Test
  void yieldsForLongerWhereNobodyWakesIt() {
    long[] now = {0};
    Waiter waiter = new Waiter(false, false, 0, () -> now[0] += TICK);
    waiter.reset(OTHER);
    idlesUntilDrowsy(waiter);
    assertFalse(waiter.isDrowsy(true));
    long start = now[0];
    while (!waiter.isDrowsy(true)) {
      waiter.idle(others);
    }
    assertEquals(3_000_000, now[0] - start, 3 * TICK);
  }

  @Test
  void sleepsAfterOneYieldThatTookLong() {
    long[] now = {0};
    Waiter waiter = new Waiter(false, false, 0, () -> now[0] += 100_001);
    waiter.reset(OTHER);
    waiter.idle(others);
    assertTrue(waiter.isDrowsy(false));
  }

  /** A wait in a job of more ranks than CPUs, a yield of which takes so long; whether it sleeps then. */
  private boolean sleepsAfterYield(Waiter waiter, long nanos) {
    others.yieldNanos = nanos;
    waiter.resetForAll();
    assertFalse(waiter.isDrowsy(false), "it yields first");
    waiter.idle(others);
    return waiter.isDrowsy(false);
  }

  @Test
  void aYieldThatGaveTheCpuToOtherProgramsIsFollowedBySleepsForAWhile() {
    Waiter waiter = new Waiter(true, false, 0, () -> now);
    assertTrue(sleepsAfterYield(waiter, 3_000_000));
    waiter.resetForAll();
    assertTrue(waiter.isDrowsy(false), "the next waits sleep at once");
    now += 999_999;
    waiter.resetForAll();
    assertTrue(waiter.isDrowsy(false));
    now++;
    assertTrue(sleepsAfterYield(waiter, 3_000_000), "a millisecond later it tries again");
    now += 1_999_999;
    waiter.resetForAll();
    assertTrue(waiter.isDrowsy(false), "twice as long each time");
    now++;
    assertFalse(sleepsAfterYield(waiter, 1000));
  }

  @Test
  void whereNobodyWakesItItYieldsThoughOtherProgramsWantTheCpu() {
    Waiter waiter = new Waiter(true, false, 0, () -> now);
    assertTrue(sleepsAfterYield(waiter, 3_000_000));
    waiter.resetForAll();
    assertTrue(waiter.isDrowsy(false), "where it is woken the next wait sleeps at once");
    assertFalse(waiter.isDrowsy(true));
  }

  @Test
  void aYieldThatGaveTheCpuToOtherRanksIsNotFollowedBySleeps() {
    Waiter waiter = new Waiter(true, false, 0, () -> now);
    for (int wait = 0; wait < 10; wait++) {
      others.ranksGaveWay = now + 3_000_000 - 1000; // just before this one goes on
      assertFalse(sleepsAfterYield(waiter, 3_000_000));
    }
    assertEquals(10, others.told);
  }

  @Test
  void whoHasGivenWayTellsWhenItsWaitIsOver() {
    Waiter waiter = new Waiter(true, false, 0, () -> now);
    waiter.resetForAll();
    waiter.end(others);
    assertEquals(0, others.works, "it has found what it waited for");
    waiter.resetForAll();
    waiter.idle(others);
    waiter.end(others);
    assertEquals(1, others.works);
    waiter.end(others);
    assertEquals(1, others.works);
  }

  @Test
  void ranksThatGaveWayLongBeforeTheYieldEndedHadNotTheCpu() {
    Waiter waiter = new Waiter(true, false, 0, () -> now);
    others.ranksGaveWay = 1000; // then another program came, and kept it
    assertTrue(sleepsAfterYield(waiter, 3_000_000));
  }

  @Test
  void yieldsThatNobodyElseWantedTheCpuInAreNotFollowedBySleepsInTheNextWait() {
    Waiter waiter = new Waiter(true, false, 0, () -> now);
    others.yieldNanos = 1000;
    waiter.resetForAll();
    int yields = idlesUntilDrowsy(waiter);
    assertEquals(300, yields, 1);
    waiter.doze(0);
    waiter.wake();
    waiter.resetForAll();
    assertFalse(waiter.isDrowsy(false));
  }

  @Test
  void whoCannotTellWhoseTheCpuWasSleepsUnlessManyWaitsPayForTheYield() {
    others.knows = Core.NOSYS;
    Waiter waiter = new Waiter(true, false, 0, () -> now);
    others.yieldNanos = 100_001;
    assertTrue(sleepsAfterYield(waiter, 100_001));
    now += 1_000_000;
    for (int wait = 0; wait < 64; wait++) {
      waiter.resetForAll();
    }
    assertFalse(sleepsAfterYield(waiter, 100_001));
    assertTrue(sleepsAfterYield(waiter, 100_001), "they paid for one");
  }

  @Test
  void waitsThatSleepPayForNoYield() {
    Waiter waiter = new Waiter(true, false, 0, () -> now);
    for (int wait = 0; wait < 100; wait++) {
      waiter.resetForAll();
      waiter.doze(0);
      waiter.wake();
    }
    assertTrue(sleepsAfterYield(waiter, 100_001));
  }

  @Test
  void waitsInWhichYieldsBearFruitMakeTheTimeOfSleepsLessLittleByLittle() {
    Waiter waiter = new Waiter(true, false, 0, () -> now);
    for (long loaded = 1_000_000; loaded <= 16_000_000; loaded *= 2) {
      assertTrue(sleepsAfterYield(waiter, 100_001));
      now += loaded;
    }
    for (int wait = 0; wait < 50; wait++) { // too few to pay for one
      assertFalse(sleepsAfterYield(waiter, 1000));
    }
    assertTrue(sleepsAfterYield(waiter, 100_001));
    now += 14_000_000; // of twice 16 ms less a 64th fifty times: 14.6 ms
    waiter.resetForAll();
    assertTrue(waiter.isDrowsy(false));
    now += 1_000_000;
    waiter.resetForAll();
    assertFalse(waiter.isDrowsy(false));
  }

  /** A wait that finds nothing until it has spun, and then yields once. */
  private void yieldOnce(Waiter waiter) {
    waiter.reset(OTHER);
    for (int step = 0; step <= SPINS / POLLS; step++) {
      waiter.idle(others);
    }
  }

  private static int stepsBeforeYield(Waiter waiter, Others others) {
    waiter.reset(OTHER);
    int before = others.told;
    int steps = 0;
    for (; others.told == before; steps++) {
      waiter.idle(others);
    }
    return steps - 1;
  }

  @Test
  void whereEachRankHasACpuRanksAreToldOfYieldsButNotOfWork() {
    Waiter waiter = new Waiter(false, true, SPINS, () -> now);
    yieldOnce(waiter);
    assertEquals(1, others.told);
    waiter.end(others);
    assertEquals(0, others.works, "nobody is kept from a CPU");
    assertEquals(SPINS / POLLS, stepsBeforeYield(waiter, others), "a yield that took nothing is no sign of others");
  }

  @Test
  void yieldsNoMoreOnceAYieldHasTakenLong() {
    Waiter waiter = new Waiter(false, true, SPINS, () -> now);
    others.yieldNanos = 100_001;
    yieldOnce(waiter);
    waiter.end(others);
    assertEquals(0, others.works, "it was no rank that had the CPU");
    assertEquals(POLLS, waiter.pollsAtOnce());
    int told = others.told;
    yieldOnce(waiter);
    assertEquals(told, others.told);
    now += 100_000_000;
    yieldOnce(waiter);
    assertEquals(told + 1, others.told, "nothing has told of other programs for long");
  }

  @Test
  void waitsAsWhereRanksOutnumberCpusOnceAnotherRankHasGivenWayOnItsCpu() {
    Waiter waiter = new Waiter(false, true, SPINS, () -> now);
    others.ranksGaveWay = now;
    yieldOnce(waiter);
    assertEquals(0, stepsBeforeYield(waiter, others));
  }

  @Test
  void checksWhereTheOtherRunsWhileTheCpusAreCrowded() {
    Waiter waiter = new Waiter(false, true, SPINS, () -> now);
    others.ranksGaveWay = now;
    yieldOnce(waiter);
    waiter.reset(OTHER);
    boolean due = false;
    for (int yield = 0; yield < YIELDS && !due; yield++) {
      waiter.idle(others);
      due = waiter.isTimeToCheckCpu();
    }
    assertTrue(due);
  }

  @Test
  void spinsAgainOnceALookFindsThatTheOtherRankHasGone() {
    Waiter waiter = new Waiter(false, true, SPINS, () -> now);
    others.ranksGaveWay = now;
    yieldOnce(waiter);
    now += 1_000_001;
    assertEquals(0, stepsBeforeYield(waiter, others), "it gives way once more, and looks");
    assertEquals(SPINS / POLLS, stepsBeforeYield(waiter, others));
  }

  @Test
  void spinsAgainOnceItHasMoved() {
    Waiter waiter = new Waiter(false, true, SPINS, () -> now);
    others.ranksGaveWay = now;
    yieldOnce(waiter);
    assertTrue(waiter.isTimeToCheckCpu());
    waiter.cpuChecked(false);
    assertEquals(0, waiter.pollsAtOnce(), "it could not");
    waiter.cpuChecked(true);
    assertEquals(POLLS, waiter.pollsAtOnce());
  }

  @Test
  void spinsAgainAfterManyWaitsWithoutAYield() {
    Waiter waiter = new Waiter(false, true, SPINS, () -> now);
    others.ranksGaveWay = now;
    yieldOnce(waiter);
    for (int wait = 1; wait < 1024; wait++) {
      waiter.reset(OTHER);
      assertEquals(0, waiter.pollsAtOnce());
    }
    waiter.reset(OTHER);
    assertEquals(POLLS, waiter.pollsAtOnce());
  }

  @Test
  void doesNotFollowOthersWhereTheUserHasSaidHowItIs() {
    Waiter waiter = new Waiter(false, false, SPINS, () -> now);
    others.yieldNanos = 100_001;
    others.ranksGaveWay = now;
    yieldOnce(waiter);
    assertEquals(POLLS, waiter.pollsAtOnce());
  }

  @Test
  void doesNotSpinForAllOthersWhereRanksOutnumberCpus() {
    Waiter waiter = new Waiter(true, false, SPINS);
    waiter.resetForAll();
    assertEquals(1, waiter.polls());
    assertFalse(waiter.isDrowsy(false), "it yields first");
    assertTrue(idlesUntilDrowsy(waiter) >= 1);
    waiter.resetForAll();
    assertEquals(1, waiter.polls());
  }

  @Test
  void spinsForAllOthersWhereEachRankHasACpu() {
    Waiter waiter = new Waiter(false, false, SPINS);
    waiter.resetForAll();
    assertEquals(POLLS, waiter.polls());
  }

  /** Waits for one other, whose message is not there in the first step; whether that was a spin. */
  private static boolean spinsInVain(Waiter waiter) {
    waiter.reset(OTHER);
    boolean spins = waiter.polls() == POLLS;
    waiter.isDrowsy(false);
    assertEquals(1, waiter.polls(), "it spins once");
    return spins;
  }

  @Test
  void whereRanksOutnumberCpusSpinsInVainBecomeRarer() {
    Waiter waiter = new Waiter(true, false, SPINS);
    for (int spared : new int[] {1, 3, 7, 7}) {
      assertTrue(spinsInVain(waiter));
      for (int wait = 0; wait < spared; wait++) {
        assertFalse(spinsInVain(waiter));
      }
    }
  }

  @Test
  void whereRanksOutnumberCpusItSpinsInEachWaitWhileThatBearsFruit() {
    Waiter waiter = new Waiter(true, false, SPINS);
    for (int wait = 0; wait < 10; wait++) {
      waiter.reset(OTHER);
      assertEquals(POLLS, waiter.polls());
    }
    assertTrue(spinsInVain(waiter));
    assertFalse(spinsInVain(waiter));
    waiter.reset(OTHER);
    assertEquals(POLLS, waiter.polls());
    assertTrue(spinsInVain(waiter), "the last spin bore fruit");
    assertFalse(spinsInVain(waiter));
    assertTrue(spinsInVain(waiter));
  }

  @Test
  void aWaitForAllOthersLeavesTheSpinsForOneAsTheyAre() {
    Waiter waiter = new Waiter(true, false, SPINS);
    assertTrue(spinsInVain(waiter));
    waiter.resetForAll();
    waiter.isDrowsy(false);
    assertFalse(spinsInVain(waiter));
    assertTrue(spinsInVain(waiter));
  }

  @Test
  void spinsAnewWhenSomethingWasFound() {
    Waiter waiter = new Waiter(false, false, SPINS);
    waiter.reset(OTHER);
    idlesUntilDrowsy(waiter);
    waiter.found();
    assertFalse(waiter.isDrowsy(false));
    assertTrue(idlesUntilDrowsy(waiter) >= SPINS / POLLS);
    waiter.reset(OTHER);
    assertFalse(waiter.isDrowsy(false));
  }

  /** After how many yields it is time to look where the other runs; more than YIELDS: never. */
  private int yieldsUntilCpuCheckIsDue(Waiter waiter) {
    int yields = 0;
    do {
      waiter.isDrowsy(false);
      waiter.idle(others);
      yields++;
    } while (!waiter.isTimeToCheckCpu() && yields <= YIELDS);
    return yields;
  }

  @Test
  void whoGivesWayToOneOtherAgainAndAgainLooksWhereThatRuns() {
    Waiter waiter = new Waiter(true, false, SPINS);
    waiter.reset(OTHER);
    assertEquals(OTHER, waiter.other());
    assertEquals(YIELDS, yieldsUntilCpuCheckIsDue(waiter));
    assertFalse(waiter.isTimeToCheckCpu(), "it was told");
    waiter.reset(OTHER);
    assertEquals(YIELDS, yieldsUntilCpuCheckIsDue(waiter));
  }

  @Test
  void yieldsOfSeveralShortWaitsCount() {
    Waiter waiter = new Waiter(true, false, SPINS);
    for (int wait = 1; wait < YIELDS; wait++) {
      waiter.reset(OTHER);
      waiter.idle(others);
      assertFalse(waiter.isTimeToCheckCpu());
    }
    waiter.reset(OTHER);
    waiter.idle(others);
    assertTrue(waiter.isTimeToCheckCpu());
  }

  @Test
  void nobodyLooksWhereSeveralRun() {
    Waiter waiter = new Waiter(true, false, SPINS);
    waiter.reset(-1);
    assertEquals(YIELDS + 1, yieldsUntilCpuCheckIsDue(waiter));
    waiter.resetForAll();
    assertEquals(YIELDS + 1, yieldsUntilCpuCheckIsDue(waiter));
  }

  @Test
  void nobodyLooksWhereOthersRunThatHaveCpusOfTheirOwn() {
    Waiter waiter = new Waiter(false, false, 0);
    waiter.reset(OTHER);
    assertEquals(YIELDS + 1, yieldsUntilCpuCheckIsDue(waiter));
  }

  @Test
  void whetherRanksAreTakenToOutnumberCpusIsFoundOutUnlessItIsSaid() {
    for (boolean found : new boolean[] {false, true}) {
      assertEquals(found, new WaitPolicy(SPINS, Optional.empty(), null, 0).isOversubscribed(found));
      assertTrue(new WaitPolicy(SPINS, Optional.of(true), null, 0).isOversubscribed(found));
      assertFalse(new WaitPolicy(SPINS, Optional.of(false), null, 0).isOversubscribed(found));
    }
  }

  @Test
  void napsTakeLongerEachTimeUpToABound() {
    Waiter waiter = new Waiter(true, false, SPINS);
    waiter.reset(OTHER);
    assertEquals(50, waiter.nap(50, 300));
    assertEquals(100, waiter.nap(50, 300));
    assertEquals(200, waiter.nap(50, 300));
    assertEquals(300, waiter.nap(50, 300));
    assertEquals(300, waiter.nap(50, 300));
    waiter.found();
    assertEquals(50, waiter.nap(50, 300));
  }

  @Test
  void itIsNeverTimeToCheckAtTheFirstLookAtTheClock() {
    Waiter waiter = new Waiter(true, false, SPINS);
    waiter.reset(OTHER);
    waiter.slept();
    assertFalse(waiter.isTimeToCheck());
  }

  @Test
  void itIsTimeToCheckAfterASleepOfSomeLength() {
    long[] now = {0};
    Waiter waiter = new Waiter(true, false, SPINS, () -> now[0]);
    waiter.reset(OTHER);
    waiter.slept();
    waiter.isTimeToCheck();
    now[0] += 99_999_999;
    waiter.slept();
    assertFalse(waiter.isTimeToCheck(), "it is not, so soon");
    now[0]++;
    assertFalse(waiter.isTimeToCheck(), "it does not look at the clock at each step");
    waiter.slept();
    assertTrue(waiter.isTimeToCheck());
    waiter.slept();
    assertFalse(waiter.isTimeToCheck(), "it is not, so soon");
  }

  @Test
  void itIsTimeToCheckWhenTheLimitHasComeAndNoSleepGoesBeyondIt() {
    long[] now = {7};
    Waiter waiter = new Waiter(true, false, SPINS, () -> now[0]);
    assertEquals(1000, waiter.withinLimit(1000), "there is none");
    waiter.limit(100);
    waiter.reset(OTHER);
    assertEquals(100, waiter.withinLimit(1000));
    assertEquals(60, waiter.withinLimit(60));
    waiter.slept();
    assertFalse(waiter.isTimeToCheck());
    now[0] += 99;
    waiter.slept();
    assertFalse(waiter.isTimeToCheck());
    assertFalse(waiter.isOverLimit());
    now[0]++;
    waiter.slept();
    assertTrue(waiter.isTimeToCheck());
    assertTrue(waiter.isOverLimit());
    assertEquals(1, waiter.withinLimit(1000), "the next look is soon");
    waiter.limitAt(0);
    assertFalse(waiter.isOverLimit());
  }

  @Test
  void aWaitThatGoesOnBeyondItsLimitSleepsAsLongAsWithoutOne() {
    long[] now = {7};
    Waiter waiter = new Waiter(true, false, SPINS, () -> now[0]);
    waiter.limit(100);
    waiter.reset(OTHER);
    waiter.slept();
    assertFalse(waiter.isTimeToCheck());
    now[0] += 100;
    assertEquals(1, waiter.withinLimit(1000));
    waiter.endure();
    assertEquals(1000, waiter.withinLimit(1000));
    waiter.reset(OTHER);
    assertEquals(1, waiter.withinLimit(1000), "that was another wait");
  }

  /** The clock stands still, or comes to its end. */
  @Test
  void aLimitMayBeNoneOrTheLongest() {
    Waiter waiter = new Waiter(true, false, SPINS, () -> 0);
    waiter.limit(0);
    assertFalse(waiter.isOverLimit(), "a nanosecond, since 0 is no limit");
    waiter.limit(Long.MAX_VALUE);
    assertFalse(waiter.isOverLimit());
    Waiter late = new Waiter(true, false, SPINS, () -> Long.MAX_VALUE);
    late.limit(Long.MAX_VALUE);
    assertFalse(late.isOverLimit());
  }

  @Test
  void anInterruptMakesItTimeToCheckUnlessTheWaitEndures() {
    Waiter waiter = new Waiter(true, false, SPINS, () -> 1);
    waiter.reset(OTHER);
    waiter.slept();
    assertFalse(waiter.isTimeToCheck());
    Thread.currentThread().interrupt();
    waiter.slept();
    assertTrue(waiter.isTimeToCheck());
    waiter.endure();
    waiter.slept();
    assertFalse(waiter.isTimeToCheck());
    waiter.reset(OTHER);
    waiter.slept();
    assertTrue(waiter.isTimeToCheck(), "that was another wait");
    assertTrue(Thread.interrupted(), "it stays");
  }

  @Test
  void aWaitStandsStillFromItsFirstLookAtTheClock() {
    long[] now = {0};
    Waiter waiter = new Waiter(true, false, SPINS, () -> now[0]);
    waiter.reset(OTHER);
    now[0] = 500;
    assertFalse(waiter.standsStill(0, 0), "it has not looked yet");
    waiter.slept();
    waiter.isTimeToCheck();
    now[0] += 99;
    assertFalse(waiter.standsStill(0, 100));
    now[0]++;
    assertTrue(waiter.standsStill(0, 100));
    assertTrue(waiter.tell());
    assertFalse(waiter.tell(), "once");
    assertTrue(waiter.log());
    assertFalse(waiter.log(), "once");
    waiter.forget();
    waiter.reset(OTHER);
    assertFalse(waiter.standsStill(0, 100), "that was another wait");
    assertTrue(waiter.tell());
    assertTrue(waiter.log());
  }

  @Test
  void aWaitInWhichSomethingMovesStandsStillSinceThen() {
    long[] now = {500};
    Waiter waiter = new Waiter(true, false, SPINS, () -> now[0]);
    waiter.reset(OTHER);
    waiter.slept();
    waiter.isTimeToCheck();
    for (int moves = 3; moves < 9; moves++) {
      now[0] += 60;
      assertFalse(waiter.standsStill(moves, 100));
    }
    now[0] += 99;
    assertFalse(waiter.standsStill(8, 100));
    now[0]++;
    assertTrue(waiter.standsStill(8, 100));
    waiter.tell();
    waiter.log();
    assertFalse(waiter.standsStill(9, 100), "it moves again");
    waiter.goesOn();
    assertFalse(waiter.isTold());
    now[0] += 100;
    assertTrue(waiter.standsStill(9, 100));
    assertTrue(waiter.tell(), "anew");
    assertFalse(waiter.log(), "once in a wait");
  }

  @Test
  void aStrategyOfTheProgramTakesThePlaceOfAllThat() {
    List<String> calls = new ArrayList<>();
    Waiter waiter = new Waiter(() -> calls.add("idle"), () -> calls.add("reset"), true);
    waiter.reset(OTHER);
    for (int i = 0; i < 3; i++) {
      assertFalse(waiter.isDrowsy(false));
      waiter.idle(others);
    }
    waiter.found();
    waiter.found();
    assertEquals(List.of("idle", "idle", "idle", "reset"), calls);
  }
}
