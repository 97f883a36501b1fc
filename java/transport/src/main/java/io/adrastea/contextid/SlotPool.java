package io.adrastea.contextid;

import io.adrastea.atomic.Words;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.ContextIdEntryDescriptor;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * The slots of the communicators of one rank: those that it owns, as it has made them, are its shared memory, and the
 * others' are reached. Any thread may call.
 *
 * <p>
 * A slot that the rank owns is used again once the number of its communicator is free. That can only be after this rank
 * has closed the communicator, so those alone are looked at: some whenever another slot is made or closed, all before
 * more memory is taken.
 */
public final class SlotPool {
  private static final int LOOKS = 4;
  private static final int MOST_AT_ONCE_BYTES = 1 << 16;

  private final SharedHeap heap;
  private final SharedReach reach;
  private final RankTable table;
  private final ContextIds numbers;
  private final MemorySegment world; // slot of all ranks
  private final int self; // local rank

  // Guarded by this.
  private final Map<Integer, ArrayDeque<MemorySegment>> free = new HashMap<>(); // by the number of members
  private final Map<Integer, Integer> made = new HashMap<>(); // slots taken from the heap, by the number of members
  private final ArrayDeque<CommunicatorSlot> closed = new ArrayDeque<>(); // by this rank, and not yet by all

  public SlotPool(Segment segment, RankTable table, SharedHeap heap, SharedReach reach, int self) {
    this.heap = heap;
    this.reach = reach;
    this.table = table;
    this.numbers = new ContextIdTable(segment, table, reach, self);
    this.world = segment.memory().asSlice(segment.geometry().worldSlotOffset());
    this.self = self;
  }

  /** A slot of this rank's that members have not come to: they may have given up since this rank has closed it. */
  private void releaseIfSettled(CommunicatorSlot slot) {
    if (slot.owner() == self && !slot.isSettled()) {
      slot.settle();
      numbers.release(slot);
    }
  }

  /** All members have closed a slot, or are gone: frees what this rank has kept for them. */
  private void end(CommunicatorSlot slot) {
    if (slot.stages() != null) {
      heap.free(slot.stages());
    }
    slot.end();
    for (MemorySegment memory : slot.kept()) {
      heap.free(memory);
    }
    if (slot.owner() == self) {
      free.computeIfAbsent(slot.ranks(), size -> new ArrayDeque<>()).add(slot.memory());
    }
  }

  /** Looks at so many of the slots that others may have closed too, in turn. */
  private void sweep(int looks) {
    for (int left = Math.min(looks, closed.size()); left > 0; left--) {
      CommunicatorSlot slot = closed.poll();
      releaseIfSettled(slot);
      if (numbers.isTaken(slot.id())) {
        closed.add(slot);
      } else {
        end(slot);
      }
    }
  }

  /** Takes memory for as many slots as there are already, as long as that is not much: so the heap is asked rarely. */
  private void add(int ranks, ArrayDeque<MemorySegment> unused) {
    int bytes = SlotDescriptor.bytes(ranks);
    int count = Math.clamp(made.getOrDefault(ranks, 1), 1, Math.max(1, MOST_AT_ONCE_BYTES / bytes));
    MemorySegment memory = heap.allocate((long) count * bytes, Long.BYTES);
    made.merge(ranks, count, Integer::sum);
    for (int i = 0; i < count; i++) {
      unused.add(memory.asSlice((long) i * bytes, bytes));
    }
  }

  private synchronized MemorySegment take(int ranks) {
    sweep(LOOKS);
    ArrayDeque<MemorySegment> unused = free.computeIfAbsent(ranks, size -> new ArrayDeque<>());
    if (unused.isEmpty()) {
      sweep(closed.size());
    }
    if (unused.isEmpty()) {
      add(ranks, unused);
    }
    return unused.poll();
  }

  /** What all members must know to take the same way: what holds for the job, and whether they outnumber their CPUs. */
  private int choices(int... localRanks) {
    int ofJob = Words.load(world, SlotDescriptor.CHOICES_OFFSET) & ~SlotDescriptor.OVERSUBSCRIBED;
    return localRanks.length > table.usableCpus(localRanks) ? ofJob | SlotDescriptor.OVERSUBSCRIBED : ofJob;
  }

  private void fill(MemorySegment memory, int id, int... localRanks) {
    memory.fill((byte) 0);
    Words.store(memory, SlotDescriptor.CONTEXT_ID_OFFSET, id);
    Words.store(memory, SlotDescriptor.RANKS_OFFSET, localRanks.length);
    Words.store(memory, SlotDescriptor.CHOICES_OFFSET, choices(localRanks));
    for (int member = 0; member < localRanks.length; member++) {
      Words.store(memory, SlotDescriptor.rankOffset(member), localRanks[member]);
    }
  }

  /**
   * Takes a number for a communicator of this rank and others, and makes its slot.
   *
   * @param localRanks of the members, in their order
   * @throws AdrasteaException when there is no free number
   * @throws SegmentException when there is no room for the slot
   */
  public CommunicatorSlot make(int... localRanks) {
    int id = numbers.take();
    if (id == ContextIds.NONE) {
      throw new AdrasteaException(
          ("all %d numbers of communicators are taken; close communicators that are not needed any more, on all of "
              + "their ranks")
              .formatted(ContextIdEntryDescriptor.MAX_CONTEXTS));
    }
    try {
      MemorySegment memory = take(localRanks.length);
      fill(memory, id, localRanks);
      CommunicatorSlot slot = new CommunicatorSlot(id, self, heap.offset(memory), memory, localRanks.length);
      slot.enter(slot.memberOf(self));
      numbers.show(id, slot.offset());
      return slot;
    } catch (RuntimeException | Error e) {
      numbers.giveBack(id);
      throw e;
    }
  }

  /** The slot of all ranks, which was there from the beginning, and lasts. */
  public CommunicatorSlot ofWorld() {
    return new CommunicatorSlot(0, 0, 0, world, table.size());
  }

  /**
   * A slot of another communicator of ranks on this node, to be looked at alone.
   *
   * @throws SegmentException when it cannot be there
   */
  public CommunicatorSlot look(int id, int owner, long offset, int ranks) {
    requirePossible(id, offset);
    return new CommunicatorSlot(id, owner, offset, reach.reachTold(owner, offset, SlotDescriptor.bytes(ranks)), ranks);
  }

  private static void requirePossible(int id, long offset) {
    if (!ContextIdTable.canBe(id, offset)) {
      throw new SegmentException(
          "a slot at %d is said to be that of communicator %08x; a rank that is broken has written this"
              .formatted(offset, id));
    }
  }

  /**
   * This rank, the given member, comes in where another rank has told it of the slot that it has made.
   *
   * @return null: that one has given up or died, and this one was kept out
   */
  public CommunicatorSlot enter(int id, int owner, long offset, int ranks, int member) {
    requirePossible(id, offset);
    MemorySegment memory = reach.reachTold(owner, offset, SlotDescriptor.bytes(ranks));
    int said = Words.load(memory, SlotDescriptor.CONTEXT_ID_OFFSET);
    int members = Words.load(memory, SlotDescriptor.RANKS_OFFSET);
    if (said != id || members != ranks) {
      throw new SegmentException(
          ("the slot of communicator %08x with %d members says that it is that of %08x with %d; a rank that is broken "
              + "has written to it")
              .formatted(id, ranks, said, members));
    }
    CommunicatorSlot slot = new CommunicatorSlot(id, owner, offset, memory, ranks);
    return slot.enter(member) ? slot : null;
  }

  /** This rank comes in where it has found a slot that was made for it among others; null: it was kept out. */
  public CommunicatorSlot enter(int owner, long offset) {
    MemorySegment header = reach.reachTold(owner, offset, SlotDescriptor.BYTES);
    int id = Words.load(header, SlotDescriptor.CONTEXT_ID_OFFSET);
    int members = Words.load(header, SlotDescriptor.RANKS_OFFSET);
    requirePossible(id, offset);
    if (members < 1 || members > table.size()) {
      throw new SegmentException(
          "a slot says that it has %d members; a rank that is broken has written to it".formatted(members));
    }
    CommunicatorSlot slot =
        new CommunicatorSlot(id, owner, offset, reach.reachTold(owner, offset, SlotDescriptor.bytes(members)), members);
    int member = slot.memberOf(self);
    return member < members && slot.enter(member) ? slot : null;
  }

  /**
   * This rank, which has made the slot, gives up: it is done with it, and members that have not come in are kept out.
   */
  public void withdraw(CommunicatorSlot slot) {
    slot.bar();
    close(slot, slot.memberOf(self));
  }

  private synchronized void keep(CommunicatorSlot slot) {
    closed.add(slot);
    sweep(LOOKS);
  }

  /** This rank, the given member, has closed the communicator. */
  public void close(CommunicatorSlot slot, int member) {
    slot.settle();
    slot.close(member);
    numbers.release(slot);
    if (slot.owner() == self || slot.isToEnd()) {
      keep(slot);
    }
  }
}
