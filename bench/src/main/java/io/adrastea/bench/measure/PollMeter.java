package io.adrastea.bench.measure;

import io.adrastea.IdleStrategy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Measures the CPU time of the thread that waits by it, less what its polls took that found nothing: from one call of
 * {@link #idle} to the next, unless something was found between them. The step that finds something counts, and so does
 * all that moves a message on.
 */
final class PollMeter implements IdleStrategy {
  /** More than a poll takes: in that time a step did something, or the CPU was taken away and no CPU time passed. */
  static final long MOST_POLL_NANOS = 1_000;

  private static final int ROUNDS = 20;
  private static final int READS = 1_000;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final long overhead; // what the CPU clock tells of two readings in a row
  private long lastPoll;
  private boolean polling; // lastPoll belongs to this wait, and nothing was found since
  private long inVain; // nanoseconds

  PollMeter() {
    overhead = costOfReading();
  }

  /** The last rounds run compiled. */
  private long costOfReading() {
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long begin = cpuNanos();
      for (int read = 1; read < READS; read++) {
        cpuNanos();
      }
      best = Math.min(best, (cpuNanos() - begin) / READS);
    }
    return best;
  }

  private long cpuNanos() {
    return threads.getCurrentThreadCpuTime();
  }

  @Override
  public void idle() {
    idle(System.nanoTime());
    Thread.onSpinWait();
  }

  /** A poll has found nothing, and it is {@code now}. */
  void idle(long now) {
    long taken = now - lastPoll;
    if (polling && taken < MOST_POLL_NANOS) {
      inVain += taken;
    }
    lastPoll = now;
    polling = true;
  }

  @Override
  public void reset() {
    polling = false;
  }

  @Override
  public boolean mayTakeLong() {
    return false;
  }

  /** What to give to {@link #since}. */
  long now() {
    return cpuNanos() - inVain;
  }

  /** Nanoseconds of CPU time since {@code begin}, a value of {@link #now}, without polls that found nothing. */
  long since(long begin) {
    return cpuNanos() - inVain - begin - overhead;
  }

  /** Nanoseconds that polls have taken that found nothing. */
  long inVain() {
    return inVain;
  }
}
