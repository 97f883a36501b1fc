package io.adrastea.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is due of a source, and what is not. */
class LedgerTest {
  private final Traffic traffic = new Traffic(3, 0, 2, 1 << 16);
  private final Ledger ledger = new Ledger(traffic, 0, 1);
  private int first;
  private int second;

  /** Two steps with at least three messages each, and whatever lies between. */
  @BeforeEach
  void findSteps() {
    first = stepFrom(0);
    second = stepFrom(first + 1);
    for (int step = 0; step < first; step++) {
      takeAll(step);
    }
  }

  private int stepFrom(int from) {
    int step = from;
    while (traffic.count(step, 0, 1) < 3) {
      step++;
    }
    return step;
  }

  private void takeAll(int step) {
    for (int number = 0; number < traffic.count(step, 0, 1); number++) {
      assertTrue(ledger.take(Traffic.tag(step, number)));
    }
  }

  @Test
  void theNextIsTheFirstThatIsMissing() {
    assertTrue(ledger.take(Traffic.tag(first, 1)));
    assertEquals(Traffic.tag(first, 0), ledger.next());
    assertTrue(ledger.take(Traffic.tag(first, 0)));
    assertEquals(Traffic.tag(first, 2), ledger.next());
    assertEquals(Traffic.tag(first, 2), ledger.missing(first, 0));
  }

  @Test
  void aMessageThatCameBeforeItsStepIsNotMissingThen() {
    assertTrue(ledger.take(Traffic.tag(second, 0)));
    int count = traffic.count(second, 0, 1);
    for (int step = first; step < second; step++) {
      takeAll(step);
    }
    assertEquals(count - 1, ledger.missing(second));
    assertEquals(Traffic.tag(second, 1), ledger.next());
  }

  @Test
  void noMessageComesTwiceAndNoneThatWasNotSent() {
    assertTrue(ledger.take(Traffic.tag(first, 0)));
    assertFalse(ledger.take(Traffic.tag(first, 0)));
    assertFalse(ledger.take(Traffic.tag(first, traffic.count(first, 0, 1))));
    takeAllBut(0);
    assertEquals(0, ledger.missing(first));
    assertFalse(ledger.take(Traffic.tag(first, 1)), "of a step that is complete");
  }

  private void takeAllBut(int one) {
    for (int number = 0; number < traffic.count(first, 0, 1); number++) {
      if (number != one) {
        assertTrue(ledger.take(Traffic.tag(first, number)));
      }
    }
  }
}
