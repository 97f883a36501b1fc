package io.adrastea.transfer;

/**
 * Driven by the receiver, which copies straight from the sender's memory. From a size on the sender is invited to join
 * in, and copies from the back to the receiver's memory until the two meet: {@link SplitCopying}. A sender that does
 * not look meanwhile keeps nobody waiting.
 */
final class GetMechanism implements Mechanism {
  private final Node node;
  private final SplitCopying both;

  GetMechanism(Node node) {
    this.node = node;
    this.both = new SplitCopying(node);
  }

  @Override
  public void preSend(Transfer transfer, Cookie rts) {
    transfer.own.describe(transfer.payload, transfer.length, node.heap, node.mostEntries);
    rts.add(transfer.own.vector);
  }

  @Override
  public boolean preRecv(Transfer transfer, Cookie cts) {
    transfer.position = 0;
    transfer.end = transfer.wanted;
    transfer.memory = node.memory(transfer.reading);
    transfer.awaitsPeer = (transfer.offers & Exposure.LASTING) == 0;
    if (!both.invite(transfer)) {
      return false;
    }
    Pair pair = node.pair(transfer);
    cts.add(Cookie.pack(Cookie.GET | transfer.writing.ordinal() << 8, 0));
    cts.add(0);
    cts.add(transfer.wanted);
    cts.add(pair.splitOffset);
    cts.add(transfer.ownSegment);
    cts.add(transfer.splitTag);
    cts.add(0);
    cts.add(transfer.own.vector);
    return true;
  }

  @Override
  public void startSend(Transfer transfer, Cookie cts) {
    both.join(transfer, cts.word(Cookie.PLACE), cts.low(Cookie.SPLIT_TAG));
    transfer.segment = cts.word(Cookie.RECEIVER_SEGMENT);
    transfer.memory = node.memory(transfer.writing);
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
      stop(transfer);
    } else if (transfer.split == null) {
      Copying.next(node, transfer);
    } else {
      both.next(transfer);
    }
    return true;
  }

  /** The transfer has failed at one end or the other: nothing more is copied here. */
  private static void stop(Transfer transfer) {
    if (transfer.split != null) {
      SplitCopying.stop(transfer);
    }
    transfer.copied = true;
  }

  @Override
  public void handleCookie(Transfer transfer, Cookie cookie) {
    throw new IllegalStateException("there is no other way that the receiver could copy"); // a COOKIE names a ring
  }

  @Override
  public void postSend(Transfer transfer) {
    transfer.split = null;
  }

  @Override
  public void postRecv(Transfer transfer) {
    both.leave(transfer);
  }
}
