package io.adrastea.contextid;

import static io.adrastea.layout.ContextIdEntryDescriptor.FREE;
import static io.adrastea.layout.ContextIdEntryDescriptor.GENERATIONS;
import static io.adrastea.layout.ContextIdEntryDescriptor.MAX_CONTEXTS;
import static io.adrastea.layout.ContextIdEntryDescriptor.OWNER_SHIFT;
import static io.adrastea.layout.ContextIdEntryDescriptor.SLOT_OFFSET;
import static io.adrastea.layout.ContextIdEntryDescriptor.STATE_SHIFT;
import static io.adrastea.layout.ContextIdEntryDescriptor.TAKEN;
import static io.adrastea.layout.ContextIdEntryDescriptor.WORD_OFFSET;
import static io.adrastea.layout.SegmentHeaderDescriptor.CONTEXT_ID_NEXT_OFFSET;

import io.adrastea.atomic.Words;
import io.adrastea.layout.ContextIdEntryDescriptor;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import io.adrastea.shared.SharedReach;
import java.lang.foreign.MemorySegment;

/**
 * Numbers of the communicators that are made on one node: a table of words in the segment. Twin of
 * {@code contextid/adr_context_id_table.h}. Any thread may call.
 *
 * <p>
 * Of several nodes each has its own numbers: those that leave its own number when they are divided by the count of
 * nodes. So none asks another one. A communicator may have members on other nodes: the slot has a word for each, in
 * which a rank of this node notes that it has said that it is out.
 *
 * <p>
 * A member of a communicator takes a number by a CAS from FREE to TAKEN, which names it as the owner, fills a slot and
 * shows where it lies. A number is free again when each member has closed the communicator or is gone: a rank that
 * finds that raises the generation by a CAS, so that of several one does it and one that comes late does nothing. This
 * is mostly the last member to close. If it dies before, it leaves the number to a rank that finds no free one: that
 * rank looks at all that are taken.
 *
 * <p>
 * A member comes in by a CAS of its state, once the owner has told it of the slot. When the owner gives up, or is found
 * to have failed, those that are not in are kept out by the same CAS: whether they were told or not, they do not come
 * in any more.
 *
 * <p>
 * What is read of a slot may be old: its owner gives it to another communicator as soon as the number is free. The CAS
 * fails then, since the generation is another one. A word without a slot, or with that of another generation, belongs
 * to an owner that has not shown its slot yet: it is free once that is gone.
 *
 * <p>
 * Numbers are taken in turn, so that one comes again as late as possible, out of as many as were ever needed at a time:
 * that many pages of the table there are, and the messages of so many find their lists by an array.
 */
public final class ContextIdTable implements ContextIds {
  /** Numbers that are taken in turn while no more are needed at a time. */
  private static final int FEWEST = 1024;

  private static final int ENTRIES_OF_PAGE = 4096 / ContextIdEntryDescriptor.BYTES;
  /** The most members of a communicator on other nodes. */
  static final int MOST_FAR = 1 << 24;

  private static final long PATIENCE_NANOS = 100_000_000; // between two questions to such members
  private static final int STATE_MASK = 3;
  private static final int RANK_MASK = 0xffff;

  private final Segment segment;
  private final MemorySegment memory;
  private final long table;
  private final RankTable ranks;
  private final SharedReach reach;
  private final int self; // local rank
  private final int nodes;
  private final int node; // of this rank: it takes the numbers that leave this when they are divided by `nodes`
  private final FarMembers farMembers;
  private long asked; // in nanoseconds: when members on other nodes were asked last; guarded by this
  private int known; // entries whose pages are there, as far as this rank has seen to it; guarded by this

  /**
   * Opens the table of this node.
   *
   * @param nodes of the job
   * @param node number of this one
   */
  public ContextIdTable(
      Segment segment, RankTable ranks, SharedReach reach, int self, int nodes, int node, FarMembers farMembers) {
    this.segment = segment;
    this.memory = segment.memory();
    this.table = segment.geometry().contextIdTableOffset();
    this.ranks = ranks;
    this.reach = reach;
    this.self = self;
    this.nodes = nodes;
    this.node = node;
    this.farMembers = farMembers;
  }

  private long entryOffset(int number) {
    return table + (long) number * ContextIdEntryDescriptor.BYTES;
  }

  private static int numberOf(int id) {
    return id / GENERATIONS;
  }

  /**
   * Whether a communicator can have the id, and its slot lie there; what another rank has told is to be looked at
   * before it is used.
   */
  static boolean canBe(int id, long slotOffset) {
    return id > 0 && numberOf(id) > 0 && numberOf(id) < MAX_CONTEXTS && slotOffset % SlotDescriptor.BLOCK == 0;
  }

  private static int generationOf(int id) {
    return id % GENERATIONS;
  }

  private static int idOf(int number, long word) {
    return number * GENERATIONS + (int) (word & GENERATIONS - 1);
  }

  private static boolean isFree(long word) {
    return (word >>> STATE_SHIFT & STATE_MASK) == FREE;
  }

  private static long taken(int generation, int owner) {
    return generation | TAKEN << STATE_SHIFT | owner + 1L << OWNER_SHIFT;
  }

  /** The word of a number that is free, after that of a communicator which has ended. */
  private static long next(long word) {
    return word + 1 & GENERATIONS - 1;
  }

  /** Reserves the pages of the entries below {@code entries}, at most of all. */
  private void require(int entries) {
    for (; known < Math.min(entries, MAX_CONTEXTS); known += ENTRIES_OF_PAGE) {
      segment.reserveContexts(known); // others may have done that, which changes nothing
    }
  }

  private boolean takes(int number) {
    // Relaxed: the CAS decides.
    long word = Words.loadRelaxedLong(memory, entryOffset(number) + WORD_OFFSET);
    // SYNC context-id-word: acq_rel, pairs with `freeNumber`: what we write for the number comes after what was done
    // under it.
    return isFree(word) && Words.casAcqRelLong(memory, entryOffset(number) + WORD_OFFSET, word,
        taken((int) word & GENERATIONS - 1, self));
  }

  /** How many numbers of this node are below {@code entries}. */
  private int places(int entries) {
    return Math.max(0, (entries - node + nodes - 1) / nodes);
  }

  /** Takes the first free number, from where the last was taken; {@link #NONE}: no known one is free. */
  private int takeAny() {
    // Relaxed: only a hint.
    int first = Words.loadRelaxed(memory, CONTEXT_ID_NEXT_OFFSET) & MAX_CONTEXTS - 1;
    require(first + 1); // another rank has needed more
    int places = places(known);
    for (int i = 0; i < places; i++) {
      int place = first / nodes + i < places ? first / nodes + i : first / nodes + i - places;
      int number = place * nodes + node;
      if (number != 0 && takes(number)) {
        Words.storeRelaxed(memory, CONTEXT_ID_NEXT_OFFSET, place + 1 == places ? 0 : number - node + nodes);
        return idOf(number, Words.loadRelaxedLong(memory, entryOffset(number) + WORD_OFFSET)); // ours: nobody else
                                                                                               // changes it
      }
    }
    return NONE;
  }

  /** Frees a number that is taken, if nobody else was faster. */
  private boolean freeNumber(int number, long word) {
    // SYNC context-id-word: acq_rel, pairs with the CAS in `takes`; orders all that its members did, whose states we
    // have seen, before it is taken again.
    return Words.casAcqRelLong(memory, entryOffset(number) + WORD_OFFSET, word, next(word));
  }

  private boolean isInState(int rank, int state) {
    return rank >= 0 && rank < ranks.size() && ranks.state(rank) == state; // a rank that is broken has written another
  }

  private boolean hasFailed(int rank) {
    return isInState(rank, RankEntryDescriptor.STATE_FAILED);
  }

  private boolean isGone(int rank) {
    return isInState(rank, RankEntryDescriptor.STATE_LEFT) || hasFailed(rank);
  }

  /** The slot of that id, if it is at that place; {@code null}: it is not, or not yet. */
  private CommunicatorSlot find(int id, int owner, long offset) {
    if (!canBe(id, offset)) {
      return null;
    }
    try {
      MemorySegment header = reach.reach(owner, offset, SlotDescriptor.BYTES);
      int members = Words.load(header, SlotDescriptor.RANKS_OFFSET);
      int far = Words.load(header, SlotDescriptor.FAR_OFFSET);
      if (Words.load(header, SlotDescriptor.CONTEXT_ID_OFFSET) != id || members < 1 || members > ranks.size() || far < 0
          || far > MOST_FAR) {
        return null;
      }
      return new CommunicatorSlot(id, owner, offset, reach.reach(owner, offset, SlotDescriptor.bytes(members, far)),
          members, far);
    } catch (IllegalArgumentException e) { // that rank has no such memory: the offset is another owner's
      return null;
    }
  }

  private boolean isSlotOver(CommunicatorSlot slot) {
    if (hasFailed(slot.owner())) {
      slot.bar(); // it may not have told all; an owner that has left in order has, or has given up
    }
    return slot.isOver(this::isGone, farMembers::isGone);
  }

  private boolean isOver(int number, long word, boolean asks) {
    int owner = (int) (word >>> OWNER_SHIFT & RANK_MASK) - 1;
    boolean gone = isGone(owner); // first: then it does nothing any more, and no slot is shown behind our back
    // SYNC context-id-slot: acquire, pairs with `show`.
    long offset = Words.loadAcquireLong(memory, entryOffset(number) + SLOT_OFFSET);
    CommunicatorSlot slot = offset == 0 ? null : find(idOf(number, word), owner, offset);
    if (slot == null) {
      return gone;
    }
    boolean over = isSlotOver(slot);
    if (asks && !over && slot.isOver(this::isGone)) {
      slot.askFar(farMembers);
    }
    return over;
  }

  /** Frees what nobody has freed, since the last member to close has died before; whether there was any. */
  private boolean repair() {
    boolean any = false;
    boolean asks = nodes > 1 && System.nanoTime() - asked >= PATIENCE_NANOS;
    asked = asks ? System.nanoTime() : asked;
    for (int number = node == 0 ? nodes : node; number < known; number += nodes) {
      // SYNC context-id-word: acquire, pairs with the CAS in `takes`; the slot is read after it.
      long word = Words.loadAcquireLong(memory, entryOffset(number) + WORD_OFFSET);
      any |= !isFree(word) && isOver(number, word, asks) && freeNumber(number, word);
    }
    return any;
  }

  @Override
  public synchronized int take() {
    require((int) Math.min((long) FEWEST * nodes, MAX_CONTEXTS));
    int id = takeAny();
    while (id == NONE) {
      if (!repair()) {
        if (known == MAX_CONTEXTS) {
          return NONE;
        }
        require(2 * known);
      }
      id = takeAny();
    }
    return id;
  }

  @Override
  public void show(int id, long slotOffset) {
    // SYNC context-id-slot: release, pairs with the acquire in `isOver`; orders the slot's header and its members.
    Words.storeReleaseLong(memory, entryOffset(numberOf(id)) + SLOT_OFFSET, slotOffset);
  }

  @Override
  public void giveBack(int id) {
    freeNumber(numberOf(id), taken(generationOf(id), self));
  }

  @Override
  public void release(CommunicatorSlot slot) {
    if (isSlotOver(slot)) {
      freeNumber(numberOf(slot.id()), taken(generationOf(slot.id()), slot.owner()));
    }
  }

  @Override
  public void farIsOut(int id, int jobRank) {
    int number = numberOf(id);
    if (id <= 0 || number < 1 || number >= MAX_CONTEXTS || number % nodes != node) {
      return; // a rank that is broken has said so
    }
    // SYNC context-id-word: acquire, as of `repair`.
    long word = Words.loadAcquireLong(memory, entryOffset(number) + WORD_OFFSET);
    if (isFree(word) || (word & GENERATIONS - 1) != generationOf(id)) {
      return;
    }
    // SYNC context-id-slot: acquire, pairs with `show`.
    long offset = Words.loadAcquireLong(memory, entryOffset(number) + SLOT_OFFSET);
    CommunicatorSlot slot = offset == 0 ? null : find(id, (int) (word >>> OWNER_SHIFT & RANK_MASK) - 1, offset);
    if (slot == null) {
      return;
    }
    slot.farIsOut(jobRank);
    if (isSlotOver(slot)) {
      freeNumber(number, word);
    }
  }

  @Override
  public boolean isTaken(int id) {
    // SYNC context-id-word: acquire, pairs with `freeNumber`: the slot is used again after its members have looked at
    // it last.
    long word = Words.loadAcquireLong(memory, entryOffset(numberOf(id)) + WORD_OFFSET);
    return !isFree(word) && (word & GENERATIONS - 1) == generationOf(id);
  }
}
