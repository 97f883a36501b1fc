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
  private final OperationList[] pending;
  private int pendingCount;

  Sender(Core core, int ranks) {
    this.core = core;
    this.pending = new OperationList[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      pending[rank] = new OperationList();
    }
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
    return checked(taken) >= 0;
  }

  /** Starts a send; what cannot go now is left pending. */
  void start(Operation operation) {
    OperationList queue = pending[operation.peer];
    if (!queue.isEmpty() || !push(operation)) {
      queue.add(operation);
      pendingCount++;
    }
  }

  /** Moves pending sends on; true: something moved. */
  boolean progress() {
    if (pendingCount == 0) {
      return false;
    }
    boolean moved = false;
    for (OperationList queue : pending) {
      moved |= progress(queue);
    }
    return moved;
  }

  private boolean progress(OperationList queue) {
    boolean any = false;
    for (Operation operation = queue.first(); operation != null; operation = queue.first()) {
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

  /** Sends pieces until all is sent (true, complete) or no cell is free. */
  private boolean push(Operation operation) {
    try {
      while (!operation.abandoned && (!operation.begun || operation.moved < operation.length)) {
        int taken =
            checked(
                core.trySend(
                    operation.peer,
                    operation.begun ? KIND_NEXT : KIND_FIRST,
                    operation.match,
                    operation.length,
                    operation.buffer,
                    operation.offset + operation.moved,
                    operation.length - operation.moved));
        if (taken < 0) {
          return false;
        }
        operation.begun = true;
        operation.moved += taken;
      }
    } catch (IllegalStateException | WrongThreadException e) {
      abandon(operation, e);
    }
    return operation.abandoned ? callOff(operation) : completed(operation);
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
      int taken =
          checked(core.trySend(operation.peer, KIND_ABORT, operation.match, 0, MemorySegment.NULL, 0, 0));
      if (taken < 0) {
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
    remove(operation);
    operation.fail(cause);
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
