package io.adrastea.bench.measure;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What a program does with a message before it is sent and after it is received, reduced to what moves cache lines: one
 * word of each line is written, or read. The C peers do the same.
 */
final class Touch {
  private static final int LINE = 64;

  private final boolean asked;
  private boolean on;
  private long number;
  private long sum; // what was read must go somewhere

  Touch(boolean asked) {
    this.asked = asked;
    this.on = asked;
  }

  /** Leaves contents alone until {@link #resume}. */
  void pause() {
    on = false;
  }

  void resume() {
    on = asked;
  }

  /** Writes another content each time, so that no store is silent; nothing unless it is asked for. */
  void write(MemorySegment message) {
    if (!on) {
      return;
    }
    long last = message.byteSize() - Long.BYTES;
    number++;
    for (long at = 0; at <= last; at += LINE) {
      message.set(ValueLayout.JAVA_LONG_UNALIGNED, at, number);
    }
    if (last < 0 && message.byteSize() > 0) {
      message.set(ValueLayout.JAVA_BYTE, 0, (byte) number);
    }
  }

  /** Reads what {@link #write} wrote, if it is asked for; the sum of all that was read so far. */
  long read(MemorySegment message) {
    if (!on) {
      return sum;
    }
    long last = message.byteSize() - Long.BYTES;
    long read = sum;
    for (long at = 0; at <= last; at += LINE) {
      read += message.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    }
    if (last < 0 && message.byteSize() > 0) {
      read += message.get(ValueLayout.JAVA_BYTE, 0);
    }
    return sum = read;
  }
}
