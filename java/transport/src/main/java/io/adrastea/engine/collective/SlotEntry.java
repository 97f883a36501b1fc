package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.core.Spaces;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.resources.Resources;
import io.adrastea.layout.SlotMemberDescriptor;
import io.adrastea.peers.Slots;
import io.adrastea.wait.Gate;
import java.lang.foreign.MemorySegment;

/**
 * One rank's part in the slot of a communicator: the core's member, the shared memory of the slot as it is mapped here,
 * and the buffers that members reach. It does what the core asks for between its steps. Called inside the gate.
 */
final class SlotEntry {
  private static final long MOST_UNREAD = 2_000_000_000; // nanoseconds: a rank that gave memory back has broken off
  private static final long MOST_ENDING = 60_000_000_000L; // nanoseconds: a process gives it back before it is gone

  private final Gate gate;
  private final Liveness liveness;
  private final Members members;
  private final Ending ending;
  private final SlotMember member;
  private final SlotMemory memory;
  private final MemberMemory buffers;

  /**
   * Enters the slot.
   *
   * @param slot as it is mapped here
   * @param rank of this one among the members
   * @param ending says why the core cannot go on
   */
  SlotEntry(Resources resources, Slots slots, MemorySegment slot, Members members, int rank, Ending ending) {
    this.gate = resources.gate();
    this.liveness = resources.liveness();
    this.members = members;
    this.ending = ending;
    this.member = slots.slotMember(slot, rank);
    int lowest = resources.peers().nodes().localRank(members.numbering().jobRank(0));
    this.memory = new SlotMemory(member, slot, resources.heap(), resources.reach(), lowest, rank == 0);
    this.buffers = new MemberMemory(
        member, resources.memory(), members.numbering(), rank, resources.isOversubscribed(), slot);
  }

  SlotMember member() {
    return member;
  }

  /** Goes on with a call that is under way; {@code SlotMember}'s answer. */
  int step(Call call, int polls) {
    return call.step(member, polls);
  }

  /** Does what the core has asked for. */
  void perform(Call call, int status) {
    switch (status) {
      case SlotMember.FILL -> memory.fill(call);
      case SlotMember.DRAIN -> memory.drain(call);
      case SlotMember.COMBINE -> memory.fold(call);
      case SlotMember.KEEP -> memory.keep(call);
      case SlotMember.NEEDS_STAGES -> memory.giveStages();
      case SlotMember.EXPOSE -> buffers.expose(call);
      case SlotMember.REACH -> buffers.reach(call);
      case SlotMember.READ, SlotMember.WRITE -> {
        call.writes(status == SlotMember.WRITE);
        if (member.words(call.which())[SlotMember.BY] == SlotMember.BY_STAGES) {
          memory.relay(call, call.writes());
        } else {
          copy(call);
        }
      }
      case SlotMember.MOVED -> {
      } // nobody is waited for
      default -> throw CoreStatus.corrupt("step %d of a collective".formatted(status));
    }
  }

  /**
   * Reads or writes memory of another member. Where no space is left for that the other one copies. Memory that cannot
   * be reached is mostly that of one about to be found dead: that is waited for, and tried again.
   */
  void copy(Call call) {
    long status = call.writes() ? buffers.write(call) : buffers.read(call, memory.stages());
    gate.waiter().copied();
    if (status == Spaces.PERM && member.relay(call.which()) == 0) {
      status = 0;
    }
    if (status >= 0) {
      call.unreadSince(0);
      return;
    }
    int other = member.other(call.which());
    if (member.state(other) != SlotMemberDescriptor.OPEN) {
      throw failure(call, SlotMember.BROKEN);
    }
    long now = System.nanoTime() | 1;
    if (call.unreadSince() == 0) {
      call.unreadSince(now);
    }
    if (status == Spaces.PERM || now - call.unreadSince() > patience(status)) {
      throw ending.unreachable(call, other, (int) -status);
    }
  }

  /**
   * How long it is waited for that a member is found dead whose memory cannot be reached. One that was killed has none
   * any more until it is gone, which takes seconds where there was much of it, or CPUs are busy.
   */
  private static long patience(long status) {
    return status == Spaces.SRCH ? MOST_ENDING : MOST_UNREAD;
  }

  /** Why the core cannot go on. */
  RuntimeException failure(Call call, int status) {
    return ending.failure(call, status, member.other(call.which()), member.words(call.which()));
  }

  /** Tells the others, and returns when nobody writes memory of this rank any more: the program has it again. */
  void breakOff() {
    member.breakOff();
    for (int other = 0; other < members.numbering().size(); other++) {
      while (member.isWrittenBy(other) == 1
          && liveness.missing(members.numbering().jobRank(other)) == Liveness.NONE) {
        Thread.yield();
      }
    }
  }

  /** What the lowest member has allocated, to be given back once all members have closed; null: nothing. */
  MemorySegment ownedStages() {
    return memory.owned();
  }

  /** Gives private memory back; the slot stays as it is. */
  void close() {
    member.close();
  }
}
