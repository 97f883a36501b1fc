package io.adrastea.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
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
  void doesNotSpinWhereRanksOutnumberCpus() {
    Waiter waiter = new Waiter(true, SPINS);
    assertEquals(1, waiter.looks());
    waiter.reset();
    assertFalse(waiter.isDrowsy(), "it yields first");
    assertTrue(idlesUntilDrowsy(waiter) >= 1);
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
