package io.adrastea.cli.run;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Ends processes: SIGTERM, and SIGKILL for what is still there 2 s later. */
final class Termination {
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long LOOK_MILLIS = 5;
  private static final int KILL_ROUNDS = 20;

  private Termination() {}

  /**
   * Returns when all have ended. What starts another process while it is being ended is met again
   * in the next look.
   *
   * @param running tells what runs now
   */
  static void end(Supplier<List<ProcessHandle>> running) {
    List<ProcessHandle> asked = running.get();
    asked.forEach(ProcessHandle::destroy);
    long deadline = System.nanoTime() + GRACE_NANOS;
    while (asked.stream().anyMatch(JobProcesses::runs) && System.nanoTime() < deadline) {
      rest();
    }
    for (int round = 0; round < KILL_ROUNDS; round++) {
      List<ProcessHandle> left = running.get();
      if (left.isEmpty()) {
        return;
      }
      left.forEach(ProcessHandle::destroyForcibly);
      rest();
    }
  }

  private static void rest() {
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // what is to be ended is ended all the same
    }
  }
}
