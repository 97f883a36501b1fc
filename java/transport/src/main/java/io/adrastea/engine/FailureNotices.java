package io.adrastea.engine;

import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.RankTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/** Tells the program of each rank that has failed, once. */
final class FailureNotices {
  private static final System.Logger LOGGER = System.getLogger(FailureNotices.class.getName());

  private final RankTable table;
  private final int self;
  private final boolean[] told; // guarded by this
  private volatile IntConsumer handler; // null: nobody is to be told

  FailureNotices(RankTable table, int self) {
    this.table = table;
    this.self = self;
    this.told = new boolean[table.size()];
  }

  /** From now on this one is told, also of those that have failed before. */
  synchronized void handler(IntConsumer handler) {
    Arrays.fill(told, false);
    this.handler = handler;
  }

  /** Ranks that are known to have failed and are to be told of, which counts as done. */
  List<Integer> due() {
    return handler == null ? List.of() : collect();
  }

  private synchronized List<Integer> collect() {
    List<Integer> due = new ArrayList<>();
    for (int rank = 0; rank < told.length; rank++) {
      if (rank != self && !told[rank] && table.state(rank) == RankEntryDescriptor.STATE_FAILED) {
        told[rank] = true;
        due.add(rank);
      }
    }
    return due;
  }

  /**
   * Calls the handler, on the calling thread, which has left the gate. What it throws is logged: it is nobody else's
   * failure.
   */
  void tell(List<Integer> due) {
    IntConsumer now = handler;
    for (int rank : due) {
      try {
        if (now != null) {
          now.accept(rank);
        }
      } catch (Throwable e) { // also an error, and a checked exception that a handler in another language throws
        LOGGER.log(System.Logger.Level.WARNING, "the handler of rank failures threw for rank " + rank, e);
      }
    }
  }
}
