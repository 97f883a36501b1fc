package io.adrastea.core.pure;

import io.adrastea.core.CopyInterrupt;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Copies of small messages between memory of the program, which another thread may close meanwhile, and the segment.
 * Twin of {@code copy/adr_copy.h}.
 *
 * <p>
 * The program's memory is native memory of the JVM, an array or shared memory, each a class of its own. HotSpot calls
 * the methods of a segment virtually, four times for each access, wherever it has seen several classes, and where a
 * method is too large to be compiled together with its caller it has seen those of all callers. So there is no loop
 * over words here, whose every turn would pay for that, and the class that is most likely is compared with: in that
 * branch HotSpot knows it, whatever it has seen.
 */
final class ShortCopy {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG_UNALIGNED.varHandle();
  private static final Class<?> NATIVE = MemorySegment.NULL.getClass();

  private ShortCopy() {}

  /** Copies from memory of the program into the segment. */
  static void put(MemorySegment from, long source, MemorySegment segment, long target, int bytes) {
    boolean interrupted = CopyInterrupt.isPending();
    try {
      if (from.getClass() != NATIVE) {
        MemorySegment.copy(from, source, segment, target, bytes);
      } else if (bytes == Long.BYTES) {
        LONG.set(segment, target, (long) LONG.get(from, source));
      } else {
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
      if (to.getClass() != NATIVE) {
        MemorySegment.copy(segment, source, to, target, bytes);
      } else if (bytes == Long.BYTES) {
        LONG.set(to, target, (long) LONG.get(segment, source));
      } else {
        MemorySegment.copy(segment, source, to, target, bytes);
      }
    } catch (IllegalStateException e) {
      CopyInterrupt.forget(interrupted, e);
      throw e;
    }
  }
}
