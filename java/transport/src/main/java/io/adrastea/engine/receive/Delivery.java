package io.adrastea.engine.receive;

import io.adrastea.core.Batch;
import io.adrastea.link.CopyInterrupt;
import io.adrastea.link.Inbound;
import io.adrastea.engine.match.UnexpectedMessage;
import io.adrastea.engine.operation.Chunk;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.OperationList;
import io.adrastea.engine.operation.Pieces;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.send.Rendezvous;
import io.adrastea.error.AdrasteaException;
import io.adrastea.peers.BatchPoll;
import io.adrastea.peers.Peers;
import io.adrastea.transfer.Transfer;
import java.util.List;

/**
 * Brings the bytes of messages to where their receives want them: to the caller's memory or, for a receive in place,
 * nowhere. In place, a message of one piece stays in its cell or fastbox while others are received behind it, and a
 * large one at its sender when that lies in shared memory; what came in several pieces, was unexpected, or cannot be
 * retained now, is read from a private copy.
 *
 * <p>
 * When the caller's memory is gone, what still comes is dropped, and the receive fails once its message is over.
 */
public final class Delivery {
  private final Peers peers;
  private final Pieces pieces;
  private final Rendezvous rendezvous;
  private final Chunk.Pool chunks = new Chunk.Pool();
  private final BatchPoll batches; // null: messages are found one at a time
  private final Batch batch = new Batch(); // of a poll with a handler, which has the one at its turn
  private final OperationList<Receive> lent = new OperationList<>(); // in place, to be given back by the caller

  Delivery(Peers peers, Rendezvous rendezvous, boolean checksTypes) {
    this.peers = peers;
    this.pieces = new Pieces(peers);
    this.rendezvous = rendezvous;
    this.batches = checksTypes ? null : peers.batches(); // a batch has no place for what is told of types
  }

  /** What polls with a handler find; null: they find one message at a time. */
  BatchPoll batches() {
    return batches;
  }

  /** The messages that a poll with a handler has found. */
  Batch batch() {
    return batch;
  }

  /** Copies the piece at hand to where its receive wants it, as much as fits. */
  void deliver(Receive receive, Inbound piece) {
    if (lacksMemory(receive) && retain(receive, piece)) {
      return;
    }
    if (receive.isAbandoned()) {
      peers.release();
      return;
    }
    long fits = Math.min(piece.length(), receive.cursor().left());
    boolean interrupted = CopyInterrupt.isPending();
    try {
      pieces.take(receive.payload(), receive.cursor(), piece, fits);
    } catch (IllegalStateException | WrongThreadException e) {
      CopyInterrupt.forget(interrupted, e);
      receive.loseBuffer(e);
      peers.release();
    }
  }

  private static boolean lacksMemory(Receive receive) {
    return receive.isWithoutMemory() && !receive.isAbandoned();
  }

  /** Leaves the piece at hand where it is, if it is the whole message; false: copy it to what has been made for it. */
  private boolean retain(Receive receive, Inbound piece) {
    if (piece.length() == piece.totalLength() && CoreStatus.checkedOrAgain(peers.retain()) == 0) {
      receive.lies(piece.memory(), piece.payload(), piece.length());
      receive.place(piece.place());
      receive.moveTo(piece.length());
      return true;
    }
    makeCopy(receive, piece.totalLength());
    return false;
  }

  /** Memory for a piece that is to be {@link #store}d. */
  Chunk room(Inbound piece) {
    return chunks.take(piece.length());
  }

  /** Copies the piece of a message that nobody has asked for aside. */
  void store(UnexpectedMessage message, Inbound piece, Chunk room) {
    pieces.take(room.memory(), 0, piece.length());
    message.add(room);
  }

  /**
   * Copies what is there of an unexpected message to where its receive wants it. One in place gets the chunk itself
   * when the message is all in it.
   */
  void deliver(Receive receive, UnexpectedMessage message) {
    Chunk chunk = message.firstChunk();
    if (lacksMemory(receive)) {
      if (chunk != null && chunk.next() == null && message.isWhole()) {
        adopt(receive, chunk);
        return;
      }
      makeCopy(receive, message.length());
    }
    while (chunk != null) {
      Chunk next = chunk.next();
      copyOut(chunk, receive);
      chunks.give(chunk);
      chunk = next;
    }
  }

  /** Forgets what is there of a message that nobody is going to receive. */
  void drop(UnexpectedMessage message) {
    Chunk next;
    for (Chunk chunk = message.firstChunk(); chunk != null; chunk = next) {
      next = chunk.next();
      chunks.give(chunk);
    }
  }

  /** Hands a private copy that was made ahead to its receive: as it is to one in place, copied to any other. */
  void deliver(Receive receive, Receive fetch) {
    if (lacksMemory(receive)) {
      adopt(receive, fetch.copy());
    } else {
      copyOut(fetch.copy(), receive);
      chunks.give(fetch.copy());
    }
    fetch.copy(null);
  }

  private static void copyOut(Chunk chunk, Receive receive) {
    long fits = Math.min(chunk.length(), receive.cursor().left());
    if (receive.isAbandoned() || fits == 0) {
      return;
    }
    boolean interrupted = CopyInterrupt.isPending();
    try {
      receive.payload().unpack(receive.cursor(), chunk.memory(), 0, fits);
    } catch (IllegalStateException | WrongThreadException e) {
      CopyInterrupt.forget(interrupted, e);
      receive.loseBuffer(e);
    }
  }

  /** Whether a receive is in place, and may read its large message at the sender; if not, it has memory for a copy. */
  boolean staysAtSender(Receive receive, Transfer transfer) {
    if (!receive.isWithoutMemory()) {
      return false;
    }
    if (rendezvous.lies(receive, transfer)) {
      return true;
    }
    makeCopy(receive, transfer.length());
    return false;
  }

  private void makeCopy(Receive receive, long bytes) {
    OutOfMemoryError cause = null;
    try {
      if (bytes <= Chunk.Pool.MOST_BYTES) {
        lies(receive, chunks.take(bytes));
        return;
      }
    } catch (OutOfMemoryError e) {
      cause = e;
    }
    receive.abandon(
        new AdrasteaException(
            ("no memory for the private copy of a message of %d bytes from rank %s with tag %d; one so long is "
                + "received into memory of your own")
                .formatted(bytes, receive.members().name(receive.source()), receive.tag()),
            cause));
  }

  /** The message of a receive in place from no rank: empty, as a private copy. */
  public void deliverNothing(Receive receive) {
    lies(receive, chunks.take(0));
  }

  private static void adopt(Receive receive, Chunk copy) {
    lies(receive, copy);
    receive.moveTo(copy.length());
  }

  private static void lies(Receive receive, Chunk chunk) {
    receive.copy(chunk);
    receive.lies(chunk.memory(), 0, chunk.length());
  }

  /** The caller reads a message in place from now on. */
  public void lend(Receive receive) {
    lent.add(receive);
  }

  /** The caller has done with a message. */
  public void takeBack(Receive receive) {
    lent.remove(receive);
    release(receive);
  }

  /** Takes all messages back from the caller, for their senders; adds a description of each to {@code words}. */
  public void takeAllBack(List<String> words) {
    for (Receive receive = lent.first(); receive != null; receive = lent.first()) {
      words.add(
          "message of %d bytes from rank %s with tag %d, not released"
              .formatted(receive.messageLength(), receive.members().name(receive.source()), receive.tag()));
      receive.loseView();
      takeBack(receive);
    }
  }

  /** Takes all from the caller and gives nothing back: the rank fails, and others take what it has. */
  public void loseAll() {
    for (Receive receive = lent.first(); receive != null; receive = lent.next(receive)) {
      receive.loseView();
    }
  }

  /** Gives back what the message of a receive in place lies in. */
  public void release(Receive receive) {
    if (receive.transfer() != null) {
      rendezvous.transfers().release(receive.transfer());
      receive.transfer(null);
    } else if (receive.copy() != null) {
      chunks.give(receive.copy());
      receive.copy(null);
    } else if (receive.memory() != null && releaseInCore(receive) < 0) {
      throw CoreStatus.corrupt("a message received in place cannot be given back");
    }
    receive.dropMemory();
  }

  private int releaseInCore(Receive receive) {
    if (batch.isOpen(receive.batch())) {
      batch.pass();
      return batches.endBatch();
    }
    return peers.link(receive.source()).releaseRetained(receive.source(), receive.place());
  }
}
