package io.adrastea.cli.run;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Standard output and standard error of all ranks, brought together line by line. */
final class Output {
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long LOOK_MILLIS = 20;

  private final boolean labelled;
  private final LineSink out;
  private final LineSink err;
  private final List<LinePump> pumps = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * Output of this process.
   *
   * @param labelled whether lines carry their rank
   * @param whenClosed run when nobody reads standard output any more
   */
  Output(boolean labelled, Runnable whenClosed) {
    this.labelled = labelled;
    this.out = new LineSink(new FileOutputStream(FileDescriptor.out), whenClosed);
    this.err = new LineSink(new FileOutputStream(FileDescriptor.err), () -> {});
  }

  /** Carries what this rank writes from now on. */
  void follow(int rank, Process process) {
    carry(rank, process.getInputStream(), out, "output");
    carry(rank, process.getErrorStream(), err, "errors");
  }

  /**
   * Holds back what ranks say of errors, until {@link #releaseErrors}: what follows from a failure is not to be read
   * before the failure itself.
   */
  void holdErrors() {
    err.hold();
  }

  /** Lets it out. */
  void releaseErrors() {
    err.release();
  }

  /** Lets it out, now and from now on: who holds it may have to wait for what ends the job. */
  void holdErrorsNoMore() {
    err.holdNoMore();
  }

  private void carry(int rank, InputStream in, LineSink sink, String what) {
    String label = labelled ? "[" + rank + "] " : "";
    LinePump pump = new LinePump(in, label.getBytes(StandardCharsets.US_ASCII), sink);
    pumps.add(pump);
    threads.add(Thread.ofPlatform().daemon().name("rank " + rank + " " + what).start(pump));
  }

  /**
   * Waits until all is written. A child of a rank that lives on holds its pipe: that is not waited for.
   *
   * @param mostNanos how long a reader that does not read is waited for
   */
  void drain(long mostNanos) throws InterruptedException {
    long start = System.nanoTime();
    for (int i = 0; i < threads.size(); i++) {
      while (threads.get(i).isAlive()
          && pumps.get(i).idleNanos() < IDLE_NANOS
          && System.nanoTime() - start < mostNanos) {
        threads.get(i).join(LOOK_MILLIS);
      }
    }
  }
}
