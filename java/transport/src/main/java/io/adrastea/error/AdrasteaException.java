package io.adrastea.error;

/** Root of what this library throws beyond the JDK's own argument and state exceptions. */
public class AdrasteaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message what was wrong, what is allowed and what to do
   */
  public AdrasteaException(String message) {
    super(message);
  }

  /**
   * With a message and a cause.
   *
   * @param message what was wrong, what is allowed and what to do
   * @param cause what led to it
   */
  public AdrasteaException(String message, Throwable cause) {
    super(message, cause);
  }
}
