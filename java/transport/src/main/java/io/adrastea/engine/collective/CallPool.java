package io.adrastea.engine.collective;

import io.adrastea.engine.operation.Pending;

/**
 * The calls of one communicator that are not in use, for those that are started: as many as were outstanding at a time.
 * Called inside the gate.
 */
final class CallPool {
  private final Pending.Owner<Call> owner;
  private final int rank; // in the communicator
  private final int size;
  private Call spare; // a list; null: one is to be made
  private GroupReduction spareReduction; // likewise, for those between groups

  /**
   * @param owner moves the calls on
   * @param rank in the communicator
   * @param size of that
   */
  CallPool(Pending.Owner<Call> owner, int rank, int size) {
    this.owner = owner;
    this.rank = rank;
    this.size = size;
  }

  /** A call that is not given back: it stays its caller's. */
  Call make(Form form) {
    return new Call(owner, form, rank, size);
  }

  /** A call that a request tells of until it is complete. */
  Call take() {
    Call call = spare;
    if (call == null) {
      return make(Form.STARTED);
    }
    spare = call.next;
    return call;
  }

  GroupReduction makeReduction(Groups groups, Form form) {
    return new GroupReduction(owner, groups, rank, form);
  }

  GroupReduction takeReduction(Groups groups) {
    GroupReduction reduction = spareReduction;
    if (reduction == null) {
      return makeReduction(groups, Form.STARTED);
    }
    spareReduction = reduction.next;
    return reduction;
  }

  /** Takes back a call that is over, and with the last one of a reduction all of that. */
  void give(Call call) {
    Call.Sequence sequence = call.sequence();
    call.end();
    if (sequence instanceof GroupReduction reduction) {
      give(reduction);
    } else {
      call.next = spare;
      spare = call;
    }
  }

  void give(GroupReduction reduction) {
    reduction.end();
    reduction.next = spareReduction;
    spareReduction = reduction;
  }
}
