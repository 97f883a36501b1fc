package io.adrastea.bench.measure;

/**
 * What the touching of one side's messages comes to: which words each message holds, and whether those that were read
 * are those that were written. Word {@code at} of message {@code n} is {@code n + at}, so no message holds the words of
 * another one and no store is silent. The loops over memory are those of whoever has the messages; in C all of this
 * stands in {@code adr_touch.h}.
 */
public final class Touched {
  /** The bytes of a cache line. */
  public static final int LINE = 64;

  private static final int WHOLE = 256;
  private static final int BUFFERS = 4;
  private static final long BUFFER_BYTES = 64L << 20;

  private int step = LINE;
  private long words;
  private long offsets;
  private long written;
  private long read;
  private long checked;
  private long sum;
  private int bytes;

  /** The number of buffers in which messages take turns: 4, or as many as 64 MiB have room for. */
  public static int buffers(int bytes) {
    long lines = Math.max(1, (bytes + LINE - 1L) / LINE);
    return Math.clamp(BUFFER_BYTES / (lines * LINE), 1, BUFFERS);
  }

  /** How far touched words lie apart: short messages are touched whole. */
  public static int step(int bytes) {
    return bytes <= WHOLE ? Long.BYTES : LINE;
  }

  /** Messages of so many bytes follow, the first of which has the number 1 on both sides. */
  public void begin(int bytes) {
    this.bytes = bytes;
    step = step(bytes);
    words = 0;
    offsets = 0;
    for (long at = 0; at + Long.BYTES <= bytes; at += step) {
      words++;
      offsets += at;
    }
    written = 0;
    read = 0;
    checked = 0;
    sum = 0;
  }

  /** The number of the message that is written next. */
  public long next() {
    return ++written;
  }

  /** Takes in the sum of the words of a message that was read. */
  public void add(long words) {
    sum += words;
    read++;
  }

  /**
   * Holds what was read since the last call against what was written.
   *
   * @throws IllegalStateException when that is something else
   */
  public void check() {
    long count = read - checked;
    long ends = read + checked + 1;
    long numbers = count % 2 == 0 ? count / 2 * ends : count * (ends / 2);
    if (sum != words * numbers + count * offsets) {
      throw new IllegalStateException(
          "among %d messages of %d bytes, from the %dth on, are some that were not read as they were written"
              .formatted(count, bytes, checked + 1));
    }
    checked = read;
    sum = 0;
  }
}
