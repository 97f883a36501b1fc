package io.adrastea.error;

/**
 * The thread was interrupted while it waited; its interrupt is still set ({@link Thread#isInterrupted}). A call that
 * need not wait does not look for an interrupt. What becomes of the operation is said at
 * {@link io.adrastea.Communicator}: a receive that no message has matched is taken back, say; a request stays as it
 * was.
 */
public final class InterruptedWaitException extends AdrasteaException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message names the thread and what it waited for
   */
  public InterruptedWaitException(String message) {
    super(message);
  }
}
