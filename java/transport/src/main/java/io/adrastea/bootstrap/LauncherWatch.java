package io.adrastea.bootstrap;

import io.adrastea.error.JoinException;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends this process when its launcher is gone, so that no rank outlives its job, and takes the name of the segment's
 * file away, if it still has one. Where the launcher does not read that a rank has aborted the job, the watch does so
 * too. Twin of {@code bootstrap/adr_launcher_watch.h}.
 */
public final class LauncherWatch implements AutoCloseable {
  private static final long INTERVAL_MILLIS = 200;
  private static final int EXIT_CODE = 143; // as if ended by SIGTERM

  private final ProcessIdentity launcher;
  private final Path file;
  private final Thread thread;
  private volatile boolean over;
  private volatile RankTable aborted; // in which ranks abort the job; null: the launcher reads that

  private LauncherWatch(ProcessIdentity launcher, Path file) {
    this.launcher = launcher;
    this.file = file;
    this.thread = Thread.ofPlatform().daemon().name("adrastea-launcher-watch").unstarted(this::watch);
  }

  /**
   * Watches from now on, in a daemon thread.
   *
   * @param file of the job's segment, which is there until all have joined
   */
  static LauncherWatch start(ProcessIdentity launcher, Path file) {
    if (!launcher.isAlive()) {
      throw new JoinException("the launcher, process %d, is gone".formatted(launcher.pid()));
    }
    LauncherWatch watch = new LauncherWatch(launcher, file);
    watch.thread.start();
    return watch;
  }

  /** From now on a rank of this table that aborts the job ends this process too. */
  void obey(RankTable table) {
    aborted = table;
  }

  /** Tells that this rank aborts the job, where the launcher does not. */
  void tellAbort(int rank, String reason) {
    if (aborted != null) {
      System.err.println("adrastea: rank %d has failed: %s".formatted(rank, reason));
    }
  }

  private boolean isAborted() {
    RankTable table = aborted;
    for (int rank = 0; table != null && rank < table.size(); rank++) {
      if (table.aborts(rank)) {
        return true;
      }
    }
    return false;
  }

  private void watch() {
    while (!over) {
      LockSupport.parkNanos(this, INTERVAL_MILLIS * 1_000_000);
      Thread.interrupted(); // an interrupt of all threads does not mean that ranks are to outlive their job
      if (!over && (!launcher.isAlive() || isAborted())) {
        end();
      }
    }
  }

  private void end() {
    try {
      Files.deleteIfExists(file); // nobody else is left who would
    } catch (IOException | RuntimeException e) {
      // the next job of this user removes it
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE); // not exit: a hook might wait for other ranks
    }
  }

  /** Stops watching: when this returns, the end of the launcher does not end this process. */
  @Override
  public void close() {
    over = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true; // a look is short
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
