package io.adrastea.spread;

/**
 * What a message costs over links of a kind, roughly: the choice of algorithms is made by it. These are figures of a
 * class and not of a machine, so that all members of a communicator have the same ones.
 */
public enum LinkClass {
  /** Shared memory: 0.3 µs, 5 GB/s. */
  MEMORY(300, 100, 200, 1),

  /** A network that is used from user space: 1.5 µs, 12 GB/s, which two members of a node fill. */
  FABRIC(1_500, 300, 160, 2),

  /** Sockets: 6 µs, and 1 GB/s for each of up to four members of a node. */
  SOCKETS(6_000, 2_000, 1_000, 4);

  private static final long PICOS = 1_000; // of a nanosecond

  private final long latencyNanos;
  private final long messageNanos;
  private final long picosPerByte;
  private final int streams; // of members of a node, until these get slower

  LinkClass(long latencyNanos, long messageNanos, long picosPerByte, int streams) {
    this.latencyNanos = latencyNanos;
    this.messageNanos = messageNanos;
    this.picosPerByte = picosPerByte;
    this.streams = streams;
  }

  /** How many of some members of a node that send at once are as fast as one alone. */
  int streams(int members) {
    return Math.min(members, streams);
  }

  /**
   * Picoseconds that a member takes for rounds of messages.
   *
   * @param rounds one behind the other
   * @param messages that the busiest member has in all of them
   * @param bytes of these
   */
  long cost(long rounds, long messages, long bytes) {
    return (rounds * latencyNanos + messages * messageNanos) * PICOS + bytes * picosPerByte;
  }
}
