package io.adrastea.core.ffm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.adrastea.core.AddressSlotMember;
import io.adrastea.core.SlotMember;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** A member of a slot in C through {@code java.lang.foreign}. */
final class FfmSlotMember implements SlotMember {
  private final Segment segment; // mapped for as long as C points into it
  private final MemorySegment slot;
  private final MemorySegment[] told = new MemorySegment[UNDER_WAY]; // C's words
  private final long[][] words = new long[UNDER_WAY][WORDS];
  private final long coll;
  private MemorySegment stages;
  private MemorySegment parts;

  FfmSlotMember(Segment segment, MemorySegment slot, int self) {
    this.segment = segment;
    this.slot = slot;
    this.coll = open(segment, slot, self);
    for (int which = 0; which < UNDER_WAY; which++) {
      told[which] = AddressSlotMember.wordsAt(words(coll, which));
    }
  }

  private static long open(Segment segment, MemorySegment slot, int self) {
    MemorySegment opened = AddressSlotMember.opened();
    try {
      int status =
          (int) NativeCollectives.OPEN.handle().invokeExact(
              segment.memory().address(), segment.geometry().ranks(), slot.address(), slot.byteSize(), self,
              opened.address());
      return AddressSlotMember.address(slot, self, status, opened);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  private static long words(long coll, int which) {
    try {
      return (long) NativeCollectives.WORDS.handle().invokeExact(coll, which);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  private static MemorySegment orNull(MemorySegment buffer) {
    return buffer == null ? MemorySegment.NULL : buffer;
  }

  @Override
  public int begin(
      int kind, int root, long bytes, int element, int op, MemorySegment in, long inOffset, MemorySegment out,
      long outOffset, int spins) {
    try {
      return (int) NativeCollectives.BEGIN.invokeExact(
          coll, kind, root, bytes, element, op, orNull(in), inOffset, orNull(out), outOffset, spins);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public MemorySegment parts() {
    try {
      if (parts == null) {
        parts = AddressSlotMember.partsAt((long) NativeCollectives.PARTS.handle().invokeExact(coll), slot);
      }
      return parts;
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int begun() {
    try {
      return (int) NativeCollectives.BEGUN.invokeExact(coll);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int step(int which, MemorySegment in, long inOffset, MemorySegment out, long outOffset, int spins) {
    try {
      return (int) NativeCollectives.STEP.invokeExact(coll, which, orNull(in), inOffset, orNull(out), outOffset, spins);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int expose(int which, int inBy, long in, int outBy, long out, int spaces, long segment) {
    try {
      return (int) NativeCollectives.EXPOSE.invokeExact(coll, which, inBy, in, outBy, out, spaces, segment);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int reach(int which, long offset, MemorySegment memory) {
    try {
      return (int) NativeCollectives.REACH.handle()
          .invokeExact(coll, which, offset, memory.address(), memory.byteSize());
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int other(int which) {
    try {
      return (int) NativeCollectives.OTHER.invokeExact(coll, which);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public long[] words(int which) {
    MemorySegment.copy(told[which], JAVA_LONG, 0, words[which], 0, WORDS);
    return words[which];
  }

  @Override
  public long stagesBytes() {
    try {
      return (long) NativeCollectives.STAGES_BYTES.handle().invokeExact(coll);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public long stagesOffset() {
    try {
      return (long) NativeCollectives.STAGES_OFFSET.handle().invokeExact(coll);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int publishStages(long offsetInFile) {
    try {
      return (int) NativeCollectives.PUBLISH_STAGES.handle().invokeExact(coll, offsetInFile);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int stages(MemorySegment all) {
    stages = all;
    try {
      return (int) NativeCollectives.STAGES.handle().invokeExact(coll, all.address(), all.byteSize());
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int relay(int which) {
    try {
      return (int) NativeCollectives.RELAY.invokeExact(coll, which);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int breakOff() {
    try {
      return (int) NativeCollectives.BREAK_OFF.handle().invokeExact(coll);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int beginWrite(int which) {
    try {
      return (int) NativeCollectives.BEGIN_WRITE.invokeExact(coll, which);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int endWrite() {
    try {
      return (int) NativeCollectives.END_WRITE.invokeExact(coll);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int isWrittenBy(int member) {
    try {
      return (int) NativeCollectives.IS_WRITTEN_BY.invokeExact(coll, member);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int closeState() {
    try {
      return (int) NativeCollectives.CLOSE_STATE.handle().invokeExact(coll);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int revoke() {
    try {
      return (int) NativeCollectives.REVOKE.handle().invokeExact(coll);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int state(int member) {
    try {
      return (int) NativeCollectives.STATE.handle().invokeExact(coll, member);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public void close() {
    try {
      NativeCollectives.CLOSE.handle().invokeExact(coll);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
    Reference.reachabilityFence(segment);
    Reference.reachabilityFence(slot);
    Reference.reachabilityFence(stages);
    Reference.reachabilityFence(this);
  }
}
