package io.adrastea.bench.measure;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * All processes that the bench started: whatever ends this JVM short of SIGKILL ends them first.
 */
final class Children {
  private static final long KILL_MILLIS = 2000;
  private static final long DISMISS_MILLIS = 3000;
  private static final long ASK_MILLIS = 5000;
  private static final Map<Process, Boolean> ALIVE = new ConcurrentHashMap<>(); // whether it is a launcher
  private static volatile boolean ending;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Children::endAll, "bench cleanup"));
  }

  private Children() {}

  static Process start(ProcessBuilder builder, boolean launcher) throws IOException {
    Process process = builder.start();
    ALIVE.put(process, launcher);
    if (ending) { // The hook may have looked before this one was listed.
      process.destroyForcibly();
    }
    return process;
  }

  /** Asks it to end by the end of its input. */
  static void dismiss(Process process) {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // Gone already.
    }
  }

  /**
   * Waits for the process, which was asked to end, then kills it, a launcher after a SIGTERM, and waits until it is
   * gone.
   */
  static void end(Process process, long graceMillis, boolean launcher) {
    try {
      if (!process.waitFor(graceMillis, TimeUnit.MILLISECONDS) && !(launcher && endsWhenAsked(process))) {
        process.destroyForcibly().waitFor(KILL_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
      ALIVE.remove(process);
    }
  }

  private static boolean endsWhenAsked(Process process) {
    process.destroy();
    return haveEnded(List.of(process), ASK_MILLIS);
  }

  /** True once this JVM is going down: deaths of processes are then no news. */
  static boolean ending() {
    return ending;
  }

  /**
   * Launchers have files, as Open MPI's in /dev/shm, that nobody else removes: the end of their input ends them in
   * order, or a SIGTERM. Not both at once: what has ended this JVM may have signalled its whole group, and at a second
   * signal mpirun leaves everything as it is.
   */
  private static void endAll() {
    ending = true;
    List<Process> launchers = ALIVE.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList();
    ALIVE.keySet().stream().filter(process -> !launchers.contains(process)).forEach(Process::destroyForcibly);
    List<ProcessHandle> below = launchers.stream().flatMap(Process::descendants).toList();
    launchers.forEach(Children::dismiss);
    if (!haveEnded(launchers, DISMISS_MILLIS)) {
      launchers.forEach(Process::destroy);
      haveEnded(launchers, ASK_MILLIS);
    }
    launchers.forEach(Process::destroyForcibly);
    below.forEach(ProcessHandle::destroyForcibly);
  }

  private static boolean haveEnded(List<Process> processes, long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    try {
      for (Process process : processes) {
        if (!process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
