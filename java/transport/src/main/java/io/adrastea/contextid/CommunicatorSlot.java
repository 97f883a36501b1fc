package io.adrastea.contextid;

import io.adrastea.atomic.Words;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.layout.SlotMemberDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * The slot of one communicator, as it is mapped here. Of its members' parts only which members are there is known here;
 * the rest belongs to the collectives.
 */
public final class CommunicatorSlot {
  private static final long PATIENCE_NANOS = 100_000_000; // between two questions
  private static final Origin[] NONE = {};

  private final int id;
  private final int owner; // local rank of the member that has made it, whose memory it is
  private final long offset;
  private final MemorySegment memory;
  private final int ranks;
  private final int far; // members on other nodes
  private MemorySegment stages; // what this rank has allocated for longer data; null: nothing
  private MemorySegment[] kept = {}; // what else it has allocated for the members
  private Runnable over; // what it does when all have closed the communicator; null: nothing
  private volatile Origin[] origins = NONE; // what it was made out of
  private volatile IntConsumer asker; // asks a local rank whether it still comes; null: the origins tell
  private long asked; // in nanoseconds: when it was
  private volatile boolean settled; // each member is in or out, as far as this rank knows

  CommunicatorSlot(int id, int owner, long offset, MemorySegment memory, int ranks, int far) {
    this.id = id;
    this.owner = owner;
    this.offset = offset;
    this.memory = memory;
    this.ranks = ranks;
    this.far = far;
    this.asked = System.nanoTime();
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

  /** The local rank of a member, as the owner of the slot has told it. */
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
  public int owner() {
    return owner;
  }

  /** The caller has allocated stages for the slot: they are freed with it. */
  public void keepStages(MemorySegment allocated) {
    stages = allocated;
  }

  MemorySegment stages() {
    return stages;
  }

  /**
   * The caller has allocated memory that members may use until each has closed the communicator: it is freed with the
   * slot.
   *
   * @param whenOver is run then, by any thread of this rank, and waits for nothing
   */
  public void keep(Runnable whenOver, MemorySegment... allocated) {
    over = whenOver;
    kept = allocated;
  }

  MemorySegment[] kept() {
    return kept;
  }

  /** Whether this rank has something to do when all members have closed the communicator. */
  boolean isToEnd() {
    return over != null || kept.length > 0 || stages != null;
  }

  /** All members have closed the communicator, or are gone. */
  void end() {
    if (over != null) {
      over.run();
    }
  }

  /** Tells what the communicator is made out of, before others than its owner know of the slot here. */
  public CommunicatorSlot madeOutOf(Origin... parents) {
    origins = parents;
    return this;
  }

  /** What it was made out of, for an intercommunicator the group of this rank; null: nothing. */
  Origin origin() {
    Origin[] now = origins;
    return now.length == 0 ? null : now[0];
  }

  /** What it was made out of that has the local rank; null: nothing. */
  Origin originOf(int localRank) {
    for (Origin origin : origins) {
      if (origin.hasMember(localRank)) {
        return origin;
      }
    }
    return null;
  }

  void forgetOrigins() {
    origins = NONE;
  }

  /**
   * Names what asks a local rank that has not come in whether it has given up. It may ask for an answer that comes
   * later: {@link #isOut} is called then.
   */
  public CommunicatorSlot asks(IntConsumer ofLocalRank) {
    asker = ofLocalRank;
    return this;
  }

  private long presenceAt(int member) {
    return SlotDescriptor.memberOffset(ranks, member) + SlotMemberDescriptor.PRESENCE_OFFSET;
  }

  private long stateAt(int member) {
    return SlotDescriptor.memberOffset(ranks, member) + SlotMemberDescriptor.STATE_OFFSET;
  }

  /** A member comes in; false: it is kept out, since the owner has given up. */
  boolean enter(int member) {
    // SYNC member-presence: acq_rel; either we come in, or the rank that keeps us out was before us.
    return Words.casAcqRel(memory, presenceAt(member), SlotMemberDescriptor.PRESENCE_NONE,
        SlotMemberDescriptor.PRESENCE_IN);
  }

  /** Whether each member has come in, or never comes. */
  boolean isSettled() {
    return settled || origins.length == 0 && asker == null;
  }

  /** A member, which has said that it has closed the communicator, does nothing in the slot any more but look. */
  void close(int member) {
    // SYNC member-presence: acq_rel, pairs with isOver: a member that has looked at us before, and found us in, has
    // said before that it is out, which we see when we look.
    Words.swapAcqRel(memory, presenceAt(member), SlotMemberDescriptor.PRESENCE_OUT);
  }

  /**
   * Whether each member has closed the communicator or is gone.
   *
   * @param gone of local ranks
   * @param farGone of ranks of other nodes, by their numbers in the job
   */
  boolean isOver(IntPredicate gone, IntPredicate farGone) {
    return isOver(gone) && isFarOver(farGone);
  }

  /** Whether each member on this node has closed the communicator or is gone. */
  boolean isOver(IntPredicate gone) {
    for (int member = 0; member < ranks; member++) {
      // SYNC member-presence: acq_rel, pairs with close; a read-modify-write, though nothing is changed: a member that
      // closes after it sees that we are out.
      int presence = Words.orAcqRel(memory, presenceAt(member), 0);
      if (presence != SlotMemberDescriptor.PRESENCE_OUT
          && !gone.test(localRank(member))) {
        return false;
      }
    }
    return true;
  }

  private boolean isFarOver(IntPredicate gone) {
    for (int i = 0; i < far; i++) {
      if (!isFarOut(i) && !gone.test(farRank(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isFarOut(int index) {
    // SYNC member-presence: acq_rel, as of isOver: a rank that notes that a member is out looks at the members of this
    // node after it, so one of both sees that all are out.
    return (Words.orAcqRelLong(memory, SlotDescriptor.farOffset(ranks, index), 0) & SlotDescriptor.FAR_OUT) != 0;
  }

  private long farWord(int index) {
    return Words.loadRelaxedLong(memory, SlotDescriptor.farOffset(ranks, index));
  }

  /** Job rank of a member on another node. */
  private int farRank(int index) {
    return (int) farWord(index) & SlotDescriptor.FAR_RANK;
  }

  /** Asks each member on another node that has not said that it is out. */
  void askFar(FarMembers farMembers) {
    long at = SlotDescriptor.parentsOffset(ranks);
    boolean byCollectives = far > 0 && Words.load(memory, at + 2 * Integer.BYTES) != 0;
    for (int i = 0; i < far; i++) {
      if (!isFarOut(i)) {
        boolean ofOther = (farWord(i) & SlotDescriptor.FAR_OF_OTHER) != 0;
        farMembers.ask(id, Words.load(memory, ofOther ? at + Integer.BYTES : at), byCollectives, farRank(i));
      }
    }
  }

  /**
   * A member on another node, by its job rank, has closed the communicator or never comes. The slot may be in use again
   * meanwhile: its words have another id then.
   */
  void farIsOut(int jobRank) {
    for (int i = 0; i < far; i++) {
      long word = farWord(i);
      if (farRank(i) == jobRank && word >>> SlotDescriptor.FAR_ID_SHIFT == id) {
        // SYNC member-presence: acq_rel, pairs with isOver.
        Words.casAcqRelLong(
            memory, SlotDescriptor.farOffset(ranks, i), word & ~SlotDescriptor.FAR_OUT, word | SlotDescriptor.FAR_OUT);
      }
    }
  }

  /**
   * A member that has not come in, by its local rank, never comes. To be called while this rank is in, or has the
   * slot's memory for itself.
   */
  public void isOut(int localRank) {
    int member = memberOf(localRank);
    if (member < ranks) {
      keepOut(member);
    }
  }

  private int presenceOf(int member) {
    // SYNC member-presence: acq_rel, as of isOver: what stands there last.
    return Words.orAcqRel(memory, presenceAt(member), 0);
  }

  private boolean becomes(int member, int before, int after) {
    // SYNC member-presence: acq_rel, pairs with enter, and with the look of a member that waits for one that does not
    // come any more.
    return Words.casAcqRel(memory, presenceAt(member), before, after);
  }

  /** Keeps a member out that has not come in: to all others it is as one that has closed the communicator. */
  private void keepOut(int member) {
    becomes(member, SlotMemberDescriptor.PRESENCE_NONE, SlotMemberDescriptor.PRESENCE_OUT);
    if (presenceOf(member) == SlotMemberDescriptor.PRESENCE_OUT) {
      // SYNC member-state: release, as of coll.Slot.close. A member that has closed has said so before; one that is
      // kept out says nothing here any more, and it does not matter how many say it in its place.
      Words.storeRelease(memory, stateAt(member), SlotMemberDescriptor.CLOSED);
    }
  }

  /** The owner has given up, or is gone: keeps those out that have not come in, which may never hear of the slot. */
  public void bar() {
    for (int member = 0; member < ranks; member++) {
      keepOut(member);
    }
  }

  private boolean hasGivenUp(int localRank) {
    Origin origin = originOf(localRank);
    return origin != null && origin.hasGivenUp(localRank);
  }

  /**
   * Keeps those members out that have given up the making: nobody waits for them any more. To be called while this rank
   * is in, or has the slot's memory for itself, every now and then until {@link #isSettled}.
   */
  public void settle() {
    if (isSettled()) {
      return;
    }
    IntConsumer ask = asker;
    boolean asks = ask != null && System.nanoTime() - asked >= PATIENCE_NANOS;
    asked = asks ? System.nanoTime() : asked;
    boolean all = true;
    for (int member = 0; member < ranks; member++) {
      int presence = presenceOf(member);
      if (presence == SlotMemberDescriptor.PRESENCE_OUT
          || presence == SlotMemberDescriptor.PRESENCE_NONE && hasGivenUp(localRank(member))) {
        keepOut(member);
      } else {
        all &= presence != SlotMemberDescriptor.PRESENCE_NONE;
        if (asks && presence == SlotMemberDescriptor.PRESENCE_NONE) {
          ask.accept(localRank(member));
        }
      }
    }
    if (all) {
      settled = true;
      asker = null;
      origins = NONE;
    }
  }

  /** A member gives up the making of a communicator out of this one, and makes no more: nobody is to wait for it. */
  public void decline(int member) {
    if (!becomes(member, SlotMemberDescriptor.PRESENCE_IN, SlotMemberDescriptor.PRESENCE_DECLINED)) {
      // The world's slot, in which nobody comes in; a member that has closed the communicator stays out.
      becomes(member, SlotMemberDescriptor.PRESENCE_NONE, SlotMemberDescriptor.PRESENCE_DECLINED);
    }
  }

  /** Whether a member makes no communicators out of this one any more. */
  public boolean hasDeclined(int member) {
    return presenceOf(member) == SlotMemberDescriptor.PRESENCE_DECLINED;
  }

  private boolean isOfThis() {
    return Words.load(memory, SlotDescriptor.CONTEXT_ID_OFFSET) == id;
  }

  /** Whether a member has neither come in, nor is kept out. */
  boolean hasNotCome(int member) {
    int presence = presenceOf(member);
    // Last: the memory may belong to another communicator by now, which all members of this one have come to before.
    return presence == SlotMemberDescriptor.PRESENCE_NONE && isOfThis();
  }

  /** Whether each member has come in, or is kept out. */
  boolean haveAllCome() {
    for (int member = 0; member < ranks; member++) {
      if (hasNotCome(member)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a member can make no communicator out of this one any more, as far as it has said so. One that has not come
   * in here, and has given up that, has not said it here.
   *
   * @param byCollectives that are made by this one's collectives
   */
  boolean makesNoMore(int member, boolean byCollectives) {
    int presence = presenceOf(member);
    // SYNC member-state: acquire, as of coll.Slot.state.
    int state = Words.loadAcquire(memory, stateAt(member));
    // SYNC slot-revoked: acquire, as of coll.Slot.isRevoked.
    boolean revoked = Words.loadAcquire(memory, SlotDescriptor.REVOKED_OFFSET) != 0;
    // Last: when the memory belongs to another communicator by now, nothing of that was believed to be of this one, all
    // members of which have closed it, or are gone.
    return !isOfThis()
        || revoked
        || presence == SlotMemberDescriptor.PRESENCE_OUT
        || presence == SlotMemberDescriptor.PRESENCE_DECLINED
        || byCollectives && state != SlotMemberDescriptor.OPEN;
  }
}
