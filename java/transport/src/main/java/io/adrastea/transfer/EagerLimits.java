package io.adrastea.transfer;

import io.adrastea.config.Tunable;

/**
 * The longest messages that are sent before their receive is known, in bytes, by what the sender's buffer allows.
 * Measured: below them the copies into cells and out again cost less than the two messages more of a rendezvous
 * (docs/performance.md).
 *
 * @param shared from a shared allocation: one copy by the receiver is soon worth it
 * @param answer from native memory, to a rank that has sent something since the last such message: it is likely to wait
 * @param stream from native memory to one that has not: sender and receiver of a stream copy at the same time
 * @param array from memory that cannot be reached from outside: two copies in any case
 */
public record EagerLimits(long shared, long answer, long stream, long array) {
  /** The limits that are in force where nothing else is asked for. */
  public static final EagerLimits MEASURED = new EagerLimits(2048, 5120, 16384, 65536);

  /** Reads the limits that are set, or else takes the measured ones. */
  static EagerLimits inForce() {
    if (Tunable.EAGER_BYTES.word().equals("auto")) {
      return MEASURED;
    }
    long same = Tunable.EAGER_BYTES.intValue();
    return new EagerLimits(same, same, same, same);
  }

  /**
   * Tells the limit for a message.
   *
   * @param from where the sender's buffer lies
   * @param reaches whether memory may be reached from outside at all: {@link TransferSettings#reaches}
   * @param heard whether its receiver has sent something since the last such message
   */
  public long of(PathSelector.Memory from, boolean reaches, boolean heard) {
    return switch (reaches ? from : PathSelector.Memory.ARRAY) {
      case SHARED -> shared;
      case NATIVE -> heard ? answer : stream;
      case ARRAY -> array;
    };
  }

  /** Tells the length up to which no message is sent by rendezvous. */
  public long least() {
    return Math.min(Math.min(shared, answer), Math.min(stream, array));
  }
}
