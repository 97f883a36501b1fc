package io.adrastea.transfer;

import io.adrastea.error.SegmentException;
import io.adrastea.layout.SplitDescriptor;
import io.adrastea.shared.SharedReach;

/**
 * One transfer that both ends copy parts of, as {@link Split} deals them out: the receiver from the front, the sender
 * from the back. A pair of ranks has one split word in each direction, so that one transfer at a time goes that way.
 */
final class SplitCopying {
  private final Node node;

  SplitCopying(Node node) {
    this.node = node;
  }

  /**
   * Receiver: makes the transfer one of both ends, when that is worth it and no other of this pair is; whether it did.
   */
  boolean invite(Transfer transfer) {
    Pair pair = node.pair(transfer);
    boolean worthIt = Paths.isSplit(transfer.writing, transfer.wanted, node.settings.splitBytes());
    if (!worthIt || pair.splitBusy || !makeSplit(pair)) {
      return false;
    }
    pair.splitBusy = true;
    transfer.split = pair.split;
    transfer.splitOffset = 0;
    transfer.splitTag = pair.splitTag = pair.splitTag + 1 & 0xFFFF;
    Split.reset(pair.split, 0, transfer.splitTag);
    return true;
  }

  private boolean makeSplit(Pair pair) {
    if (pair.split == null) {
      try {
        pair.split = node.heap.allocate(SplitDescriptor.BYTES, SplitDescriptor.BYTES);
        pair.splitOffset = node.heap.offset(pair.split);
      } catch (SegmentException | OutOfMemoryError e) { // no room: one end copies all
        return false;
      }
    }
    return true;
  }

  /**
   * Sender: joins in.
   *
   * @param place of the receiver's split word, in the segment's file
   * @throws IllegalArgumentException when there is no such place
   */
  void join(Transfer transfer, long place, int tag) {
    if ((place & SplitDescriptor.BYTES - 1) != 0) {
      throw new IllegalArgumentException("a split word at %d".formatted(place));
    }
    SharedReach.Mapping mapping = node.reach.mapping(transfer.peer, place, SplitDescriptor.BYTES);
    transfer.split = mapping.memory();
    transfer.splitOffset = place - mapping.offset();
    transfer.splitTag = tag;
  }

  /** Copies a part at either end, or ends when there is none left. */
  void next(Transfer transfer) {
    long part = take(transfer, false);
    if (part == Split.NOTHING) {
      end(transfer);
      return;
    }
    transfer.participates = true;
    long start = Split.start(part);
    long end = Split.end(part, transfer.wanted);
    if (!Copying.copy(node, transfer, start, end - start, end)) {
      takeRest(transfer);
      end(transfer);
    }
  }

  private static long take(Transfer transfer, boolean rest) {
    return Split.take(
        transfer.split, transfer.splitOffset, transfer.splitTag, transfer.wanted, transfer.sending, rest);
  }

  /** After a failure: the other end is to stop, or what is left goes another way with what failed. */
  private static void takeRest(Transfer transfer) {
    long rest = take(transfer, true);
    if (rest != Split.NOTHING && transfer.misses()) {
      transfer.miss(Split.start(rest), Split.end(rest, transfer.wanted));
    }
  }

  /** The transfer has failed at one end or the other: this one takes what is left, and copies none of it. */
  static void stop(Transfer transfer) {
    transfer.participates |= take(transfer, true) != Split.NOTHING; // who has taken a part says when it is over
    end(transfer);
  }

  private static void end(Transfer transfer) {
    transfer.copied = true;
    if (!transfer.sending) {
      transfer.awaitsPeer |= Split.hasBack(transfer.split, transfer.splitOffset);
    }
  }

  /** Receiver: the pair's split word is free for the next. */
  void leave(Transfer transfer) {
    if (transfer.split != null) {
      node.pair(transfer).splitBusy = false;
      transfer.split = null;
    }
  }
}
