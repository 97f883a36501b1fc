package io.adrastea.transfer;

/**
 * The interface for the transfer of large messages (LMT, 000 section 3.2): what the two ends of a rendezvous do, by
 * path. The messages between them are RTS (sender, with what it offers), CTS (receiver, where the sender is to do
 * something), DONE (an end that has copied all, where the other one waits for it) and COOKIE (another way for the
 * rest). Three paths implement it: {@link GetMechanism} driven by the receiver, {@link PutMechanism} driven by the
 * sender, {@link RingMechanism} by both.
 *
 * <p>
 * Nothing here waits: {@link #progress} is called again and again.
 */
interface Mechanism {
  /** Sender, before the RTS: gets the transfer ready and adds what the receiver needs to the cookie. */
  void preSend(Transfer transfer, Cookie rts);

  /** Receiver, once the message is matched: gets ready, fills the cookie of a CTS; whether that is to be sent now. */
  boolean preRecv(Transfer transfer, Cookie cts);

  /** Sender, when the CTS came. */
  void startSend(Transfer transfer, Cookie cts);

  /** Receiver, when all is known that it needs. */
  void startRecv(Transfer transfer);

  /**
   * Copies some more, at either end; whether anything moved. Sets {@code copied} when there is nothing more for this
   * end.
   */
  boolean progress(Transfer transfer);

  /** Sender, when the receiver has changed its mind: as {@link #startSend}, for the rest. */
  void handleCookie(Transfer transfer, Cookie cookie);

  /** Sender, when it is over, well or not. */
  void postSend(Transfer transfer);

  /** Receiver, when it is over, well or not. */
  void postRecv(Transfer transfer);
}
