package io.adrastea.transfer;

/**
 * What has failed at one end of a transfer: the whole, bytes that its path could not move, and, in doubt, the process
 * of the peer.
 */
final class Failure {
  int status; // 0, or the first failure: a negative errno value
  RuntimeException cause; // of a failure of this end
  long missingFrom; // bytes that the path could not move
  long missingTo;
  private boolean doubted; // whether the peer's memory is gone alone, or with its process ...
  private long doubtedAt; // ... since then, in nanoseconds

  void clear() {
    status = 0;
    cause = null;
    missingFrom = 0;
    missingTo = 0;
    doubted = false;
  }

  /** Notes the first failure; nothing more is copied. */
  void set(int errno, RuntimeException exception) {
    if (status == 0) {
      status = errno;
      cause = exception;
    }
  }

  /** The path cannot move these bytes, which go through the ring. They lie beside what is missing already. */
  void miss(long from, long to) {
    boolean first = !misses();
    missingFrom = first ? from : Math.min(missingFrom, from);
    missingTo = first ? to : Math.max(missingTo, to);
  }

  boolean misses() {
    return missingFrom < missingTo;
  }

  /** What was missing goes another way. */
  void missNothing() {
    missingTo = missingFrom;
  }

  /** How long it has been in doubt whether the peer's memory is gone alone: from the first time that this is asked. */
  long doubtNanos(long now) {
    doubtedAt = doubted ? doubtedAt : now;
    doubted = true;
    return now - doubtedAt;
  }
}
