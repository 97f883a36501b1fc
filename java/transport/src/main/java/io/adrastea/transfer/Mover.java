package io.adrastea.transfer;

/**
 * How the bytes of large messages are moved once they are matched: the interface for the transfer of large messages
 * (LMT) of [MPICH2 2007, 3.2]. {@link DirectMover} implements its get, which the receiver drives, and its put, which
 * the sender drives; {@link RingMover} is driven by both; {@link SelfMover} copies what a rank sends to itself. A mover
 * holds the state of the bytes on their way; {@link Handshake} holds what the ends tell each other.
 *
 * <p>
 * Nothing here waits: {@link #progress} is called again and again.
 */
interface Mover {
  /**
   * Receiver, once the message is matched: gets ready for these bytes of it, and fills the cookie of a CTS; returns
   * whether that is to be sent.
   */
  boolean preRecv(Transfer transfer, long from, long to, Cookie cts);

  /** Sender, when a CTS came, or a COOKIE for the rest of the message. */
  void startSend(Transfer transfer, Cookie cts);

  /**
   * Copies some more, at either end; returns whether anything moved. Says so when there is nothing more for this end
   * ({@link Ends#copied}).
   */
  boolean progress(Transfer transfer);

  /** Either end, when it is over, well or not, or goes on by another mover. */
  void end(Transfer transfer);
}
