package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.transfer.Transfer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The receiving side of a rank: takes in what comes, in pieces or by rendezvous, and starts and ends receives, from
 * what is there already or by posting them.
 */
final class Receiver {
  private final Core core;
  private final Boxes boxes;
  private final Inbound inbound = new Inbound();
  private final Matching matching = new Matching();
  private final HeldMessages held;
  private final Delivery delivery;
  private final PieceReceiver pieces;
  private final Rendezvous rendezvous;
  private final LargeReceives large;

  /**
   * That of one rank.
   *
   * @param segment all of the segment's memory
   */
  Receiver(Core core, Boxes boxes, int ranks, MemorySegment segment, Rendezvous rendezvous) {
    this.core = core;
    this.boxes = boxes;
    Chunk.Pool chunks = new Chunk.Pool();
    this.held = new HeldMessages(core, segment, chunks, rendezvous);
    this.delivery = new Delivery(core, segment, chunks, held);
    this.pieces = new PieceReceiver(core, ranks, matching, delivery, rendezvous);
    this.rendezvous = rendezvous;
    this.large = new LargeReceives(rendezvous, delivery, held, matching);
    rendezvous.serve(large);
  }

  /** Messages received in place. */
  HeldMessages held() {
    return held;
  }

  /** Receives that are posted, and messages that nobody has asked for. */
  Matching matching() {
    return matching;
  }

  /** Takes one piece in, from {@code first} rather than from others; false: there is none. */
  boolean progress(int first) {
    int status = core.poll(first, inbound);
    if (status == Core.AGAIN) {
      return false;
    }
    if (CoreStatus.checked(status) == Core.WANTED) {
      boxes.serve(inbound.source());
    } else {
      accept();
    }
    return true;
  }

  /** Memory first, then the piece: when there is none, nothing has changed, and the next look finds the piece again. */
  private void accept() {
    matching.reserve();
    if (Rendezvous.isMessage(inbound.match())) {
      offered(rendezvous.accept(inbound));
    } else {
      pieces.accept(inbound);
    }
  }

  /** A large message waits at its sender; null: it was another message of a transfer. */
  private void offered(Transfer transfer) {
    if (transfer == null) {
      return;
    }
    Receive operation = match(transfer);
    if (operation == null) {
      matching.add(transfer.peer(), transfer.match(), transfer.length()).transfer = transfer;
    } else {
      large.receive(operation, transfer);
    }
  }

  private Receive match(Transfer transfer) {
    Receive operation = matching.takePosted(transfer.peer(), transfer.match());
    if (operation != null) {
      return operation;
    }
    Receive looking = matching.takeLooking(transfer.peer(), transfer.match());
    return looking != null && rendezvous.lies(looking, transfer) ? looking : null;
  }

  /** Starts a receive: from what is there already, or by posting it. */
  void start(Receive operation) {
    UnexpectedMessage message = matching.find(operation);
    if (message == null) {
      matching.post(operation);
    } else {
      hand(message, operation);
    }
  }

  /** Messages that nobody has asked for yet, and whose senders are gone. */
  CutShort cutShort(Liveness liveness) {
    return new CutShort(matching, large, liveness);
  }

  /** Starts a receive if all of its message is there already; whether it is. */
  boolean startWhole(Receive operation) {
    UnexpectedMessage message = matching.find(operation);
    boolean whole = message != null && (message.isWhole() || large.isThere(message, operation));
    if (whole) {
      hand(message, operation);
    }
    return whole;
  }

  /** Hands an unexpected message, or what is there of it, to a receive. */
  private void hand(UnexpectedMessage message, Receive operation) {
    if (message.transfer != null || message.fetch != null) {
      rendezvous.reserve(); // memory first, here too
      matching.remove(message);
      large.hand(message, operation);
      return;
    }
    operation.matched(message.source, message.match, message.messageLength);
    delivery.deliver(operation, message);
    pieces.redirect(message, operation);
    boolean whole = message.isWhole();
    boolean aborted = message.aborted;
    RuntimeException failure = message.failure;
    matching.remove(message);
    if (failure != null) {
      operation.fail(failure);
    } else if (aborted) {
      Delivery.callOff(operation);
    } else if (whole) {
      Delivery.finish(operation);
    }
  }

  /** The message of a transfer was received for {@code operation}, which is not posted. */
  void begin(Receive operation, Transfer transfer) {
    large.receive(operation, transfer);
  }

  /** Begins with a posted receive whose message is large. */
  void beginPosted(Receive operation, Transfer transfer) {
    matching.unpost(operation);
    large.receive(operation, transfer);
  }

  /** Completes a posted receive whose message the core has delivered. */
  void complete(Receive operation, int source, long match, long messageLength) {
    matching.unpost(operation);
    rendezvous.heard(source);
    operation.matched(source, match, messageLength);
    operation.cursor().moveTo(messageLength);
    operation.complete();
  }

  /** Takes a receive back that no message has matched; false: it is too late. */
  boolean withdraw(Receive operation) {
    if (operation.isBegun()) {
      return false;
    }
    matching.unpost(operation);
    return true;
  }

  /** Gives up a receive whose source is gone; pieces of its message that still come are dropped. */
  void giveUp(Receive operation, RuntimeException cause) {
    if (!large.giveUp(operation) && !withdraw(operation)) {
      pieces.drop(operation);
    }
    operation.fail(cause);
  }

  /** Adds a description of each receive that is posted, or whose message is partly there, to {@code words}. */
  void describeOutstanding(List<String> words) {
    matching.describe(words);
    pieces.describe(words);
  }
}
