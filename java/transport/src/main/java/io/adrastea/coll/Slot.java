package io.adrastea.coll;

import static io.adrastea.layout.SlotLineDescriptor.*;
import static io.adrastea.layout.SlotMemberDescriptor.AGREEMENT_OFFSET;
import static io.adrastea.layout.SlotMemberDescriptor.DONE_OFFSET;
import static io.adrastea.layout.SlotMemberDescriptor.LINES;
import static io.adrastea.layout.SlotMemberDescriptor.LINES_OFFSET;
import static io.adrastea.layout.SlotMemberDescriptor.SPACES_OFFSET;
import static io.adrastea.layout.SlotMemberDescriptor.STATE_OFFSET;
import static io.adrastea.layout.SlotMemberDescriptor.WRITES_OFFSET;

import io.adrastea.atomic.Words;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.layout.SlotMemberDescriptor;
import java.lang.foreign.MemorySegment;

/**
 * A slot as one member sees it: where its words lie, and in which order they are read and written. Which members are in
 * it, by the words {@code presence}, is the business of room {@code contextid}. Twin of {@code coll/adr_slot.h}.
 *
 * <p>
 * Invariants:
 * <ul>
 * <li>A member's part is written by that member alone, {@code stages} by member 0 alone.
 * <li>A member writes its line of collective s where that of s - 4 was once every member has said that it has
 * {@code done} s - 4: nobody reads the old one any more.
 * <li>What a line tells stands before its {@code head}; a result, or what lies in stages, before its {@code progress}.
 * </ul>
 */
public final class Slot {
  final MemorySegment memory;
  final int ranks;
  final int choices;
  private final int self;
  private final int members; // offset of the first one's part
  private final int own; // offset of this one's
  private final int[] localRanks;

  /**
   * A member's view of a slot.
   *
   * @throws SegmentException when the slot's header tells what cannot be
   */
  public Slot(MemorySegment memory, int self, int jobRanks) {
    this.memory = memory;
    this.ranks = Words.load(memory, SlotDescriptor.RANKS_OFFSET);
    if (ranks < 1 || ranks > jobRanks || self < 0 || self >= ranks || memory.byteSize() < SlotDescriptor.bytes(ranks)) {
      throw new SegmentException(
          ("a slot of %d bytes says that it has %d members, and this rank is to be member %d; a rank that is broken "
              + "has written to it")
              .formatted(memory.byteSize(), ranks, self));
    }
    this.choices = Words.load(memory, SlotDescriptor.CHOICES_OFFSET);
    this.self = self;
    this.members = SlotDescriptor.memberOffset(ranks, 0);
    this.own = SlotDescriptor.memberOffset(ranks, self);
    this.localRanks = new int[ranks];
    for (int member = 0; member < ranks; member++) {
      localRanks[member] = Words.load(memory, SlotDescriptor.rankOffset(member));
      if (localRanks[member] < 0 || localRanks[member] >= jobRanks) {
        throw new SegmentException(
            "a slot says that member %d has local rank %d of %d; a rank that is broken has written to it"
                .formatted(member, localRanks[member], jobRanks));
      }
    }
  }

  int localRank(int member) {
    return localRanks[member];
  }

  private int part(int member) {
    return members + member * SlotMemberDescriptor.BYTES;
  }

  /** The offset of a member's line of a collective. */
  int line(int member, long sequence) {
    return part(member) + LINES_OFFSET + ((int) sequence & LINES - 1) * BYTES;
  }

  int payload(int member, long sequence) {
    return line(member, sequence) + PAYLOAD_OFFSET;
  }

  int result(int member, long sequence) {
    return line(member, sequence) + RESULT_OFFSET;
  }

  long head(int member, long sequence) {
    // SYNC line-head: acquire, pairs with post; orders what the line tells after it, and stages.
    return Words.loadAcquireLong(memory, line(member, sequence) + HEAD_OFFSET);
  }

  /** To be read once the head is there: what the member calls, and its lag. */
  long what(int member, long sequence) {
    return Words.loadLong(memory, line(member, sequence) + WHAT_OFFSET);
  }

  /** What a member calls, of {@code what}. */
  static long call(long what) {
    return what & (1L << STEP_SHIFT) - 1;
  }

  /** Whether a member had taken the first step when it showed its line, of {@code what}. */
  static boolean tellsStep(long what) {
    return (what >>> STEP_SHIFT & 1) != 0;
  }

  /** How many collectives before this one a member had not done yet when it showed its line, of {@code what}. */
  static int lag(long what) {
    return (int) (what >>> LAG_SHIFT);
  }

  /** What a line tells of its member's buffers; to be read once the head is there. */
  long tells(int member, long sequence, int word) {
    return Words.loadLong(memory, payload(member, sequence) + word * Long.BYTES);
  }

  /** Tells of this member's buffers, before its line is shown. */
  void tell(long sequence, int word, long value) {
    Words.storeLong(memory, payload(self, sequence) + word * Long.BYTES, value);
  }

  /**
   * Shows this member's line; its payload is there and, where {@code step} is 1, what lies in stages once the first
   * step is taken.
   */
  void post(long sequence, long head, long what, int lag, int step) {
    int line = line(self, sequence);
    Words.storeLong(memory, line + WHAT_OFFSET, what | (long) lag << LAG_SHIFT | (long) step << STEP_SHIFT);
    // SYNC line-head: release, pairs with the acquire of a member that reads the line; orders payload, what and, behind
    // the first step, stages.
    Words.storeReleaseLong(memory, line + HEAD_OFFSET, head);
  }

  /**
   * Has this member's line of the next collective back from those that read it: to get it takes as long as the way to
   * the reader, and is begun where nobody waits for it. Java has no prefetch, and so stores a word that the post will
   * store again. To be called once the line may be written.
   */
  void prepare(long sequence) {
    Words.storeLong(memory, line(self, sequence) + WHAT_OFFSET, 0);
  }

  /** Has progress and result of this member's line back, as {@link #prepare} has the line. */
  void prepareProgress(long sequence) {
    Words.storeLong(memory, result(self, sequence), 0);
  }

  long progress(int member, long sequence) {
    // SYNC line-progress: acquire, pairs with publish; orders result and stages after it.
    return Words.loadAcquireLong(memory, line(member, sequence) + PROGRESS_OFFSET);
  }

  /** Whether a member has taken so many steps of a collective. */
  boolean hasTaken(int member, long sequence, int steps) {
    long progress = progress(member, sequence);
    return progress >>> 32 == (sequence & 0xffff_ffffL) && (int) progress >= steps;
  }

  /** Says that so many steps of a collective are taken. */
  void publish(long sequence, int steps) {
    // SYNC line-progress: release, pairs with the acquire of a member that waits for the step; orders result and
    // stages, and that this member has read what it read for the step.
    Words.storeReleaseLong(memory, line(self, sequence) + PROGRESS_OFFSET, sequence << 32 | steps);
  }

  long done(int member) {
    // SYNC member-done: acquire, pairs with end; orders our next writes over what that member has read.
    return Words.loadAcquireLong(memory, part(member) + DONE_OFFSET);
  }

  /** Says that this member reads nothing of a collective, or of those before, any more. */
  void end(long sequence) {
    // SYNC member-done: release, pairs with the acquire of a member that writes there next; orders our reads before it.
    Words.storeReleaseLong(memory, own + DONE_OFFSET, sequence);
  }

  int state(int member) {
    // SYNC member-state: acquire, pairs with setState; what the member had posted before is there.
    return Words.loadAcquire(memory, part(member) + STATE_OFFSET);
  }

  void setState(int state) {
    // SYNC member-state: release, pairs with the acquire of a member that waits for this one; orders all that this
    // member has posted.
    Words.storeRelease(memory, own + STATE_OFFSET, state);
  }

  /**
   * After this member has read memory of others where it lies: the first of these members that has broken off, and so
   * may have written over it; as many as there are: none has. One that has closed had broken off before: in order it
   * closes when all have said that they have read.
   */
  int brokenOf(int first, int last) {
    // SYNC member-left: full fence, pairs with breakOff; our reads of its memory come before the look at its state.
    Words.fullFence();
    for (int member = first; member <= last; member++) {
      // SYNC member-left: acquire, as of state.
      if (Words.loadAcquire(memory, part(member) + STATE_OFFSET) != SlotMemberDescriptor.OPEN) {
        return member;
      }
    }
    return ranks;
  }

  /** Says that this member cannot go on. */
  void breakOff() {
    // SYNC member-state, member-left: release, as of setState.
    Words.storeRelease(memory, own + STATE_OFFSET, SlotMemberDescriptor.BROKEN);
    // SYNC member-left, member-writes: full fence, pairs with brokenOf, and with beginWrite; what the program writes
    // over its memory comes behind, and so does the look at which members write there.
    Words.fullFence();
  }

  /**
   * Through which spaces a member can reach the memory of all others in exchanges, as it has told last; 0: it has not
   * told. It may have lost one since: nothing is read on the strength of it but what a line tells.
   */
  int spaces(int member) {
    // SYNC member-spaces: acquire, pairs with tellSpaces; where member 0 tells of XPMEM the stages are published.
    return Words.loadAcquire(memory, part(member) + SPACES_OFFSET);
  }

  void tellSpaces(int spaces) {
    if (Words.loadRelaxed(memory, own + SPACES_OFFSET) != spaces) {
      // SYNC member-spaces: release, pairs with the acquire of a member that gives; orders the offset of the stages
      // before it.
      Words.storeRelease(memory, own + SPACES_OFFSET, spaces);
    }
  }

  /** A word of the result of a member's line, {@link SlotLineDescriptor#WANTS_WHAT} … */
  long resultWord(int member, long sequence, int word) {
    return Words.loadLong(memory, result(member, sequence) + word * Long.BYTES);
  }

  void setResultWord(long sequence, int word, long value) {
    Words.storeLong(memory, result(self, sequence) + word * Long.BYTES, value);
  }

  /** The number of what a member asks another one to copy in a collective: odd, it asks; even: nothing. */
  int wants(int member, long sequence) {
    // SYNC member-wants: acquire, pairs with want; orders what it wants, and its bytes in the stages, after it; and our
    // stores to the stages after what it has taken there.
    long wants = Words.loadAcquireLong(memory, line(member, sequence) + WANTS_OFFSET);
    return wants >>> 32 == (sequence & 0xffff_ffffL) ? (int) wants : 0;
  }

  void want(long sequence, int number) {
    // SYNC member-wants: release, pairs with the acquire of the member that copies; orders what is wanted, and what
    // this member has put into the stages, or has taken there.
    Words.storeReleaseLong(memory, line(self, sequence) + WANTS_OFFSET, sequence << 32 | number & 0xffff_ffffL);
  }

  /** Whether a member has copied what this one wants. */
  boolean hasCopied(int member, long sequence, int number) {
    // SYNC member-copied: acquire, pairs with sayCopied; the bytes are in the stages, or in that member's output.
    long copied = Words.loadAcquireLong(memory, result(member, sequence) + HAS_COPIED * Long.BYTES);
    return copied == (self + 1L << 32 | number & 0xffff_ffffL);
  }

  void sayCopied(long sequence, int member, int number) {
    // SYNC member-copied: release, pairs with the acquire of the member that wants it; orders the bytes that were
    // copied.
    Words.storeReleaseLong(
        memory, result(self, sequence) + HAS_COPIED * Long.BYTES, member + 1L << 32 | number & 0xffff_ffffL);
  }

  /**
   * Before this member writes memory of another one where it lies: false, that one has broken off, and perhaps closed
   * since, and nothing is to be written. Else it stays until {@link #endWrite}.
   */
  boolean beginWrite(int member) {
    // SYNC member-writes: release, pairs with isWrittenBy; it orders nothing, the fence does.
    Words.storeRelease(memory, own + WRITES_OFFSET, member + 1);
    // SYNC member-writes: full fence, pairs with breakOff; the word comes before the look at that member's state.
    Words.fullFence();
    if (state(member) == SlotMemberDescriptor.OPEN) {
      return true;
    }
    // SYNC member-writes: release, as of endWrite.
    Words.storeRelease(memory, own + WRITES_OFFSET, 0);
    return false;
  }

  void endWrite() {
    // SYNC member-writes: release, pairs with the acquire of isWrittenBy; orders what this member has written.
    Words.storeRelease(memory, own + WRITES_OFFSET, 0);
  }

  /** After this member has broken off: whether another one may still be writing its memory. */
  boolean isWrittenBy(int member) {
    // SYNC member-writes: acquire, pairs with endWrite; what the program writes over its memory comes behind.
    return Words.loadAcquire(memory, part(member) + WRITES_OFFSET) == self + 1;
  }

  /** Whether a member has revoked the communicator. */
  public boolean isRevoked() {
    // SYNC slot-revoked: acquire, pairs with revoke; it orders nothing but what the revoker did before.
    return Words.loadAcquire(memory, SlotDescriptor.REVOKED_OFFSET) != 0;
  }

  /** Revokes the communicator: every wait in it ends. */
  public void revoke() {
    // SYNC slot-revoked: release, pairs with the acquire of a member that begins a collective, or waits in one.
    Words.storeRelease(memory, SlotDescriptor.REVOKED_OFFSET, 1);
  }

  /** Says that a member has closed the communicator: it takes no more collectives, and comes to no agreement. */
  public static void close(MemorySegment slot, int ranks, int member) {
    // SYNC member-state: release, as setState; it has ended its agreements before.
    Words.storeRelease(slot, SlotDescriptor.memberOffset(ranks, member) + STATE_OFFSET, SlotMemberDescriptor.CLOSED);
  }

  boolean isClosed(int member) {
    return state(member) == SlotMemberDescriptor.CLOSED;
  }

  /** What a member says to the agreement that it has come to last. */
  long said(int member) {
    // SYNC member-agreement: acquire, pairs with say.
    return Words.loadAcquireLong(memory, part(member) + AGREEMENT_OFFSET);
  }

  void say(long word) {
    // SYNC member-agreement: release, pairs with the acquire of a member that decides; orders what this member did
    // before.
    Words.storeReleaseLong(memory, own + AGREEMENT_OFFSET, word);
  }

  /** The last decision: what was proposed, or the flags. */
  long decided(boolean proposed) {
    // SYNC slot-decided: acquire, pairs with decide; what it has made is there.
    return Words.loadAcquireLong(memory, proposed ? SlotDescriptor.SHRUNK_OFFSET : SlotDescriptor.AGREED_OFFSET);
  }

  /** Decides, unless there is another decision than the one before. */
  boolean decide(boolean proposed, long before, long after) {
    // SYNC slot-decided: acq_rel, pairs with the acquire of all members; orders what the proposal names, and what the
    // members did that have come.
    return Words.casAcqRelLong(
        memory, proposed ? SlotDescriptor.SHRUNK_OFFSET : SlotDescriptor.AGREED_OFFSET, before, after);
  }

  long stages() {
    // SYNC slot-stages: acquire, pairs with publishStages; their zeros are there.
    return Words.loadAcquireLong(memory, SlotDescriptor.STAGES_OFFSET);
  }

  void publishStages(long offset) {
    // SYNC slot-stages: release, pairs with the acquire of the other members; orders the zeros of the stages.
    Words.storeReleaseLong(memory, SlotDescriptor.STAGES_OFFSET, offset);
  }
}
