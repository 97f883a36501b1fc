package io.adrastea.transfer;

import io.adrastea.config.Tunable;

/**
 * The longest messages that are sent before their receive is known, in bytes, by what the sender's buffer allows.
 * Measured: below them the copies into cells and out again cost less than the two messages more of a rendezvous
 * (docs/performance.md).
 *
 * @param shared from a shared allocation: one copy by the receiver is soon worth it
 * @param offHeap from other native memory: both ends copy at once, through a fastbox or a few cells, and content that
 * was just written is as far away for a single copy by the receiver; in a stream a rendezvous comes on top
 * @param array from memory that cannot be reached from outside: two copies in any case
 */
public record EagerLimits(long shared, long offHeap, long array) {
  /** The limits that are in force where nothing else is asked for. */
  public static final EagerLimits MEASURED = new EagerLimits(2048, 65536, 65536);

  /** Reads the limits that are set, or else takes the measured ones. */
  static EagerLimits inForce() {
    if (Tunable.EAGER_BYTES.word().equals("auto")) {
      return MEASURED;
    }
    long same = Tunable.EAGER_BYTES.intValue();
    return new EagerLimits(same, same, same);
  }

  /** Tells the limit for a message by where the sender's buffer lies. */
  public long of(WaySelector.Memory from) {
    return switch (from) {
      case SHARED -> shared;
      case NATIVE -> offHeap;
      case ARRAY -> array;
    };
  }

  /** Tells the length up to which no message is sent by rendezvous. */
  public long least() {
    return Math.min(Math.min(shared, offHeap), array);
  }
}
