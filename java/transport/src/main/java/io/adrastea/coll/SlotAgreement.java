package io.adrastea.coll;

import java.util.function.IntPredicate;

/**
 * One member's side of the agreements of a communicator [ULFM], a look at a time: nothing waits here, and the caller is
 * asked which members are gone. Twin of {@code coll/adr_slot_agreement.h}.
 *
 * <p>
 * Each member writes what it has to say into its part of the slot. A member that sees that every member has, or has
 * closed the communicator, or is gone, makes a decision of what there is, and stores it by a CAS over the decision
 * before: so there is one, however differently members saw which are gone, and it stays when the member that made it
 * dies. It stays until all that live are in the next agreement, so nobody misses it.
 *
 * <p>
 * What is agreed on are flags, each set where all members have set it that came; or what the first member that lives
 * proposes.
 */
public final class SlotAgreement {
  /** What a look finds: {@link #decision} is there. */
  public static final int DECIDED = 0;

  /** Member {@link #other} has not come. */
  public static final int AWAITED = 1;

  /** Member {@link #other} calls another agreement than this one. */
  public static final int MISMATCH = 2;

  /** All have come, or are gone: the first member that lives is to {@link #propose}. */
  public static final int UNDECIDED = 3;

  /** Bits of what can be proposed. */
  public static final long PROPOSAL = (1L << 52) - 1;

  private static final int SEQUENCE_SHIFT = 32;
  private static final int SHRUNK_SHIFT = 52;
  private static final int SEQUENCES = 1 << 30;
  private static final int SHRINKS = (1 << Long.SIZE - SHRUNK_SHIFT) - 1;
  private static final long SHRINK = 1L << 63;

  private final Slot slot;
  private int sequence; // of the last agreement
  private int shrink; // number of the shrink: the one behind that of the decision before
  private boolean proposes; // it is one of the members' proposals; else of their flags
  private boolean own; // this member has made the decision
  private long before; // the decision that a look has found: of the agreement before, or of this one
  private int other;

  public SlotAgreement(Slot slot) {
    this.slot = slot;
  }

  private void come(long word) {
    sequence = sequence % SEQUENCES + 1; // never 0, which is what there is before the first
    own = false;
    slot.say(word | (long) sequence << SEQUENCE_SHIFT);
  }

  /** Says that this member has come, with its flags. */
  public void beginFlags(int flags) {
    proposes = false;
    come(Integer.toUnsignedLong(flags));
  }

  /** Says that this member has come, and proposes if it is the first. */
  public void beginProposal() {
    proposes = true;
    shrink = (int) (slot.decided(true) >>> SHRUNK_SHIFT) % SHRINKS + 1; // never 0, as sequence
    come(SHRINK);
  }

  private static long numberOf(long word) {
    return (word & ~SHRINK) >>> SEQUENCE_SHIFT;
  }

  private boolean hasCome(long word) {
    return numberOf(word) == sequence;
  }

  /** Whether a member has come to this agreement. */
  public boolean hasCome(int member) {
    return hasCome(slot.said(member));
  }

  private boolean isOfNow(long decided) {
    return proposes ? decided >>> SHRUNK_SHIFT == shrink : decided >>> SEQUENCE_SHIFT == sequence;
  }

  /** Whether a member calls what does not belong to this one: the other of the two, or one that is later. */
  private boolean isOfAnother(long word) {
    long come = numberOf(word);
    long ahead = Math.floorMod(come - sequence, (long) SEQUENCES);
    return ahead == 0 ? word < 0 != proposes : come != 0 && ahead < SEQUENCES / 2;
  }

  private int lookAtAll(IntPredicate gone) {
    int found = UNDECIDED;
    for (int member = 0; member < slot.ranks; member++) {
      long word = slot.said(member);
      // A member at a later one has read the decision of this one, or was refused.
      if (isOfAnother(word) && !isOfNow(slot.decided(proposes))) {
        other = member;
        return MISMATCH;
      }
      if (found == UNDECIDED && !hasCome(word) && !slot.isClosed(member) && !gone.test(member)) {
        other = member;
        found = AWAITED;
      }
    }
    return found;
  }

  private long flagsOfAll() {
    long all = -1;
    for (int member = 0; member < slot.ranks; member++) {
      long word = slot.said(member);
      all &= hasCome(word) ? word : -1;
    }
    return all & 0xFFFF_FFFFL;
  }

  private boolean decide(long decision) {
    boolean decides = slot.decide(proposes, before, decision);
    before = decides ? decision : slot.decided(proposes);
    own = decides;
    return decides;
  }

  /**
   * Looks for the decision, and decides about flags where that can be.
   *
   * @param gone members that never come, as far as this one knows
   */
  public int look(IntPredicate gone) {
    before = slot.decided(proposes);
    if (isOfNow(before)) {
      return DECIDED;
    }
    int found = lookAtAll(gone);
    if (found != UNDECIDED || proposes) {
      return found;
    }
    decide((long) sequence << SEQUENCE_SHIFT | flagsOfAll());
    return DECIDED;
  }

  /** Proposes, where a look has found nothing decided; false: another one was decided meanwhile. */
  public boolean propose(long proposal) {
    return decide((long) shrink << SHRUNK_SHIFT | proposal);
  }

  /** What was decided: flags, or a proposal. */
  public long decision() {
    return proposes ? before & PROPOSAL : before & 0xFFFF_FFFFL;
  }

  /** Whether this member has made it, so that others may sleep for it. */
  public boolean isOwn() {
    return own;
  }

  /** The member that the last look was about. */
  public int other() {
    return other;
  }
}
