package io.adrastea.transfer;

/**
 * What a receiver asks of a sender, once it knows where the bytes go: CTS, and COOKIE when the rest is to go another
 * way.
 */
final class Invitations {
  private final Wire wire;
  private final Ways ways;
  private final Cookie out = new Cookie();

  Invitations(Wire wire, Ways ways) {
    this.wire = wire;
    this.ways = ways;
  }

  /** A matched message begins to move, by the transfer's path. */
  void send(Transfer transfer) {
    send(transfer, Cookie.CTS);
  }

  private void send(Transfer transfer, int type) {
    out.clear();
    out.add(Cookie.pack(transfer.peerId, transfer.id));
    if (transfer.wanted == 0 || transfer.status != 0) {
      transfer.mechanism = ways.get;
      transfer.copied = true;
      transfer.started = true;
      return;
    }
    if (transfer.mechanism.preRecv(transfer, out)) {
      wire.send(transfer.peer, type, out);
    }
    transfer.mechanism.startRecv(transfer);
  }

  /** What the path could not move goes through the ring. */
  void fallBack(Transfer transfer) {
    transfer.mechanism.postRecv(transfer);
    transfer.mechanism = ways.ring;
    transfer.position = transfer.missingFrom;
    transfer.end = transfer.missingTo;
    transfer.missingTo = transfer.missingFrom;
    transfer.copied = false;
    transfer.started = false;
    transfer.peerDone = false;
    transfer.told = false;
    send(transfer, Cookie.COOKIE);
  }
}
