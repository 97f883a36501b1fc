package io.adrastea.error;

/** Two threads used one rank at the same time without {@code threads(ThreadLevel.MULTIPLE)}. */
public final class ConcurrentUseException extends AdrasteaException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message names both threads and what to do
   */
  public ConcurrentUseException(String message) {
    super(message);
  }
}
