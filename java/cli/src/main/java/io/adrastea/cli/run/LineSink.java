package io.adrastea.cli.run;

import java.io.IOException;
import java.io.OutputStream;

/** Where the lines of all ranks meet: each write is whole lines and is not mixed with another. */
final class LineSink {
  private final OutputStream out;
  private final Runnable whenClosed;
  private boolean closed;

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
}
