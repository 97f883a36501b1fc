package io.adrastea.error;

/**
 * A rank has revoked the communicator: nothing more is done on it but to agree, and to make one of those that are left
 * [ULFM].
 */
public final class RevokedException extends AdrasteaException {
  private static final long serialVersionUID = 1L;

  /**
   * Names the call.
   *
   * @param message which call cannot be completed
   */
  public RevokedException(String message) {
    super(message);
  }
}
