package io.adrastea.core.pure;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * The CPU that a thread runs on, as its line in {@code /proc} tells. Reading that takes some microseconds, so what was
 * read counts for a millisecond, whichever thread of the rank asks. It is a hint: a system may move a thread at any
 * moment. The file stays open, so that asking makes no garbage.
 */
final class RunningCpu implements AutoCloseable {
  /** What {@link #get} returns where it cannot be told. */
  static final int UNKNOWN = -1;

  private static final long NANOS = 1_000_000;
  private static final int MOST_DIGITS = 5; // of a CPU's number
  private static final int BLANKS_BEFORE = 37; // after the name: the CPU is field 39, the name is field 2

  private final String stat;
  private final byte[] line = new byte[1024]; // 52 numbers, and a name of 64 bytes at most
  private RandomAccessFile file; // null: none is open
  private Thread owner; // which it tells of
  private int cpu = UNKNOWN;
  private boolean isRead; // at that time
  private long read;
  private boolean closed;

  RunningCpu() {
    this(Path.of("/proc/thread-self/stat"));
  }

  /** By another file than the calling thread's. */
  RunningCpu(Path stat) {
    this.stat = stat.toString();
  }

  /** The CPU of the calling thread, or {@link #UNKNOWN}. */
  synchronized int get() {
    long now = System.nanoTime();
    if (!closed && (!isRead || now - read >= NANOS)) {
      cpu = read();
      isRead = true;
      read = now;
    }
    return cpu;
  }

  private int read() {
    try {
      if (owner != Thread.currentThread()) {
        closeFile();
        file = new RandomAccessFile(stat, "r");
        owner = Thread.currentThread();
      }
      file.seek(0);
      return parse(file.read(line));
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** The name may hold blanks and brackets; nothing after its last bracket does. */
  private int parse(int length) {
    int at = length;
    while (at > 0 && line[at - 1] != ')') {
      at--;
    }
    for (int blanks = 0; at > 0 && at < length && blanks < BLANKS_BEFORE; at++) {
      blanks += line[at] == ' ' ? 1 : 0;
    }
    int number = 0;
    int digits = 0;
    while (at > 0 && at < length && line[at] >= '0' && line[at] <= '9' && digits < MOST_DIGITS) {
      number = 10 * number + line[at++] - '0';
      digits++;
    }
    return digits > 0 && at < length && line[at] == ' ' ? number : UNKNOWN;
  }

  private void closeFile() throws IOException {
    owner = null;
    if (file != null) {
      file.close();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      closeFile();
    } catch (IOException e) {
      // nothing was written
    }
  }
}
