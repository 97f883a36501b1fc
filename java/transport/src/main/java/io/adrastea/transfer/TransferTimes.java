package io.adrastea.transfer;

import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * How long the transfers that a rank receives take. Several are on their way at once, and not all are timed: the time
 * since the last timed one of the peer was over, or since this one began, is shared by bytes among all that were over
 * in it. What passed between the two is told beside it, where they do not overlap ({@link #gap}).
 */
final class TransferTimes {
  /** The clock of one transfer. */
  static final class State {
    private boolean counted; // among those that are under way
    private boolean runs;
    private long from; // since then, in nanoseconds ...
    private long with; // ... when so many bytes of the peer had been received

    void clear() {
      counted = false;
      runs = false;
    }
  }

  private final LongSupplier clock;
  private final long[] received; // by peer: bytes of all transfers that are over
  private final long[] endedAt; // by peer: when the last timed transfer was over
  private final long[] endedWith; // by peer: bytes that were received then
  private final int[] underWay; // by peer: transfers that are matched and not over
  private long gap; // before the one that was over last

  TransferTimes(LongSupplier clock, int ranks) {
    this.clock = clock;
    this.received = new long[ranks];
    this.endedAt = new long[ranks];
    this.endedWith = new long[ranks];
    this.underWay = new int[ranks];
    Arrays.fill(endedAt, clock.getAsLong());
  }

  /** A transfer is matched; tells how many others of its peer are under way. */
  int matched(Transfer transfer) {
    transfer.times.counted = true;
    return underWay[transfer.peer]++;
  }

  /** The clock runs for a transfer from now on. */
  void begin(Transfer transfer) {
    transfer.times.runs = true;
    transfer.times.from = clock.getAsLong();
    transfer.times.with = received[transfer.peer];
  }

  /** Whether the clock runs for a transfer. */
  static boolean runs(Transfer transfer) {
    return transfer.times.runs;
  }

  /** A transfer is over: tells its nanoseconds, at least 1; 0: it was not timed, or has failed. */
  long end(Transfer transfer) {
    gap = 0;
    if (transfer.times.counted) {
      transfer.times.counted = false;
      underWay[transfer.peer]--;
    }
    if (transfer.failure.status != 0 || !transfer.ends.isCopied()) {
      return 0;
    }
    int peer = transfer.peer;
    received[peer] += transfer.chosen.wanted;
    if (!transfer.times.runs) {
      return 0;
    }
    long now = clock.getAsLong();
    boolean overlaps = endedAt[peer] - transfer.times.from > 0;
    long nanos = now - (overlaps ? endedAt[peer] : transfer.times.from);
    long bytes = received[peer] - (overlaps ? endedWith[peer] : transfer.times.with);
    gap = overlaps || endedWith[peer] != transfer.times.with ? 0 : transfer.times.from - endedAt[peer];
    endedAt[peer] = now;
    endedWith[peer] = received[peer];
    return Math.max(1, (long) ((double) nanos * transfer.chosen.wanted / bytes));
  }

  /**
   * Nanoseconds from the end of the one before to the beginning of the one that {@link #end} was last told of; 0: none,
   * or they are not known, since one that was not timed was over in them.
   */
  long gap() {
    return gap;
  }
}
