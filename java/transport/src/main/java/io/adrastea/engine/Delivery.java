package io.adrastea.engine;

import io.adrastea.core.CopyInterrupt;
import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.TruncationException;
import java.lang.foreign.MemorySegment;

/**
 * Brings the bytes of messages to where their receives want them: a buffer, parts, or nowhere when they are read where
 * they lie. When the buffer is gone what still comes is dropped, and the receive fails once its message is over.
 */
final class Delivery {
  private final Core core;
  private final MemorySegment segment;
  private final Chunk.Pool chunks;
  private final HeldMessages held;

  Delivery(Core core, MemorySegment segment, Chunk.Pool chunks, HeldMessages held) {
    this.core = core;
    this.segment = segment;
    this.chunks = chunks;
    this.held = held;
  }

  /** Copies the piece to where its receive wants it, as much as fits. */
  void deliver(Receive operation, Inbound piece) {
    if (lacksMemory(operation) && held.keep(operation, piece)) {
      return;
    }
    if (operation.isAbandoned()) {
      core.release();
      return;
    }
    long fits = Math.min(piece.length(), operation.cursor().left());
    boolean interrupted = CopyInterrupt.isPending();
    try {
      deliver(operation, piece, fits);
    } catch (IllegalStateException | WrongThreadException e) {
      CopyInterrupt.forget(interrupted, e);
      operation.loseBuffer(e);
      core.release();
    }
  }

  private void deliver(Receive operation, Inbound piece, long bytes) {
    Cursor cursor = operation.cursor();
    if (cursor.isContiguous()) {
      take(cursor.memory(), cursor.next(), bytes);
      cursor.advance(bytes);
    } else { // straight from slot or cell to the entries of the I/O vector
      cursor.unpack(segment, piece.payload(), bytes);
      core.release();
    }
  }

  private static boolean lacksMemory(Receive operation) {
    return operation.isWithoutMemory() && !operation.isAbandoned();
  }

  /** Memory for a piece that is to be {@link #store}d. */
  Chunk room(Inbound piece) {
    return chunks.take(piece.length());
  }

  /** Copies the piece of a message that nobody has asked for aside. */
  void store(UnexpectedMessage message, Inbound piece, Chunk room) {
    take(room.memory, 0, piece.length());
    message.add(room);
  }

  private void take(MemorySegment destination, long offset, long length) {
    CoreStatus.checked(length == 0 ? core.release() : core.take(destination, offset, length));
  }

  /**
   * Copies what is there of an unexpected message to where its receive wants it, or leaves it in its chunk for one in
   * place.
   */
  void deliver(Receive operation, UnexpectedMessage message) {
    if (!lacksMemory(operation) || !held.adopt(operation, message)) {
      copyOut(message, operation);
    }
  }

  /** Hands a private copy that was made ahead to its receive: as it is to one in place, copied to any other. */
  void deliver(Receive operation, Receive fetch) {
    if (lacksMemory(operation)) {
      held.adopt(operation, fetch.copy());
    } else {
      copyOut(fetch.copy(), operation);
      chunks.give(fetch.copy());
    }
    fetch.copy(null);
  }

  private void copyOut(UnexpectedMessage message, Receive operation) {
    for (Chunk chunk = message.firstChunk; chunk != null;) {
      Chunk next = chunk.next;
      copyOut(chunk, operation);
      chunks.give(chunk);
      chunk = next;
    }
  }

  private static void copyOut(Chunk chunk, Receive operation) {
    long fits = Math.min(chunk.length, operation.cursor().left());
    if (operation.isAbandoned() || fits == 0) {
      return;
    }
    boolean interrupted = CopyInterrupt.isPending();
    try {
      operation.cursor().unpack(chunk.memory, 0, fits);
    } catch (IllegalStateException | WrongThreadException e) {
      CopyInterrupt.forget(interrupted, e);
      operation.loseBuffer(e);
    }
  }

  /** All bytes of a message are there, or dropped: its receive is over. */
  static void finish(Receive operation) {
    if (operation.failure() == null && operation.messageLength() > operation.cursor().length()) {
      operation.fail(
          new TruncationException(operation.source(), operation.tag(), operation.messageLength(),
              operation.cursor().length()));
    } else {
      operation.complete();
    }
  }

  /** No more bytes of a message come, by the will of its sender. */
  static void callOff(Receive operation) {
    operation.fail(
        new AdrasteaException(
            "rank %d gave up its message of %d bytes with tag %d: its buffer was closed before all was sent"
                .formatted(operation.source(), operation.messageLength(), operation.tag())));
  }
}
