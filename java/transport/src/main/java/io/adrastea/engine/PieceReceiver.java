package io.adrastea.engine;

import static io.adrastea.layout.CellDescriptor.KIND_ABORT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import java.util.List;

/**
 * Takes messages in that come in pieces. Pieces of one source never interleave, so one message per source is under way
 * at most: {@link Inflow}. The first piece matches the message with its receive. Without one the pieces are copied out
 * of their cells at once (000 section 3.1), since cells are few.
 */
final class PieceReceiver {
  private final Core core;
  private final Matching matching;
  private final Delivery delivery;
  private final Rendezvous rendezvous;
  private final Inflow[] inflows;

  /**
   * Where the pieces of the message under way from one source go: to an operation, to an unexpected message, or
   * nowhere.
   */
  private static final class Inflow {
    Receive operation;
    UnexpectedMessage message;
    long remaining; // bytes still to come; 0: nothing under way

    void clear() {
      operation = null;
      message = null;
    }
  }

  /** That of one rank. */
  PieceReceiver(Core core, int ranks, Matching matching, Delivery delivery, Rendezvous rendezvous) {
    this.core = core;
    this.matching = matching;
    this.delivery = delivery;
    this.rendezvous = rendezvous;
    this.inflows = new Inflow[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      inflows[rank] = new Inflow();
    }
  }

  /** Takes the piece at hand in; memory for a copy of it first, as {@link Receiver#progress} does. */
  void accept(Inbound piece) {
    Inflow inflow = inflows[piece.source()];
    boolean first = piece.kind() == KIND_FIRST;
    if (first != (inflow.remaining == 0) || (!first && piece.length() > inflow.remaining)) {
      throw CoreStatus.corrupt("rank %d sent a piece of kind %d out of turn".formatted(piece.source(), piece.kind()));
    }
    if (piece.kind() == KIND_ABORT) {
      core.release();
      abort(inflow);
      return;
    }
    Receive operation = first ? match(piece) : inflow.operation;
    boolean aside = operation == null && (first || inflow.message != null);
    Chunk room = aside ? delivery.room(piece) : null;
    if (first) {
      begin(inflow, operation, piece);
    }
    inflow.remaining -= piece.length();
    put(inflow, piece, room);
    if (inflow.remaining == 0) {
      end(inflow);
    }
  }

  private void put(Inflow inflow, Inbound piece, Chunk room) {
    if (inflow.operation != null) {
      delivery.deliver(inflow.operation, piece);
    } else if (inflow.message != null) {
      delivery.store(inflow.message, piece, room);
    } else {
      core.release();
    }
  }

  /** The receive that the message at hand is for; null: nobody has asked for it. */
  private Receive match(Inbound piece) {
    Receive operation = matching.takePosted(piece.source(), piece.match());
    if (operation != null) {
      return operation;
    }
    Receive looking = matching.takeLooking(piece.source(), piece.match());
    return piece.length() == piece.totalLength() ? looking : null;
  }

  private void begin(Inflow inflow, Receive operation, Inbound piece) {
    rendezvous.surprised();
    rendezvous.heard(piece.source());
    inflow.remaining = piece.totalLength();
    inflow.operation = operation;
    if (operation == null) {
      inflow.message = matching.add(piece.source(), piece.match(), piece.totalLength());
    } else {
      operation.matched(piece.source(), piece.match(), piece.totalLength());
    }
  }

  private static void end(Inflow inflow) {
    Receive operation = inflow.operation;
    inflow.clear();
    if (operation != null) {
      Delivery.finish(operation);
    }
  }

  private static void abort(Inflow inflow) {
    inflow.remaining = 0;
    if (inflow.message != null) {
      inflow.message.aborted = true;
    }
    if (inflow.operation != null) {
      Delivery.callOff(inflow.operation);
    }
    inflow.clear();
  }

  /** What still comes of an unexpected message, if anything does, is for {@code operation}. */
  void redirect(UnexpectedMessage message, Receive operation) {
    Inflow inflow = inflows[message.source];
    if (inflow.message == message) {
      inflow.message = null;
      inflow.operation = message.aborted ? null : operation;
    }
  }

  /** What still comes of the message of a receive is dropped. */
  void drop(Receive operation) {
    Inflow inflow = inflows[operation.source()];
    inflow.operation = inflow.operation == operation ? null : inflow.operation;
  }

  /** Adds a description of each receive whose message is partly there to {@code words}. */
  void describe(List<String> words) {
    for (Inflow inflow : inflows) {
      if (inflow.operation != null) {
        words.add(inflow.operation.toString());
      }
    }
  }
}
