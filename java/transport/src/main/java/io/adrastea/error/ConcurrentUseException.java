package io.adrastea.error;

/**
 * Two threads used one rank at the same time without {@code threads(ThreadLevel.MULTIPLE)}; or one that did not join
 * the job used it, with {@code SINGLE} or {@code FUNNELED}. Nothing was done.
 */
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
