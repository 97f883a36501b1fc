package io.adrastea.cli.run;

import io.adrastea.cli.base.ExitStatus;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The ends of a job's ranks, in the order in which this process hears of them. */
final class RankEnds {
  /** Stands for the reader of our output, when that has gone. */
  static final int NOBODY = -1;

  private static final long CAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200); // a look at all processes is dear

  record End(int rank, ExitStatus status) {}

  private final BlockingQueue<End> ends = new LinkedBlockingQueue<>();
  private long nextLook = System.nanoTime();

  /** Takes note that a rank has ended. Any thread may call this. */
  void add(int rank, ExitStatus status) {
    ends.add(new End(rank, status));
  }

  /**
   * The next one.
   *
   * @param due whether those that ended before are to be looked after
   * @param look does so: at once, and every so often as long as it is due
   */
  End next(BooleanSupplier due, Runnable look) throws InterruptedException {
    End end = null;
    while (end == null) {
      if (due.getAsBoolean() && nextLook - System.nanoTime() <= 0) {
        look.run();
        nextLook = System.nanoTime() + LOOK_NANOS;
      }
      end = due.getAsBoolean() ? ends.poll(nextLook - System.nanoTime(), TimeUnit.NANOSECONDS) : ends.take();
    }
    return end;
  }

  /**
   * A rank that exits with an error may do so because another was killed or aborted the job, of whose end this process
   * has only not heard yet.
   *
   * @param aborts whether the rank of this end aborted the job
   * @return the end of that one, or the given one
   */
  End cause(End end, Predicate<End> aborts) throws InterruptedException {
    long deadline = System.nanoTime() + CAUSE_NANOS;
    End other = end;
    while (other != null && other.rank() != NOBODY && !other.status().isSignal() && !aborts.test(other)) {
      other = ends.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
    return other == null || other.rank() == NOBODY ? end : other;
  }
}
