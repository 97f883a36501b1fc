package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import java.lang.foreign.MemorySegment;

/**
 * The shared memory of one communicator's collectives as it is mapped at one rank: the slot, and the stages, which are
 * there once a collective has needed them. The stages are an allocation of the lowest member.
 */
final class SlotMemory {
  private static final long ALIGNMENT = 4096;

  private final SlotMember member;
  private final MemorySegment slot;
  private final SharedHeap heap;
  private final SharedReach reach;
  private final int owner; // local rank of the lowest member
  private final boolean owns; // this rank is
  private MemorySegment stages; // null: not here yet

  SlotMemory(SlotMember member, MemorySegment slot, SharedHeap heap, SharedReach reach, int owner, boolean owns) {
    this.member = member;
    this.slot = slot;
    this.heap = heap;
    this.reach = reach;
    this.owner = owner;
    this.owns = owns;
  }

  /** Gives the core the stages, which the lowest member allocates at their first use. */
  void giveStages() {
    if (stages == null) {
      stages = owns ? allocate() : reach.reachTold(owner, member.stagesOffset(), member.stagesBytes());
    }
    CoreStatus.checked(member.stages(stages));
  }

  private MemorySegment allocate() {
    MemorySegment made = heap.allocate(member.stagesBytes(), ALIGNMENT);
    CoreStatus.checked(member.publishStages(heap.offset(made)));
    return made;
  }

  /** What the lowest member has allocated, to be given back once all members have closed; null: nothing. */
  MemorySegment owned() {
    return owns ? stages : null;
  }

  /** The stages, as they are mapped here; null: not here yet. */
  MemorySegment stages() {
    return stages;
  }

  /** Brings bytes of the input of a collective to where the core wants them. */
  void fill(Call call) {
    long[] words = member.words(call.which());
    call.fill(place(words), words[SlotMember.TARGET], words[SlotMember.POSITION], words[SlotMember.BYTES]);
  }

  /** Brings bytes that are there to the output of a collective. */
  void drain(Call call) {
    long[] words = member.words(call.which());
    call.drain(place(words), words[SlotMember.SOURCE], words[SlotMember.POSITION], words[SlotMember.BYTES]);
  }

  /** Brings bytes of the input of a collective to its output. */
  void keep(Call call) {
    long[] words = member.words(call.which());
    call.keep(words[SlotMember.SOURCE], words[SlotMember.POSITION], words[SlotMember.BYTES]);
  }

  /**
   * Copies between the stages and a buffer of a collective, for a member that cannot reach the memory of another one.
   */
  void relay(Call call, boolean writes) {
    long[] words = member.words(call.which());
    long bytes = words[SlotMember.BYTES];
    boolean isOutput = words[SlotMember.PLACE] == SlotMember.IN_OUTPUT;
    if (writes && isOutput) {
      call.take(stages, words[SlotMember.TARGET], words[SlotMember.POSITION], bytes);
    } else if (writes) {
      call.fill(stages, words[SlotMember.TARGET], words[SlotMember.POSITION], bytes);
    } else if (isOutput) {
      call.drain(stages, words[SlotMember.SOURCE], words[SlotMember.POSITION], bytes);
    } else {
      MemorySegment.copy(stages, words[SlotMember.SOURCE], stages, words[SlotMember.TARGET], bytes);
    }
  }

  /** Has the program's own operator combine operands that are there. */
  void fold(Call call) {
    long[] words = member.words(call.which());
    call.fold(place(words), words[SlotMember.TARGET], words[SlotMember.SOURCE], words[SlotMember.BYTES]);
  }

  private MemorySegment place(long[] words) {
    return words[SlotMember.PLACE] == SlotMember.IN_SLOT ? slot : stages;
  }
}
