package io.adrastea.core;

import static io.adrastea.layout.BarrierDescriptor.COUNTER_OFFSET;
import static io.adrastea.layout.BarrierDescriptor.SIGNAL_OFFSET;
import static io.adrastea.layout.SegmentHeaderDescriptor.BARRIER_OFFSET;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.atomic.Words;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every core does at the barrier, for every pair of cores. */
@Tag("spins")
@EveryCorePair
class CoreBarrierTest extends CoreContract {
  private int arrive(int rank) {
    return core(rank).barrierArrive();
  }

  private int look(int rank) {
    return core(rank).barrierWait(1);
  }

  private void assertWords(int counter, int signal) {
    assertEquals(counter, Words.load(ranks.segment().memory(), BARRIER_OFFSET + COUNTER_OFFSET));
    assertEquals(signal, Words.load(ranks.segment().memory(), BARRIER_OFFSET + SIGNAL_OFFSET));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void nobodyIsLetGoBeforeTheLastHasArrivedWhoeverThatIs(int last) {
    for (int round = 1; round <= 10; round++) {
      for (int rank = 0; rank < RANKS; rank++) {
        if (rank != last) {
          assertEquals(0, arrive(rank));
          assertEquals(Core.AGAIN, look(rank));
        }
      }
      assertEquals(0, arrive(last));
      assertWords(0, round % 2);
      for (int rank = 0; rank < RANKS; rank++) {
        assertEquals(0, look(rank));
      }
    }
  }

  @Test
  void whoWasLetGoWaitsInTheNextRoundForTheSlowestOfTheLast() {
    for (int rank = 0; rank < RANKS; rank++) {
      assertEquals(0, arrive(rank));
    }
    for (int rank = 1; rank < RANKS; rank++) {
      assertEquals(0, look(rank));
      assertEquals(0, arrive(rank));
      assertEquals(Core.AGAIN, look(rank));
    }
    assertEquals(0, look(0));
    assertEquals(0, arrive(0));
    assertWords(0, 0);
    for (int rank = RANKS - 1; rank >= 0; rank--) {
      assertEquals(0, look(rank));
    }
  }

  @Test
  void aRankCountsOnceUntilItIsLetGo() {
    for (int i = 0; i < 4; i++) {
      assertEquals(0, arrive(1));
      assertWords(1, 0);
    }
  }

  @Test
  void withoutAnArrivalThereIsNothingToWaitFor() {
    assertEquals(0, look(0));
    assertWords(0, 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 1000})
  void waitingLooksAtLeastOnceAndGivesUpAfterItsLooks(int spins) {
    assertEquals(0, arrive(0));
    assertEquals(Core.AGAIN, core(0).barrierWait(spins));
    assertEquals(0, arrive(1));
    assertEquals(0, arrive(2));
    assertEquals(0, core(0).barrierWait(spins));
  }

  @Test
  void aCoreThatIsOpenedBetweenTwoRoundsTakesPartInTheNext() {
    for (int rank = 0; rank < RANKS; rank++) {
      assertEquals(0, arrive(rank));
    }
    core(1).close();
    ranks.cores()[1] = pair.odd().open(ranks.segment(), 1);
    assertEquals(0, look(0));
    assertEquals(0, look(2));
    assertEquals(0, arrive(1));
    assertEquals(Core.AGAIN, look(1));
    assertEquals(0, arrive(0));
    assertEquals(0, arrive(2));
    for (int rank = 0; rank < RANKS; rank++) {
      assertEquals(0, look(rank));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {RANKS, RANKS + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
  void aCountThatNoRanksMadeIsRefused(int counter) {
    Words.store(ranks.segment().memory(), BARRIER_OFFSET + COUNTER_OFFSET, counter);
    assertEquals(Core.CORRUPT, arrive(0));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, -1, Integer.MIN_VALUE})
  void aSignalThatIsNoSenseIsRefused(int signal) {
    assertEquals(0, arrive(0));
    Words.store(ranks.segment().memory(), BARRIER_OFFSET + SIGNAL_OFFSET, signal);
    assertEquals(Core.CORRUPT, look(0));
    assertEquals(Core.CORRUPT, core(0).barrierWait(1000));
  }

  /** Each rank a thread. Two arrays in turn: one is written again only after the barrier that follows its reading. */
  @Test
  void whatRanksWroteBeforeTheyArrivedIsReadByAllAfterwards() throws Exception {
    int rounds = 5000;
    long[][] written = new long[2][RANKS];
    Throwable[] failures = new Throwable[RANKS];
    Thread[] threads = new Thread[RANKS];
    for (int i = 0; i < RANKS; i++) {
      int rank = i;
      threads[i] =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((thread, failure) -> failures[rank] = failure)
              .start(() -> play(rank, rounds, written));
    }
    for (int i = 0; i < RANKS; i++) {
      threads[i].join();
    }
    for (Throwable failure : failures) {
      if (failure != null) {
        throw new AssertionError(failure);
      }
    }
    assertWords(0, rounds % 2);
  }

  private void play(int rank, int rounds, long[][] written) {
    for (int round = 1; round <= rounds; round++) {
      long[] now = written[round % 2];
      now[rank] = round;
      assertEquals(0, arrive(rank));
      int status;
      while ((status = core(rank).barrierWait(50)) == Core.AGAIN) {
        Thread.yield();
      }
      assertEquals(0, status);
      for (int other = 0; other < RANKS; other++) {
        assertEquals(round, now[other]);
      }
    }
  }
}
