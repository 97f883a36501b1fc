package io.adrastea.transfer;

import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.space.Exposure;

/**
 * One large message on its way, as one of its ends sees it: which ranks the two ends are, what they have told each
 * other, and how the transfer ended. The bytes on their way are a matter of its {@link Mover}. Pooled.
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

  final ChosenWay chosen = new ChosenWay(); // how the bytes go
  final Ends ends = new Ends(); // how far the handshake is
  final Failure failure = new Failure();
  final TransferTimes.State times = new TransferTimes.State();
  final DirectMover.State direct = new DirectMover.State();
  final RingMover.State ring = new RingMover.State();
  final LinkMover.State link = new LinkMover.State();

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
    return failure.status;
  }

  /** The exception at this end that ended it; null: there is none. */
  public RuntimeException cause() {
    return failure.cause;
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
    chosen.begin(length);
    ends.clear();
    failure.clear();
    times.clear();
    direct.clear();
    ring.clear();
    link.clear();
  }
}
