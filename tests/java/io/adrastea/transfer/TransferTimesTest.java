package io.adrastea.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TransferTimesTest {
  private static final long BYTES = 4096;

  private long now = 1000;
  private final TransferTimes times = new TransferTimes(() -> now, 2);

  private Transfer transfer(long bytes) {
    Transfer transfer = new Transfer();
    transfer.begin(false, 1, bytes);
    transfer.ends.copied();
    return transfer;
  }

  private long endAfter(long nanos, Transfer transfer) {
    now += nanos;
    return times.end(transfer);
  }

  @Test
  void aTransferAloneTakesTheTimeSinceItBegan() {
    endAfter(10, transfer(BYTES));
    now += 5000;
    Transfer timed = transfer(BYTES);
    times.begin(timed);
    assertEquals(300, endAfter(300, timed));
  }

  /** They began at once, and one in five is timed: each takes a fifth of the time from one timed one to the next. */
  @Test
  void ofThoseThatOverlapEachTakesItsShareWhetherOrNotTheOthersAreTimed() {
    Transfer first = transfer(BYTES);
    Transfer second = transfer(BYTES);
    times.begin(first);
    times.begin(second);
    for (Transfer timed : new Transfer[] {first, second}) {
      for (int i = 0; i < 4; i++) {
        assertEquals(0, endAfter(100, transfer(BYTES)), "not timed");
      }
      assertEquals(100, endAfter(100, timed));
    }
  }

  @Test
  void theTimeIsSharedByBytes() {
    Transfer timed = transfer(BYTES);
    times.begin(timed);
    endAfter(300, transfer(3 * BYTES));
    assertEquals(100, endAfter(100, timed));
  }

  @Test
  void oneThatHasFailedTellsNothing() {
    Transfer timed = transfer(BYTES);
    times.begin(timed);
    timed.failure.set(Transfers.CORRUPT, null);
    assertEquals(0, endAfter(100, timed));
  }

  @Test
  void whatPassedBetweenTwoTimedOnesIsTold() {
    Transfer first = transfer(BYTES);
    times.begin(first);
    endAfter(300, first);
    now += 70;
    Transfer second = transfer(BYTES);
    times.begin(second);
    assertEquals(300, endAfter(300, second));
    assertEquals(70, times.gap());
  }

  @Test
  void betweenThoseThatOverlapNothingPasses() {
    Transfer first = transfer(BYTES);
    Transfer second = transfer(BYTES);
    times.begin(first);
    times.begin(second);
    endAfter(300, first);
    endAfter(300, second);
    assertEquals(0, times.gap());
  }

  @Test
  void whatPassedSinceOneThatWasNotTimedIsUnknown() {
    Transfer first = transfer(BYTES);
    times.begin(first);
    endAfter(300, first);
    endAfter(300, transfer(BYTES));
    now += 70;
    Transfer second = transfer(BYTES);
    times.begin(second);
    endAfter(300, second);
    assertEquals(0, times.gap());
  }

  @Test
  void thoseThatAreMatchedAreUnderWayUntilTheyAreOverOrHaveFailed() {
    Transfer first = transfer(BYTES);
    Transfer second = transfer(BYTES);
    assertEquals(0, times.matched(first));
    assertEquals(1, times.matched(second));
    second.failure.set(Transfers.CORRUPT, null);
    times.end(second);
    assertEquals(1, times.matched(transfer(BYTES)));
    times.end(first);
    times.end(first);
    assertEquals(1, times.matched(transfer(BYTES)), "the one that is not over");
  }
}
