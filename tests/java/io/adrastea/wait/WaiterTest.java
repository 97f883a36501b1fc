package io.adrastea.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Test;

/** The phases of a wait: how soon a thread is drowsy, and what makes it wide awake again. */
class WaiterTest {
  private static final int SPINS = 300;
  private static final int LOOKS = 100; // of one step

  private static int idlesUntilDrowsy(Waiter waiter) {
    int idles = 0;
    while (!waiter.isDrowsy()) {
      waiter.idle();
      idles++;
    }
    return idles;
  }

  @Test
  void spinsAsManyLooksAsAskedForAndYieldsForAWhileBeforeItSleeps() {
    Waiter waiter = new Waiter(false, SPINS);
    assertEquals(LOOKS, waiter.looks());
    waiter.reset();
    for (int step = 0; step < SPINS / LOOKS; step++) {
      assertFalse(waiter.isDrowsy());
      waiter.idle();
    }
    assertFalse(waiter.isDrowsy(), "it has not yielded yet");
    long start = System.nanoTime();
    int yields = idlesUntilDrowsy(waiter);
    assertTrue(yields >= 1);
    assertTrue(System.nanoTime() - start >= 100_000, "it has yielded for 300 microseconds, or once for 100");
  }

  @Test
  void doesNotSpinForAllOthersWhereRanksOutnumberCpus() {
    Waiter waiter = new Waiter(true, SPINS);
    waiter.resetForAll();
    assertEquals(1, waiter.looks());
    assertFalse(waiter.isDrowsy(), "it yields first");
    assertTrue(idlesUntilDrowsy(waiter) >= 1);
    waiter.resetForAll();
    assertEquals(1, waiter.looks());
  }

  @Test
  void spinsForAllOthersWhereEachRankHasACpu() {
    Waiter waiter = new Waiter(false, SPINS);
    waiter.resetForAll();
    assertEquals(LOOKS, waiter.looks());
  }

  /** Waits for one other, whose message is not there in the first step; whether that was a spin. */
  private static boolean spinsInVain(Waiter waiter) {
    waiter.reset();
    boolean spins = waiter.looks() == LOOKS;
    waiter.isDrowsy();
    assertEquals(1, waiter.looks(), "it spins once");
    return spins;
  }

  @Test
  void whereRanksOutnumberCpusSpinsInVainBecomeRarer() {
    Waiter waiter = new Waiter(true, SPINS);
    for (int spared : new int[] {1, 3, 7, 7}) {
      assertTrue(spinsInVain(waiter));
      for (int wait = 0; wait < spared; wait++) {
        assertFalse(spinsInVain(waiter));
      }
    }
  }

  @Test
  void whereRanksOutnumberCpusItSpinsInEachWaitWhileThatBearsFruit() {
    Waiter waiter = new Waiter(true, SPINS);
    for (int wait = 0; wait < 10; wait++) {
      waiter.reset();
      assertEquals(LOOKS, waiter.looks());
    }
    assertTrue(spinsInVain(waiter));
    assertFalse(spinsInVain(waiter));
    waiter.reset();
    assertEquals(LOOKS, waiter.looks());
    assertTrue(spinsInVain(waiter), "the last spin bore fruit");
    assertFalse(spinsInVain(waiter));
    assertTrue(spinsInVain(waiter));
  }

  @Test
  void aWaitForAllOthersLeavesTheSpinsForOneAsTheyAre() {
    Waiter waiter = new Waiter(true, SPINS);
    assertTrue(spinsInVain(waiter));
    waiter.resetForAll();
    waiter.isDrowsy();
    assertFalse(spinsInVain(waiter));
    assertTrue(spinsInVain(waiter));
  }

  @Test
  void spinsAnewWhenSomethingWasFound() {
    Waiter waiter = new Waiter(false, SPINS);
    waiter.reset();
    idlesUntilDrowsy(waiter);
    waiter.found();
    assertFalse(waiter.isDrowsy());
    assertTrue(idlesUntilDrowsy(waiter) >= SPINS / LOOKS);
    waiter.reset();
    assertFalse(waiter.isDrowsy());
  }

  @Test
  void whetherRanksAreTakenToOutnumberCpusIsFoundOutUnlessItIsSaid() {
    for (boolean found : new boolean[] {false, true}) {
      assertEquals(found, new WaitPolicy(SPINS, null).isCrowded(found));
      assertTrue(new WaitPolicy(SPINS, Optional.of(true), null).isCrowded(found));
      assertFalse(new WaitPolicy(SPINS, Optional.of(false), null).isCrowded(found));
    }
  }

  @Test
  void napsTakeTwiceAsLongEachTimeUpToABound() {
    Waiter waiter = new Waiter(true, SPINS);
    waiter.reset();
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
    Waiter waiter = new Waiter(true, SPINS);
    waiter.reset();
    waiter.slept();
    assertFalse(waiter.isTimeToCheck());
  }

  @Test
  void itIsTimeToCheckAfterASleepOfSomeLength() throws InterruptedException {
    Waiter waiter = new Waiter(true, SPINS);
    waiter.reset();
    waiter.slept();
    waiter.isTimeToCheck();
    Thread.sleep(110);
    assertFalse(waiter.isTimeToCheck(), "it does not look at the clock at each step");
    waiter.slept();
    assertTrue(waiter.isTimeToCheck());
    waiter.slept();
    assertFalse(waiter.isTimeToCheck(), "it is not, so soon");
  }

  @Test
  void aStrategyOfTheProgramTakesThePlaceOfAllThat() {
    List<String> calls = new ArrayList<>();
    IdleStrategy strategy =
        new IdleStrategy() {
          @Override
          public void idle(int workCount) {
            throw new AssertionError("nobody counts work here");
          }

          @Override
          public void idle() {
            calls.add("idle");
          }

          @Override
          public void reset() {
            calls.add("reset");
          }
        };
    Waiter waiter = new Waiter(strategy);
    waiter.reset();
    for (int i = 0; i < 3; i++) {
      assertFalse(waiter.isDrowsy());
      waiter.idle();
    }
    waiter.found();
    waiter.found();
    assertEquals(List.of("idle", "idle", "idle", "reset"), calls);
  }
}
