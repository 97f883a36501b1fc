package io.adrastea.coll;

import static io.adrastea.core.Core.INVAL;
import static io.adrastea.layout.SlotMemberDescriptor.LINES;

import io.adrastea.core.Sleeper;
import io.adrastea.core.SlotMember;
import io.adrastea.layout.SlotMemberDescriptor;
import java.lang.foreign.MemorySegment;

/**
 * One member of a communicator's slot, in Java alone: what outlives its collectives, of which it has one for each of
 * its lines. Twin of {@code coll/adr_coll.c}.
 *
 * <p>
 * Collectives begin in order and may end in any. A member says that it has {@code done} one when it has ended that one
 * and all before; so a line is free for the collective of four later, which is begun where this one's ended.
 */
public final class Member implements SlotMember {
  private final Slot slot;
  private final int self;
  private final Sleeper sleeper;
  private final Cells cells = new Cells();
  private final Collective[] collectives = new Collective[LINES]; // by the line that they use
  private long sequence; // of the collective that has begun last
  private long done; // this one and all before have ended
  private long least; // what every member has done at least, as far as this one has looked
  private int roots; // of all collectives so far in which not all lines are compared, folded into 8 bits
  private MemorySegment parts; // for the next one by parts; null: nobody has asked for them
  private int begun; // number of the collective that the last begin was about

  /**
   * A member of a slot.
   *
   * @param slot its memory
   * @param self number of this member in it
   * @param jobRanks ranks of the job on this node
   * @param sleeper wakes those that wait asleep
   */
  public Member(MemorySegment slot, int self, int jobRanks, Sleeper sleeper) {
    this.slot = new Slot(slot, self, jobRanks);
    this.self = self;
    this.sleeper = sleeper;
    this.sequence = this.slot.done(self);
    this.done = sequence;
    this.least = sequence - LINES; // nothing is known
    Combine combine = new Combine();
    for (int line = 0; line < LINES; line++) {
      collectives[line] = new Collective(this, this.slot, self, cells, combine);
    }
  }

  @Override
  public void close() {}

  @Override
  public int begin(
      int kind, int root, long bytes, int element, int operation, MemorySegment in, long inOffset, MemorySegment out,
      long outOffset, int spins) {
    begun = (int) (sequence + 1) & LINES - 1;
    return collectives[begun].begin(
        kind, root, bytes, element, operation, in, inOffset, out, outOffset, spins);
  }

  @Override
  public int begun() {
    return begun;
  }

  @Override
  public int step(int which, MemorySegment in, long inOffset, MemorySegment out, long outOffset, int spins) {
    return isNumber(which) ? collectives[which].step(in, inOffset, out, outOffset, spins) : INVAL;
  }

  private static boolean isNumber(int which) {
    return which >= 0 && which < LINES;
  }

  @Override
  public int expose(int which, int inBy, long in, int outBy, long out, int spaces, long segment) {
    return isNumber(which) ? collectives[which].expose(inBy, in, outBy, out, spaces, segment) : INVAL;
  }

  @Override
  public int reach(int which, long offset, MemorySegment memory) {
    return isNumber(which) ? collectives[which].reach(offset, memory) : INVAL;
  }

  @Override
  public int relay(int which) {
    return isNumber(which) ? collectives[which].relay() : INVAL;
  }

  @Override
  public int other(int which) {
    return collectives[which].other();
  }

  @Override
  public long[] words(int which) {
    return collectives[which].words();
  }

  @Override
  public MemorySegment parts() {
    if (parts == null) {
      parts = MemorySegment.ofArray(new long[PART_ROWS * slot.ranks]);
    }
    return parts;
  }

  // What the collectives share

  /** What {@link #parts} was given; null: nothing yet. */
  MemorySegment givenParts() {
    return parts;
  }

  /** Counts a collective that begins. */
  long next() {
    return ++sequence;
  }

  /** Begun before a collective, and not done yet; 0: it is the only one. */
  int lag(long sequence) {
    return (int) (sequence - 1 - done);
  }

  /** Folds a root into the bits that tell of all. */
  int foldRoot(int root) {
    roots = 31 * roots + root + 1 & 0xFF; // 31 is odd: a member that differs in one root differs from then on
    return roots;
  }

  int roots() {
    return roots;
  }

  /** A member that has not done a collective; -1: every one has. */
  int behind(long earlier) {
    if (earlier <= least) {
      return -1;
    }
    long all = Long.MAX_VALUE;
    for (int member = 0; member < slot.ranks; member++) {
      long theirs = slot.done(member);
      if (theirs < earlier) {
        return member;
      }
      all = Math.min(all, theirs);
    }
    least = all;
    return -1;
  }

  /** Says that a collective has ended, if those before have. Returns whether it was the only one under way. */
  boolean end(long ended) {
    if (ended == sequence && ended == done + 1) {
      done = ended;
      slot.end(ended);
      return true;
    }
    endAmongOthers();
    return false;
  }

  private void endAmongOthers() {
    long all = done;
    while (all < sequence && collectives[(int) (all + 1) & LINES - 1].isIdle()) {
      all++;
    }
    if (all > done) {
      done = all;
      slot.end(all);
    }
  }

  /** Whether every member has done a collective, as far as this one has looked. */
  boolean knowsAllHaveDone(long earlier) {
    return earlier <= least;
  }

  /** Every member has done a collective. */
  void allHaveDone(long earlier) {
    least = Math.max(least, earlier);
  }

  void wake(int member) {
    if (member != self) {
      sleeper.wake(slot.localRank(member));
    }
  }

  void wakeAll() {
    for (int member = 0; member < slot.ranks; member++) {
      wake(member);
    }
  }

  // Beside collectives

  @Override
  public long cellsBytes() {
    return CellMoves.bytesOf(slot.ranks);
  }

  @Override
  public long cellsOffset() {
    return slot.cells();
  }

  @Override
  public int publishCells(long offsetInFile) {
    if (self != 0 || offsetInFile <= 0) {
      return INVAL;
    }
    slot.publishCells(offsetInFile);
    wakeAll();
    return 0;
  }

  @Override
  public int cells(MemorySegment all) {
    if (all.byteSize() < cellsBytes()) {
      return INVAL;
    }
    cells.give(all);
    return 0;
  }

  @Override
  public int breakOff() {
    slot.breakOff();
    wakeAll();
    return 0;
  }

  @Override
  public int beginWrite(int which) {
    return slot.beginWrite(collectives[which].other()) ? 0 : BROKEN;
  }

  @Override
  public int endWrite() {
    slot.endWrite();
    return 0;
  }

  @Override
  public int isWrittenBy(int member) {
    return slot.isWrittenBy(member) ? 1 : 0;
  }

  @Override
  public int closeState() {
    slot.setState(SlotMemberDescriptor.CLOSED);
    wakeAll();
    for (int member = 0; member < slot.ranks; member++) {
      if (slot.state(member) != SlotMemberDescriptor.CLOSED) {
        return 0;
      }
    }
    return 1;
  }

  @Override
  public int revoke() {
    slot.revoke();
    wakeAll();
    return 0;
  }

  @Override
  public int state(int member) {
    return slot.state(member);
  }
}
