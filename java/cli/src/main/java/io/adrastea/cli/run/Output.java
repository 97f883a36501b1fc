package io.adrastea.cli.run;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Standard output and standard error of all ranks: brought together line by line, or in a file of each rank. Where
 * nothing is to stand before a line, a rank writes to its file by itself, so that what it has written is there however
 * the job ends; so does the only rank of a job to what this process has.
 */
final class Output {
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX ");
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long LOOK_MILLIS = 20;

  private final boolean labelled;
  private final boolean stamped;
  private final RankFiles files;
  private final boolean carried;
  final LineSink out;
  final LineSink err; // held while a failure is told: what follows from it is not to be read before it
  private final List<LinePump> pumps = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * Output of ranks yet to be started.
   *
   * @param shared whether several processes share the output of this one
   * @param labelled whether lines carry their rank
   * @param stamped whether lines carry the time at which they were read
   * @param files the ranks' own; {@code null}: they share the output of this process
   * @param whenClosed run when nobody reads standard output any more
   */
  Output(boolean shared, boolean labelled, boolean stamped, RankFiles files, Runnable whenClosed) {
    this.labelled = labelled;
    this.stamped = stamped;
    this.files = files;
    this.carried = labelled || stamped || files == null && shared;
    this.out = new LineSink(new FileOutputStream(FileDescriptor.out), whenClosed);
    this.err = new LineSink(new FileOutputStream(FileDescriptor.err), () -> {});
  }

  /**
   * Starts the process of a rank, and takes care of what it writes.
   *
   * @throws IOException when it cannot be started
   */
  Process start(int rank, ProcessBuilder builder) throws IOException {
    if (files != null) {
      builder.redirectErrorStream(true); // in the order in which the rank writes
    }
    if (!carried) {
      Redirect whole = files == null ? Redirect.INHERIT : Redirect.appendTo(files.of(rank));
      return builder.redirectOutput(whole).redirectError(files == null ? whole : Redirect.PIPE).start();
    }
    if (files == null) {
      Process process = builder.start();
      carry(rank, process.getInputStream(), out, "output");
      carry(rank, process.getErrorStream(), err, "errors");
      return process;
    }
    File file = files.of(rank);
    FileOutputStream stream = new FileOutputStream(file, true); // of which the end of this process is the end
    Process process = builder.start();
    Runnable whenFull = () -> System.err.printf(
        "adrastea: cannot write %s any more, so the rest of the output of rank %d is lost%n", file, rank);
    carry(rank, process.getInputStream(), new LineSink(stream, whenFull), "output");
    return process;
  }

  private void carry(int rank, InputStream in, LineSink sink, String what) {
    String label = labelled ? "[" + rank + "] " : "";
    Supplier<String> prefix = stamped ? () -> STAMP.format(ZonedDateTime.now()) + label : () -> label;
    carry("rank " + rank + " " + what, new LinePump(in, prefix, sink, () -> false));
  }

  private Thread carry(String name, LinePump pump) {
    Thread thread = Thread.ofPlatform().daemon().name(name).unstarted(pump);
    synchronized (threads) {
      pumps.add(pump);
      threads.add(thread);
    }
    thread.start();
    return thread;
  }

  /**
   * Takes care of what another host writes, where lines have got what stands before them.
   *
   * @param name of the host
   * @param agent the process by which it writes
   * @param errors where its standard error goes
   * @return the thread that carries that, which ends when there is no more of it
   */
  Thread carryHost(String name, Process agent, Sink errors) {
    carry("host " + name + " output", new LinePump(agent.getInputStream(), () -> "", out, agent::isAlive));
    return carry("host " + name + " errors", new LinePump(agent.getErrorStream(), () -> "", errors, agent::isAlive));
  }

  /**
   * Waits until all is written. A child of a rank that lives on holds its pipe: that is not waited for.
   *
   * @param mostNanos how long a reader that does not read is waited for
   * @return whether it was not waited for that long
   */
  boolean drain(long mostNanos) throws InterruptedException {
    long start = System.nanoTime();
    List<LinePump> all;
    List<Thread> running;
    synchronized (threads) {
      all = List.copyOf(pumps);
      running = List.copyOf(threads);
    }
    for (int i = 0; i < running.size(); i++) {
      while (running.get(i).isAlive() && all.get(i).mayCarry()) {
        if (System.nanoTime() - start >= mostNanos) {
          return false;
        }
        running.get(i).join(LOOK_MILLIS);
      }
    }
    return true;
  }

  /** Where lines go: each write is whole lines, but for the parts of a long one. */
  interface Sink {
    /** Writes the first {@code length} bytes. */
    void write(byte[] lines, int length);
  }

  /**
   * Carries the output of a rank to a sink, whole lines at a time, a prefix before each. A line of more than
   * {@value #LONGEST} bytes is carried in pieces.
   */
  static final class LinePump implements Runnable {
    private static final int CHUNK = 1 << 16;
    private static final int LONGEST = 1 << 20;

    private final InputStream in;
    private final Supplier<String> prefix;
    private final Sink sink;
    private final BooleanSupplier writes;
    private byte[] held = new byte[CHUNK];
    private int heldBytes;
    private volatile long lastSeen = System.nanoTime();

    /**
     * A pump yet to be run.
     *
     * @param prefix tells, each time that something was read, what stands before the lines that begin there
     * @param writes tells of a process that must have ended before this pump counts as idle
     */
    LinePump(InputStream in, Supplier<String> prefix, Sink sink, BooleanSupplier writes) {
      this.in = in;
      this.prefix = prefix;
      this.sink = sink;
      this.writes = writes;
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

    /** Whether it is to be waited for. */
    boolean mayCarry() {
      return idleNanos() < IDLE_NANOS || writes.getAsBoolean();
    }

    private void take(byte[] chunk, int length) {
      int whole = 0;
      byte[] before = prefix.get().getBytes(StandardCharsets.US_ASCII);
      boolean atStart = heldBytes == 0;
      for (int i = 0; i < length; i++) {
        if (atStart) {
          append(before, 0, before.length);
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
      if (heldBytes > 0 && !prefix.get().isEmpty()) {
        append(new byte[] {'\n'}, 0, 1); // the next line is another rank's
      }
      release(heldBytes);
    }
  }

  /** Where the lines of all ranks meet: each write is whole lines and is not mixed with another. */
  static final class LineSink implements Sink {
    private final OutputStream out;
    private final Runnable whenClosed;
    private boolean closed;
    private boolean held;
    private boolean neverHeld;
    private boolean amidst; // the last byte was no end of a line

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
    @Override
    public synchronized void write(byte[] lines, int length) {
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
        amidst = lines[length - 1] != '\n';
      } catch (IOException e) {
        closed = true;
        whenClosed.run();
      }
    }

    /** Writes a line that begins as one, whatever was written before. */
    synchronized void writeLine(String line) {
      byte[] bytes = ((amidst ? "\n" : "") + line + "\n").getBytes(StandardCharsets.UTF_8);
      write(bytes, bytes.length);
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

    /**
     * Lets writers go on, now and whichever thread calls {@link #hold} later: a thread that holds them may wait for
     * what ends the job.
     */
    synchronized void holdNoMore() {
      neverHeld = true;
      release();
    }
  }
}
