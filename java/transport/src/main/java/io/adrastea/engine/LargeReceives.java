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
  void receive(Operation operation, Transfer transfer) {
    operation.begun = true;
    operation.received(transfer.peer(), transfer.match(), transfer.length());
    if (operation.transfer == transfer || isInPlace(operation) && held.adopt(operation, transfer)) {
      Delivery.finish(operation); // read where the sender has it
      return;
    }
    if (operation.abandoned) {
      operation.length = 0; // no memory for a copy: the sender need not wait
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

  private static boolean isInPlace(Operation operation) {
    return operation.form == Operation.Form.IN_PLACE && operation.buffer == null;
  }

  /** An unexpected message, taken off its list, is for a receive. */
  void hand(UnexpectedMessage message, Operation operation) {
    if (message.transfer != null) {
      receive(operation, message.transfer);
      return;
    }
    operation.begun = true;
    operation.received(message.source, message.match, message.messageLength);
    if (message.fetch.isComplete()) {
      deliver(message.fetch, operation);
    } else {
      message.fetch.partner = operation;
      operation.partner = message.fetch;
    }
  }

  /**
   * For a receive in place that does not wait: whether the message can be read. One that cannot be read at its sender
   * begins to be fetched to a private copy.
   */
  boolean isThere(UnexpectedMessage message, Operation operation) {
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
    Operation fetch = new Operation();
    fetch.describeInPlace(true, message.source, message.match, -1L, 0);
    fetch.activate();
    message.fetch = fetch;
    Transfer transfer = message.transfer;
    message.transfer = null;
    receive(fetch, transfer);
  }

  /** A message that was fetched ahead is there, and goes on to the receive that has asked for it meanwhile. */
  void fetched(Operation fetch) {
    Operation operation = fetch.partner;
    part(operation);
    deliver(fetch, operation);
  }

  private static void part(Operation operation) {
    operation.partner.partner = null;
    operation.partner = null;
  }

  /** Gives up a receive whose bytes are on their way, to itself or to a copy; whether it was one. */
  boolean giveUp(Operation operation) {
    Operation moving = operation.partner == null ? operation : operation.partner;
    if (moving != operation) {
      part(operation);
    }
    if (moving.transfer != null) {
      rendezvous.giveUp(moving);
      return true;
    }
    return moving != operation;
  }

  private void deliver(Operation fetch, Operation operation) {
    if (fetch.failure != null) {
      operation.fail(fetch.failure);
    } else {
      delivery.deliver(operation, fetch);
      Delivery.finish(operation);
    }
  }
}
