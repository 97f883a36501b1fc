package io.adrastea.engine;

import java.lang.foreign.MemorySegment;

/**
 * One send or receive on its way. Pooled; intrusive in the list it waits in. Holds its buffer until it is over.
 *
 * <p>Life: idle → active (posted, or pending, or partly moved) → complete. A persistent operation goes through it again
 * and again.
 */
public final class Operation {
  /** Any source, any tag. */
  public static final int ANY = -1;

  enum State {
    IDLE,
    ACTIVE,
    COMPLETE
  }

  // what is asked for
  boolean receive;
  int peer;
  long match;
  long mask;
  MemorySegment buffer;
  long offset;
  long length;

  // how far it is
  State state = State.IDLE;
  boolean begun; // a piece was sent, or a message was matched
  boolean abandoned; // the buffer failed in the middle: the rest is dropped, or called off
  boolean cancelled;
  long moved;
  RuntimeException failure;

  // what was received
  int source;
  int tag;
  long messageLength;

  Operation previous;
  Operation next;

  /** The caller's own object for this operation, kept with it through the pool. */
  public Object handle;

  void describe(boolean receive, int peer, long match, long mask, MemorySegment buffer, long offset, long length) {
    this.receive = receive;
    this.peer = peer;
    this.match = match;
    this.mask = mask;
    this.buffer = buffer;
    this.offset = offset;
    this.length = length;
  }

  void activate() {
    state = State.ACTIVE;
    begun = false;
    abandoned = false;
    cancelled = false;
    moved = 0;
    failure = null;
  }

  void complete() {
    state = State.COMPLETE;
  }

  void fail(RuntimeException cause) {
    failure = cause;
    complete();
  }

  void forget() {
    state = State.IDLE;
    buffer = null;
    failure = null;
  }

  void received(int source, long match, long messageLength) {
    this.source = source;
    this.tag = (int) match;
    this.messageLength = messageLength;
  }

  public boolean isReceive() {
    return receive;
  }

  public boolean isComplete() {
    return state == State.COMPLETE;
  }

  public boolean isActive() {
    return state == State.ACTIVE;
  }

  public boolean isCancelled() {
    return cancelled;
  }

  /** Rank that sent what was received. */
  public int source() {
    return source;
  }

  public int tag() {
    return tag;
  }

  /** Bytes of the message that was received. */
  public long messageLength() {
    return messageLength;
  }

  @Override
  public String toString() {
    return "%s %s rank %s tag %s, %d of %d bytes"
        .formatted(
            receive ? "receive" : "send",
            receive ? "from" : "to",
            peer == ANY ? "any" : peer,
            mask == -1L ? (int) match : "any",
            moved,
            length);
  }
}
