package io.adrastea.error;

/**
 * The shared-memory segment cannot be used: no room for it, another layout, another owner, or contents that no correct
 * rank writes.
 */
public final class SegmentException extends AdrasteaException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message what was wrong, what is allowed and what to do
   */
  public SegmentException(String message) {
    super(message);
  }

  /**
   * With a message and a cause.
   *
   * @param message what was wrong, what is allowed and what to do
   * @param cause what led to it
   */
  public SegmentException(String message, Throwable cause) {
    super(message, cause);
  }
}
