package io.adrastea.core.pure;

import io.adrastea.core.CopyInterrupt;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Copies of small messages, without a call. Twin of {@code copy/adr_copy.h}. By handles, for the reason that
 * {@link io.adrastea.atomic.Words} tells.
 */
final class ShortCopy {
  /** Longer ones are a call of the JVM's copy routine, whose way in and out takes as long as these by words. */
  private static final int MOST = 128;

  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
  private static final VarHandle INT = ValueLayout.JAVA_INT_UNALIGNED.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG_UNALIGNED.varHandle();

  private ShortCopy() {}

  /**
   * Copies {@code bytes} bytes between memory of the program, which another thread may close meanwhile, and the
   * segment; few of them by words that may overlap.
   */
  static void copy(MemorySegment from, long source, MemorySegment to, long target, int bytes) {
    boolean interrupted = CopyInterrupt.isPending();
    try {
      if (bytes == 8) {
        LONG.set(to, target, (long) LONG.get(from, source));
      } else {
        copyOther(from, source, to, target, bytes);
      }
    } catch (IllegalStateException e) {
      CopyInterrupt.forget(interrupted, e);
      throw e;
    }
  }

  private static void copyOther(MemorySegment from, long source, MemorySegment to, long target, int bytes) {
    if (bytes > MOST) {
      MemorySegment.copy(from, source, to, target, bytes);
    } else if (bytes > 8) {
      copyLongs(from, source, to, target, bytes);
    } else if (bytes > 0) {
      copyFew(from, source, to, target, bytes);
    }
  }

  /** 9 bytes and more. */
  private static void copyLongs(MemorySegment from, long source, MemorySegment to, long target, int bytes) {
    int last = bytes - 8;
    for (int at = 0; at < last; at += 8) {
      LONG.set(to, target + at, (long) LONG.get(from, source + at));
    }
    LONG.set(to, target + last, (long) LONG.get(from, source + last));
  }

  /** 1 to 7 bytes. */
  private static void copyFew(MemorySegment from, long source, MemorySegment to, long target, int bytes) {
    if (bytes >= 4) {
      INT.set(to, target, (int) INT.get(from, source));
      INT.set(to, target + bytes - 4, (int) INT.get(from, source + bytes - 4));
    } else {
      BYTE.set(to, target, (byte) BYTE.get(from, source));
      BYTE.set(to, target + bytes / 2, (byte) BYTE.get(from, source + bytes / 2));
      BYTE.set(to, target + bytes - 1, (byte) BYTE.get(from, source + bytes - 1));
    }
  }
}
