package io.adrastea.bench.measure;

/** A bench that cannot go on; the message is what its user reads. */
public class BenchException extends Exception {
  private static final long serialVersionUID = 1L;

  public BenchException(String message) {
    super(message);
  }

  public BenchException(String message, Throwable cause) {
    super(message, cause);
  }
}
