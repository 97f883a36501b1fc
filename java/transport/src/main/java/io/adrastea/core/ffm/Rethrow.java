package io.adrastea.core.ffm;

/** What {@code invokeExact} declares to throw, as what it can throw. */
final class Rethrow {
  private Rethrow() {}

  /** Hands on runtime exceptions (a closed arena, a wrong thread) and errors; our calls declare nothing else. */
  static AssertionError unchecked(Throwable thrown) {
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    return new AssertionError(thrown);
  }
}
