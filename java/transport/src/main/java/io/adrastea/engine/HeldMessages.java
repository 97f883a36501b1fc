package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.error.AdrasteaException;
import io.adrastea.transfer.Transfer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Messages received in place. One that came in one piece stays where it is, in its cell or fastbox, while others are
 * received behind it; what came in several pieces, was unexpected, or cannot be let go of now, is read from a private
 * copy.
 */
final class HeldMessages {
  private final Core core;
  private final MemorySegment segment;
  private final Chunk.Pool chunks;
  private final Rendezvous rendezvous;
  private final OperationList<Receive> held = new OperationList<>();

  HeldMessages(Core core, MemorySegment segment, Chunk.Pool chunks, Rendezvous rendezvous) {
    this.rendezvous = rendezvous;
    this.core = core;
    this.segment = segment;
    this.chunks = chunks;
  }

  /**
   * Leaves the piece at hand where it is, if it is the whole message of {@code operation}; false: copy it to what has
   * been made for it.
   */
  boolean keep(Receive operation, Inbound piece) {
    if (piece.length() == piece.totalLength() && isLetGo()) {
      operation.lies(segment, piece.payload(), piece.length());
      operation.place(piece.place());
      operation.cursor().moveTo(piece.length());
      return true;
    }
    makeCopy(operation, piece.totalLength());
    return false;
  }

  private boolean isLetGo() {
    return CoreStatus.checkedOrAgain(core.retain()) == 0;
  }

  /**
   * Takes the memory of an unexpected message that is all there and in one chunk; false: copy it to what has been made
   * for it.
   */
  boolean adopt(Receive operation, UnexpectedMessage message) {
    Chunk chunk = message.firstChunk;
    if (chunk != null && chunk.next == null && message.isWhole()) {
      lies(operation, chunk);
      operation.cursor().moveTo(chunk.length);
      return true;
    }
    makeCopy(operation, message.messageLength);
    return false;
  }

  /**
   * Lets {@code operation} read a large message at its sender, or makes memory for a copy of it; whether it is there.
   */
  boolean adopt(Receive operation, Transfer transfer) {
    if (rendezvous.lies(operation, transfer)) {
      return true;
    }
    makeCopy(operation, transfer.length());
    return false;
  }

  /** Takes a private copy over. */
  void adopt(Receive operation, Chunk copy) {
    lies(operation, copy);
    operation.cursor().moveTo(copy.length);
  }

  private void makeCopy(Receive operation, long bytes) {
    try {
      if (bytes <= Chunk.Pool.MOST_BYTES) {
        lies(operation, chunks.take(bytes));
        return;
      }
      abandon(operation, bytes, null);
    } catch (OutOfMemoryError e) {
      abandon(operation, bytes, e);
    }
  }

  private static void abandon(Receive operation, long bytes, Throwable cause) {
    operation.abandon(
        new AdrasteaException(
            "no memory for the private copy of a message of %d bytes from rank %d with tag %d; one so long is received into memory of your own"
                .formatted(bytes, operation.source(), operation.tag()),
            cause));
  }

  private static void lies(Receive operation, Chunk chunk) {
    operation.copy(chunk);
    operation.lies(chunk.memory, 0, chunk.length);
  }

  /** A message was handed to the caller. */
  void add(Receive operation) {
    held.add(operation);
  }

  /** The caller has done with a message. */
  void remove(Receive operation) {
    held.remove(operation);
    giveBack(operation);
  }

  /** Gives back what the message of {@code operation} lies in. */
  void giveBack(Receive operation) {
    if (operation.transfer() != null) {
      rendezvous.release(operation.transfer());
      operation.transfer(null);
    } else if (operation.copy() != null) {
      chunks.give(operation.copy());
      operation.copy(null);
    } else if (operation.cursor().memory() != null && core.releaseRetained(operation.source(), operation.place()) < 0) {
      throw CoreStatus.corrupt("a message received in place cannot be given back");
    }
    operation.cursor().clear();
  }

  /** Gives all back, for those who sent them; adds a description of each to {@code words}. */
  void close(List<String> words) {
    for (Receive operation = held.first(); operation != null; operation = held.first()) {
      words.add(
          "message of %d bytes from rank %d tag %d, not released"
              .formatted(operation.messageLength(), operation.source(), operation.tag()));
      operation.loseView();
      remove(operation);
    }
  }

  /** Takes all from those who hold them, and gives nothing back: the rank fails, and others take what it has. */
  void lose() {
    for (Receive operation = held.first(); operation != null; operation = held.next(operation)) {
      operation.loseView();
    }
  }
}
