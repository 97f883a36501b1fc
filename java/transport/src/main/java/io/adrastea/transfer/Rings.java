package io.adrastea.transfer;

import io.adrastea.error.SegmentException;
import io.adrastea.layout.CopyRingDescriptor;

/**
 * The copy rings of one rank: each receiver makes one for a sender, which reaches it by its place in the segment's
 * file.
 */
final class Rings {
  private final Node node;

  Rings(Node node) {
    this.node = node;
  }

  /**
   * Receiver: makes the pair's ring, a smaller one where there is no room for the one asked for; false: the transfer
   * has failed.
   */
  boolean make(Pair pair, Transfer transfer) {
    SegmentException last = null;
    for (int bytes = node.settings.ringBytes(); bytes >= TransferSettings.LEAST_RING; bytes >>= 2) {
      try {
        pair.ring = node.heap.allocate(CopyRingDescriptor.BYTES + (long) bytes, Split.PAGE);
        pair.ringOffset = node.heap.offset(pair.ring);
        return true;
      } catch (SegmentException e) {
        last = e;
      } catch (OutOfMemoryError e) {
        break;
      }
    }
    pair.ring = null;
    transfer.fail(Transfers.NO_MEMORY, last);
    return false;
  }

  /**
   * Sender: reaches the receiver's ring; another than the last has a stream of its own.
   *
   * @param offset of the ring's head in the segment's file
   * @param bytes of the ring behind its head
   * @throws IllegalArgumentException when that cannot be a ring
   */
  void reach(Pair pair, long offset, long bytes) {
    if (Long.bitCount(bytes) != 1 || bytes < TransferSettings.LEAST_RING || bytes > TransferSettings.MOST_RING
        || (offset & Split.PAGE - 1) != 0) {
      throw new IllegalArgumentException("a copy ring of %d bytes at %d".formatted(bytes, offset));
    }
    long whole = bytes + CopyRingDescriptor.BYTES;
    if (pair.farRing == null || pair.farRingOffset != offset || pair.farRing.byteSize() != whole) {
      pair.farRing = node.reach.reach(pair.rank, offset, whole);
      pair.farRingOffset = offset;
      pair.entered = 0;
    }
  }

  /** The stream from a peer is broken: all that were promised a stretch fail, and the next message makes a new ring. */
  static void abandon(Pair pair) {
    for (Transfer transfer = pair.in.first(); transfer != null; transfer = transfer.next) {
      transfer.fail(Copying.CORRUPT, null);
      transfer.copied = true;
    }
    pair.ring = null;
    pair.promised = 0;
  }
}
