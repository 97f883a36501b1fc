package io.adrastea.segment;

import java.io.IOException;

/**
 * Work on the segment's file that an interrupt of the calling thread must not reach. A
 * {@link java.nio.channels.FileChannel} is closed when a thread is interrupted in a read, write, map or look at its
 * size, or comes to one with its interrupt pending; and to close any descriptor of a file drops all fcntl locks that
 * the process has on it, by which others see that its ranks live ({@link Segment#lockPlace}).
 *
 * <p>
 * So a thread of its own does the work, which nobody knows and nobody interrupts; the caller waits for it, and keeps
 * its interrupt. The thread may run on the CPUs of its caller, so memory that it touches first is near a caller that is
 * pinned. Off the fast path: a thread costs some ten microseconds.
 */
final class Undisturbed implements Runnable {
  /** What is to be done. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  private final Work work;
  private IOException refusal; // read once the thread has ended
  private RuntimeException failure;
  private Error error;

  private Undisturbed(Work work) {
    this.work = work;
  }

  /** Does it, and throws what it throws. */
  static void run(Work work) throws IOException {
    Undisturbed task = new Undisturbed(work);
    await(start(task));
    if (task.refusal != null) {
      throw task.refusal;
    }
    if (task.failure != null) {
      throw task.failure;
    }
    if (task.error != null) {
      throw task.error;
    }
  }

  /** A thread too many is a want of the machine as a full file system is, and no reason to end the program. */
  private static Thread start(Undisturbed task) throws IOException {
    try {
      return Thread.ofPlatform().name("adrastea-file").daemon().inheritInheritableThreadLocals(false).start(task);
    } catch (OutOfMemoryError e) {
      throw new IOException("no thread can be started", e);
    }
  }

  @Override
  public void run() {
    try {
      work.run();
    } catch (IOException e) {
      refusal = e;
    } catch (RuntimeException e) {
      failure = e;
    } catch (Error e) {
      error = e;
    }
  }

  private static void await(Thread worker) {
    boolean interrupted = false;
    while (worker.isAlive()) {
      try {
        worker.join();
      } catch (InterruptedException e) {
        interrupted = true; // for the caller, when the work is done
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
