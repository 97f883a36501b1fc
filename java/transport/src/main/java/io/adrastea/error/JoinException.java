package io.adrastea.error;

/** A job could not be joined: settings missing or contradictory, ranks missing, no core, no JVM support. */
public final class JoinException extends AdrasteaException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message what was wrong, what is allowed and what to do
   */
  public JoinException(String message) {
    super(message);
  }

  /**
   * With a message and a cause.
   *
   * @param message what was wrong, what is allowed and what to do
   * @param cause what led to it
   */
  public JoinException(String message, Throwable cause) {
    super(message, cause);
  }
}
