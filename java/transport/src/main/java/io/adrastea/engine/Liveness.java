package io.adrastea.engine;

import io.adrastea.error.RankFailedException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.RankTable;

/** Whether those that an operation waits for are still there. Asked about every 100 ms of a wait, never on the fast path. */
final class Liveness {
  /** All are there. */
  static final int NONE = -1;

  private final RankTable table;
  private final int self;
  private final boolean[] gone; // those found missing, who do not come back

  Liveness(RankTable table, int self) {
    this.table = table;
    this.self = self;
    this.gone = new boolean[table.size()];
  }

  /** The rank whose absence keeps something with this peer from ever completing; -1: none. */
  int missing(int peer) {
    if (peer == Operation.ANY) {
      return missingOfAny();
    }
    gone[peer] |= !table.isPresent(peer);
    return gone[peer] ? peer : NONE;
  }

  /** Whether this peer was found missing before: then nobody has to wait until the next look. */
  boolean isGone(int peer) {
    return peer != Operation.ANY && gone[peer];
  }

  /** For a wildcard: a rank that failed might have been the one; ranks that left matter only when all others have. */
  private int missingOfAny() {
    int gone = NONE;
    boolean anyPresent = table.size() == 1;
    for (int rank = 0; rank < table.size(); rank++) {
      if (rank == self) {
        continue;
      }
      if (table.isPresent(rank)) {
        anyPresent = true;
      } else if (table.state(rank) == RankEntryDescriptor.STATE_FAILED) {
        return rank;
      } else {
        gone = rank;
      }
    }
    return anyPresent ? NONE : gone;
  }

  /** For what takes all ranks: the first that failed or left; -1: none. */
  int missingOfAll() {
    for (int rank = 0; rank < table.size(); rank++) {
      if (rank != self && !table.isPresent(rank)) {
        return rank;
      }
    }
    return NONE;
  }

  RankFailedException failure(int rank, Object operation) {
    boolean left = table.state(rank) == RankEntryDescriptor.STATE_LEFT;
    return new RankFailedException(
        rank,
        "rank %d (process %d) %s; a %s cannot complete"
            .formatted(rank, table.pid(rank), left ? "has left the job" : "has failed", operation));
  }
}
