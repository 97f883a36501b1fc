package io.adrastea.transfer;

import io.adrastea.layout.CopyRingDescriptor;

/**
 * Driven by both: the sender copies into a ring in shared memory while the receiver copies out of it (000 section 3.2,
 * double buffering). For whatever cannot be reached from outside, Java arrays above all. The receiver makes the ring,
 * one for each pair and direction ({@link Rings}).
 *
 * <p>
 * Its bytes are one stream: each CTS promises a stretch of it to a transfer, as soon as the message is matched, so that
 * the next follows the last without a pause. Both ends go through each stretch to its end, also one whose buffer is
 * gone: it copies nothing then, and tells the other end ({@link RingCopying}).
 */
final class RingMechanism implements Mechanism {
  private final Node node;
  private final Rings rings;
  private final RingCopying copying;

  RingMechanism(Node node) {
    this.node = node;
    this.rings = new Rings(node);
    this.copying = new RingCopying(node.spaces);
  }

  @Override
  public void preSend(Transfer transfer, Cookie rts) {
    // any memory will do
  }

  @Override
  public boolean preRecv(Transfer transfer, Cookie cts) {
    Pair pair = node.pair(transfer);
    if (pair.ring == null && !rings.make(pair, transfer)) {
      return false;
    }
    transfer.ring = pair.ring;
    transfer.ringChunk = node.settings.ringChunk();
    transfer.ringCount = pair.promised;
    pair.promised += transfer.end - transfer.position;
    pair.in.add(transfer);
    cts.add(Cookie.RING);
    cts.add(transfer.position);
    cts.add(transfer.end);
    cts.add(pair.ringOffset);
    cts.add(pair.ring.byteSize() - CopyRingDescriptor.BYTES);
    cts.add(transfer.ringChunk);
    cts.add(transfer.ringCount);
    return true;
  }

  @Override
  public void startSend(Transfer transfer, Cookie cts) {
    Pair pair = node.pair(transfer);
    long bytes = cts.word(Cookie.RING_BYTES);
    rings.reach(pair, cts.word(Cookie.PLACE), bytes);
    if (cts.word(Cookie.RING_COUNT) != pair.entered) {
      throw new IllegalArgumentException("a stretch of a copy ring that does not follow the last");
    }
    pair.entered += cts.word(Cookie.TO) - cts.word(Cookie.FROM);
    transfer.ring = pair.farRing;
    transfer.ringChunk = (int) Math.clamp(Long.highestOneBit(cts.word(Cookie.RING_CHUNK)), 64, bytes);
    transfer.ringCount = cts.word(Cookie.RING_COUNT);
    transfer.position = cts.word(Cookie.FROM);
    transfer.end = cts.word(Cookie.TO);
    transfer.started = true;
    pair.out.add(transfer);
  }

  @Override
  public void startRecv(Transfer transfer) {
    transfer.started = transfer.ring != null;
    transfer.copied = !transfer.started; // there is no memory for a ring
  }

  @Override
  public boolean progress(Transfer transfer) {
    if (!transfer.started || transfer.copied || queue(transfer).first() != transfer) {
      return false;
    }
    long before = transfer.position;
    if (transfer.status == 0 && !copying.move(transfer)) {
      corrupt(transfer);
    }
    if (transfer.status != 0 && (transfer.sending ? transfer.peerDone : transfer.told)) {
      // Not before the other end knows: what a sender shows then is no message, and room lets it end.
      RingCopying.skip(transfer);
    }
    transfer.copied = transfer.position == transfer.end || transfer.status == Copying.CORRUPT;
    boolean telling = !transfer.sending && transfer.status != 0 && !transfer.told; // which comes next
    return transfer.position != before || transfer.copied || telling;
  }

  private TransferQueue queue(Transfer transfer) {
    Pair pair = node.pair(transfer);
    return transfer.sending ? pair.out : pair.in;
  }

  private void corrupt(Transfer transfer) {
    transfer.fail(Copying.CORRUPT, null);
    if (!transfer.sending) {
      Rings.abandon(node.pair(transfer));
    }
  }

  @Override
  public void handleCookie(Transfer transfer, Cookie cookie) {
    startSend(transfer, cookie);
  }

  @Override
  public void postSend(Transfer transfer) {
    queue(transfer).remove(transfer);
    transfer.ring = null;
  }

  @Override
  public void postRecv(Transfer transfer) {
    queue(transfer).remove(transfer);
    transfer.ring = null;
  }
}
