package io.adrastea.core;

import io.adrastea.error.SegmentException;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.link.CopyInterrupt;
import io.adrastea.segment.Segment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/**
 * A member of a slot in C behind a binding that passes numbers only: the functions of {@code adrastea/coll.h} with
 * addresses as {@code long}. A binding supplies those; what is the same for all of them is here.
 *
 * <p>
 * C is given a buffer's own address only when nobody can free that memory during the call ({@link LastingMemory}).
 * Everything else is filled and drained here.
 */
public abstract class AddressSlotMember implements SlotMember {
  private final Segment segment; // mapped for as long as C points into it
  private final MemorySegment slot;
  private final MemorySegment[] told = new MemorySegment[UNDER_WAY]; // C's words, from their first use on
  private final long[][] words = new long[UNDER_WAY][WORDS];
  private final long coll;
  private MemorySegment stages;
  private MemorySegment parts;

  /**
   * A member that is open.
   *
   * @param coll what {@code adr_coll_open} gave
   */
  protected AddressSlotMember(Segment segment, MemorySegment slot, long coll) {
    this.segment = segment;
    this.slot = slot;
    this.coll = coll;
  }

  /** What {@code adr_coll_words} tells is there. */
  public static MemorySegment wordsAt(long address) {
    return MemorySegment.ofAddress(address).reinterpret(WORDS * Long.BYTES);
  }

  /** A word for C to write the address of a member to that it has opened. */
  public static MemorySegment opened() {
    return Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
  }

  /**
   * The address of a member that C has opened.
   *
   * @throws SegmentException when it has not
   */
  public static long address(MemorySegment slot, int self, int status, MemorySegment opened) {
    if (status < 0) {
      throw new SegmentException(
          ("the C core did not open member %d of a slot of %d bytes (%d): it has no memory, or the slot's header was "
              + "overwritten by a rank that is broken")
              .formatted(self, slot.byteSize(), status));
    }
    return opened.get(ValueLayout.JAVA_LONG, 0);
  }

  protected abstract long words(long coll, int which);
  protected abstract void close(long coll);
  protected abstract int begin(
      long coll, int kind, int root, long bytes, int element, int op, long in, long inOffset, long out,
      long outOffset, int spins);
  protected abstract long parts(long coll);
  protected abstract int begun(long coll);
  protected abstract int step(long coll, int which, long in, long inOffset, long out, long outOffset, int spins);
  protected abstract int expose(long coll, int which, int inBy, long in, int outBy, long out, int spaces, long segment);
  protected abstract int reach(long coll, int which, long offset, long memory, long bytes);
  protected abstract int relay(long coll, int which);
  protected abstract int other(long coll, int which);
  protected abstract long stagesBytes(long coll);
  protected abstract long stagesOffset(long coll);
  protected abstract int publishStages(long coll, long offset);
  protected abstract int stages(long coll, long all, long bytes);
  protected abstract int breakOff(long coll);
  protected abstract int beginWrite(long coll, int which);
  protected abstract int endWrite(long coll);
  protected abstract int isWrittenBy(long coll, int member);
  protected abstract int closeState(long coll);
  protected abstract int revoke(long coll);
  protected abstract int state(long coll, int member);

  @Override
  public final int begin(
      int kind, int root, long bytes, int element, int op, MemorySegment in, long inOffset, MemorySegment out,
      long outOffset, int spins) {
    int status =
        begin(coll, kind, root, bytes, element, op, direct(in), inOffset, direct(out), outOffset, spins);
    return status <= 0 ? kept(status, in, out) : serve(begun(coll), status, in, inOffset, out, outOffset, spins);
  }

  @Override
  public final MemorySegment parts() {
    if (parts == null) {
      parts = partsAt(parts(coll), slot);
    }
    return parts;
  }

  /** The table of parts that C has made. */
  public static MemorySegment partsAt(long address, MemorySegment slot) {
    if (address == 0) {
      throw new SegmentException("the C core has no memory for the parts of a collective");
    }
    int ranks = slot.get(ValueLayout.JAVA_INT, SlotDescriptor.RANKS_OFFSET);
    return MemorySegment.ofAddress(address).reinterpret((long) PART_ROWS * ranks * Long.BYTES);
  }

  @Override
  public final int begun() {
    return begun(coll);
  }

  @Override
  public final int step(int which, MemorySegment in, long inOffset, MemorySegment out, long outOffset, int spins) {
    int status = step(coll, which, direct(in), inOffset, direct(out), outOffset, spins);
    return serve(which, status, in, inOffset, out, outOffset, spins);
  }

  private static long direct(MemorySegment buffer) {
    return buffer != null && LastingMemory.is(buffer) ? buffer.address() : 0;
  }

  /** Fills and drains for memory that C was not given. */
  private int serve(int which, int last, MemorySegment in, long inOffset, MemorySegment out, long outOffset,
      int spins) {
    int status = last;
    while (status == FILL && in != null || status == DRAIN && out != null
        || status == KEEP && in != null && out != null) {
      MemorySegment place = word(which, PLACE) == IN_STAGES ? stages : slot;
      if (status == FILL) {
        CopyInterrupt.copy(in, inOffset + word(which, POSITION), place, word(which, TARGET), word(which, BYTES));
      } else if (status == KEEP) {
        CopyInterrupt.copy(
            in, inOffset + word(which, SOURCE), out, outOffset + word(which, POSITION), word(which, BYTES));
      } else {
        CopyInterrupt.copy(place, word(which, SOURCE), out, outOffset + word(which, POSITION), word(which, BYTES));
      }
      status = step(coll, which, direct(in), inOffset, direct(out), outOffset, spins);
    }
    return kept(status, in, out);
  }

  /** Keeps the memory that C was given until here. */
  private static int kept(int status, MemorySegment in, MemorySegment out) {
    Reference.reachabilityFence(in);
    Reference.reachabilityFence(out);
    return status;
  }

  private MemorySegment told(int which) {
    if (told[which] == null) {
      told[which] = wordsAt(words(coll, which));
    }
    return told[which];
  }

  private long word(int which, int word) {
    return told(which).getAtIndex(ValueLayout.JAVA_LONG, word);
  }

  @Override
  public final int expose(int which, int inBy, long in, int outBy, long out, int spaces, long segment) {
    return expose(coll, which, inBy, in, outBy, out, spaces, segment);
  }

  @Override
  public final int reach(int which, long offset, MemorySegment memory) {
    return reach(coll, which, offset, memory.address(), memory.byteSize());
  }

  @Override
  public final int other(int which) {
    return other(coll, which);
  }

  @Override
  public final long[] words(int which) {
    MemorySegment.copy(told(which), ValueLayout.JAVA_LONG, 0, words[which], 0, WORDS);
    return words[which];
  }

  @Override
  public final long stagesBytes() {
    return stagesBytes(coll);
  }

  @Override
  public final long stagesOffset() {
    return stagesOffset(coll);
  }

  @Override
  public final int publishStages(long offsetInFile) {
    return publishStages(coll, offsetInFile);
  }

  @Override
  public final int stages(MemorySegment all) {
    stages = all;
    return stages(coll, all.address(), all.byteSize());
  }

  @Override
  public final int relay(int which) {
    return relay(coll, which);
  }

  @Override
  public final int breakOff() {
    return breakOff(coll);
  }

  @Override
  public final int beginWrite(int which) {
    return beginWrite(coll, which);
  }

  @Override
  public final int endWrite() {
    return endWrite(coll);
  }

  @Override
  public final int isWrittenBy(int member) {
    return isWrittenBy(coll, member);
  }

  @Override
  public final int closeState() {
    return closeState(coll);
  }

  @Override
  public final int revoke() {
    return revoke(coll);
  }

  @Override
  public final int state(int member) {
    return state(coll, member);
  }

  @Override
  public final void close() {
    close(coll);
    Reference.reachabilityFence(segment);
    Reference.reachabilityFence(this);
  }
}
