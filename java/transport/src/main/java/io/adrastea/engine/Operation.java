package io.adrastea.engine;

import io.adrastea.error.AdrasteaException;
import io.adrastea.transfer.Payload;
import io.adrastea.transfer.Transfer;
import java.lang.foreign.MemorySegment;

/**
 * One send or receive on its way. Pooled; intrusive in the list it waits in. Holds its buffer until it is over.
 *
 * <p>
 * Life: idle → active (posted, or pending, or partly moved) → complete. A persistent operation goes through it again
 * and again.
 */
public final class Operation implements Payload {
  /** Any source, any tag. */
  public static final int ANY = -1;

  enum State {
    IDLE, ACTIVE, COMPLETE
  }

  /** Where the bytes of a message are, or go. */
  enum Form {
    BUFFER, PARTS, IN_PLACE // a receive leaves them where they lie; a send has room claimed for them, to be filled by
                            // the caller
  }

  // what is asked for
  boolean receive;
  Form form = Form.BUFFER;
  int peer;
  long match;
  long mask;
  MemorySegment buffer; // in place: null until the message, or the room, is there
  long offset;
  long length;
  Parts parts;

  // how far it is
  State state = State.IDLE;
  boolean begun; // a piece was sent, or a message was matched
  boolean abandoned; // the buffer failed in the middle: the rest is dropped, or called off
  boolean cancelled;
  long moved;
  int looks; // in passing, that were made when its peer was checked last
  int part; // the one to go on with
  long partMoved;
  long partStart; // in the message, when its bytes are asked for by position
  Transfer transfer; // of a large message, once its RTS is sent or matched; null: there is none
  boolean awaited; // a thread waits for it inside a call
  RuntimeException failure;
  Operation partner; // of a message fetched ahead, the receive that it turned out to be for; and the other way round

  // what was received
  int source;
  int tag;
  long messageLength;
  long place; // in place: where the core has the piece
  Chunk copy; // in place: a private copy, when the core does not have it; null: it does

  Operation previous;
  Operation next;

  /** The caller's own views of a message, and of room for one, in place; kept with it through the pool. */
  public InPlaceView message;

  public InPlaceView claim;

  void describe(boolean receive, int peer, long match, long mask, MemorySegment buffer, long offset, long length) {
    this.receive = receive;
    this.form = Form.BUFFER;
    this.peer = peer;
    this.match = match;
    this.mask = mask;
    this.buffer = buffer;
    this.offset = offset;
    this.length = length;
  }

  void describe(boolean receive, int peer, long match, long mask, Parts parts) {
    describe(receive, peer, match, mask, null, 0, parts.bytes());
    this.form = Form.PARTS;
    this.parts = parts;
  }

  void describeInPlace(boolean receive, int peer, long match, long mask, long length) {
    describe(receive, peer, match, mask, null, 0, length);
    this.form = Form.IN_PLACE;
  }

  void activate() {
    state = State.ACTIVE;
    begun = false;
    abandoned = false;
    cancelled = false;
    moved = 0;
    part = 0;
    partMoved = 0;
    partStart = 0;
    transfer = null;
    partner = null;
    failure = null;
    if (parts != null) {
      parts.use();
    }
  }

  void complete() {
    if (parts != null && state == State.ACTIVE) {
      parts.disuse();
    }
    state = State.COMPLETE;
  }

  void fail(RuntimeException cause) {
    failure = cause;
    complete();
  }

  /**
   * Its buffer is gone: what is left of the message is dropped or called off, and the operation fails when that is
   * done.
   */
  void abandon(RuntimeException cause) {
    abandoned = true;
    failure = new AdrasteaException(
        "the buffer of a %s cannot be used any more: %s".formatted(this, cause.getMessage()), cause);
  }

  void forget() {
    state = State.IDLE;
    buffer = null;
    parts = null;
    copy = null;
    transfer = null;
    partner = null;
    awaited = false;
    failure = null;
  }

  /** The bytes of the message, or of the room for it, begin in {@code memory} at {@code offset}. */
  void lies(MemorySegment memory, long offset, long length) {
    this.buffer = memory;
    this.offset = offset;
    this.length = length;
  }

  /** Copies the next bytes of a message to where they are wanted. */
  void put(MemorySegment from, long at, long bytes) {
    if (parts == null) {
      MemorySegment.copy(from, at, buffer, offset + moved, bytes);
    } else {
      parts.scatter(this, from, at, bytes);
    }
    moved += bytes;
  }

  @Override
  public int entries() {
    return parts == null ? 1 : parts.size();
  }

  @Override
  public void entry(int index, Payload.Entry entry) {
    if (parts == null) {
      entry.set(buffer, offset, length);
    } else {
      entry.set(parts.memory(index), parts.offset(index), parts.length(index));
    }
  }

  @Override
  public void at(long position, Payload.Entry entry) {
    if (parts == null) {
      entry.set(buffer, offset + position, length - position);
    } else {
      parts.at(this, position, entry);
    }
  }

  @Override
  public boolean isAwaited() {
    return awaited;
  }

  /** The memory that the message begins in; parts that are mixed go by their first. */
  MemorySegment firstMemory() {
    return parts == null ? buffer : parts.memory(0);
  }

  long firstOffset() {
    return parts == null ? offset : parts.offset(0);
  }

  /** Whether this receive is for a message of that source and match word. */
  boolean fits(int source, long match) {
    return (peer == ANY || peer == source) && ((this.match ^ match) & mask) == 0;
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

  /** In place: the memory in which the message, or the room for it, lies. */
  public MemorySegment memory() {
    return buffer;
  }

  /** In place: where in that memory it begins. */
  public long offset() {
    return offset;
  }

  /** In place: bytes of that room. */
  public long length() {
    return length;
  }

  public int peer() {
    return peer;
  }

  /** In place: a message that has been received and not been released, in words. */
  String heldMessage() {
    return "message of %d bytes from rank %d tag %d, not released".formatted(messageLength, source, tag);
  }

  @Override
  public String toString() {
    return "%s %s rank %s tag %s, %s"
        .formatted(
            receive ? "receive" : form == Form.IN_PLACE ? "claim" : "send",
            receive ? "from" : "to",
            peer == ANY ? "any" : peer,
            mask == -1L ? (int) match : "any",
            extent());
  }

  private String extent() {
    if (form != Form.IN_PLACE) {
      return "%d of %d bytes".formatted(moved, length);
    }
    if (receive) {
      return "in place";
    }
    return buffer == null ? "%d bytes".formatted(length) : "%d bytes, not committed".formatted(length);
  }
}
