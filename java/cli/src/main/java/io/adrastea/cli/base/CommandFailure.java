package io.adrastea.cli.base;

/** A command that cannot go on: a message for its user, and the exit code. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /**
   * A failure that was foreseen, so no stack trace is shown.
   *
   * @param exitCode 1 to 255
   * @param message what was wrong, what is allowed and what to do
   */
  public CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The exit code of the command. */
  public int exitCode() {
    return exitCode;
  }
}
