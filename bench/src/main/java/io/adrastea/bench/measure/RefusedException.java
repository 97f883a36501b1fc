package io.adrastea.bench.measure;

/** A rank cannot join with the settings it was given, such as a way of large messages that its core does not have. */
public final class RefusedException extends BenchException {
  private static final long serialVersionUID = 1L;

  /**
   * @param reason what the rank refuses, without its name
   */
  RefusedException(String reason) {
    super(reason);
  }
}
