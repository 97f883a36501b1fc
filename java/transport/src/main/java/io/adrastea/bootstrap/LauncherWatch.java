package io.adrastea.bootstrap;

import io.adrastea.error.JoinException;
import io.adrastea.segment.ProcessIdentity;

/** Ends this process when its launcher is gone, so that no rank outlives its job. */
final class LauncherWatch {
  private static final long INTERVAL_MILLIS = 200;
  private static final int EXIT_CODE = 143; // as if ended by SIGTERM

  private LauncherWatch() {}

  /** Watches from now on, in a daemon thread. */
  static void start(ProcessIdentity launcher) {
    if (!launcher.isAlive()) {
      throw new JoinException("the launcher, process %d, is gone".formatted(launcher.pid()));
    }
    Thread.ofPlatform().daemon().name("adrastea-launcher-watch").start(() -> watch(launcher));
  }

  private static void watch(ProcessIdentity launcher) {
    try {
      while (launcher.isAlive()) {
        Thread.sleep(INTERVAL_MILLIS);
      }
      Runtime.getRuntime().halt(EXIT_CODE); // not exit: a hook might wait for other ranks
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
