package io.adrastea.cli.run;

import io.adrastea.cli.host.ExitStatus;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The ends of a job's ranks, in the order in which this process hears of them. */
final class RankEnds {
  /** Whose end is that of who reads our output. */
  static final int NOBODY = -1;

  private static final long CAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** The end of a rank, or {@link #NOBODY}'s. */
  record End(int rank, ExitStatus status) {}

  private final BlockingQueue<End> ends = new LinkedBlockingQueue<>();

  /** A rank has ended. Any thread may call. */
  void add(int rank, ExitStatus status) {
    ends.add(new End(rank, status));
  }

  /**
   * The next one.
   *
   * @param early ranks that have ended before
   * @param look to be run every so often as long as somebody may wait for one of these
   */
  End next(EarlyEnds early, Runnable look) throws InterruptedException {
    End end = null;
    while (end == null) {
      end = early.isOpen() ? ends.poll(LOOK_NANOS, TimeUnit.NANOSECONDS) : ends.take();
      if (end == null) {
        look.run();
      }
    }
    return end;
  }

  /**
   * A rank that exits with an error may do so because another was killed, of which this process has only not heard yet.
   *
   * @return the end of that one, or the given one
   */
  End cause(End end) throws InterruptedException {
    long deadline = System.nanoTime() + CAUSE_NANOS;
    End other = end;
    while (other != null && other.rank() != NOBODY && !other.status().isSignal()) {
      other = ends.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
    return other == null || other.rank() == NOBODY ? end : other;
  }
}
