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
  private final MemberState state;
  private final Slot slot;
  private final Collective[] collectives = new Collective[LINES]; // by the line that they use
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
    this.state = new MemberState(this.slot, self, sleeper);
    Combine combine = new Combine();
    for (int line = 0; line < LINES; line++) {
      collectives[line] = new Collective(state, combine);
    }
  }

  @Override
  public void close() {}

  @Override
  public int begin(
      int kind, int root, long bytes, int element, int op, MemorySegment in, long inOffset, MemorySegment out,
      long outOffset, int spins) {
    begun = (int) (state.sequence() + 1) & LINES - 1;
    return collectives[begun].begin(
        kind, root, bytes, element, op, in, inOffset, out, outOffset, spins);
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
    return state.nextParts();
  }

  // Beside collectives

  @Override
  public long stagesBytes() {
    return StageMoves.bytesOf(slot.ranks);
  }

  @Override
  public long stagesOffset() {
    return slot.stages();
  }

  @Override
  public int publishStages(long offsetInFile) {
    if (state.self != 0 || offsetInFile <= 0) {
      return INVAL;
    }
    slot.publishStages(offsetInFile);
    state.wakeAll();
    return 0;
  }

  @Override
  public int stages(MemorySegment all) {
    if (all.byteSize() < stagesBytes()) {
      return INVAL;
    }
    state.stages.give(all);
    return 0;
  }

  @Override
  public int breakOff() {
    slot.breakOff();
    state.wakeAll();
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
    state.wakeAll();
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
    state.wakeAll();
    return 0;
  }

  @Override
  public int state(int member) {
    return slot.state(member);
  }
}
