package io.adrastea.transfer;

import io.adrastea.core.CopyInterrupt;
import io.adrastea.core.Spaces;
import io.adrastea.layout.CopyRingDescriptor;
import io.adrastea.segment.Words;

/** One end of a transfer through a copy ring: a step of its stretch of the stream, with its bytes or without them. */
final class RingCopying {
  private static final int LOOKS = 64; // before the rest of the engine has its turn
  private static final long STEP = 1 << 18;

  private final Spaces spaces;
  private final Payload.Entry local = new Payload.Entry();

  RingCopying(Spaces spaces) {
    this.spaces = spaces;
  }

  /** Copies what can be copied now, at most a step; false: the ring's head cannot be. */
  boolean move(Transfer transfer) {
    long until = Math.min(transfer.end, transfer.position + STEP);
    boolean interrupted = CopyInterrupt.isPending();
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
          return false;
        }
      }
    } catch (IllegalStateException | WrongThreadException e) { // this end's buffer
      CopyInterrupt.forget(interrupted, e);
      transfer.fail(Copying.CANCELED, e);
    } catch (OutOfMemoryError e) {
      transfer.fail(Transfers.NO_MEMORY, null);
    }
    return true;
  }

  private int move(Transfer transfer, long bytes) {
    return transfer.sending
        ? spaces.put(transfer.ring, transfer.ringChunk, transfer.ringCount, local.memory, local.offset, bytes)
        : spaces.take(transfer.ring, transfer.ringChunk, transfer.ringCount, local.memory, local.offset, bytes);
  }

  /** The message is lost, its stretch of the stream is gone through without a copy. */
  static void skip(Transfer transfer) {
    long bytes = transfer.ring.byteSize() - CopyRingDescriptor.BYTES;
    // Acquire here and release below, as in CopyRing: what the other end has done with its bytes comes before that, and
    // we do nothing with them.
    long far =
        transfer.sending
            ? Words.loadAcquireLong(transfer.ring, CopyRingDescriptor.DRAINED_OFFSET) + bytes // SYNC ring-drained
            : Words.loadAcquireLong(transfer.ring, CopyRingDescriptor.FILLED_OFFSET); // SYNC ring-filled
    long skipped = Math.clamp(far - transfer.ringCount, 0, transfer.end - transfer.position);
    transfer.position += skipped;
    transfer.ringCount += skipped;
    long own = transfer.sending ? CopyRingDescriptor.FILLED_OFFSET : CopyRingDescriptor.DRAINED_OFFSET;
    Words.storeReleaseLong(transfer.ring, own, transfer.ringCount); // SYNC ring-filled, ring-drained: whichever is ours
  }
}
