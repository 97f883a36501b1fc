package io.adrastea.lmt;

import io.adrastea.error.SegmentException;
import io.adrastea.layout.CopyRingDescriptor;
import io.adrastea.segment.Words;

/**
 * Driven by both: the sender copies into a ring in shared memory while the receiver copies out of it (000 section 3.2, double buffering). For
 * whatever cannot be reached from outside, Java arrays above all. The receiver makes the ring, one for each pair and direction.
 *
 * <p>Its bytes are one stream: each CTS promises a stretch of it to a transfer, as soon as the message is matched, so that the next
 * follows the last without a pause. Both ends go through each stretch to its end, also one whose buffer is gone: it copies nothing then, and
 * tells the other end.
 */
final class RingLmt implements Lmt {
  private static final int LOOKS = 64; // before the rest of the engine has its turn
  private static final long STEP = 1 << 18;
  private static final int LEAST_BYTES = 1 << 12;

  private final Node node;
  private final Stretch local = new Stretch();

  RingLmt(Node node) {
    this.node = node;
  }

  @Override
  public void preSend(Transfer transfer, Cookie rts) {
    // any memory will do
  }

  @Override
  public boolean preRecv(Transfer transfer, Cookie cts) {
    Pair pair = node.pair(transfer);
    if (pair.ring == null && !make(pair, transfer)) {
      return false;
    }
    transfer.ring = pair.ring;
    transfer.ringChunk = node.settings.ringChunk();
    transfer.ringCount = pair.promised;
    pair.promised += transfer.end - transfer.position;
    pair.in.add(transfer);
    cts.add(Cookies.RING);
    cts.add(transfer.position);
    cts.add(transfer.end);
    cts.add(pair.ringOffset);
    cts.add(pair.ring.byteSize() - CopyRingDescriptor.BYTES);
    cts.add(transfer.ringChunk);
    cts.add(transfer.ringCount);
    return true;
  }

  /** A smaller ring does where there is no room for the one asked for. */
  private boolean make(Pair pair, Transfer transfer) {
    SegmentException last = null;
    for (int bytes = node.settings.ringBytes(); bytes >= LEAST_BYTES; bytes >>= 2) {
      try {
        pair.ring = node.heap.allocate(CopyRingDescriptor.BYTES + (long) bytes, Split.PAGE);
        pair.ringOffset = node.heap.offset(pair.ring);
        return true;
      } catch (SegmentException e) {
        last = e;
      }
    }
    transfer.fail(Transfers.NO_MEMORY, last);
    return false;
  }

  @Override
  public void startSend(Transfer transfer, Cookie cts) {
    Pair pair = node.pair(transfer);
    long offset = cts.word(Cookies.PLACE);
    long bytes = cts.word(Cookies.RING_BYTES);
    if (Long.bitCount(bytes) != 1 || bytes < LEAST_BYTES || bytes > LmtSettings.MOST_RING || (offset & Split.PAGE - 1) != 0) {
      throw new IllegalArgumentException("a copy ring of %d bytes at %d".formatted(bytes, offset));
    }
    if (pair.farRing == null
        || pair.farRingOffset != offset
        || pair.farRing.byteSize() != bytes + CopyRingDescriptor.BYTES) {
      pair.farRing = node.reach.reach(transfer.peer, offset, bytes + CopyRingDescriptor.BYTES);
      pair.farRingOffset = offset;
      pair.entered = 0;
    }
    if (cts.word(Cookies.RING_COUNT) != pair.entered) {
      throw new IllegalArgumentException("a stretch of a copy ring that does not follow the last");
    }
    pair.entered += cts.word(Cookies.TO) - cts.word(Cookies.FROM);
    transfer.ring = pair.farRing;
    transfer.ringChunk = (int) Math.clamp(Long.highestOneBit(cts.word(Cookies.RING_CHUNK)), 64, bytes);
    transfer.ringCount = cts.word(Cookies.RING_COUNT);
    transfer.position = cts.word(Cookies.FROM);
    transfer.end = cts.word(Cookies.TO);
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
    if (transfer.status == 0) {
      move(transfer);
    }
    if (transfer.status != 0 && (!transfer.sending || transfer.peerDone)) {
      skip(transfer); // a sender not before the receiver knows: what it shows then is no message
    }
    transfer.copied = transfer.position == transfer.end || transfer.status == Copying.CORRUPT;
    return transfer.position != before || transfer.copied;
  }

  private TransferQueue queue(Transfer transfer) {
    Pair pair = node.pair(transfer);
    return transfer.sending ? pair.out : pair.in;
  }

  private void move(Transfer transfer) {
    long until = Math.min(transfer.end, transfer.position + STEP);
    try {
      for (int looks = 0; transfer.position < until && looks < LOOKS; looks++) {
        transfer.payload.at(transfer.position, local);
        int moved = move(transfer, Math.min(local.bytes, transfer.end - transfer.position));
        if (moved > 0) {
          transfer.position += moved;
          transfer.ringCount += moved;
          looks = 0;
        } else if (moved == 0) {
          Thread.onSpinWait();
        } else {
          corrupt(transfer);
          return;
        }
      }
    } catch (IllegalStateException | WrongThreadException e) { // this end's buffer
      transfer.fail(Copying.CANCELED, e);
    }
  }

  private void corrupt(Transfer transfer) {
    transfer.fail(Copying.CORRUPT, null);
    if (!transfer.sending) {
      abandon(node.pair(transfer));
    }
  }

  /** The stream from a peer is broken: all that were promised a stretch fail, and the next message makes a new ring. */
  void abandon(Pair pair) {
    for (Transfer transfer = pair.in.first(); transfer != null; transfer = transfer.next) {
      transfer.fail(Copying.CORRUPT, null);
      transfer.copied = true;
    }
    pair.ring = null;
    pair.promised = 0;
  }

  private int move(Transfer transfer, long bytes) {
    return transfer.sending
        ? node.spaces.put(transfer.ring, transfer.ringChunk, transfer.ringCount, local.memory, local.offset, bytes)
        : node.spaces.take(transfer.ring, transfer.ringChunk, transfer.ringCount, local.memory, local.offset, bytes);
  }

  /** The message is lost, its stretch of the stream is gone through without a copy. */
  private static void skip(Transfer transfer) {
    long bytes = transfer.ring.byteSize() - CopyRingDescriptor.BYTES;
    // SYNC ring-filled, ring-drained: acquire here and release below, as in CopyRing: what the other end has done with its bytes comes
    // before that, and we do nothing with them.
    long far =
        transfer.sending
            ? Words.loadAcquireLong(transfer.ring, CopyRingDescriptor.DRAINED_OFFSET) + bytes
            : Words.loadAcquireLong(transfer.ring, CopyRingDescriptor.FILLED_OFFSET);
    long skipped = Math.clamp(far - transfer.ringCount, 0, transfer.end - transfer.position);
    transfer.position += skipped;
    transfer.ringCount += skipped;
    long own = transfer.sending ? CopyRingDescriptor.FILLED_OFFSET : CopyRingDescriptor.DRAINED_OFFSET;
    Words.storeReleaseLong(transfer.ring, own, transfer.ringCount);
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
