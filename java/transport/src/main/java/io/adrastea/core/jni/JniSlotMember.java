package io.adrastea.core.jni;

import io.adrastea.core.AddressSlotMember;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;

/**
 * A member of a slot through JNI. Twin of the end of {@code native/jni/adr_jni.c}: same functions, same order, each
 * handed on to the one of {@code adrastea/coll.h} with the same name.
 */
final class JniSlotMember extends AddressSlotMember {
  JniSlotMember(Segment segment, MemorySegment slot, int self) {
    this(segment, slot, opened(segment, slot, self));
  }

  private JniSlotMember(Segment segment, MemorySegment slot, long coll) {
    super(segment, slot, coll);
  }

  private static long opened(Segment segment, MemorySegment slot, int self) {
    MemorySegment opened = opened();
    int status =
        open(
            segment.memory().address(), segment.geometry().ranks(), slot.address(), slot.byteSize(), self,
            opened.address());
    return address(slot, self, status, opened);
  }

  private static native int open(long base, int ranks, long slot, long bytes, int self, long opened);

  // What AddressSlotMember asks for, in its order: the class would not compile without any of them.
  protected native long words(long coll, int which);
  protected native void close(long coll);
  protected native int begin(
      long coll, int kind, int root, long bytes, int element, int operation, long in, long inOffset, long out,
      long outOffset, int spins);
  protected native long parts(long coll);
  protected native int begun(long coll);
  protected native int step(long coll, int which, long in, long inOffset, long out, long outOffset, int spins);
  protected native int expose(long coll, int which, int inBy, long in, int outBy, long out, int spaces, long segment);
  protected native int reach(long coll, int which, long offset, long memory, long bytes);
  protected native int relay(long coll, int which);
  protected native int other(long coll, int which);
  protected native long cellsBytes(long coll);
  protected native long cellsOffset(long coll);
  protected native int publishCells(long coll, long offset);
  protected native int cells(long coll, long all, long bytes);
  protected native int breakOff(long coll);
  protected native int beginWrite(long coll, int which);
  protected native int endWrite(long coll);
  protected native int isWrittenBy(long coll, int member);
  protected native int closeState(long coll);
  protected native int revoke(long coll);
  protected native int state(long coll, int member);
}
