package io.adrastea.core;

import static io.adrastea.core.SlotMember.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.layout.SlotMemberDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The members of the world's slot, whose steps one thread takes, and what a step asks the caller for. An offset in the
 * segment's file is an address here.
 */
abstract class MembersContract extends CoreContract {
  final SlotMember[] members = new SlotMember[RANKS];
  final SplittableRandom random;
  MemorySegment slot;
  MemorySegment stages;
  int lost; // of 8 times that memory is to be read or written by address, so often no space is left for it
  int relayed; // times that no space was left
  int mapped; // times that shared memory of another member was asked for, or bytes of it
  int copied; // times that bytes of other memory of another member were asked for
  int written; // times that memory of another member was to be written
  int needed; // times that stages were asked for

  /** Draws from a seed of its own, so that each kind of collective meets all that its tests count. */
  MembersContract(long seed) {
    random = new SplittableRandom(seed);
  }

  @BeforeEach
  void openMembers() {
    openMembers(0, 0);
  }

  /** Opens all members of a slot with these choices, where each has done so many collectives. */
  void openMembers(long done, int choices) {
    long offset = ranks.segment().geometry().worldSlotOffset();
    slot = ranks.segment().memory().asSlice(offset, SlotDescriptor.bytes(RANKS));
    Words.store(slot, SlotDescriptor.CHOICES_OFFSET, choices);
    for (int rank = 0; rank < RANKS; rank++) {
      Words.storeLong(slot, part(rank) + SlotMemberDescriptor.DONE_OFFSET, done);
    }
    for (int rank = 0; rank < RANKS; rank++) {
      members[rank] = core(rank).slotMember(slot, rank);
    }
    stages = Arena.ofAuto().allocate(members[0].stagesBytes(), 4096);
  }

  @AfterEach
  void closeMembers() {
    for (SlotMember member : members) {
      member.close();
    }
  }

  /** Returns the offset of a member's part of the slot. */
  static long part(int member) {
    return SlotDescriptor.memberOffset(RANKS, member);
  }

  /** Returns whether a collective with this status goes on. */
  static boolean goesOn(int status) {
    return status == Core.AGAIN || status > 0;
  }

  /** Does what a member's collective asks for, but for {@code EXPOSE}, which each test answers for itself. */
  void serve(int member, int which, int status, MemorySegment input, MemorySegment output) {
    SlotMember self = members[member];
    long[] words = self.words(which);
    if (status == READ || status == WRITE) {
      if (words[BY] == BY_ADDRESS && random.nextInt(8) < lost) {
        assertEquals(0, self.relay(which));
        assertEquals(Core.INVAL, self.relay(which), "it is under way");
        relayed++;
        return; // nothing is to be done for it
      }
      if (words[BY] == BY_STAGES) {
        copyByStages(status, words, input, output);
        return;
      }
    }
    MemorySegment place = words[PLACE] == IN_STAGES ? stages : slot;
    switch (status) {
      case REACH -> {
        MemorySegment there = MemorySegment.ofAddress(words[SOURCE]).reinterpret(words[BYTES]);
        assertEquals(Core.INVAL, self.reach(which, words[SOURCE] + 1, there), "the first byte is not there");
        assertEquals(0, self.reach(which, words[SOURCE], there));
        assertEquals(BY_OFFSET, words[BY]);
        mapped++;
      }
      case READ -> {
        MemorySegment there = MemorySegment.ofAddress(words[SOURCE]).reinterpret(words[BYTES]);
        boolean isOutput = words[PLACE] == IN_OUTPUT;
        MemorySegment.copy(there, 0, isOutput ? output : stages, isOutput ? words[POSITION] : words[TARGET],
            words[BYTES]);
        copied += words[BY] == BY_ADDRESS ? 1 : 0;
        mapped += words[BY] == BY_OFFSET ? 1 : 0;
      }
      case KEEP -> MemorySegment.copy(input, words[SOURCE], output, words[POSITION], words[BYTES]);
      case WRITE -> {
        assertEquals(0, self.beginWrite(which));
        MemorySegment there = MemorySegment.ofAddress(words[TARGET]).reinterpret(words[BYTES]);
        MemorySegment.copy(words[PLACE] == IN_OUTPUT ? output : input, words[POSITION], there, 0, words[BYTES]);
        assertEquals(1, members[self.other(which)].isWrittenBy(member));
        assertEquals(0, self.endWrite());
        assertEquals(0, members[self.other(which)].isWrittenBy(member));
        written++;
      }
      case NEEDS_STAGES -> {
        needed++;
        if (member == 0) {
          assertEquals(0, self.publishStages(1 << 20));
        }
        assertEquals(1 << 20, self.stagesOffset());
        assertEquals(0, self.stages(stages));
      }
      case FILL -> MemorySegment.copy(input, words[POSITION], place, words[TARGET], words[BYTES]);
      case DRAIN -> MemorySegment.copy(place, words[SOURCE], output, words[POSITION], words[BYTES]);
      case COMBINE -> {
        for (long at = 0; at < words[BYTES]; at += 8) {
          long left = place.get(ValueLayout.JAVA_LONG_UNALIGNED, words[TARGET] + at);
          long right = place.get(ValueLayout.JAVA_LONG_UNALIGNED, words[SOURCE] + at);
          place.set(ValueLayout.JAVA_LONG_UNALIGNED, words[TARGET] + at, 31 * left + right);
        }
      }
      default -> assertTrue(status <= 0 || status == MOVED, () -> "nothing is asked for by " + status);
    }
  }

  private void copyByStages(int status, long[] words, MemorySegment input, MemorySegment output) {
    MemorySegment buffer = words[PLACE] == IN_OUTPUT ? output : words[PLACE] == IN_INPUT ? input : stages;
    if (status == READ) {
      long target = buffer == stages ? words[TARGET] : words[POSITION];
      MemorySegment.copy(stages, words[SOURCE], buffer, target, words[BYTES]);
    } else {
      MemorySegment.copy(buffer, words[POSITION], stages, words[TARGET], words[BYTES]);
    }
  }
}
