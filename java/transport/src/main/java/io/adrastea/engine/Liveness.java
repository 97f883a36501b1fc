package io.adrastea.engine;

import io.adrastea.engine.operation.Operation;
import io.adrastea.error.RankFailedException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.ProcessIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Whether those that an operation waits for are still there. Asked about every 100 ms of a wait, never on the fast
 * path.
 */
final class Liveness {
  /** All are there. */
  static final int NONE = -1;

  private static final int OTHERS = 64; // looked at beside those that are waited for

  private final RankTable table;
  private final int self;
  private final boolean many;
  private final boolean[] gone; // those found missing, who do not come back
  private final FailureNotices notices;
  private final AcknowledgedRanks acknowledged;
  private int next; // rank that the next look at others begins with
  private BooleanSupplier sendsToItself = () -> false;

  /**
   * As one rank sees it.
   *
   * @param many threads of this rank may be in calls at a time: while one waits, another may send to its own rank
   */
  Liveness(RankTable table, int self, boolean many) {
    this.table = table;
    this.self = self;
    this.many = many;
    this.gone = new boolean[table.size()];
    this.notices = new FailureNotices(table, self);
    this.acknowledged = new AcknowledgedRanks(table.size());
    this.next = (self + 1) % table.size(); // not all begin with the same
  }

  /** Whom to ask whether messages of this rank to itself are still to be sent, in whole or in part. */
  void serve(BooleanSupplier sendsToItself) {
    this.sendsToItself = sendsToItself;
  }

  /** The rank whose absence keeps something with this peer from ever completing; -1: none. */
  int missing(int peer) {
    if (peer == Operation.ANY) {
      return missingOfAny();
    }
    gone[peer] |= !table.isPresent(peer);
    return gone[peer] ? peer : NONE;
  }

  /** Whether the memory of a rank's process is there: also when the rank has left, and its process goes on. */
  boolean isReachable(int peer) {
    return table.isProcessPresent(peer);
  }

  /** Whether the process of a rank is about to end, as far as can be told: its memory goes first. */
  boolean isEnding(int peer) {
    int pid = table.addressablePid(peer, self);
    return pid != 0 && ProcessIdentity.isEnding(pid);
  }

  /**
   * Looks at ranks that nobody may be waiting for here, some in turn, so that those who died are known to all. In a
   * large job all ranks together look at everybody.
   */
  void look() {
    for (int looks = Math.min(OTHERS, gone.length); looks > 0; looks--) {
      gone[next] |= next != self && !table.isPresent(next);
      next = next + 1 == gone.length ? 0 : next + 1;
    }
  }

  /** Ranks that have failed, as of now. Any thread may ask, whoever has the gate. */
  List<Integer> failed() {
    List<Integer> failed = new ArrayList<>();
    for (int rank = 0; rank < table.size(); rank++) {
      if (rank != self && !table.isPresent(rank) && table.state(rank) == RankEntryDescriptor.STATE_FAILED) {
        failed.add(rank);
      }
    }
    return List.copyOf(failed);
  }

  /** The same, and a wildcard goes on without those ranks from now on. Any thread may call, whoever has the gate. */
  List<Integer> acknowledge() {
    List<Integer> failed = failed();
    acknowledged.add(failed);
    return failed;
  }

  /** What the program is told of failures. */
  FailureNotices notices() {
    return notices;
  }

  /** Whether this peer was found missing before: then nobody has to wait until the next look. */
  boolean isGone(int peer) {
    return peer != Operation.ANY && gone[peer];
  }

  /** Whether any rank was found missing before. */
  boolean isAnyGone() {
    boolean any = false;
    for (boolean one : gone) {
      any |= one;
    }
    return any;
  }

  /**
   * For a wildcard: a rank that failed might have been the one; ranks that left, or whose failure the program has
   * acknowledged, matter only when nobody is there any more who could send, nor anything of this rank's own messages to
   * itself is still to be sent.
   */
  private int missingOfAny() {
    int gone = NONE;
    boolean anyPresent = table.size() == 1 || many || sendsToItself.getAsBoolean();
    for (int rank = 0; rank < table.size(); rank++) {
      if (rank == self) {
        continue;
      }
      if (table.isPresent(rank)) {
        anyPresent = true;
      } else if (!isDoneWithout(rank)) {
        return rank;
      } else {
        gone = rank;
      }
    }
    return anyPresent ? NONE : gone;
  }

  /** Whether a wildcard goes on without this rank, which is gone. */
  private boolean isDoneWithout(int rank) {
    return table.state(rank) != RankEntryDescriptor.STATE_FAILED || acknowledged.has(rank);
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
    return failure(rank, operation, "operations with other ranks go on");
  }

  /**
   * The same for what waits for {@code peer}.
   *
   * @param peer a rank, or any
   */
  RankFailedException failure(int rank, int peer, Object operation) {
    if (peer != Operation.ANY) {
      return failure(rank, operation);
    }
    return failure(
        rank,
        operation,
        isDoneWithout(rank)
            ? "no other rank is there any more"
            : "operations with other ranks go on, those with any after job.acknowledgeFailedRanks()");
  }

  private RankFailedException failure(int rank, Object operation, String rest) {
    boolean left = table.state(rank) == RankEntryDescriptor.STATE_LEFT;
    String reason = table.reason(rank);
    return new RankFailedException(
        rank,
        "rank %d (process %d) %s%s; a %s%s cannot complete; %s"
            .formatted(
                rank,
                table.pid(rank),
                left ? "has left the job" : "has failed",
                reason.isEmpty() ? "" : ": " + reason,
                operation,
                operation instanceof Operation ? "," : "", // which says more than its name
                rest));
  }
}
