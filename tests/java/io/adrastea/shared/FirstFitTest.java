package io.adrastea.shared;

import static io.adrastea.shared.FirstFit.GRAIN;
import static io.adrastea.shared.FirstFit.NO_ROOM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** First fit against a plain map of which grains are taken. */
class FirstFitTest {
  private static final int GRAINS = 64;
  private static final int STEPS = 20_000;

  private record Taken(long start, long bytes) {
    int firstGrain() {
      return (int) (start / GRAIN);
    }

    int endGrain() {
      return (int) ((start + bytes + GRAIN - 1) / GRAIN);
    }
  }

  private final FirstFit fit = new FirstFit((long) GRAINS * GRAIN);
  private final BitSet grains = new BitSet();
  private final List<Taken> taken = new ArrayList<>();

  /** Where the first fit is, found grain by grain. */
  private long expected(long bytes, long alignment) {
    int needed = (int) ((bytes + GRAIN - 1) / GRAIN);
    int step = (int) Math.max(1, alignment / GRAIN);
    for (int at = 0; at + needed <= GRAINS; at += step) {
      if (grains.get(at, at + needed).isEmpty()) {
        return (long) at * GRAIN;
      }
    }
    return NO_ROOM;
  }

  private void take(long bytes, long alignment) {
    long wanted = expected(bytes, alignment);
    assertEquals(wanted, fit.take(bytes, alignment), () -> bytes + " bytes at a multiple of " + alignment);
    if (wanted != NO_ROOM) {
      taken.add(new Taken(wanted, bytes));
      grains.set(taken.getLast().firstGrain(), taken.getLast().endGrain());
    }
  }

  private void give(int index) {
    Taken one = taken.remove(index);
    assertEquals(one.bytes, fit.taken(one.start));
    fit.give(one.start);
    assertEquals(0, fit.taken(one.start));
    grains.clear(one.firstGrain(), one.endGrain());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void takesWhereTheFirstFreePlaceIsAndFreedNeighboursAreOne(long seed) {
    Random random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      if (random.nextInt(100) < 45 && !taken.isEmpty()) {
        give(random.nextInt(taken.size()));
      } else {
        take(1 + random.nextInt(8 * GRAIN), 1L << random.nextInt(13));
      }
    }
    while (!taken.isEmpty()) {
      give(random.nextInt(taken.size()));
    }
    take((long) GRAINS * GRAIN, 4096); // nothing is in pieces
    assertEquals(1, taken.size());
  }

  @Test
  void aPlaceIsMadeOfThreeThatWereFreed() {
    for (int i = 0; i < GRAINS; i++) {
      take(GRAIN, 1);
    }
    assertEquals(NO_ROOM, fit.take(1, 1));
    fit.give(10 * GRAIN);
    fit.give(12 * GRAIN);
    assertEquals(NO_ROOM, fit.take(GRAIN + 1, 1), "two grains apart");
    fit.give(11 * GRAIN);
    assertEquals(10 * GRAIN, fit.take(3 * GRAIN, 1));
  }

  @Test
  void whatLiesBeforeAnAlignedPlaceStaysFree() {
    assertEquals(0, fit.take(1, 1));
    assertEquals(4096, fit.take(1, 4096));
    assertEquals(GRAIN, fit.take(4096 - GRAIN, 1));
  }

  @Test
  void tellsWhatHoldsAPlace() {
    long first = fit.take(100, 1);
    long second = fit.take(300, 1);
    assertEquals(first, fit.holder(first + 99, 1));
    assertEquals(NO_ROOM, fit.holder(first + 99, 2), "beyond what was asked for");
    assertEquals(NO_ROOM, fit.holder(first + 100, 1));
    assertEquals(second, fit.holder(second, 300));
    assertEquals(second, fit.holder(second + 299, 1));
    assertEquals(NO_ROOM, fit.holder(second + 1000, 1), "free");
    assertEquals(0, fit.taken(second + 1));
    fit.give(second);
    assertEquals(NO_ROOM, fit.holder(second, 1));
    assertTrue(fit.taken(first) == 100 && fit.taken(second) == 0);
  }
}
