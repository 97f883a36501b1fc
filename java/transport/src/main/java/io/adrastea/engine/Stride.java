package io.adrastea.engine;

/**
 * Calls from one look at the clock to the next: twice as many each time, up to a limit, since a call may be one of many
 * millions a second; and one again once they have taken too long, since a program may as well compute for long between
 * two calls. Twin of {@code job/adr_pace.h}.
 */
final class Stride {
  private final int most;
  private final long nanos;
  private int left = 1;
  private int calls = 1;
  private long begin;

  /**
   * A first stride.
   *
   * @param most calls, a power of two
   * @param nanos that a stride may take
   */
  Stride(int most, long nanos, long now) {
    this.most = most;
    this.nanos = nanos;
    this.begin = now;
  }

  /** Counts a call. Whether it is the last of the stride: then the clock is to be looked at. */
  boolean ends() {
    return --left == 0;
  }

  /** How many calls it has. */
  int calls() {
    return calls;
  }

  /** Begins the next one. */
  void begin(long now) {
    long taken = now - begin;
    if (taken > nanos) {
      calls = 1;
    } else if (taken < nanos / 4 && calls < most) {
      calls *= 2;
    }
    left = calls;
    begin = now;
  }
}
