package io.adrastea;

/** Takes a message where it lies, see {@link Communicator#recv(int, int, MessageHandler)}. */
@FunctionalInterface
public interface MessageHandler {
  /**
   * A message has come. It may be received from, sent to, and received in place again meanwhile.
   *
   * @param message valid until this returns
   */
  void onMessage(Message message);
}
