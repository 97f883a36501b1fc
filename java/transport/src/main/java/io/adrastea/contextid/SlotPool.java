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
  private final int most; // numbers of this node

  // Guarded by this.
  private final Map<Integer, ArrayDeque<MemorySegment>> free = new HashMap<>(); // by their bytes
  private final Map<Integer, Integer> made = new HashMap<>(); // slots taken from the heap, by their bytes
  private final ArrayDeque<CommunicatorSlot> closed = new ArrayDeque<>(); // by this rank, and not yet by all

  /**
   * The slots of a rank.
   *
   * @param nodes of the job
   * @param node number of this one
   */
  public SlotPool(
      Segment segment, RankTable table, SharedHeap heap, SharedReach reach, int self, int nodes, int node,
      FarMembers farMembers) {
    this.heap = heap;
    this.reach = reach;
    this.table = table;
    this.numbers = new ContextIdTable(segment, table, reach, self, nodes, node, farMembers);
    this.most = ContextIdEntryDescriptor.MAX_CONTEXTS / nodes;
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
      free.computeIfAbsent((int) slot.memory().byteSize(), size -> new ArrayDeque<>()).add(slot.memory());
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
  private void add(int bytes, ArrayDeque<MemorySegment> unused) {
    int count = Math.clamp(made.getOrDefault(bytes, 1), 1, Math.max(1, MOST_AT_ONCE_BYTES / bytes));
    MemorySegment memory = heap.allocate((long) count * bytes, Long.BYTES);
    made.merge(bytes, count, Integer::sum);
    for (int i = 0; i < count; i++) {
      unused.add(memory.asSlice((long) i * bytes, bytes));
    }
  }

  private synchronized MemorySegment take(int bytes) {
    sweep(LOOKS);
    ArrayDeque<MemorySegment> unused = free.computeIfAbsent(bytes, size -> new ArrayDeque<>());
    if (unused.isEmpty()) {
      sweep(closed.size());
    }
    if (unused.isEmpty()) {
      add(bytes, unused);
    }
    return unused.poll();
  }

  /** What all members must know to take the same way: what holds for the job, and whether they outnumber their CPUs. */
  private int choices(int... localRanks) {
    int ofJob = Words.load(world, SlotDescriptor.CHOICES_OFFSET) & ~SlotDescriptor.OVERSUBSCRIBED;
    return localRanks.length > table.usableCpus(localRanks) ? ofJob | SlotDescriptor.OVERSUBSCRIBED : ofJob;
  }

  private void fill(MemorySegment memory, int id, Parents parents, int[] far, int... localRanks) {
    memory.fill((byte) 0);
    Words.store(memory, SlotDescriptor.CONTEXT_ID_OFFSET, id);
    Words.store(memory, SlotDescriptor.RANKS_OFFSET, localRanks.length);
    Words.store(memory, SlotDescriptor.CHOICES_OFFSET, choices(localRanks));
    Words.store(memory, SlotDescriptor.FAR_OFFSET, far.length);
    if (far.length > 0) {
      long at = SlotDescriptor.parentsOffset(localRanks.length);
      Words.store(memory, at, parents.one());
      Words.store(memory, at + Integer.BYTES, parents.other());
      Words.store(memory, at + 2 * Integer.BYTES, parents.byCollectives() ? 1 : 0);
    }
    for (int i = 0; i < far.length; i++) {
      long rank = parents.areInOther().test(far[i]) ? far[i] | SlotDescriptor.FAR_OF_OTHER : far[i];
      Words.storeRelaxedLong(
          memory, SlotDescriptor.farOffset(localRanks.length, i), (long) id << SlotDescriptor.FAR_ID_SHIFT | rank);
    }
    for (int member = 0; member < localRanks.length; member++) {
      Words.store(memory, SlotDescriptor.rankOffset(member), localRanks[member]);
    }
  }

  /**
   * Takes a number for a communicator of this rank and others, and makes its slot.
   *
   * @param parents what it is made out of
   * @param far job ranks of the members on other nodes
   * @param localRanks of the members on this one, in their order
   * @throws AdrasteaException when there is no free number
   * @throws SegmentException when there is no room for the slot
   */
  public CommunicatorSlot make(Parents parents, int[] far, int... localRanks) {
    int id = numbers.take();
    if (id == ContextIds.NONE) {
      throw new AdrasteaException(
          ("all %d numbers of communicators are taken; close communicators that are not needed any more, on all of "
              + "their ranks")
              .formatted(most));
    }
    try {
      MemorySegment memory = take(SlotDescriptor.bytes(localRanks.length, far.length));
      fill(memory, id, parents, far, localRanks);
      CommunicatorSlot slot =
          new CommunicatorSlot(id, self, heap.offset(memory), memory, localRanks.length, far.length);
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
    return new CommunicatorSlot(0, 0, 0, world, table.size(), 0);
  }

  /**
   * A slot of another communicator of ranks on this node, to be looked at alone.
   *
   * @throws SegmentException when it cannot be there
   */
  public CommunicatorSlot look(int id, int owner, long offset, int ranks) {
    requirePossible(id, offset);
    return new CommunicatorSlot(id, owner, offset, reach.reachTold(owner, offset, SlotDescriptor.bytes(ranks)), ranks,
        0);
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
  public CommunicatorSlot enter(int id, int owner, long offset, int ranks, int far, int member) {
    requirePossible(id, offset);
    MemorySegment header = reach.reachTold(owner, offset, SlotDescriptor.bytes(ranks));
    int said = Words.load(header, SlotDescriptor.CONTEXT_ID_OFFSET);
    int members = Words.load(header, SlotDescriptor.RANKS_OFFSET);
    int others = Words.load(header, SlotDescriptor.FAR_OFFSET);
    if (said != id || members != ranks || others != far) {
      throw new SegmentException(
          ("the slot of communicator %08x with %d members, and %d on other nodes, says that it is that of %08x with %d "
              + "and %d; a rank that is broken has written to it")
              .formatted(id, ranks, far, said, members, others));
    }
    MemorySegment memory =
        far == 0 ? header : reach.reachTold(owner, offset, SlotDescriptor.bytes(ranks, far));
    CommunicatorSlot slot = new CommunicatorSlot(id, owner, offset, memory, ranks, far);
    return slot.enter(member) ? slot : null;
  }

  /** This rank comes in where it has found a slot that was made for it among others; null: it was kept out. */
  public CommunicatorSlot enter(int owner, long offset) {
    MemorySegment header = reach.reachTold(owner, offset, SlotDescriptor.BYTES);
    int id = Words.load(header, SlotDescriptor.CONTEXT_ID_OFFSET);
    int members = Words.load(header, SlotDescriptor.RANKS_OFFSET);
    int far = Words.load(header, SlotDescriptor.FAR_OFFSET);
    requirePossible(id, offset);
    if (members < 1 || members > table.size() || far < 0 || far > ContextIdTable.MOST_FAR) {
      throw new SegmentException(
          "a slot says that it has %d members, and %d on other nodes; a rank that is broken has written to it"
              .formatted(members, far));
    }
    CommunicatorSlot slot =
        new CommunicatorSlot(
            id, owner, offset, reach.reachTold(owner, offset, SlotDescriptor.bytes(members, far)), members, far);
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

  /**
   * A member on another node has said by a message that it has closed a communicator that a rank of this node has made,
   * or never comes to it.
   */
  public void farIsOut(int id, int jobRank) {
    numbers.farIsOut(id, jobRank);
  }

  /** A member on this node never comes to a communicator that this rank may have made, and closed. */
  public synchronized void isOut(int id, int localRank) {
    for (CommunicatorSlot slot : closed) {
      if (slot.id() == id && slot.owner() == self && numbers.isTaken(id)) {
        slot.isOut(localRank);
        numbers.release(slot);
      }
    }
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
