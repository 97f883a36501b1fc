package io.adrastea.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How often the clock is looked at, and the others, by a clock of the test's own. Twin of {@code pace_test.c}. */
class PaceTest {
  private static final long MILLI = 1_000_000;
  private static final int MANY = 20_000;

  private long now;
  private int clockLooks;
  private final Pace pace = new Pace(this::read);

  private long read() {
    clockLooks++;
    return now;
  }

  enum Kind {
    AT_WORK(Pace::isDueAtWork, 256), IN_VAIN(Pace::isDue, 64);

    final Predicate<Pace> due;
    final int most;

    Kind(Predicate<Pace> due, int most) {
      this.due = due;
      this.most = most;
    }
  }

  /** Calls of so many nanoseconds each, until it is time; at most MANY. */
  private int callsUntilDue(Kind kind, long each) {
    for (int calls = 1; calls <= MANY; calls++) {
      now += each;
      if (kind.due.test(pace)) {
        return calls;
      }
    }
    return MANY;
  }

  @ParameterizedTest
  @EnumSource
  void looksAtTheClockOnceInManyCallsThatAreShort(Kind kind) {
    assertEquals(MANY, callsUntilDue(kind, 1), "it gets into its stride");
    clockLooks = 0;
    assertEquals(MANY, callsUntilDue(kind, 1));
    assertTrue(clockLooks == MANY / kind.most || clockLooks == MANY / kind.most + 1, () -> clockLooks + " looks");
  }

  @ParameterizedTest
  @EnumSource
  void callsThatTakeLongAreNotCountedBeforeItIsTime(Kind kind) {
    assertEquals(1, callsUntilDue(kind, 150 * MILLI));
    assertEquals(1, callsUntilDue(kind, 150 * MILLI));
    assertTrue(callsUntilDue(kind, 50 * MILLI) <= 3);
    assertTrue(callsUntilDue(kind, 50 * MILLI) <= 3);
  }

  @ParameterizedTest
  @EnumSource
  void afterOneStrideAProgramThatHasBecomeSlowIsInTime(Kind kind) {
    callsUntilDue(kind, 1);
    assertTrue(callsUntilDue(kind, 150 * MILLI) <= kind.most);
    assertEquals(1, callsUntilDue(kind, 150 * MILLI));
  }

  @ParameterizedTest
  @EnumSource
  void isDueAboutEvery100Milliseconds(Kind kind) {
    callsUntilDue(kind, MILLI / 100);
    for (int i = 0; i < 10; i++) {
      int calls = callsUntilDue(kind, MILLI / 100);
      assertTrue(calls >= 9000 && calls <= 10000 + kind.most, () -> calls + " calls of 10 us");
    }
  }

  @Test
  void oneLookServesBoth() {
    now += 150 * MILLI;
    assertTrue(pace.isDueAtWork());
    assertFalse(pace.isDue());
  }
}
