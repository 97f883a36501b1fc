package io.adrastea.transfer;

import io.adrastea.error.SegmentException;
import java.util.ArrayList;
import java.util.function.IntPredicate;

/** The transfers that are to be moved on, at either end, until they are over. */
final class ActiveTransfers {
  private final Wire wire;
  private final TransferTable table;
  private final Invitations invitations;
  private final Endings endings;
  // An empty one without a size would not be grown by what is reserved.
  private final ArrayList<Transfer> active = new ArrayList<>(16);

  ActiveTransfers(Wire wire, TransferTable table, Invitations invitations, Endings endings) {
    this.wire = wire;
    this.table = table;
    this.invitations = invitations;
    this.endings = endings;
  }

  /** Sees to it that the next {@link #add} takes no memory. */
  void reserve() {
    active.ensureCapacity(active.size() + 1);
  }

  /** From now on it is one of them. */
  void add(Transfer transfer) {
    if (!transfer.active) {
      transfer.active = true;
      active.add(transfer);
    }
  }

  boolean isEmpty() {
    return active.isEmpty();
  }

  /** Moves all on; whether anything moved. */
  boolean progress() {
    boolean any = false;
    for (int i = active.size() - 1; i >= 0; i--) {
      any |= progress(active.get(i));
    }
    return any;
  }

  /** Moves those with one rank on; whether any moved. */
  boolean progressWith(int peer) {
    boolean any = false;
    for (int i = active.size() - 1; i >= 0; i--) {
      Transfer transfer = active.get(i);
      any |= transfer.peer == peer && progress(transfer);
    }
    return any;
  }

  /** Moves one on, which need not be one of them yet; whether anything moved. */
  boolean progress(Transfer transfer) {
    boolean moved = move(transfer);
    if (moved) {
      wire.moved(transfer.peer());
    }
    if (endings.needsRing(transfer)) {
      invitations.fallBack(transfer);
    }
    if (!endings.isOver(transfer)) {
      return moved;
    }
    if (!endings.isSettled(transfer)) {
      add(transfer);
      return moved;
    }
    finish(transfer);
    return true;
  }

  /** What a broken peer brings about ends this transfer, not those with others. */
  private static boolean move(Transfer transfer) {
    try {
      return transfer.mechanism.progress(transfer);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | SegmentException e) {
      transfer.fail(Copying.CORRUPT, e);
      transfer.copied = true;
      return true;
    }
  }

  private void finish(Transfer transfer) {
    leave(transfer);
    wire.finished(transfer);
    table.give(transfer, true);
  }

  /** Ends one whose peer is gone, without its owner. */
  void end(Transfer transfer) {
    leave(transfer);
    table.give(transfer, true);
  }

  private void leave(Transfer transfer) {
    if (transfer.sending) {
      transfer.mechanism.postSend(transfer);
    } else if (transfer.mechanism != null) {
      transfer.mechanism.postRecv(transfer);
    }
    if (transfer.active) {
      active.remove(transfer);
      transfer.active = false;
    }
  }

  /** Ends those that nobody owns any more and whose peer is gone. */
  void reap(IntPredicate gone) {
    for (int i = active.size() - 1; i >= 0; i--) {
      Transfer transfer = active.get(i);
      if (transfer.owner == Transfers.ORPHAN && gone.test(transfer.peer)) {
        end(transfer);
      }
    }
  }
}
