package io.adrastea.wait;

import io.adrastea.ranktable.RankTable;
import io.adrastea.ranktable.Waiting;
import java.util.concurrent.TimeUnit;

/**
 * Tells whom a rank waits for once it has waited for long: in the log, once in each wait, and, unless several threads
 * may wait, in the rank table until the wait is over, where a launcher finds out whether ranks wait for each other.
 * Called inside the gate, about every 100 ms of a wait.
 */
public final class HangReport {
  private static final System.Logger LOGGER = System.getLogger(HangReport.class.getName());

  private final RankTable table;
  private final int rank;
  private final long nanos; // 0: nothing is told
  private final boolean lone;

  /**
   * Of one rank.
   *
   * @param nanos that a wait may last untold; 0: for ever
   * @param lone whether one thread of the rank waits at a time: else another may end a wait, so it proves no deadlock
   * and stays out of the table
   */
  public HangReport(RankTable table, int rank, long nanos, boolean lone) {
    this.table = table;
    this.rank = rank;
    this.nanos = nanos;
    this.lone = lone;
  }

  /** Tells of a wait in a call of {@code RankEntryDescriptor.IN_…}, if it has lasted for long. */
  void report(Waiter waiter, int call, int peer, int tag) {
    if (nanos != 0 && waiter.hasLasted(nanos)) {
      tell(waiter, new Waiting(call, peer, tag));
    }
  }

  private void tell(Waiter waiter, Waiting waiting) {
    if (lone) {
      table.waiting(rank, waiting.word());
    }
    if (waiter.tell()) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "rank %d has been waiting for %s %s; thread '%s' (adrastea.hang.report)"
              .formatted(rank, time(), waiting, Thread.currentThread().getName()));
    }
  }

  private String time() {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
  }

  /** A wait that was told of is over. */
  void over(Waiter waiter) {
    waiter.forget();
    if (lone) {
      table.waiting(rank, 0);
    }
  }
}
