package io.adrastea;

import io.adrastea.engine.Received;

/**
 * What was received: source, tag and length of a message. A status that a call returns is reused: it holds until the
 * next call of its communicator, or of its request, that returns one; {@link #copy} keeps it.
 */
public final class Status {
  private int source = Communicator.ANY_SOURCE;
  private int tag = Communicator.ANY_TAG;
  private long bytes;
  private boolean cancelled;

  /** {@link #set} as an object, made once. */
  final Received setter = this::set;

  /** An empty status, for {@link Communicator#iprobe}. */
  public Status() {}

  void set(int source, int tag, long bytes) {
    set(source, tag, bytes, false);
  }

  void set(int source, int tag, long bytes, boolean cancelled) {
    this.source = source;
    this.tag = tag;
    this.bytes = bytes;
    this.cancelled = cancelled;
  }

  /**
   * Rank that sent the message.
   *
   * @return its number; {@link Communicator#ANY_SOURCE} after a send or a cancelled receive
   */
  public int source() {
    return source;
  }

  /**
   * Tag of the message.
   *
   * @return 0 or more; {@link Communicator#ANY_TAG} after a send or a cancelled receive
   */
  public int tag() {
    return tag;
  }

  /**
   * Length of the message.
   *
   * @return bytes, whatever the type of the buffer
   */
  public long bytes() {
    return bytes;
  }

  /**
   * Whether the operation was cancelled before anything of it happened.
   *
   * @return true after a successful {@link Request#cancel}
   */
  public boolean isCancelled() {
    return cancelled;
  }

  /**
   * A status of one's own.
   *
   * @return a copy that no call changes
   */
  public Status copy() {
    Status copy = new Status();
    copy.set(source, tag, bytes, cancelled);
    return copy;
  }

  @Override
  public String toString() {
    return cancelled ? "cancelled" : "%d bytes from rank %d with tag %d".formatted(bytes, source, tag);
  }
}
