package io.adrastea.transfer;

/** Transfers that go through one ring, one behind the other. Linked through the transfers. */
final class TransferQueue {
  private Transfer first;
  private Transfer last;

  Transfer first() {
    return first;
  }

  void add(Transfer transfer) {
    transfer.next = null;
    if (first == null) {
      first = transfer;
    } else {
      last.next = transfer;
    }
    last = transfer;
  }

  /** Takes one out, wherever it is; nothing when it is not here. */
  void remove(Transfer transfer) {
    Transfer before = null;
    for (Transfer at = first; at != null; before = at, at = at.next) {
      if (at == transfer) {
        unlink(before, at);
        return;
      }
    }
  }

  private void unlink(Transfer before, Transfer transfer) {
    if (before == null) {
      first = transfer.next;
    } else {
      before.next = transfer.next;
    }
    if (last == transfer) {
      last = before;
    }
  }
}
