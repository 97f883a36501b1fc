package io.adrastea.coll;

import static io.adrastea.core.SlotMember.PART_ROWS;
import static io.adrastea.layout.SlotMemberDescriptor.LINES;

import io.adrastea.core.Sleeper;
import java.lang.foreign.MemorySegment;

/**
 * What the collectives of a {@link Member} share, and what outlives them: how far it and the others have come. Twin of
 * {@code struct adr_coll}.
 */
final class MemberState {
  final Slot slot;
  final int self;
  final Stages stages = new Stages();
  private final Sleeper sleeper;
  private long sequence; // of the collective that has begun last
  private long done; // this one and all before have ended
  private int ended; // a bit for each line whose collective has ended before one that it is behind
  private long least; // what every member has done at least, as far as this one has looked
  private int roots; // of all collectives so far in which not all lines are compared, folded into 8 bits
  private MemorySegment parts; // for the next one by parts; null: nobody has asked for them

  MemberState(Slot slot, int self, Sleeper sleeper) {
    this.slot = slot;
    this.self = self;
    this.sleeper = sleeper;
    this.sequence = slot.done(self);
    this.done = sequence;
    this.least = sequence - LINES; // nothing is known
  }

  long sequence() {
    return sequence;
  }

  /** The words of the parts of the next collective, which the caller writes. */
  MemorySegment nextParts() {
    if (parts == null) {
      parts = MemorySegment.ofArray(new long[PART_ROWS * slot.ranks]);
    }
    return parts;
  }

  /** What {@link #nextParts} was given; null: nothing yet. */
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

  /** Whether every member has done a collective, as far as this one has looked. */
  boolean knowsAllHaveDone(long earlier) {
    return earlier <= least;
  }

  /** Notes that every member has done a collective. */
  void noteDone(long earlier) {
    least = Math.max(least, earlier);
  }

  /** Says that a collective has ended, if those before have. Returns whether it was the only one under way. */
  boolean end(long sequence) {
    if (sequence == this.sequence && sequence == done + 1) {
      done = sequence;
      slot.end(sequence);
      return true;
    }
    endAmongOthers(sequence);
    return false;
  }

  private static int bit(long sequence) {
    return 1 << ((int) sequence & LINES - 1);
  }

  private void endAmongOthers(long sequence) {
    long all = done;
    ended |= bit(sequence);
    while ((ended & bit(all + 1)) != 0) {
      ended &= ~bit(++all);
    }
    if (all > done) {
      done = all;
      slot.end(all);
    }
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
}
