package io.adrastea.transfer;

import java.lang.foreign.MemorySegment;

/** One large message on its way, as one of its ends sees it. Pooled. */
public final class Transfer {
  /** The peer does not know it by a number yet. */
  static final int NO_ID = -1;

  /** What a transfer belongs to: an operation, or a message that is not matched yet. */
  public Object owner;

  boolean sending;
  int peer;
  int id; // of this end; in its messages the peer says this number
  int peerId;
  long length; // of the message
  long match; // receiving
  Payload payload; // null: not matched yet
  final Exposure own = new Exposure();
  long ownSegment; // XPMEM segment id of this process that the peer is told; 0: none

  // what the peer told of its end
  final AddressVector remote = new AddressVector();
  int offers; // Exposure flags and paths of the sender
  long segment; // XPMEM segment id; 0: none
  int pid; // 0: it cannot be addressed from here

  // how it goes
  Mechanism mechanism;
  RemoteMemory memory; // what this end copies through; null: it does not
  Path reading; // what the receiver copies through
  Path writing; // what the sender copies through
  long position; // next byte for this end to copy
  long end; // behind the last of them
  long wanted; // bytes that the receiver takes
  MemorySegment split; // null: one end copies all
  long splitOffset;
  int splitTag;
  int ringChunk;
  MemorySegment ring;
  long ringCount; // bytes of this end since the ring's start

  // how far it is
  boolean active; // among those that are moved on
  boolean started; // both ends know all they need
  boolean withdrawn; // sending: the receiver was asked to let go of the offer
  boolean copied; // this end copies no more
  boolean lingered; // for a step after that
  boolean participates; // the sender has copied a part
  boolean told; // the peer knows that this end has copied all
  boolean awaitsPeer; // not over before the peer says that it has copied all
  boolean peerDone;
  long missingFrom; // bytes that the path could not move
  long missingTo;
  int status; // 0, or the first failure: a negative errno value
  boolean doubted; // whether the peer's memory is gone alone, or with its process ...
  long doubtedAt; // ... since then, in nanoseconds
  RuntimeException cause; // of a failure of this end

  Transfer next; // in the pool, or among those waiting for a ring

  /** Rank at the other end. */
  public int peer() {
    return peer;
  }

  /** Bytes of the message. */
  public long length() {
    return length;
  }

  /** Match word of the message, of a receiver's end. */
  public long match() {
    return match;
  }

  /** Number by which the rank at the other end knows it. */
  public int peerId() {
    return peerId;
  }

  /** 0, or what went wrong: a negative errno value. */
  public int status() {
    return status;
  }

  /** The exception at this end that ended it; null: none. */
  public RuntimeException cause() {
    return cause;
  }

  void begin(boolean sending, int peer, long length) {
    this.sending = sending;
    this.peer = peer;
    this.length = length;
    owner = null;
    payload = null;
    own.clear();
    ownSegment = 0;
    remote.clear();
    offers = 0;
    segment = 0;
    mechanism = null;
    memory = null;
    reading = null;
    writing = null;
    position = 0;
    end = 0;
    wanted = length;
    split = null;
    ring = null;
    active = false;
    started = false;
    withdrawn = false;
    copied = false;
    lingered = false;
    participates = false;
    told = false;
    awaitsPeer = false;
    peerDone = false;
    missingFrom = 0;
    missingTo = 0;
    status = 0;
    doubted = false;
    cause = null;
  }

  /** The path cannot move these bytes; another is to. They lie beside what is missing already. */
  void miss(long from, long to) {
    boolean none = missingFrom == missingTo;
    missingFrom = none ? from : Math.min(missingFrom, from);
    missingTo = none ? to : Math.max(missingTo, to);
  }

  boolean misses() {
    return missingFrom < missingTo;
  }

  /** Notes the first failure; nothing more is copied. */
  void fail(int errno, RuntimeException exception) {
    if (status == 0) {
      status = errno;
      cause = exception;
    }
  }
}
