package io.adrastea.cli.run;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Standard output and standard error of all ranks, brought together line by line. */
final class Output {
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long LOOK_MILLIS = 20;

  private final boolean labelled;
  private final LineSink out;
  final LineSink err; // held while a failure is told: what follows from it is not to be read before it
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

  /**
   * Carries the output of a rank to a sink, whole lines at a time, a label before each. A line of more than
   * {@value #LONGEST} bytes is carried in pieces.
   */
  static final class LinePump implements Runnable {
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

  /** Where the lines of all ranks meet: each write is whole lines and is not mixed with another. */
  static final class LineSink {
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

    /** Lets writers go on. */
    synchronized void release() {
      held = false;
      notifyAll();
    }

    /** Lets writers go on, now and whoever calls {@link #hold} later: who holds may wait for what ends the job. */
    synchronized void holdNoMore() {
      neverHeld = true;
      release();
    }
  }
}
