package io.adrastea.wait;

import java.util.function.LongSupplier;

/**
 * When a program that asks again and again, or is always at work, instead of waiting, is to check liveness: about every
 * 100 ms. Twin of {@code job/adr_pace.h}.
 */
final class Pace {
  private static final long NANOS = 100_000_000L;
  private static final int VAIN_CALLS_PER_CLOCK = 64;
  private static final int CALLS_PER_CLOCK = 256;

  private final LongSupplier clock;
  private final Stride vain; // calls that found nothing
  private final Stride all;
  private long next;

  Pace() {
    this(System::nanoTime);
  }

  /** By another clock, in nanoseconds. */
  Pace(LongSupplier clock) {
    long now = clock.getAsLong();
    this.clock = clock;
    this.vain = new Stride(VAIN_CALLS_PER_CLOCK, now);
    this.all = new Stride(CALLS_PER_CLOCK, now);
    this.next = now + NANOS;
  }

  /** Whether it is time; to be asked when a call has found nothing. */
  boolean isDue() {
    return vain.ends() && isTime(vain);
  }

  /** Whether it is time; to be asked in each call. */
  boolean isDueAtWork() {
    return all.ends() && isTimeAtWork();
  }

  /** Whether it is time; for a caller that counts the calls by itself, after {@link #callsAtWork} of them. */
  boolean isTimeAtWork() {
    return isTime(all);
  }

  /** Calls until the clock is to be read again, to be asked once it was. */
  int callsAtWork() {
    return all.calls;
  }

  private boolean isTime(Stride stride) {
    long now = clock.getAsLong();
    stride.begin(now);
    if (now - next < 0) {
      return false;
    }
    next = now + NANOS;
    return true;
  }

  /**
   * Calls from one reading of the clock to the next: twice as many each time, up to a limit, since a call may be one of
   * many millions a second; and one again once they have taken too long, since a program may as well compute for long
   * between two calls.
   */
  private static final class Stride {
    private final int most; // a power of two
    private int left = 1;
    private int calls = 1;
    private long begin;

    Stride(int most, long now) {
      this.most = most;
      this.begin = now;
    }

    /** Counts a call. Whether it is the last of the stride: then the clock is to be read. */
    boolean ends() {
      return --left == 0;
    }

    void begin(long now) {
      long taken = now - begin;
      if (taken > NANOS) {
        calls = 1;
      } else if (taken < NANOS / 4 && calls < most) {
        calls *= 2;
      }
      left = calls;
      begin = now;
    }
  }
}
