package io.adrastea.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Carries the output of a rank to a sink, whole lines at a time, a label before each. A line of more than
 * {@value #LONGEST} bytes is carried in pieces.
 */
final class LinePump implements Runnable {
  private static final int CHUNK = 1 << 16;
  private static final int LONGEST = 1 << 20;

  private final InputStream in;
  private final byte[] label;
  private final LineSink sink;
  private byte[] held = new byte[CHUNK];
  private int heldBytes;
  private volatile long lastSeen = System.nanoTime();

  LinePump(InputStream in, byte[] label, LineSink sink) {
    this.in = in;
    this.label = label;
    this.sink = sink;
  }

  @Override
  public void run() {
    byte[] chunk = new byte[CHUNK];
    try {
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        lastSeen = Long.MAX_VALUE; // at work: the sink may take its time
        take(chunk, length);
        lastSeen = System.nanoTime();
      }
    } catch (IOException e) {
      // the pipe is closed: the same as its end
    }
    takeRest();
  }

  /** Nanoseconds since this pump last had something to carry; negative while it carries. */
  long idleNanos() {
    long seen = lastSeen;
    return seen == Long.MAX_VALUE ? -1 : System.nanoTime() - seen;
  }

  private void take(byte[] chunk, int length) {
    int whole = 0;
    boolean atStart = heldBytes == 0;
    for (int i = 0; i < length; i++) {
      if (atStart) {
        append(label, 0, label.length);
      }
      int end = endOfLine(chunk, i, length);
      append(chunk, i, end - i);
      atStart = chunk[end - 1] == '\n';
      whole = atStart ? heldBytes : whole;
      i = end - 1;
    }
    release(heldBytes - whole > LONGEST ? heldBytes : whole);
  }

  private static int endOfLine(byte[] chunk, int from, int length) {
    for (int i = from; i < length; i++) {
      if (chunk[i] == '\n') {
        return i + 1;
      }
    }
    return length;
  }

  private void append(byte[] from, int offset, int length) {
    if (heldBytes + length > held.length) {
      held = Arrays.copyOf(held, Math.max(2 * held.length, heldBytes + length));
    }
    System.arraycopy(from, offset, held, heldBytes, length);
    heldBytes += length;
  }

  private void release(int length) {
    if (length > 0) {
      sink.write(held, length);
      System.arraycopy(held, length, held, 0, heldBytes - length);
      heldBytes -= length;
    }
  }

  private void takeRest() {
    if (heldBytes > 0 && label.length > 0) {
      append(new byte[] {'\n'}, 0, 1); // the next line is another rank's
    }
    release(heldBytes);
  }
}
