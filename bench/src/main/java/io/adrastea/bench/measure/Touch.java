package io.adrastea.bench.measure;

import io.adrastea.Message;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What a program does with a message before it is sent and after it is received, reduced to what moves cache lines: one
 * word of each line is written, or read; short messages are written and read whole. The peers and the floor do the
 * same, in C {@code adr_touch.h}.
 */
final class Touch {
  private final boolean asked;
  private final Touched touched = new Touched();
  private boolean on;
  private boolean word; // a message is just one, and needs no loop
  private boolean whole;
  private boolean tails;
  private byte tail; // what was read must go somewhere

  Touch(boolean asked) {
    this.asked = asked;
    this.on = asked;
  }

  /** Messages of so many bytes follow. */
  void begin(int bytes) {
    touched.begin(bytes);
    word = bytes == Long.BYTES;
    whole = Touched.step(bytes) == Long.BYTES;
    tails = whole && bytes % Long.BYTES != 0;
  }

  /** Leaves contents alone until {@link #resume}. */
  void pause() {
    on = false;
  }

  void resume() {
    on = asked;
  }

  /** Writes another content each time; nothing unless it is asked for. */
  void write(MemorySegment message) {
    if (on && word) {
      message.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, touched.next());
    } else if (on) {
      write(message, touched.next());
    }
  }

  private void write(MemorySegment message, long number) {
    if (whole) {
      writeWords(message, number);
    } else {
      writeLines(message, number);
    }
    if (tails) {
      for (long at = message.byteSize() & -Long.BYTES; at < message.byteSize(); at++) {
        message.set(ValueLayout.JAVA_BYTE, at, (byte) (number + at));
      }
    }
  }

  private static void writeWords(MemorySegment message, long number) {
    int last = (int) message.byteSize() - Long.BYTES;
    for (int at = 0; at <= last; at += Long.BYTES) { // a constant, or each access is checked
      message.set(ValueLayout.JAVA_LONG_UNALIGNED, at, number + at);
    }
  }

  private static void writeLines(MemorySegment message, long number) {
    int last = (int) message.byteSize() - Long.BYTES;
    for (int at = 0; at <= last; at += Touched.LINE) {
      message.set(ValueLayout.JAVA_LONG_UNALIGNED, at, number + at);
    }
  }

  /** Reads what {@link #write} wrote, if it is asked for. */
  void read(MemorySegment message) {
    if (on && word) {
      touched.add(message.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    } else if (on) {
      touched.add(whole ? sumWords(message) : sumLines(message));
      readTail(message);
    }
  }

  /** Reads a message likewise where it lies. */
  void read(Message message) {
    if (on) {
      int step = whole ? Long.BYTES : Touched.LINE;
      long last = message.bytes() - Long.BYTES;
      long sum = 0;
      for (long at = 0; at <= last; at += step) {
        sum += message.getLong(at);
      }
      touched.add(sum);
      for (long at = message.bytes() & -Long.BYTES; tails && at < message.bytes(); at++) {
        tail = message.getByte(at);
      }
    }
  }

  private static long sumWords(MemorySegment message) {
    long sum = 0;
    int last = (int) message.byteSize() - Long.BYTES;
    for (int at = 0; at <= last; at += Long.BYTES) {
      sum += message.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    }
    return sum;
  }

  private static long sumLines(MemorySegment message) {
    long sum = 0;
    int last = (int) message.byteSize() - Long.BYTES;
    for (int at = 0; at <= last; at += Touched.LINE) {
      sum += message.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    }
    return sum;
  }

  private void readTail(MemorySegment message) {
    if (tails) {
      for (long at = message.byteSize() & -Long.BYTES; at < message.byteSize(); at++) {
        tail = message.get(ValueLayout.JAVA_BYTE, at);
      }
    }
  }

  /**
   * Refuses a run in which other messages were read than were written.
   *
   * @throws IllegalStateException when that is so
   */
  void check() {
    touched.check();
  }
}
