package io.adrastea.engine;

import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.RankTable;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Waiter;
import java.util.concurrent.TimeUnit;

/**
 * Tells whom a rank waits for once it has waited for long: in the log, once in each wait, and, unless several threads
 * may wait, in the rank table until the wait is over, where a launcher finds out whether ranks wait for each other.
 * Called inside the gate, about every 100 ms of a wait.
 */
final class HangReport {
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
  HangReport(RankTable table, int rank, long nanos, boolean lone) {
    this.table = table;
    this.rank = rank;
    this.nanos = nanos;
    this.lone = lone;
  }

  /** For the wait of an operation. */
  void look(Waiter waiter, Operation operation) {
    if (isLong(waiter) && !operation.isComplete()) {
      tell(waiter, waiting(operation));
    }
  }

  /** For another wait: {@code RankEntryDescriptor.IN_…}, and what of. */
  void look(Waiter waiter, int call, int peer, long match, long mask) {
    if (isLong(waiter)) {
      tell(waiter, waiting(call, peer, match, mask));
    }
  }

  /** What such a wait is for. */
  static Waiting waiting(int call, int peer, long match, long mask) {
    return new Waiting(call, peer, tag(match, mask));
  }

  private boolean isLong(Waiter waiter) {
    return nanos != 0 && waiter.hasLasted(nanos);
  }

  private static Waiting waiting(Operation operation) {
    if (operation instanceof Receive receive) {
      return receive.isBegun()
          ? waiting(RankEntryDescriptor.IN_RECEIVE, receive.source(), receive.tag(), -1L)
          : waiting(RankEntryDescriptor.IN_RECEIVE, receive.peer(), receive.match(), receive.mask());
    }
    int call = operation.isInPlace() ? RankEntryDescriptor.IN_CLAIM : RankEntryDescriptor.IN_SEND;
    return waiting(call, operation.peer(), operation.match(), -1L);
  }

  private static int tag(long match, long mask) {
    return mask == -1L ? (int) match : Operation.ANY;
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
