package io.adrastea.transfer;

/** Driven by the sender, which copies straight to the receiver's memory: its own cannot be reached from there. */
final class PutMechanism implements Mechanism {
  private final Node node;

  PutMechanism(Node node) {
    this.node = node;
  }

  @Override
  public void preSend(Transfer transfer, Cookie rts) {
    // the receiver's memory counts
  }

  @Override
  public boolean preRecv(Transfer transfer, Cookie cts) {
    transfer.awaitsPeer = true;
    transfer.copied = true;
    cts.add(Cookie.pack(Cookie.PUT | transfer.writing.ordinal() << 8, 0));
    cts.add(0);
    cts.add(transfer.wanted);
    cts.add(0);
    cts.add(transfer.ownSegment);
    cts.add(0);
    cts.add(0);
    cts.add(transfer.own.vector);
    return true;
  }

  @Override
  public void startSend(Transfer transfer, Cookie cts) {
    transfer.segment = cts.word(Cookie.RECEIVER_SEGMENT);
    transfer.memory = node.memory(transfer.writing);
    transfer.position = 0;
    transfer.end = transfer.wanted;
    transfer.participates = true;
    transfer.started = true;
  }

  @Override
  public void startRecv(Transfer transfer) {
    transfer.started = true;
  }

  @Override
  public boolean progress(Transfer transfer) {
    if (!transfer.started || transfer.copied) {
      return false;
    }
    if (transfer.status != 0) {
      transfer.copied = true; // the receiver has given up
    } else {
      Copying.next(node, transfer);
    }
    return true;
  }

  @Override
  public void handleCookie(Transfer transfer, Cookie cookie) {
    throw new IllegalStateException("there is no other way that the sender could copy"); // a COOKIE names a ring
  }

  @Override
  public void postSend(Transfer transfer) {
    // nothing was taken
  }

  @Override
  public void postRecv(Transfer transfer) {
    // nothing was taken
  }
}
