package io.adrastea.bench.soak;

import java.time.Duration;
import java.util.Map;

/**
 * Writes the stacks of all threads to standard error, once, when a round stands still: where it hangs is the question
 * then.
 */
final class Watchdog {
  private static final long LOOK_MILLIS = 250;

  private final int rank;
  private final Tally tally;
  private final long patienceNanos;
  private volatile boolean working;
  private volatile long since;

  Watchdog(int rank, Tally tally, Duration patience) {
    this.rank = rank;
    this.tally = tally;
    this.patienceNanos = patience.toNanos();
    Thread.ofPlatform().name("soak watchdog").daemon().start(this::watch);
  }

  void begin() {
    since = System.nanoTime();
    working = true;
  }

  void end() {
    working = false;
  }

  private void watch() {
    long beats = tally.beats();
    while (!working || System.nanoTime() - since < patienceNanos) {
      if (tally.beats() != beats) {
        beats = tally.beats();
        since = System.nanoTime();
      }
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
    tell();
  }

  private void tell() {
    StringBuilder text = new StringBuilder();
    text.append("rank %d hangs: nothing sent or received for %d s; its threads:%n".formatted(rank,
        patienceNanos / 1_000_000_000));
    for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
      text.append("  rank %d: %s, %s%n".formatted(rank, thread.getKey().getName(), thread.getKey().getState()));
      for (StackTraceElement frame : thread.getValue()) {
        text.append("    at ").append(frame).append(System.lineSeparator());
      }
    }
    System.err.print(text); // at once, so that the ranks' texts stay apart
    System.err.flush();
  }
}
