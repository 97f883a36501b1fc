package io.adrastea.engine;

import io.adrastea.error.AdrasteaException;
import io.adrastea.error.SegmentException;

/** Whether the engine of one rank is open, and what its calls throw when it is not. */
final class Openness {
  private final int rank;
  private volatile boolean closed; // by another thread, perhaps, while one waits
  private boolean ended; // the core is closed, or about to be: nobody is to call it; guarded
  private Throwable helperFailure; // what ended the helper, written before `closed`; null: nothing did

  Openness(int rank) {
    this.rank = rank;
  }

  /** Nothing moves any more; waits end with an exception. */
  void close() {
    helperFailure = null;
    closed = true;
  }

  /** The same after a failure of the helper: it is every call's, until the job is closed. */
  void fail(Throwable cause) {
    helperFailure = cause;
    closed = true;
  }

  /** The core goes, or is that of the thread alone that ends it. To be called inside, after close. */
  void end() {
    ended = true;
  }

  boolean isOpen() {
    return !closed;
  }

  /** Whether the core is gone. To be called inside. */
  boolean isEnded() {
    return ended;
  }

  void requireOpen() {
    if (closed) {
      throw ended(helperFailure);
    }
  }

  /** Whether it can be closed: not a second time. */
  void requireNotClosed() {
    if (helperFailure == null) {
      requireOpen();
    }
  }

  private RuntimeException ended(Throwable failure) {
    if (failure == null) {
      return new IllegalStateException("rank %d has closed its job".formatted(rank));
    }
    String what = "the progress thread of rank %d failed: %s".formatted(rank, failure.getMessage());
    return failure instanceof SegmentException ? new SegmentException(what, failure)
        : new AdrasteaException(what, failure);
  }
}
