package io.adrastea;

import io.adrastea.engine.Receive;

/**
 * The status that was made last: it is returned again where it is equal, so that a steady stream of messages makes no
 * garbage.
 */
final class LatestStatus implements Receive.Result {
  private int source;
  private int tag;
  private long bytes;
  private Status latest;

  LatestStatus(Status latest) {
    this.latest = latest;
  }

  /** Noted only: of one message it may be told twice, and the last time counts. By one thread at a time. */
  @Override
  public void set(int source, int tag, long bytes) {
    this.source = source;
    this.tag = tag;
    this.bytes = bytes;
  }

  /** What was noted last. */
  Status status() {
    return of(source, tag, bytes);
  }

  /** Any thread may call: another one's status, read in a race, is a whole one, since a record's fields are final. */
  Status of(int source, int tag, long bytes) {
    Status status = latest;
    if (!status.isOf(source, tag, bytes)) {
      status = new Status(source, tag, bytes, false);
      latest = status;
    }
    return status;
  }

  /** The one to note in where several threads may be in a call: one per call, that begins with the same status. */
  LatestStatus forThisCall() {
    return new LatestStatus(latest);
  }

  /** Keeps the status of a call that had one of its own. */
  void keep(Status status) {
    latest = status;
  }
}
