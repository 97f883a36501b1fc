package io.adrastea.cli.bench;

/** A bench that cannot go on; the message is what its user reads. */
final class BenchException extends Exception {
  private static final long serialVersionUID = 1L;

  BenchException(String message) {
    super(message);
  }

  BenchException(String message, Throwable cause) {
    super(message, cause);
  }
}
