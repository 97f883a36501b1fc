package io.adrastea.transfer;

/** The memory of one end of a large message: one stretch or several, in the order of the message. */
public interface Payload {
  /** How many stretches. */
  int entries();

  /** One of them, from its first byte. */
  void entry(int index, VectorEntry entry);

  /** What is left of the stretch that holds the byte at {@code position} of the message, from that byte on. */
  void at(long position, VectorEntry entry);

  /**
   * Whether a thread of this rank waits inside the library until the transfer is over, so that none of its own arenas
   * is closed meanwhile.
   */
  boolean isAwaited();
}
