package io.adrastea.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which way is taken, from costs that the test makes up: there is no clock. */
class WayCostsTest {
  private static final int CLASS_BYTES = 1 << 16;
  private static final int WAYS = Way.RING.bit() | Way.CMA_BOTH.bit() | Way.CMA_GET.bit();
  private static final int MANY = 200_000;

  /** Messages in which a change of the costs is followed, of these three ways. */
  private static final int FOLLOWED = 4000;

  private final WayCosts costs = new WayCosts(CLASS_BYTES);
  private final long[] nanos = new long[Way.count()];
  private final int[] tried = new int[Way.count()];

  private void costs(long ring, long both, long get) {
    nanos[Way.RING.ordinal()] = ring;
    nanos[Way.CMA_BOTH.ordinal()] = both;
    nanos[Way.CMA_GET.ordinal()] = get;
  }

  private Way message() {
    return message(way -> nanos[way.ordinal()]);
  }

  private Way message(ToLongFunction<Way> takes) {
    return message(WAYS, takes);
  }

  private Way message(int ways, ToLongFunction<Way> takes) {
    Way way = costs.choose(ways, 0);
    boolean trial = costs.isTrial();
    tried[way.ordinal()] += trial ? 1 : 0;
    if (costs.isTimed()) {
      costs.took(way, trial, takes.applyAsLong(way), 0, CLASS_BYTES);
    }
    return way;
  }

  private void messages(int count) {
    for (int i = 0; i < count; i++) {
      message();
    }
  }

  /** A cost of 0 is not a cost: it is unknown until a message was timed. */
  @Test
  void aWayThatWasNotMeasuredIsSaidToBeSo() {
    assertTrue(costs.toString().startsWith("no way was taken, tried no other; 0 messages"), costs.toString());
    Way way = costs.choose(WAYS, 0);
    assertTrue(costs.toString().startsWith(way.word() + " was not measured, tried no other"), costs.toString());
    costs(40_000, 50_000, 60_000);
    messages(FOLLOWED);
    assertTrue(costs.toString().startsWith("ring takes "), costs.toString());
  }

  /** Messages until a condition holds of the number that were sent; fails beyond {@code most}. */
  private int until(int most, IntPredicate holds) {
    for (int i = 0; i < most; i++) {
      if (holds.test(i)) {
        return i;
      }
      message();
    }
    throw new AssertionError("not in %d messages; in use is %s".formatted(most, costs.inUse()));
  }

  /** Messages for which one way is not there. */
  private void messagesWithout(Way way, int count) {
    for (int i = 0; i < count; i++) {
      message(WAYS & ~way.bit(), one -> nanos[one.ordinal()]);
    }
  }

  private double shareOfTrials() {
    return (double) costs.trialNanos() / costs.nanos();
  }

  @Test
  void aWayThatIsPreferredIsTakenUntilAnotherIsKnownToBeBetter() {
    WayCosts inBlocks = new WayCosts(CLASS_BYTES, Way.RING);
    int ways = Way.RING.bit() | Way.SHARED_GET.bit();
    assertEquals(Way.RING, inBlocks.choose(ways, 0));
    assertEquals(Way.SHARED_GET, costs.choose(ways, 0), "without a preference one copy goes first");
    assertEquals(Way.SHARED_GET, new WayCosts(CLASS_BYTES, Way.RING).choose(Way.SHARED_GET.bit(), 0),
        "where it is not there, the first that is");
  }

  @Test
  void theFirstInOrderIsTakenWhereNothingIsKnown() {
    costs(1000, 1000, 1000);
    assertNull(costs.inUse());
    assertEquals(Way.RING, message());
    WayCosts other = new WayCosts(CLASS_BYTES);
    assertEquals(Way.CMA_BOTH, other.choose(Way.CMA_BOTH.bit() | Way.CMA_GET.bit(), 0));
    assertEquals(0, other.cost(Way.RING));
  }

  @ParameterizedTest
  @CsvSource({"8600, 13700, 20000, RING", "13000, 8000, 20000, CMA_BOTH", "13000, 12000, 8000, CMA_GET",
    "100000, 10000, 1000, CMA_GET", "1000, 1050, 960, RING"})
  void theBestIsFoundAndStays(long ring, long both, long get, Way best) {
    costs(ring, both, get);
    until(FOLLOWED, i -> costs.inUse() == best && costs.cost(Way.CMA_GET) != 0 && costs.cost(Way.CMA_BOTH) != 0);
    long switches = costs.switches();
    messages(MANY);
    assertEquals(best, costs.inUse());
    assertEquals(switches, costs.switches());
    assertEquals(nanos[best.ordinal()], costs.cost(best));
  }

  @Test
  void aBurstWhoseWayIsNoLongerThereKeepsNoOtherFromBeingTried() {
    costs(10_000, 8000, 5000);
    until(FOLLOWED, i -> costs.isTrial());
    Way trying = Arrays.stream(Way.values()).filter(way -> tried[way.ordinal()] > 0).findFirst().orElseThrow();
    Way other = trying == Way.CMA_BOTH ? Way.CMA_GET : Way.CMA_BOTH;
    messagesWithout(trying, FOLLOWED);
    assertEquals(other, costs.inUse());
    assertTrue(tried[trying.ordinal()] < WayCosts.BURST);
  }

  @Test
  void whenTheWayInUseIsNoLongerThereTheOthersAreCompared() {
    costs(10_000, 8000, 5000);
    until(FOLLOWED, i -> costs.inUse() == Way.CMA_GET);
    nanos[Way.CMA_BOTH.ordinal()] = 20_000;
    messagesWithout(Way.CMA_GET, MANY);
    assertEquals(Way.RING, costs.inUse());
    until(FOLLOWED, i -> costs.inUse() == Way.CMA_GET);
  }

  @ParameterizedTest
  @CsvSource({"1000, 1000, 1000", "1000, 1010, 1020", "1000, 3000, 100000", "100000, 1000, 1000000",
    "1000, 2000, 1999"})
  void trialsTakeLessThanOnePartInAHundred(long ring, long both, long get) {
    costs(ring, both, get);
    long dearest = Math.max(ring, Math.max(both, get));
    for (int i = 0; i < MANY; i++) {
      message();
      // What one burst takes more than was expected is paid back, and the first ones in warm code are free.
      long free = dearest * (WayCosts.BURST + WayCosts.SAVED);
      assertTrue(costs.trialNanos() <= costs.nanos() / 100 + free, "after " + i);
    }
    assertTrue(shareOfTrials() < 0.01, "share " + shareOfTrials());
    assertTrue(costs.trials() > 0);
    assertEquals(costs.trials(), Arrays.stream(tried).sum());
  }

  @Test
  void trialsTakeLessThanOnePartInAHundredWhateverTheCosts() {
    Random random = new Random(16);
    for (int run = 0; run < 20; run++) {
      WayCosts other = new WayCosts(CLASS_BYTES);
      double mean = 3 + 9 * random.nextDouble();
      for (int i = 0; i < MANY; i++) {
        Way way = other.choose(WAYS, 0);
        boolean trial = other.isTrial();
        other.took(way, trial, (long) Math.exp(mean + random.nextGaussian() + way.ordinal() % 3), 0,
            CLASS_BYTES);
      }
      assertTrue(other.trialNanos() * 100 < other.nanos(), "run " + run);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5000, 20_000, 1_000_000})
  void aWayThatIsFarWorseIsTriedEverMoreRarely(long worst) {
    costs(1000, worst, 1100);
    messages(3 * MANY);
    int far = tried[Way.CMA_BOTH.ordinal()];
    int near = tried[Way.CMA_GET.ordinal()];
    assertTrue(far > 0 && far * 20 < near, "%d trials of the worst, %d of the near one".formatted(far, near));
    Arrays.fill(tried, 0);
    messages(6 * MANY);
    int later = tried[Way.CMA_BOTH.ordinal()];
    assertTrue(later > 0 && later < 2 * far || worst >= 20_000 && later == 2 * far,
        "%d trials of the worst, later %d".formatted(far, later));
  }

  @Test
  void aWayThatWasFarWorseIsTriedAgainWhenTheFloorMoves() {
    costs(1000, 20_000, 20_000);
    messages(MANY);
    costs(5000, 20_000, 3000);
    int messages = until(FOLLOWED, i -> costs.inUse() == Way.CMA_GET);
    assertTrue(messages > 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10_000, 100_000})
  void costsThatChangeAreFollowed(int before) {
    costs(8000, 13_000, 20_000);
    messages(before);
    costs(80_000, 13_000, 20_000);
    until(FOLLOWED, i -> costs.inUse() == Way.CMA_BOTH);
    messages(FOLLOWED);
    costs(8000, 26_000, 20_000);
    until(FOLLOWED, i -> costs.inUse() == Way.RING);
    messages(FOLLOWED);
    costs(8000, 26_000, 4000); // the one in use is what it was
    until(100 * FOLLOWED, i -> costs.inUse() == Way.CMA_GET);
  }

  /** A ring is hopeless while its ends share CPUs with others; after that it is to be known again. */
  @Test
  void whatWasHopelessIsTriedSoonOnceTheWayInUseHasChanged() {
    costs(5_000_000, 40_000, 60_000);
    until(FOLLOWED, i -> costs.inUse() == Way.CMA_BOTH && costs.cost(Way.RING) != 0);
    messages(10 * FOLLOWED);
    costs(25_000, 60_000, 60_000);
    until(FOLLOWED / 2, i -> costs.inUse() == Way.RING);
  }

  /** Before the code is compiled, and while others start, everything is dear, and not by the same factor. */
  @Test
  void whatWasDearAtTheBeginningIsTriedSoon() {
    costs(980_000, 290_000, 300_000);
    until(FOLLOWED, i -> costs.inUse() == Way.CMA_BOTH);
    costs(28_000, 50_000, 50_000);
    until(2 * FOLLOWED, i -> costs.inUse() == Way.RING);
  }

  /** What a way took while the code was cold does not say that it is too dear to be tried. */
  @Test
  void whatWasDearWhileTheCodeWasColdIsTriedAtTheNextOnesPrice() {
    costs(4_900_000, 500_000, 510_000);
    until(FOLLOWED, i -> costs.inUse() != Way.RING && costs.cost(Way.CMA_BOTH) != 0);
    costs(150_000, 420_000, 430_000); // the one in use is not markedly another one than it was
    until(FOLLOWED / 2, i -> costs.inUse() == Way.RING);
  }

  /** Once messages tell something, trials need not be saved for: a window of many messages is soon compared, too. */
  @ParameterizedTest
  @ValueSource(ints = {0, 16})
  void theBestIsFoundSoonOnceTheCodeIsWarm(int others) {
    costs(210_000, 200_000, 170_000);
    for (int i = 0; i < 3000 && costs.inUse() != Way.CMA_GET; i++) {
      Way way = costs.choose(WAYS, others);
      costs.took(way, costs.isTrial(), nanos[way.ordinal()], 0, CLASS_BYTES);
    }
    assertEquals(Way.CMA_GET, costs.inUse());
  }

  /** Cold code tells little: the first messages go the preferred way unless another one is far better. */
  @Test
  void theFirstMessagesLeaveThePreferredWayForAFarBetterOneAlone() {
    costs(850_000, 370_000, 400_000);
    messages(900);
    assertEquals(Way.RING, costs.inUse());
    assertTrue(costs.trials() > 0);
    until(FOLLOWED, i -> costs.inUse() == Way.CMA_BOTH);
  }

  /** What trials took while everything was dear is not paid for by as much time of quick messages. */
  @Test
  void theDebtOfTimesInWhichAllWasDearShrinksWithTheCosts() {
    costs(3_500_000, 1_400_000, 1_500_000);
    messages(130);
    costs(3_500_000, 250_000, 200_000);
    messages(200);
    costs(30_000, 150_000, 47_000);
    until(3000, i -> costs.inUse() == Way.RING);
  }

  /** While others want the CPUs a ring waits for both ends; once they are gone it is not paid for what it took then. */
  @Test
  void whatWasLeftSinceItHadBecomeDearIsTriedAgainAtTheNextOnesPrice() {
    costs(130_000, 340_000, 350_000);
    until(FOLLOWED, i -> costs.cost(Way.CMA_BOTH) != 0 && costs.cost(Way.CMA_GET) != 0);
    costs(6_000_000, 345_000, 350_000);
    until(FOLLOWED, i -> costs.inUse() != Way.RING);
    costs(130_000, 345_000, 350_000);
    until(FOLLOWED / 2, i -> costs.inUse() == Way.RING);
  }

  private static final int CHUNKS = WAYS | Way.RING_FINE.bit() | Way.RING_COARSE.bit();

  private void messagesInChunks(int count, long fine, long coarse) {
    nanos[Way.RING_FINE.ordinal()] = fine;
    nanos[Way.RING_COARSE.ordinal()] = coarse;
    for (int i = 0; i < count; i++) {
      message(CHUNKS, way -> nanos[way.ordinal()]);
    }
  }

  @Test
  void theBestChunkOfTheRingIsFoundAndFollowed() {
    costs(10_000, 13_000, 20_000);
    messagesInChunks(10 * FOLLOWED, 11_000, 8500);
    assertEquals(Way.RING_COARSE, costs.inUse());
    messagesInChunks(10 * FOLLOWED, 7000, 12_000);
    assertEquals(Way.RING_FINE, costs.inUse());
    messagesInChunks(MANY, 7000, 6800);
    assertEquals(Way.RING_FINE, costs.inUse(), "by less than a margin nothing changes");
    assertTrue(shareOfTrials() < 0.01, "share " + shareOfTrials());
  }

  /** Other chunks differ by little: they must not take the trials from the ways that may differ by much. */
  @Test
  void otherChunksAreTriedMoreRarelyThanOtherWays() {
    costs(10_000, 10_500, 10_600);
    messagesInChunks(10 * MANY, 10_300, 10_400);
    int chunks = tried[Way.RING_FINE.ordinal()] + tried[Way.RING_COARSE.ordinal()];
    int others = tried[Way.CMA_BOTH.ordinal()] + tried[Way.CMA_GET.ordinal()];
    assertTrue(chunks > 0 && chunks * 4 < others, "%d trials of chunks, %d of others".formatted(chunks, others));
    assertTrue(shareOfTrials() < 0.01, "share " + shareOfTrials());
  }

  /** A ring that is used in other chunks is warm. */
  @Test
  void anotherChunkOfTheRingInUseNeedsNoWarmingUp() {
    nanos[Way.RING.ordinal()] = 10_000;
    nanos[Way.RING_FINE.ordinal()] = 14_000;
    for (int i = 0; i < 5 * FOLLOWED; i++) {
      message(Way.RING.bit() | Way.RING_FINE.bit(), way -> nanos[way.ordinal()]);
    }
    assertTrue(tried[Way.RING_FINE.ordinal()] > 0 && tried[Way.RING_FINE.ordinal()] <= WayCosts.BURST + 1,
        tried[Way.RING_FINE.ordinal()] + " trials");
  }

  @Test
  void aRingWhoseSenderIsAwayIsLeftAfterAFewMessages() {
    costs(10_000_000, 40_000, 30_000);
    int messages = until(100, i -> costs.inUse() != Way.RING);
    assertTrue(messages < 20, "after " + messages);
  }

  /** An end that is preempted now and then, for a thousand times as long as a copy takes. */
  @Test
  void preemptionIsNoCostOfAWay() {
    costs(8000, 13_000, 9500);
    Random random = new Random(5);
    int others = 0;
    for (int i = 0; i < MANY; i++) {
      message(way -> nanos[way.ordinal()] + random.nextInt(800) + (random.nextInt(20) == 0 ? 8_000_000 : 0));
      others += costs.inUse() == Way.RING ? 0 : 1;
    }
    assertTrue(others < MANY / 50, others + " messages by another way");
    assertTrue(shareOfTrials() < 0.01);
    assertTrue(costs.cost(Way.RING) < 9000, "cost " + costs.cost(Way.RING));
  }

  /** One message that took a thousand times as long says that an end was preempted, not what the way takes. */
  @Test
  void aTrialThatIsInterruptedIsMadeOnceMore() {
    costs(150_000, 40_000, 50_000);
    boolean[] interrupted = new boolean[Way.count()];
    for (int i = 0; i < FOLLOWED && costs.inUse() != Way.CMA_BOTH; i++) {
      message(way -> {
        boolean first = way != Way.RING && !interrupted[way.ordinal()];
        interrupted[way.ordinal()] |= first;
        return first ? 7_000_000 : nanos[way.ordinal()];
      });
    }
    assertEquals(Way.CMA_BOTH, costs.inUse());
    assertTrue(tried[Way.CMA_BOTH.ordinal()] > WayCosts.BURST, "after a first one");
  }

  @Test
  void aWayThatIsAThousandTimesAsDearIsLeftAfterTwoMessages() {
    costs(10_000, 10_000_000, 10_000_000);
    messages(MANY);
    assertEquals(Way.RING, costs.inUse());
    assertTrue(tried[Way.CMA_BOTH.ordinal()] >= 2, "tried twice");
    assertTrue(costs.trialNanos() <= costs.nanos() / 100 + 2 * nanos[Way.CMA_GET.ordinal()] * WayCosts.BURST,
        "share " + shareOfTrials());
    assertTrue(costs.cost(Way.CMA_BOTH) > 1_000_000, "and believed");
  }

  /** The first message of a burst finds the caches cold. */
  @Test
  void theFirstOfABurstDoesNotCount() {
    costs(8000, 13_000, 7000);
    Way[] before = {null};
    for (int i = 0; i < FOLLOWED; i++) {
      message(way -> {
        long cold = way == before[0] ? 0 : 12_000;
        before[0] = way;
        return nanos[way.ordinal()] + cold;
      });
    }
    assertEquals(Way.CMA_GET, costs.inUse());
  }

  /** Memory that only the ring uses is in no cache until all of it has been used again. */
  @Test
  void aRingThatWasNotUsedCountsOnceItHasGoneRound() {
    int round = WayCosts.MOST_WARMING;
    int[] since = {0};
    ToLongFunction<Way> takes = way -> {
      since[0] = way == Way.RING ? since[0] + 1 : 0;
      return nanos[way.ordinal()] + (way == Way.RING && since[0] <= round ? 40_000 : 0);
    };
    costs(100_000, 13_000, 20_000);
    for (int i = 0; i < 10 * FOLLOWED; i++) {
      message(takes);
    }
    assertEquals(Way.CMA_BOTH, costs.inUse());
    costs(8000, 13_000, 20_000);
    for (int i = 0; i < 100 * FOLLOWED && costs.inUse() != Way.RING; i++) {
      message(takes);
    }
    assertEquals(Way.RING, costs.inUse());
    assertTrue(shareOfTrials() < 0.01, "share " + shareOfTrials());
  }

  /** In a stream two or more are over together: what one of them takes tells nothing, what all take does. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void ofMessagesThatAreOverTogetherTheMeanCounts(int together) {
    costs(10_000, 13_000, 20_000); // of CMA by both, all that are over together take it at once
    for (int i = 1; i <= MANY; i++) {
      messageOf(together, i);
      assertEquals(Way.RING, costs.inUse(), "after " + i);
    }
    assertTrue(costs.cost(Way.CMA_BOTH) > 11_000, "cost " + costs.cost(Way.CMA_BOTH));
    costs(10_000, 8000, 20_000);
    for (int i = 1; i <= MANY && costs.inUse() == Way.RING; i++) {
      messageOf(together, i);
    }
    assertEquals(Way.CMA_BOTH, costs.inUse());
  }

  private void messageOf(int together, int number) {
    Way way = costs.choose(WAYS, together - 1);
    long mean = nanos[way.ordinal()];
    long ofLast = number % together == 0 ? mean * together - (together - 1) * 100 : 100;
    if (costs.isTimed()) {
      costs.took(way, costs.isTrial(), way == Way.CMA_BOTH ? ofLast : mean, 0, CLASS_BYTES);
    }
  }

  /** What won its trial by chance, and is not better in use, gives its place back. */
  @Test
  void aTrialThatPromisedTooMuchIsTakenBack() {
    costs(8000, 80_000, 80_000);
    until(FOLLOWED, i -> costs.trials() > 0);
    for (int i = 0; i < 100 * FOLLOWED && costs.switches() == 0; i++) {
      message(way -> way == Way.RING ? 8000 : 1000);
    }
    assertNotEquals(Way.RING, costs.inUse());
    until(2 * WayCosts.PROBATION, i -> costs.inUse() == Way.RING);
  }

  /** Many are chosen for before the first is over. */
  @ParameterizedTest
  @ValueSource(ints = {2, 16, 64})
  void manyOutstandingMessagesTellTheirCostsLate(int window) {
    costs(13_000, 8000, 20_000);
    record Outstanding(Way way, boolean trial, boolean timed) {}
    ArrayDeque<Outstanding> outstanding = new ArrayDeque<>();
    for (int i = 0; i < MANY; i++) {
      Way way = costs.choose(WAYS, outstanding.size());
      outstanding.add(new Outstanding(way, costs.isTrial(), costs.isTimed()));
      if (outstanding.size() == window) {
        Outstanding first = outstanding.remove();
        if (first.timed()) {
          costs.took(first.way(), first.trial(), nanos[first.way().ordinal()], 0, CLASS_BYTES);
        }
      }
    }
    assertEquals(Way.CMA_BOTH, costs.inUse());
    assertTrue(shareOfTrials() < 0.01, "share " + shareOfTrials());
  }

  /**
   * In a stream a way that is tried beside the one in use takes less than by itself: the sender has its hands free
   * while it fills the ring. It is judged by what it takes when no message goes the other way.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 16, 64})
  void aTrialIsJudgedWhenNoMessageByTheWayInUseIsUnderWay(int window) {
    costs(30_000, 41_000, 42_000);
    record Outstanding(Way way, boolean trial, boolean timed) {}
    ArrayDeque<Outstanding> outstanding = new ArrayDeque<>();
    for (int i = 0; i < MANY; i++) {
      Way way = costs.choose(WAYS, outstanding.size());
      outstanding.add(new Outstanding(way, costs.isTrial(), costs.isTimed()));
      if (outstanding.size() == window) {
        Outstanding first = outstanding.remove();
        boolean mixed = outstanding.stream().anyMatch(other -> other.way() == Way.RING);
        long takes = nanos[first.way().ordinal()] / (mixed && first.way() != Way.RING ? 3 : 1);
        costs.took(first.way(), first.trial(), takes, 0, CLASS_BYTES);
      }
    }
    assertTrue(costs.trials() > 0);
    assertEquals(Way.RING, costs.inUse());
    assertEquals(0, costs.switches());
    assertTrue(shareOfTrials() < 0.01, "share " + shareOfTrials());
  }

  /** A way by which the sender copies, too, is tried where the receiver then waits for its next message. */
  @Test
  void whatTheReceiverWaitsForBetweenMessagesBelongsToTheirWay() {
    costs(30_000, 19_000, 42_000);
    for (int i = 0; i < MANY; i++) {
      Way way = costs.choose(WAYS, 0);
      costs.took(way, costs.isTrial(), nanos[way.ordinal()], way == Way.CMA_BOTH ? 18_000 : 3000, CLASS_BYTES);
    }
    assertEquals(Way.RING, costs.inUse());
    assertEquals(33_000, costs.cost(Way.RING));
    assertEquals(37_000, costs.cost(Way.CMA_BOTH));
  }

  /** Between the messages of a ping-pong lies the answer, and perhaps a long computation. */
  @ParameterizedTest
  @ValueSource(longs = {20_000, 1_000_000})
  void aLongTimeBetweenMessagesHidesNoDifference(long gap) {
    costs(10_000, 9000, 20_000);
    for (int i = 0; i < MANY; i++) {
      Way way = costs.choose(WAYS, 0);
      costs.took(way, costs.isTrial(), nanos[way.ordinal()], gap, CLASS_BYTES);
    }
    assertEquals(Way.CMA_BOTH, costs.inUse());
  }

  /** One that promises too much each time is tried ever more rarely. */
  @Test
  void aWayThatBreaksItsPromiseAgainAndAgainIsTriedEverMoreRarely() {
    costs(8000, 80_000, 80_000);
    for (int i = 0; i < MANY; i++) {
      Way way = costs.choose(WAYS, 0);
      boolean tries = costs.isTrial();
      costs.took(way, tries, way == Way.CMA_BOTH && tries ? 5000 : nanos[way.ordinal()], 0, CLASS_BYTES);
    }
    assertEquals(Way.RING, costs.inUse());
    assertTrue(costs.switches() > 2 && costs.switches() < 100, costs.switches() + " switches");
  }

  @Test
  void aTrialThatIsFarWorseEndsWithItsFirstMessage() {
    costs(1000, 100_000, 100_000);
    until(FOLLOWED, i -> costs.trials() > 0);
    messages(WayCosts.BURST);
    assertEquals(1, costs.trials());
  }

  @Test
  void aTrialThatFailsEndsNothing() {
    costs(13_000, 8000, 9000);
    for (int i = 0; i < MANY; i++) {
      Way way = costs.choose(WAYS, 0);
      if (costs.isTrial()) {
        costs.lost(true);
      } else if (costs.isTimed()) {
        costs.took(way, false, nanos[way.ordinal()], 0, CLASS_BYTES);
      }
    }
    assertEquals(Way.RING, costs.inUse());
    messages(2 * FOLLOWED);
    assertEquals(Way.CMA_BOTH, costs.inUse());
  }

  @Test
  void aWayThatIsRefusedIsForgottenAndNotTakenAgain() {
    costs(13_000, 8000, 9000);
    until(FOLLOWED, i -> costs.inUse() == Way.CMA_BOTH);
    costs.forget(Way.CMA_BOTH);
    costs.forget(Way.CMA_GET);
    assertEquals(0, costs.cost(Way.CMA_BOTH));
    for (int i = 0; i < FOLLOWED; i++) {
      assertEquals(Way.RING, costs.choose(Way.RING.bit(), 0));
      costs.took(Way.RING, costs.isTrial(), 13_000, 0, CLASS_BYTES);
    }
    assertEquals(Way.RING, costs.inUse());
  }

  /** A message that allows less than others of its kind goes by what it allows, and changes nothing for them. */
  @Test
  void aMessageThatLacksTheWayInUseTakesTheNext() {
    costs(13_000, 8000, 9000);
    messages(2 * FOLLOWED);
    int without = WAYS & ~Way.CMA_BOTH.bit();
    assertEquals(Way.CMA_GET, costs.choose(without, 0));
    assertEquals(Way.CMA_BOTH, costs.inUse());
    assertEquals(Way.RING, costs.choose(Way.RING.bit(), 0));
  }

  @Test
  void costsAreThoseOfTheLeastLengthOfTheClass() {
    for (int i = 0; i < 20; i++) {
      costs.took(costs.choose(WAYS, 0), false, 15_000, 0, CLASS_BYTES * 3 / 2);
    }
    assertEquals(10_000, costs.cost(Way.RING));
  }

  /** One in a few short messages is timed; trials all are. */
  @Test
  void shortMessagesAreTimedNowAndThen() {
    WayCosts small = new WayCosts(1 << 13);
    int timed = 0;
    for (int i = 0; i < MANY; i++) {
      Way way = small.choose(WAYS, 0);
      timed += small.isTimed() ? 1 : 0;
      assertTrue(small.isTimed() || !small.isTrial());
      if (small.isTimed()) {
        small.took(way, small.isTrial(), way == Way.RING ? 1300 : way == Way.CMA_GET ? 3200 : 4000, 0, 1 << 13);
      }
    }
    assertEquals(Way.RING, small.inUse());
    assertTrue(timed < MANY / 4, timed + " timed");
    assertTrue(small.trialNanos() * 100 < small.nanos());
  }

  @Test
  void nothingIsAllocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    costs(8000, 13_000, 8100);
    messages(MANY); // and all that the first call of a method takes
    threads.getCurrentThreadAllocatedBytes();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 20_000; i++) {
      Way way = costs.choose(WAYS, 0);
      if (costs.isTimed()) {
        costs.took(way, costs.isTrial(), nanos[way.ordinal()], 0, CLASS_BYTES);
      }
    }
    assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before, "bytes");
  }
}
