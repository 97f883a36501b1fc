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

  /** Stands for the time limit, when that has passed. */
  static final int LATE = -2;

  static final int TIMED_OUT = 124; // as of timeout(1)
  private static final int SIGPIPE = 128 + 13;
  private static final long CAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200); // a look at all processes is dear

  record End(int rank, ExitStatus status) {}

  private final BlockingQueue<End> ends = new LinkedBlockingQueue<>();
  private final long begin = System.nanoTime();
  private final long mostNanos;
  private long nextLook = begin;

  /**
   * The ends of a job that begins now.
   *
   * @param mostNanos after which it is to be ended
   */
  RankEnds(long mostNanos) {
    this.mostNanos = mostNanos;
  }

  /** Nanoseconds until the job is to be ended; 0 or less: it is time. */
  long leftNanos() {
    return mostNanos - (System.nanoTime() - begin);
  }

  /** Takes note that a rank has ended. Any thread may call this. */
  void add(int rank, ExitStatus status) {
    ends.add(new End(rank, status));
  }

  /** Takes note that the reader of our output has gone. */
  void addNobody() {
    add(NOBODY, new ExitStatus(SIGPIPE));
  }

  /**
   * The next one; {@link #LATE} when the job is to be ended instead.
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
      long left = leftNanos();
      long most = due.getAsBoolean() ? Math.min(left, nextLook - System.nanoTime()) : left;
      end = ends.poll(most, TimeUnit.NANOSECONDS);
      if (end == null && left <= 0) {
        end = new End(LATE, new ExitStatus(TIMED_OUT));
      }
    }
    return end;
  }

  /**
   * A rank that exits with an error may do so because another was killed or aborted the job, of whose end this process
   * has only not heard yet.
   *
   * @param aborts whether the rank of this end aborted the job, or was lost with its host
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
