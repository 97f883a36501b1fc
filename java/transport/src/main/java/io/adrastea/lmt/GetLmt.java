package io.adrastea.lmt;

import io.adrastea.error.SegmentException;
import io.adrastea.layout.SplitDescriptor;
import io.adrastea.shared.SharedReach;

/**
 * Driven by the receiver, which copies straight from the sender's memory. From a size on the sender is invited to join in, and copies
 * from the back to the receiver's memory until the two meet: {@link Split}. A sender that does not look meanwhile keeps nobody waiting.
 */
final class GetLmt implements Lmt {
  private final Node node;

  GetLmt(Node node) {
    this.node = node;
  }

  @Override
  public void preSend(Transfer transfer, Cookie rts) {
    transfer.own.describe(transfer.payload, transfer.length, node.heap, node.mostStretches);
    rts.add(transfer.own.stretches);
  }

  @Override
  public boolean preRecv(Transfer transfer, Cookie cts) {
    transfer.position = 0;
    transfer.end = transfer.wanted;
    transfer.memory = node.memory(transfer.reading);
    transfer.awaitsPeer = (transfer.offers & Exposure.LASTING) == 0;
    if (!takeSplit(transfer)) {
      return false;
    }
    Pair pair = node.pair(transfer);
    cts.add(Cookie.pack(Cookies.GET | transfer.writing.ordinal() << 8, 0));
    cts.add(0);
    cts.add(transfer.wanted);
    cts.add(pair.splitOffset);
    cts.add(node.segment);
    cts.add(transfer.splitTag);
    cts.add(0);
    cts.add(transfer.own.stretches);
    return true;
  }

  /** Makes the transfer one of both ends, when that is worth it and no other of this pair is. */
  private boolean takeSplit(Transfer transfer) {
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
      } catch (SegmentException e) { // no room: one end copies all
        return false;
      }
    }
    return true;
  }

  @Override
  public void startSend(Transfer transfer, Cookie cts) {
    if ((cts.word(Cookies.PLACE) & SplitDescriptor.BYTES - 1) != 0) {
      throw new IllegalArgumentException("a split word at %d".formatted(cts.word(Cookies.PLACE)));
    }
    SharedReach.Mapping mapping =
        node.reach.mapping(transfer.peer, cts.word(Cookies.PLACE), SplitDescriptor.BYTES);
    transfer.split = mapping.memory();
    transfer.splitOffset = cts.word(Cookies.PLACE) - mapping.offset();
    transfer.splitTag = cts.low(Cookies.SPLIT_TAG);
    transfer.segment = cts.word(Cookies.RECEIVER_SEGMENT);
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
      copyNext(transfer);
    } else {
      copyPart(transfer);
    }
    return true;
  }

  /** The transfer has failed at one end or the other: nothing more is copied here. */
  private static void stop(Transfer transfer) {
    if (transfer.split != null) {
      transfer.participates |= take(transfer, true) != Split.NOTHING; // who has taken a part says when it is over
      endParts(transfer);
    }
    transfer.copied = true;
  }

  private void copyNext(Transfer transfer) {
    long bytes = Math.min(Copying.STEP, transfer.end - transfer.position);
    if (bytes > 0 && !Copying.copy(node, transfer, transfer.position, bytes, transfer.end)) {
      transfer.copied = true;
      return;
    }
    transfer.position += bytes;
    transfer.copied = transfer.position == transfer.end;
  }

  private static long take(Transfer transfer, boolean rest) {
    return Split.take(
        transfer.split, transfer.splitOffset, transfer.splitTag, transfer.wanted, transfer.sending, rest);
  }

  private void copyPart(Transfer transfer) {
    long part = take(transfer, false);
    if (part == Split.NOTHING) {
      endParts(transfer);
      return;
    }
    transfer.participates = true;
    long start = Split.start(part);
    long end = Split.end(part, transfer.wanted);
    if (!Copying.copy(node, transfer, start, end - start, end)) {
      takeRest(transfer);
      endParts(transfer);
    }
  }

  /** After a failure: the other end is to stop, or what is left goes another way with what failed. */
  private static void takeRest(Transfer transfer) {
    long rest = take(transfer, true);
    if (rest != Split.NOTHING && transfer.misses()) {
      transfer.miss(Split.start(rest), Split.end(rest, transfer.wanted));
    }
  }

  private static void endParts(Transfer transfer) {
    transfer.copied = true;
    if (!transfer.sending) {
      transfer.awaitsPeer |= Split.hasBack(transfer.split, transfer.splitOffset);
    }
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
    if (transfer.split != null) {
      node.pair(transfer).splitBusy = false;
      transfer.split = null;
    }
  }
}
