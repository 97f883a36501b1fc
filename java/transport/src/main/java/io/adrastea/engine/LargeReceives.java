package io.adrastea.engine;

import io.adrastea.transfer.Transfer;

/** Receives whose message is large, and is still at its sender when it is matched. */
final class LargeReceives {
  private final Rendezvous rendezvous;
  private final Delivery delivery;
  private final HeldMessages held;
  private final Matching matching;

  LargeReceives(Rendezvous rendezvous, Delivery delivery, HeldMessages held, Matching matching) {
    this.rendezvous = rendezvous;
    this.delivery = delivery;
    this.held = held;
    this.matching = matching;
  }

  /** The message is matched. */
  void receive(Receive operation, Transfer transfer) {
    operation.matched(transfer.peer(), transfer.match(), transfer.length());
    if (operation.transfer() == transfer || operation.isWithoutMemory() && held.adopt(operation, transfer)) {
      Delivery.finish(operation); // read where the sender has it
      return;
    }
    if (operation.isAbandoned()) {
      operation.cursor().wantNothing(); // no memory for a copy: the sender need not wait
    }
    rendezvous.receive(operation, transfer);
  }

  /**
   * Takes a message from those that nobody has asked for, since its sender takes it back; null: it is none of them. One
   * that a probe has shown stays, as if it was matched: who has seen it may rely on receiving it.
   */
  Transfer withdrawn(int source, int number) {
    UnexpectedMessage message = matching.firstUnexpected();
    while (message != null && !isOffer(message, source, number)) {
      message = message.next;
    }
    if (message == null) {
      return null;
    }
    Transfer transfer = message.transfer;
    matching.remove(message);
    return transfer;
  }

  private static boolean isOffer(UnexpectedMessage message, int source, int number) {
    return !message.probed
        && message.source == source
        && message.transfer != null
        && message.transfer.peerId() == number;
  }

  /** An unexpected message, taken off its list, is for a receive. */
  void hand(UnexpectedMessage message, Receive operation) {
    if (message.transfer != null) {
      receive(operation, message.transfer);
      return;
    }
    operation.matched(message.source, message.match, message.messageLength);
    if (message.fetch.isComplete()) {
      deliver(message.fetch, operation);
    } else {
      operation.join(message.fetch);
    }
  }

  /**
   * For a receive in place that does not wait: whether the message can be read. One that cannot be read at its sender
   * begins to be fetched to a private copy.
   */
  boolean isThere(UnexpectedMessage message, Receive operation) {
    if (message.fetch != null) {
      return message.fetch.isComplete();
    }
    if (message.transfer == null) {
      return false;
    }
    if (rendezvous.lies(operation, message.transfer)) {
      return true;
    }
    fetch(message);
    return message.fetch.isComplete();
  }

  private void fetch(UnexpectedMessage message) {
    rendezvous.reserve();
    Receive fetch = new Receive();
    fetch.ask(message.source, message.match, -1L);
    fetch.describeInPlace(0);
    fetch.activate();
    message.fetch = fetch;
    Transfer transfer = message.transfer;
    message.transfer = null;
    receive(fetch, transfer);
  }

  /** A message that was fetched ahead is there, and goes on to the receive that has asked for it meanwhile. */
  void fetched(Receive fetch) {
    Receive operation = fetch.partner();
    operation.leavePartner();
    deliver(fetch, operation);
  }

  /** Gives up a receive whose bytes are on their way, to itself or to a copy; whether it was one. */
  boolean giveUp(Receive operation) {
    Receive moving = operation.partner() == null ? operation : operation.partner();
    if (moving != operation) {
      operation.leavePartner();
    }
    if (moving.transfer() != null) {
      rendezvous.giveUp(moving);
      return true;
    }
    return moving != operation;
  }

  private void deliver(Receive fetch, Receive operation) {
    if (fetch.failure() != null) {
      operation.fail(fetch.failure());
    } else {
      delivery.deliver(operation, fetch);
      Delivery.finish(operation);
    }
  }
}
