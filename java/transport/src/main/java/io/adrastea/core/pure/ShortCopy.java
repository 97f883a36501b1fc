package io.adrastea.core.pure;

import io.adrastea.core.CopyInterrupt;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Copies of small messages, without a call. Twin of {@code copy/adr_copy.h}. */
final class ShortCopy {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private ShortCopy() {}

  /**
   * Copies {@code bytes} bytes between memory of the program, which another thread may close meanwhile, and the
   * segment; up to 48 of them, what shares a line with its header, by words that may overlap.
   */
  static void copy(MemorySegment from, long source, MemorySegment to, long target, int bytes) {
    boolean interrupted = CopyInterrupt.isPending();
    try {
      copyNow(from, source, to, target, bytes);
    } catch (IllegalStateException e) {
      CopyInterrupt.forget(interrupted, e);
      throw e;
    }
  }

  private static void copyNow(MemorySegment from, long source, MemorySegment to, long target, int bytes) {
    if (bytes == 8) {
      to.set(LONG, target, from.get(LONG, source));
    } else if (bytes > 48) {
      MemorySegment.copy(from, source, to, target, bytes);
    } else if (bytes > 8) {
      copyLongs(from, source, to, target, bytes);
    } else if (bytes > 0) {
      copyFew(from, source, to, target, bytes);
    }
  }

  /** 9 to 48 bytes. */
  private static void copyLongs(MemorySegment from, long source, MemorySegment to, long target, int bytes) {
    int last = bytes - 8;
    for (int at = 0; at < last; at += 8) {
      to.set(LONG, target + at, from.get(LONG, source + at));
    }
    to.set(LONG, target + last, from.get(LONG, source + last));
  }

  /** 1 to 7 bytes. */
  private static void copyFew(MemorySegment from, long source, MemorySegment to, long target, int bytes) {
    if (bytes >= 4) {
      to.set(INT, target, from.get(INT, source));
      to.set(INT, target + bytes - 4, from.get(INT, source + bytes - 4));
    } else {
      to.set(BYTE, target, from.get(BYTE, source));
      to.set(BYTE, target + bytes / 2, from.get(BYTE, source + bytes / 2));
      to.set(BYTE, target + bytes - 1, from.get(BYTE, source + bytes - 1));
    }
  }
}
