package io.adrastea.engine;

import static io.adrastea.layout.CellDescriptor.KIND_ABORT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.CellDescriptor.KIND_NEXT;

import io.adrastea.core.CopyInterrupt;
import io.adrastea.core.Core;
import java.lang.foreign.MemorySegment;

/**
 * Sends one operation as far as there is room: piece by piece, or its RTS if it is large, or as room for a message that
 * its caller fills in. The order of operations is the caller's.
 */
final class PieceSender {
  private final Core core;
  private final MemorySegment segment;
  private final int cellPayload;
  private final Claims claims;
  private final Bursts bursts;
  private final Rendezvous rendezvous;
  private final Liveness liveness;

  /**
   * That of one rank.
   *
   * @param segment all of the segment's memory
   * @param cellPayload most bytes of a piece
   */
  PieceSender(
      Core core,
      MemorySegment segment,
      int cellPayload,
      Claims claims,
      Bursts bursts,
      Rendezvous rendezvous,
      Liveness liveness) {
    this.core = core;
    this.segment = segment;
    this.cellPayload = cellPayload;
    this.claims = claims;
    this.bursts = bursts;
    this.rendezvous = rendezvous;
    this.liveness = liveness;
  }

  /** Sends until all is sent, or the operation has failed (true), or there is no room. */
  boolean send(Send operation) {
    if (operation.isInPlace()) {
      return claim(operation);
    }
    if (!operation.isBegun() && isLarge(operation)) {
      return offer(operation);
    }
    boolean interrupted = false;
    try {
      while (!operation.isAbandoned() && (!operation.isBegun() || operation.cursor().left() > 0)) {
        interrupted = CopyInterrupt.isPending();
        int taken = sendPiece(operation, operation.isBegun() ? KIND_NEXT : KIND_FIRST);
        if (taken == Core.GONE) {
          return gone(operation);
        }
        if (CoreStatus.checkedOrAgain(taken) < 0) {
          return false;
        }
        operation.begin();
        bursts.sent(operation.peer());
      }
    } catch (IllegalStateException | WrongThreadException e) {
      CopyInterrupt.forget(interrupted, e);
      operation.loseBuffer(e);
    }
    rendezvous.sent(operation.peer(), operation.cursor().length());
    return operation.isAbandoned() ? callOff(operation) : completed(operation);
  }

  private int sendPiece(Send operation, int kind) {
    return operation.cursor().isContiguous() ? sendFromBuffer(operation, kind) : sendFromVector(operation, kind);
  }

  private int sendFromBuffer(Send operation, int kind) {
    int taken = core.trySend(
        operation.peer(),
        kind,
        operation.match(),
        operation.cursor().length(),
        operation.cursor().memory(),
        operation.cursor().next(),
        operation.cursor().left());
    operation.cursor().advance(Math.max(0, taken));
    return taken;
  }

  /** An I/O vector is packed straight into the piece's place: a core in C takes contiguous memory only. */
  private int sendFromVector(Send operation, int kind) {
    int bytes = (int) Math.min(cellPayload, operation.cursor().left());
    long room = core.claim(operation.peer(), kind, operation.match(), operation.cursor().length(), bytes);
    if (room < 0) {
      return (int) room;
    }
    try {
      operation.cursor().pack(segment, room, bytes);
    } catch (RuntimeException e) { // an arena was closed: nothing of this piece is sent
      CoreStatus.checkedOrAgain(core.abort(operation.peer()));
      throw e;
    }
    CoreStatus.checkedOrAgain(core.commit(operation.peer()));
    return bytes;
  }

  private boolean isLarge(Send operation) {
    return operation.cursor().length() > 0
        && rendezvous.applies(operation.peer(), operation.cursor().memory(), operation.cursor().offset(),
            operation.cursor().length());
  }

  /** Sends the RTS of a large message; true: it need not wait here any more. */
  private boolean offer(Send operation) {
    int status = rendezvous.start(operation);
    if (status == Core.GONE) {
      return gone(operation);
    }
    if (CoreStatus.checkedOrAgain(status) < 0) {
      return false;
    }
    operation.begin();
    bursts.sent(operation.peer());
    rendezvous.sent(operation.peer(), operation.cursor().length());
    return true;
  }

  /**
   * Takes room for a message that the caller fills in; true: the operation is complete and the claim open, unless it
   * failed.
   */
  boolean claim(Send operation) {
    long room = core.claim(operation.peer(), KIND_FIRST, operation.match(), operation.cursor().length(),
        operation.cursor().length());
    if (room == Core.GONE) {
      return gone(operation);
    }
    if (CoreStatus.checkedOrAgain((int) Math.min(room, 0)) < 0) {
      return false;
    }
    operation.lies(segment, room, operation.cursor().length());
    claims.add(operation);
    return completed(operation);
  }

  /** Nothing is sent to that rank any more: the operation fails, whoever moves it on. */
  private boolean gone(Send operation) {
    operation.fail(liveness.failure(operation.peer(), operation));
    return true;
  }

  private static boolean completed(Send operation) {
    operation.complete();
    return true;
  }

  /** Tells the receiver that no more comes, if it has seen the beginning. */
  private boolean callOff(Send operation) {
    if (operation.isBegun()) {
      int taken = core.trySend(operation.peer(), KIND_ABORT, operation.match(), 0, MemorySegment.NULL, 0, 0);
      if (taken != Core.GONE && CoreStatus.checkedOrAgain(taken) < 0) {
        return false;
      }
    }
    return completed(operation);
  }
}
