package io.adrastea.transfer;

import io.adrastea.shared.SharedReach;

/**
 * Large messages at their receivers: what an RTS offers, until it is matched and its bytes begin to move, or are read
 * in place.
 */
final class ReceivingEnd {
  private final Node node;
  private final Ways ways;
  private final PathSelector selector;
  private final Invitations invitations;
  private final TransferTable table;
  private final ActiveTransfers active;

  ReceivingEnd(
      Node node, Ways ways, PathSelector selector, Invitations invitations, TransferTable table,
      ActiveTransfers active) {
    this.node = node;
    this.ways = ways;
    this.selector = selector;
    this.invitations = invitations;
    this.table = table;
    this.active = active;
  }

  /** As {@link Transfers#offered}; null: it cannot be one. */
  Transfer offered(int peer, long match, Cookie rts) {
    long length = rts.word(Cookie.LENGTH);
    Transfer transfer = table.take();
    transfer.begin(false, peer, length);
    transfer.pid = node.pair(transfer).pid;
    transfer.match = match;
    transfer.peerId = rts.low(Cookie.SENDER);
    transfer.offers = rts.high(Cookie.SENDER);
    transfer.segment = rts.word(Cookie.SEGMENT);
    rts.read(Cookie.OFFERED, transfer.remote);
    boolean reachable = (transfer.offers & (Exposure.SHARED | Exposure.ADDRESS)) != 0;
    if (length <= 0 || reachable && transfer.remote.total() != length) {
      table.give(transfer, false);
      return null;
    }
    return transfer;
  }

  /** As {@link Transfers#receive}. */
  void receive(Object owner, Payload payload, long capacity, Transfer transfer) {
    transfer.owner = owner;
    transfer.payload = payload;
    transfer.wanted = Math.min(transfer.length, capacity);
    transfer.position = 0;
    transfer.end = transfer.wanted;
    if (table.isFull()) {
      transfer.fail(Transfers.NO_MEMORY, new IllegalStateException("too many large messages are on their way"));
    } else {
      prepare(transfer);
    }
    invitations.send(transfer);
    active.add(transfer);
    active.progress(transfer);
  }

  /** The message is matched: there is no way back, so want of memory is a failure that both ends are told. */
  private void prepare(Transfer transfer) {
    try {
      table.enter(transfer);
      transfer.own.describe(transfer.payload, transfer.wanted, node.heap, node.mostEntries);
      selector.choose(transfer);
      transfer.mechanism = ways.of(Paths.way(transfer.reading, transfer.writing));
    } catch (OutOfMemoryError e) {
      transfer.fail(Transfers.NO_MEMORY, null);
    }
  }

  /** As {@link Transfers#inPlace}. */
  SharedReach.Mapping inPlace(Transfer transfer) {
    if (!selector.isShared(transfer) || transfer.remote.count() != 1) {
      return null;
    }
    try {
      return node.reach.mapping(transfer.peer, transfer.remote.startAt(0), transfer.length);
    } catch (IllegalArgumentException | OutOfMemoryError e) {
      // It is not the sender's, or there is no memory: told when it is received.
      return null;
    }
  }
}
