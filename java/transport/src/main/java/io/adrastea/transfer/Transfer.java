package io.adrastea.transfer;

import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.space.Exposure;
import io.adrastea.space.Space;

/**
 * One large message on its way, as one of its ends sees it: which ranks the two ends are, what they have told each
 * other, and how the transfer ended. The bytes on their way are a matter of its {@link Mechanism}. Pooled.
 */
public final class Transfer {
  /** The number of a transfer whose peer does not know it by a number yet. */
  static final int NO_ID = -1;

  /** What a transfer belongs to, such as an operation. Its words tell of it. */
  public interface Owner {
    /** The transfer is over: {@link Transfer#status} tells how. It is spent when this returns. */
    void finished(Transfer transfer);
  }

  Owner owner; // null: it belongs to nothing yet

  // identity
  boolean sending;
  int peer;
  int id; // of this end; in its messages the peer says this number
  int peerId;
  long length; // of the message
  long match; // receiving

  // the two ends
  Payload payload; // of this end; null: not matched yet
  final Cursor cursor = new Cursor(); // where in it this end copies
  final Exposure own = new Exposure(); // what the peer is told of it
  final Exposure remote = new Exposure(); // what the peer has told of its end

  // how the bytes go
  int driver; // Cookie.GET, PUT or RING; 0: not known yet
  Way by; // receiving: the way that was chosen
  Space reading; // what the receiver copies through
  Space writing; // what the sender copies through
  long wanted; // bytes that the receiver takes
  PathCosts costs; // receiving: what is told how long it took; null: it is not timed
  boolean trial; // of that way
  boolean counted; // receiving: among those that are under way
  boolean timed; // the clock runs ...
  long timedFrom; // ... since then, in nanoseconds ...
  long timedWith; // ... when so many bytes of the peer had been received
  final DirectMechanism.State direct = new DirectMechanism.State();
  final RingMechanism.State ring = new RingMechanism.State();
  final SelfMechanism.State self = new SelfMechanism.State();

  // how far the handshake is
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

  Transfer next; // among those that are moved on, or in the pool
  Transfer before; // among those that are moved on

  /** Whether its owner has given it up, so that it goes on to its end for nobody. */
  public boolean isOrphan() {
    return owner == Transfers.ORPHAN;
  }

  public int peer() {
    return peer;
  }

  public long length() {
    return length;
  }

  /** The match word of the message, at its receiver. */
  public long match() {
    return match;
  }

  /** The number by which the rank at the other end knows it. */
  public int peerId() {
    return peerId;
  }

  /** What went wrong: a negative errno value; 0: nothing. */
  public int status() {
    return status;
  }

  /** The exception at this end that ended it; null: there is none. */
  public RuntimeException cause() {
    return cause;
  }

  /** This end's memory is known. */
  void carry(Owner owner, Payload payload) {
    this.owner = owner;
    this.payload = payload;
    cursor.begin(payload.bytes());
  }

  void begin(boolean sending, int peer, long length) {
    owner = null;
    this.sending = sending;
    this.peer = peer;
    this.length = length;
    payload = null;
    own.clear();
    remote.clear();
    driver = 0;
    by = null;
    reading = null;
    writing = null;
    wanted = length;
    costs = null;
    trial = false;
    counted = false;
    timed = false;
    direct.clear();
    ring.clear();
    self.clear();
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

  /** Receiver: this is the way. */
  void take(Way way) {
    by = way;
    driver = way.driver();
    reading = driver == Cookie.GET ? Space.of(way.path().ordinal()) : null;
  }

  /** The path cannot move these bytes, which go through the ring. They lie beside what is missing already. */
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
