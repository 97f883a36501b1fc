package io.adrastea.cli.bench;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * All processes that the bench started: whatever ends this JVM short of SIGKILL ends them first.
 */
final class Children {
  private static final long KILL_MILLIS = 2000;
  private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();
  private static volatile boolean ending;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Children::endAll, "bench cleanup"));
  }

  private Children() {}

  static Process start(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    ALIVE.add(process);
    if (ending) { // The hook may have looked before this one was listed.
      process.destroyForcibly();
    }
    return process;
  }

  /** Waits for the process, which was asked to end, then kills it and waits until it is gone. */
  static void end(Process process, long graceMillis) {
    try {
      if (!process.waitFor(graceMillis, TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor(KILL_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
      ALIVE.remove(process);
    }
  }

  /** True once this JVM is going down: deaths of processes are then no news. */
  static boolean ending() {
    return ending;
  }

  private static void endAll() {
    ending = true;
    ALIVE.forEach(Process::destroyForcibly);
  }
}
