package io.adrastea.engine.send;

import static io.adrastea.layout.CellDescriptor.KIND_ABORT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.CellDescriptor.KIND_NEXT;

import io.adrastea.link.CopyInterrupt;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.OperationList;
import io.adrastea.engine.operation.Pieces;
import io.adrastea.engine.operation.Send;
import io.adrastea.engine.step.RankSet;
import io.adrastea.engine.step.Steppers;
import io.adrastea.link.Link;
import io.adrastea.peers.Peers;
import io.adrastea.payload.Payload;
import io.adrastea.wait.Movement;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * The sending side of a rank. A message goes out at once as far as there is room: piece by piece, or its RTS if it is
 * large, or as room for a message that the caller fills in. What is left waits in a queue of pending sends per
 * destination [MPICH2 2007, 3.1], so that a full receiver stops neither this rank's receives nor its sends to others.
 */
public final class Sender {
  private final Peers peers;
  private final Pieces pieces;
  private final Rendezvous rendezvous;
  private final Liveness liveness;
  private final Bursts bursts;
  private final Steppers steppers;
  private final Movement movement;
  private final Signatures signatures; // null: the job does not check types
  private final Claims claims;
  private final List<OperationList<Send>> pending; // per destination
  private final RankSet waiting; // destinations for which something is pending
  private int pendingCount;

  public Sender(Resources resources, Bursts bursts, Rendezvous rendezvous, Steppers steppers) {
    this.peers = resources.peers();
    this.pieces = new Pieces(peers);
    this.rendezvous = rendezvous;
    this.liveness = resources.liveness();
    this.bursts = bursts;
    this.steppers = steppers;
    this.movement = resources.movement();
    this.signatures = resources.checksTypes() ? new Signatures(peers) : null;
    this.claims = new Claims(peers, liveness);
    this.waiting = new RankSet(peers.size());
    this.pending = Stream.generate(OperationList<Send>::new).limit(peers.size()).toList();
  }

  public Claims claims() {
    return claims;
  }

  public Bursts bursts() {
    return bursts;
  }

  public void describeOutstanding(List<String> words) {
    for (OperationList<Send> queue : pending) {
      queue.describe(words);
    }
  }

  /** Whether a send to {@code destination} may go out without queueing behind another. */
  public boolean isClear(int destination) {
    return pendingCount == 0 || pending.get(destination).isEmpty();
  }

  /** Sends a whole message in one piece, if that can be done right now. */
  public boolean trySend(int destination, long match, MemorySegment buffer, long offset, long length) {
    int taken = peers.link(destination).trySend(destination, KIND_FIRST, match, length, buffer, offset, length);
    if (taken != length) {
      return refused(taken, destination, length);
    }
    bursts.sent(destination);
    return true;
  }

  /**
   * Sends a payload that is not contiguous in one piece, if that can be done right now: not when it is large, has
   * several pieces, or cannot be read.
   */
  public boolean trySend(int destination, long match, Payload payload) {
    long length = payload.bytes();
    if (length > mostAtOnce(destination) || rendezvous.applies(destination, payload)) {
      return false;
    }
    int taken = pieces.send(destination, match, payload);
    if (taken != length) {
      return refused(taken, destination, length);
    }
    bursts.sent(destination);
    return true;
  }

  /** Bytes of a payload that needs no operation; -1: each needs one, to tell its type. */
  private int mostAtOnce(int destination) {
    return signatures == null ? peers.pieceBytes(destination) : -1;
  }

  /** False: no room now. */
  private boolean refused(int status, int destination, long length) {
    if (status >= 0) {
      throw new IllegalStateException("a message of %d bytes does not fit one cell".formatted(length));
    }
    if (status == Link.BUSY) {
      claims.requireNone(destination);
    }
    if (status != Link.GONE) { // else the operation that comes next finds that out, and fails in its words
      CoreStatus.checkedOrAgain(status);
    }
    return false;
  }

  /** Starts a send; what cannot go now is left pending. */
  public void start(Send send) {
    OperationList<Send> queue = pending.get(send.peer());
    if (!queue.isEmpty() || !advance(send)) {
      queue.add(send);
      waiting.add(send.peer());
      pendingCount++;
      steppers.holdMessages();
    }
  }

  /** Takes room if that can be done right now, without waiting behind another send. */
  public boolean tryClaim(Send claim) {
    return isClear(claim.peer()) && claim(claim);
  }

  /** Moves pending sends on, and shows what bursts hold back; true: something moved. */
  public boolean progress() {
    boolean moved = pendingCount != 0 && progressPending();
    bursts.show();
    if (pendingCount == 0) {
      steppers.sentMessages();
    }
    return moved;
  }

  private boolean progressPending() {
    boolean moved = false;
    for (int place = waiting.count() - 1; place >= 0; place--) {
      moved |= progress(pending.get(waiting.at(place)));
    }
    return moved;
  }

  private boolean progress(OperationList<Send> queue) {
    boolean any = false;
    for (Send send = queue.first(); send != null && !claims.isOpen(send.peer()); send = queue.first()) {
      long before = send.cursor().position();
      boolean over = advance(send);
      any |= over || send.cursor().position() != before;
      if (!over) {
        return any;
      }
      remove(send);
    }
    return any;
  }

  private void remove(Send send) {
    OperationList<Send> queue = pending.get(send.peer());
    queue.remove(send);
    pendingCount--;
    if (queue.isEmpty()) {
      waiting.remove(send.peer());
    }
  }

  /** Takes a send back of which nothing was sent; false: it is too late. */
  public boolean withdraw(Send send) {
    if (send.isBegun() || send.isComplete()) {
      return false;
    }
    remove(send);
    return true;
  }

  /** Gives up a send whose destination is gone. */
  public void giveUp(Send send, RuntimeException cause) {
    if (send.transfer() != null) {
      rendezvous.giveUp(send);
    } else {
      remove(send);
    }
    send.fail(cause);
  }

  // One send, as far as there is room

  /** Sends until the send need not wait here any more (true), or there is no room. */
  private boolean advance(Send send) {
    if (send.isInPlace()) {
      return claim(send);
    }
    if (send.isUnsent() && !send.isAbandoned()) {
      if (signatures != null && !send.isAnnounced() && signatures.applies(send)) {
        return announce(send) && advance(send);
      }
      if (isLarge(send)) {
        return offer(send);
      }
    }
    boolean interrupted = false;
    try {
      while (!send.isAbandoned() && (send.isUnsent() || send.cursor().left() > 0)) {
        interrupted = CopyInterrupt.isPending();
        boolean begins = send.isUnsent();
        int taken = pieces.send(send, begins ? KIND_FIRST : KIND_NEXT);
        if (taken == Link.GONE) {
          return gone(send);
        }
        if (CoreStatus.checkedOrAgain(taken) < 0) {
          return false;
        }
        send.sent();
        bursts.sent(send.peer());
        if (!begins) {
          movement.message(send.peer());
        }
      }
    } catch (IllegalStateException | WrongThreadException e) {
      CopyInterrupt.forget(interrupted, e);
      send.loseBuffer(e);
    }
    return send.isAbandoned() ? callOff(send) : completed(send);
  }

  private boolean isLarge(Send send) {
    return send.isSynchronous() || rendezvous.applies(send.peer(), send.payload());
  }

  /**
   * Tells the receiver the signature of the message that goes there next; false: there is no room. A destination that
   * is gone is found by the message.
   */
  private boolean announce(Send send) {
    int status = signatures.tell(send);
    if (status != Link.GONE && CoreStatus.checkedOrAgain(status) < 0) {
      return false;
    }
    send.announce();
    bursts.sent(send.peer());
    return true;
  }

  /** Sends the RTS of a large message; false: there is no room. */
  private boolean offer(Send send) {
    int status = rendezvous.start(send);
    if (status == Link.GONE) {
      return gone(send);
    }
    if (CoreStatus.checkedOrAgain(status) < 0) {
      return false;
    }
    send.sent();
    bursts.sent(send.peer());
    return true;
  }

  /**
   * Takes room for a message that the caller fills in; true: the operation is complete and the claim open, unless it
   * failed.
   */
  private boolean claim(Send claim) {
    long length = claim.cursor().length();
    Link link = peers.link(claim.peer());
    long room = link.claim(claim.peer(), KIND_FIRST, claim.match(), length, length);
    if (room == Link.GONE) {
      return gone(claim);
    }
    if (CoreStatus.checkedOrAgain((int) Math.min(room, 0)) < 0) {
      return false;
    }
    claim.lies(link.room(claim.peer()), room, length);
    claims.add(claim);
    return completed(claim);
  }

  /** Nothing is sent to that rank any more: the operation fails, whoever moves it on. */
  private boolean gone(Send send) {
    send.fail(liveness.failure(send.members(), send.peer(), send));
    return true;
  }

  private static boolean completed(Send send) {
    send.complete();
    return true;
  }

  /** Tells the receiver that no more comes, if it has seen the beginning. */
  private boolean callOff(Send send) {
    if (send.isBegun()) {
      int taken = send.isAnnounced()
          ? signatures.takeBack(send)
          : peers.link(send.peer()).trySend(send.peer(), KIND_ABORT, send.match(), 0, MemorySegment.NULL, 0, 0);
      if (taken != Link.GONE && CoreStatus.checkedOrAgain(taken) < 0) {
        return false;
      }
    }
    return completed(send);
  }
}
