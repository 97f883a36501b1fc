package io.adrastea.error;

/**
 * What a call with a time limit waited for did not come in time. A receive that no message has matched is taken back; a
 * request stays as it was, and can be awaited again.
 */
public final class TimeLimitException extends AdrasteaException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message names what was waited for
   */
  public TimeLimitException(String message) {
    super(message);
  }
}
