package io.adrastea.context;

import io.adrastea.atomic.Words;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.layout.SlotMemberDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;

/**
 * The slot of one communicator, as it is mapped here. Of its members' parts only the states are known here; the rest
 * belongs to the collectives.
 */
public final class ContextSlot {
  private final int id;
  private final int owner; // local rank of the lowest member, whose memory it is
  private final long offset;
  private final MemorySegment memory;
  private final int ranks;
  private MemorySegment cells; // what this rank has allocated for longer data; null: nothing

  ContextSlot(int id, int owner, long offset, MemorySegment memory, int ranks) {
    this.id = id;
    this.owner = owner;
    this.offset = offset;
    this.memory = memory;
    this.ranks = ranks;
  }

  /** Number and generation of the communicator. */
  public int id() {
    return id;
  }

  /** Where it lies in the segment's file. */
  public long offset() {
    return offset;
  }

  public MemorySegment memory() {
    return memory;
  }

  /** Local rank of the member whose memory it is. */
  int owner() {
    return owner;
  }

  int ranks() {
    return ranks;
  }

  /** The caller, which owns the slot, has allocated cells for it: they are freed with it. */
  public void keepCells(MemorySegment allocated) {
    cells = allocated;
  }

  MemorySegment cells() {
    return cells;
  }

  /** A member has closed the communicator and does nothing in the slot any more but look. */
  void close(int member) {
    // SYNC context-over: seq_cst, as the loads in isOver: of two members that close at a time, at least one sees the
    // other's state.
    Words.storeSeqCst(memory, SlotDescriptor.memberOffset(ranks, member) + SlotMemberDescriptor.STATE_OFFSET,
        SlotMemberDescriptor.CLOSED);
  }

  /** Whether each member has closed the communicator or is gone. */
  boolean isOver(IntPredicate gone) {
    for (int member = 0; member < ranks; member++) {
      // SYNC context-over: seq_cst, pairs with close; a member that is behind us sees our state.
      int state = Words.loadSeqCst(memory,
          SlotDescriptor.memberOffset(ranks, member) + SlotMemberDescriptor.STATE_OFFSET);
      if (state != SlotMemberDescriptor.CLOSED
          && !gone.test(Words.load(memory, SlotDescriptor.rankOffset(member)))) {
        return false;
      }
    }
    return true;
  }
}
