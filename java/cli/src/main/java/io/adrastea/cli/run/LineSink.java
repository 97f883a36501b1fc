package io.adrastea.cli.run;

import java.io.IOException;
import java.io.OutputStream;

/** Where the lines of all ranks meet: each write is whole lines and is not mixed with another. */
final class LineSink {
  private final OutputStream out;
  private final Runnable whenClosed;
  private boolean closed;
  private boolean held;
  private boolean neverHeld;

  /**
   * A sink over a stream without a buffer.
   *
   * @param whenClosed run once, when the reader of the stream has gone
   */
  LineSink(OutputStream out, Runnable whenClosed) {
    this.out = out;
    this.whenClosed = whenClosed;
  }

  /** Writes the first {@code length} bytes; drops them once the reader has gone. */
  synchronized void write(byte[] lines, int length) {
    boolean interrupted = false;
    while (held) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true; // it is for a moment
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (closed) {
      return;
    }
    try {
      out.write(lines, 0, length);
    } catch (IOException e) {
      closed = true;
      whenClosed.run();
    }
  }

  /** Keeps writers waiting until {@link #release}: something else is to be read first. */
  synchronized void hold() {
    held = !neverHeld;
  }

  /** Lets them go on. */
  synchronized void release() {
    held = false;
    notifyAll();
  }

  /** Lets writers go on, now and whoever calls {@link #hold} later. */
  synchronized void holdNoMore() {
    neverHeld = true;
    release();
  }
}
