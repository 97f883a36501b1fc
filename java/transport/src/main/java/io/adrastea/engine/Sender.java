package io.adrastea.engine;

import static io.adrastea.layout.CellDescriptor.KIND_ABORT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.CellDescriptor.KIND_NEXT;

import io.adrastea.core.Core;
import io.adrastea.error.AdrasteaException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sends: at once as far as there are cells, then piece by piece from a queue of pending sends per destination (000
 * section 3.1), so that a full receiver stops neither this rank's receives nor its sends to others.
 */
final class Sender {
  private final Core core;
  private final MemorySegment segment;
  private final int cellPayload;
  private final Claims claims;
  private final Bursts bursts;
  private final OperationList[] pending;
  private final Rendezvous rendezvous;
  private final Liveness liveness;
  private int pendingCount;

  /**
   * The sending side of a rank.
   *
   * @param segment all of the segment's memory
   * @param cellPayload most bytes of a piece
   */
  Sender(Core core, int ranks, MemorySegment segment, int cellPayload, Bursts bursts, Rendezvous rendezvous, Liveness liveness) {
    this.core = core;
    this.segment = segment;
    this.cellPayload = cellPayload;
    this.claims = new Claims(core, ranks, liveness);
    this.bursts = bursts;
    this.rendezvous = rendezvous;
    this.liveness = liveness;
    this.pending = new OperationList[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      pending[rank] = new OperationList();
    }
  }

  /** Room that is being filled by the caller. */
  Claims claims() {
    return claims;
  }

  Bursts bursts() {
    return bursts;
  }

  /** Adds a description of each pending send to {@code words}. */
  void describeOutstanding(List<String> words) {
    for (OperationList queue : pending) {
      queue.describe(words);
    }
  }

  /** Whether a send to {@code destination} may go out without queueing behind another. */
  boolean isClear(int destination) {
    return pendingCount == 0 || pending[destination].isEmpty();
  }

  /** A whole message in one piece, if that can be done right now. */
  boolean trySend(int destination, long match, MemorySegment buffer, long offset, long length) {
    int taken = core.trySend(destination, KIND_FIRST, match, length, buffer, offset, length);
    if (taken != length && taken >= 0) {
      throw new IllegalStateException("a message of %d bytes does not fit one cell".formatted(length));
    }
    if (taken < 0) {
      return refused(taken, destination);
    }
    rendezvous.sent(destination, length);
    bursts.sent(destination);
    return true;
  }

  /** False: no room now. */
  private boolean refused(int status, int destination) {
    if (status == Core.BUSY) {
      claims.requireNone(destination);
    }
    if (status == Core.GONE) {
      throw liveness.failure(destination, "send");
    }
    checked(status);
    return false;
  }

  /** Starts a send; what cannot go now is left pending. */
  void start(Operation operation) {
    OperationList queue = pending[operation.peer];
    if (!queue.isEmpty() || !push(operation)) {
      queue.add(operation);
      pendingCount++;
    }
  }

  /** Moves pending sends on, and shows what bursts hold back; true: something moved. */
  boolean progress() {
    boolean moved = false;
    if (pendingCount != 0) {
      for (OperationList queue : pending) {
        moved |= progress(queue);
      }
    }
    bursts.show();
    return moved;
  }

  private boolean progress(OperationList queue) {
    boolean any = false;
    for (Operation operation = queue.first(); canMove(operation); operation = queue.first()) {
      long before = operation.moved;
      boolean whole = push(operation);
      any |= whole || operation.moved != before;
      if (!whole) {
        return any;
      }
      queue.remove(operation);
      pendingCount--;
    }
    return any;
  }

  private boolean canMove(Operation operation) {
    return operation != null && !claims.isOpen(operation.peer);
  }

  /** Sends pieces until all is sent (true, complete) or there is no room. */
  private boolean push(Operation operation) {
    if (operation.form == Operation.Form.IN_PLACE) {
      return claim(operation);
    }
    if (!operation.begun && isLarge(operation)) {
      return offer(operation);
    }
    try {
      while (!operation.abandoned && (!operation.begun || operation.moved < operation.length)) {
        int kind = operation.begun ? KIND_NEXT : KIND_FIRST;
        int taken = operation.parts == null ? pushBuffer(operation, kind) : pushParts(operation, kind);
        if (taken == Core.GONE) {
          return gone(operation);
        }
        if (checked(taken) < 0) {
          return false;
        }
        operation.begun = true;
        operation.moved += taken;
        bursts.sent(operation.peer);
      }
    } catch (IllegalStateException | WrongThreadException e) {
      abandon(operation, e);
    }
    rendezvous.sent(operation.peer, operation.length);
    return operation.abandoned ? callOff(operation) : completed(operation);
  }

  /** Nothing is sent to that rank any more: the operation fails, whoever moves it on. */
  private boolean gone(Operation operation) {
    operation.fail(liveness.failure(operation.peer, operation));
    return true;
  }

  private boolean isLarge(Operation operation) {
    return operation.length > 0 && rendezvous.applies(operation.peer, operation.firstMemory(), operation.firstOffset(), operation.length);
  }

  /** Sends the RTS of a large message; true: it need not wait here any more. */
  private boolean offer(Operation operation) {
    int status = rendezvous.start(operation);
    if (status == Core.GONE) {
      return gone(operation);
    }
    operation.begun = checked(status) >= 0;
    if (operation.begun) {
      bursts.sent(operation.peer);
      rendezvous.sent(operation.peer, operation.length);
    }
    return operation.begun;
  }

  private int pushBuffer(Operation operation, int kind) {
    return core.trySend(
        operation.peer,
        kind,
        operation.match,
        operation.length,
        operation.buffer,
        operation.offset + operation.moved,
        operation.length - operation.moved);
  }

  /** Parts are copied straight to the piece's place: a core in C takes one stretch of memory at a time. */
  private int pushParts(Operation operation, int kind) {
    int bytes = (int) Math.min(cellPayload, operation.length - operation.moved);
    long room = core.claim(operation.peer, kind, operation.match, operation.length, bytes);
    if (room < 0) {
      return (int) room;
    }
    try {
      operation.parts.gather(operation, segment, room, bytes);
    } catch (RuntimeException e) { // an arena was closed: nothing of this piece is sent
      checked(core.abort(operation.peer));
      throw e;
    }
    checked(core.commit(operation.peer));
    return bytes;
  }

  /** Takes room for a message that the caller fills in; true: the operation is complete and the claim open, unless it failed. */
  private boolean claim(Operation operation) {
    long room = core.claim(operation.peer, KIND_FIRST, operation.match, operation.length, operation.length);
    if (room == Core.GONE) {
      return gone(operation);
    }
    if (checked((int) Math.min(room, 0)) < 0) {
      return false;
    }
    operation.lies(segment, room, operation.length);
    claims.add(operation);
    return completed(operation);
  }

  /** Takes room if that can be done right now, without waiting behind another send. */
  boolean tryClaim(Operation operation) {
    return isClear(operation.peer) && claim(operation);
  }

  private static boolean completed(Operation operation) {
    operation.complete();
    return true;
  }

  private static void abandon(Operation operation, RuntimeException cause) {
    operation.abandoned = true;
    operation.failure =
        new AdrasteaException("the buffer of a %s cannot be used any more: %s".formatted(operation, cause.getMessage()), cause);
  }

  /** Tells the receiver that no more comes, if it has seen the beginning. */
  private boolean callOff(Operation operation) {
    if (operation.begun) {
      int taken = core.trySend(operation.peer, KIND_ABORT, operation.match, 0, MemorySegment.NULL, 0, 0);
      if (taken != Core.GONE && checked(taken) < 0) {
        return false;
      }
    }
    return completed(operation);
  }

  /** Takes a send back of which nothing was sent; false: it is too late. */
  boolean withdraw(Operation operation) {
    if (operation.begun || operation.isComplete()) {
      return false;
    }
    remove(operation);
    return true;
  }

  /** Gives up a send whose destination is gone. */
  void giveUp(Operation operation, RuntimeException cause) {
    if (operation.transfer != null) {
      rendezvous.giveUp(operation);
    } else {
      remove(operation);
    }
    operation.fail(cause);
  }

  /** Gives up a send of which pieces have gone: it stays in its place until its receiver could be told. */
  void callOffLater(Operation operation, RuntimeException cause) {
    operation.abandoned = true;
    operation.failure = cause;
  }

  private void remove(Operation operation) {
    pending[operation.peer].remove(operation);
    pendingCount--;
  }

  private static int checked(int taken) {
    if (taken < 0 && taken != Core.AGAIN) {
      throw Receiver.corrupt("core error " + -taken);
    }
    return taken;
  }
}
