package io.adrastea.context;

import io.adrastea.atomic.Words;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.layout.SlotMemberDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;

/**
 * The slot of one communicator, as it is mapped here. Of its members' parts only who is there is known here; the rest
 * belongs to the collectives.
 */
public final class ContextSlot {
  private final int id;
  private final int owner; // local rank of the member that has made it, whose memory it is
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

  /** Of a member, as its owner has told. */
  public int localRank(int member) {
    return Words.load(memory, SlotDescriptor.rankOffset(member));
  }

  /** The number of the member that has this local rank; {@link #ranks}: there is none. */
  public int memberOf(int localRank) {
    int member = 0;
    while (member < ranks && localRank(member) != localRank) {
      member++;
    }
    return member;
  }

  public int ranks() {
    return ranks;
  }

  /** Local rank of the member whose memory it is. */
  int owner() {
    return owner;
  }

  /** The caller has allocated cells for the slot: they are freed with it. */
  public void keepCells(MemorySegment allocated) {
    cells = allocated;
  }

  MemorySegment cells() {
    return cells;
  }

  /** A member comes in; false: it is kept out, since the owner has given up. */
  boolean enter(int member) {
    // SYNC context-over: acq_rel; either we come in, or whoever keeps us out was before us.
    return Words.casAcqRel(memory, presenceOf(member), SlotMemberDescriptor.PRESENCE_NONE,
        SlotMemberDescriptor.PRESENCE_IN);
  }

  /** The owner has given up, or is gone: keeps those out that have not come in, who may never hear of the slot. */
  void bar() {
    for (int member = 0; member < ranks; member++) {
      // SYNC context-over: acq_rel, pairs with enter.
      Words.casAcqRel(memory, presenceOf(member), SlotMemberDescriptor.PRESENCE_NONE,
          SlotMemberDescriptor.PRESENCE_OUT);
    }
  }

  private long presenceOf(int member) {
    return SlotDescriptor.memberOffset(ranks, member) + SlotMemberDescriptor.PRESENCE_OFFSET;
  }

  /** A member, which has said that it has closed the communicator, does nothing in the slot any more but look. */
  void close(int member) {
    // SYNC context-over: acq_rel, pairs with isOver: whoever has looked at us before, and found us in, has said before
    // that it is out, which we see when we look.
    Words.swapAcqRel(memory, presenceOf(member), SlotMemberDescriptor.PRESENCE_OUT);
  }

  /** Whether each member has closed the communicator or is gone. */
  boolean isOver(IntPredicate gone) {
    for (int member = 0; member < ranks; member++) {
      // SYNC context-over: acq_rel, pairs with close; a read-modify-write, though nothing is changed: a member that
      // closes after it sees that we are out.
      int presence = Words.orAcqRel(memory, presenceOf(member), 0);
      if (presence != SlotMemberDescriptor.PRESENCE_OUT
          && !gone.test(localRank(member))) {
        return false;
      }
    }
    return true;
  }
}
