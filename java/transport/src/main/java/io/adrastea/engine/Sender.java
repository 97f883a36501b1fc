package io.adrastea.engine;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;

import io.adrastea.core.Core;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * The sending side of a rank: at once as far as there are cells, then piece by piece from a queue of pending sends per
 * destination (000 section 3.1), so that a full receiver stops neither this rank's receives nor its sends to others.
 */
final class Sender {
  private final Core core;
  private final Claims claims;
  private final Bursts bursts;
  private final PieceSender pieces;
  private final List<OperationList<Send>> pending;
  private final Rendezvous rendezvous;
  private final Liveness liveness;
  private int pendingCount;

  /**
   * That of one rank.
   *
   * @param segment all of the segment's memory
   * @param cellPayload most bytes of a piece
   */
  Sender(Core core, int ranks, MemorySegment segment, int cellPayload, Bursts bursts, Rendezvous rendezvous,
      Liveness liveness) {
    this.core = core;
    this.claims = new Claims(core, ranks, liveness);
    this.bursts = bursts;
    this.pieces = new PieceSender(core, segment, cellPayload, claims, bursts, rendezvous, liveness);
    this.rendezvous = rendezvous;
    this.liveness = liveness;
    this.pending = Stream.generate(OperationList<Send>::new).limit(ranks).toList();
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
    for (OperationList<Send> queue : pending) {
      queue.describe(words);
    }
  }

  /** Whether a send to {@code destination} may go out without queueing behind another. */
  boolean isClear(int destination) {
    return pendingCount == 0 || pending.get(destination).isEmpty();
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
    CoreStatus.checkedOrAgain(status);
    return false;
  }

  /** Starts a send; what cannot go now is left pending. */
  void start(Send operation) {
    OperationList<Send> queue = pending.get(operation.peer());
    if (!queue.isEmpty() || !pieces.send(operation)) {
      queue.add(operation);
      pendingCount++;
    }
  }

  /** Takes room if that can be done right now, without waiting behind another send. */
  boolean tryClaim(Send operation) {
    return isClear(operation.peer()) && pieces.claim(operation);
  }

  /** Moves pending sends on, and shows what bursts hold back; true: something moved. */
  boolean progress() {
    boolean moved = false;
    if (pendingCount != 0) {
      for (OperationList<Send> queue : pending) {
        moved |= progress(queue);
      }
    }
    bursts.show();
    return moved;
  }

  private boolean progress(OperationList<Send> queue) {
    boolean any = false;
    for (Send operation = queue.first(); canMove(operation); operation = queue.first()) {
      long before = operation.cursor().moved();
      boolean whole = pieces.send(operation);
      any |= whole || operation.cursor().moved() != before;
      if (!whole) {
        return any;
      }
      remove(operation);
    }
    return any;
  }

  private boolean canMove(Send operation) {
    return operation != null && !claims.isOpen(operation.peer());
  }

  private void remove(Send operation) {
    pending.get(operation.peer()).remove(operation);
    pendingCount--;
  }

  /** Takes a send back of which nothing was sent; false: it is too late. */
  boolean withdraw(Send operation) {
    if (operation.isBegun() || operation.isComplete()) {
      return false;
    }
    remove(operation);
    return true;
  }

  /** Gives up a send whose destination is gone. */
  void giveUp(Send operation, RuntimeException cause) {
    if (operation.transfer() != null) {
      rendezvous.giveUp(operation);
    } else {
      remove(operation);
    }
    operation.fail(cause);
  }
}
