package io.adrastea.cli.run;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Ends processes: SIGTERM, and SIGKILL for what is still there 2 s later. */
final class Termination {
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long LOOK_MILLIS = 5;
  private static final int KILL_ROUNDS = 20;
  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private Termination() {}

  /**
   * Returns when all have ended. What starts another process while it is being ended is met again in the next look.
   *
   * @param known those that need no looking for: they are asked at once, however long the look takes
   * @param running tells what runs now, these among it
   */
  static void end(List<ProcessHandle> known, Supplier<List<ProcessHandle>> running) {
    known.forEach(ProcessHandle::destroy);
    long deadline = System.nanoTime() + GRACE_NANOS;
    Set<ProcessHandle> asked = new LinkedHashSet<>(known);
    List<ProcessHandle> more = running.get().stream().filter(asked::add).toList();
    more.forEach(ProcessHandle::destroy);
    await(asked, more.isEmpty() ? deadline : System.nanoTime() + GRACE_NANOS);
    for (int round = 0; round < KILL_ROUNDS; round++) {
      List<ProcessHandle> left = running.get();
      if (left.isEmpty()) {
        return;
      }
      left.forEach(ProcessHandle::destroyForcibly);
      await(left, System.nanoTime() + ROUND_NANOS);
    }
  }

  private static void await(Collection<ProcessHandle> processes, long deadline) {
    while (processes.stream().anyMatch(JobProcesses::runs) && System.nanoTime() < deadline) {
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
