package io.adrastea.core.pure;

import io.adrastea.core.SegmentClasses;
import io.adrastea.link.CopyInterrupt;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Copies of small messages between memory of the program, which another thread may close meanwhile, and the segment.
 * Twin of {@code copy/adr_copy.h}.
 *
 * <p>
 * The program's memory is native memory, an array or shared memory, each a class of its own ({@link SegmentClasses}).
 * So there is no loop over words here, each turn of which would pay for that, and classes are compared with constants.
 */
final class ShortCopy {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG_UNALIGNED.varHandle();
  private static final Class<?> NATIVE = SegmentClasses.NATIVE;
  private static final Class<?> MAPPED = SegmentClasses.MAPPED;

  private ShortCopy() {}

  /** Copies from memory of the program into the segment. */
  static void put(MemorySegment from, long source, MemorySegment segment, long target, int bytes) {
    boolean interrupted = CopyInterrupt.isPending();
    try {
      if (segment.getClass() != MAPPED || from.getClass() != NATIVE) {
        putOther(from, source, segment, target, bytes);
      } else if (bytes == Long.BYTES) {
        LONG.set(segment, target, (long) LONG.get(from, source));
      } else if (bytes > 0) {
        MemorySegment.copy(from, source, segment, target, bytes);
      }
    } catch (IllegalStateException e) {
      CopyInterrupt.forget(interrupted, e);
      throw e;
    }
  }

  /** Copies from the segment into memory of the program. */
  static void take(MemorySegment segment, long source, MemorySegment to, long target, int bytes) {
    boolean interrupted = CopyInterrupt.isPending();
    try {
      if (segment.getClass() != MAPPED || to.getClass() != NATIVE) {
        takeOther(segment, source, to, target, bytes);
      } else if (bytes == Long.BYTES) {
        LONG.set(to, target, (long) LONG.get(segment, source));
      } else if (bytes > 0) {
        MemorySegment.copy(segment, source, to, target, bytes);
      }
    } catch (IllegalStateException e) {
      CopyInterrupt.forget(interrupted, e);
      throw e;
    }
  }

  /** From an array or shared memory. Not one method for both ways, whose calls would see the segment at both ends. */
  private static void putOther(MemorySegment from, long source, MemorySegment segment, long target, int bytes) {
    if (bytes == Long.BYTES) {
      LONG.set(segment, target, (long) LONG.get(from, source));
    } else if (bytes > 0) {
      MemorySegment.copy(from, source, segment, target, bytes);
    }
  }

  /** To an array or shared memory. */
  private static void takeOther(MemorySegment segment, long source, MemorySegment to, long target, int bytes) {
    if (bytes == Long.BYTES) {
      LONG.set(to, target, (long) LONG.get(segment, source));
    } else if (bytes > 0) {
      MemorySegment.copy(segment, source, to, target, bytes);
    }
  }
}
