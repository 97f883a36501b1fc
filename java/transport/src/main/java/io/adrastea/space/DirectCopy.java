package io.adrastea.space;

import io.adrastea.core.SegmentClasses;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Copies between memory of the program and memory of a rank where that is mapped [OpenSHMEM over XPMEM 2011, 4.2]. One
 * word, which irregular programs access most often, is one load and one store: {@link MemorySegment#copy} would go
 * through a loop over words.
 *
 * <p>
 * Classes are compared with constants as {@link SegmentClasses} says.
 */
public final class DirectCopy {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG_UNALIGNED.varHandle().withInvokeExactBehavior();
  private static final VarHandle INT = ValueLayout.JAVA_INT_UNALIGNED.varHandle().withInvokeExactBehavior();
  private static final Class<?> NATIVE = SegmentClasses.NATIVE;
  private static final Class<?> MAPPED = SegmentClasses.MAPPED;

  private DirectCopy() {}

  /** Copies to memory of a rank. */
  public static void put(MemorySegment from, long offset, MemorySegment there, long at, long bytes) {
    if (there.getClass() != MAPPED || from.getClass() != NATIVE) {
      putOther(from, offset, there, at, bytes);
    } else if (bytes == Long.BYTES) {
      LONG.set(there, at, (long) LONG.get(from, offset));
    } else {
      MemorySegment.copy(from, offset, there, at, bytes);
    }
  }

  /** Copies from memory of a rank. */
  public static void get(MemorySegment there, long at, MemorySegment into, long offset, long bytes) {
    if (there.getClass() != MAPPED || into.getClass() != NATIVE) {
      getOther(there, at, into, offset, bytes);
    } else if (bytes == Long.BYTES) {
      LONG.set(into, offset, (long) LONG.get(there, at));
    } else {
      MemorySegment.copy(there, at, into, offset, bytes);
    }
  }

  /** Loads a word of the program's memory. */
  public static long load(MemorySegment from, long offset) {
    return from.getClass() == NATIVE ? (long) LONG.get(from, offset) : loadOther(from, offset);
  }

  /** Writes zeros to memory of a rank; a slice to fill would be garbage. */
  public static void clear(MemorySegment there, long at, long bytes) {
    long words = bytes & -Long.BYTES;
    for (long done = 0; done < words; done += Long.BYTES) {
      LONG.set(there, at + done, 0L);
    }
    for (long done = words; done < bytes; done++) {
      there.set(ValueLayout.JAVA_BYTE, at + done, (byte) 0);
    }
  }

  // From and to arrays and shared memory: each has places of its own at which HotSpot sees classes

  private static void putOther(MemorySegment from, long offset, MemorySegment there, long at, long bytes) {
    if (bytes == Long.BYTES) {
      LONG.set(there, at, loadOther(from, offset));
    } else {
      MemorySegment.copy(from, offset, there, at, bytes);
    }
  }

  private static void getOther(MemorySegment there, long at, MemorySegment into, long offset, long bytes) {
    if (bytes == Long.BYTES) {
      LONG.set(into, offset, (long) LONG.get(there, at));
    } else {
      MemorySegment.copy(there, at, into, offset, bytes);
    }
  }

  private static long loadOther(MemorySegment from, long offset) {
    return (long) LONG.get(from, offset);
  }

  // Blocks at equal distances at both ends, one after the other; the caller has checked the places

  /** Copies blocks to memory of a rank. */
  public static void putStrided(MemorySegment from, long offset, long stride, MemorySegment there, long at,
      long thereStride, long blockBytes, long count) {
    if (there.getClass() != MAPPED || from.getClass() != NATIVE) {
      copyStrided(from, offset, stride, there, at, thereStride, blockBytes, count);
    } else if (blockBytes == Long.BYTES) {
      for (long block = 0; block < count; block++) {
        LONG.set(there, at + block * thereStride, (long) LONG.get(from, offset + block * stride));
      }
    } else if (blockBytes == Integer.BYTES) {
      for (long block = 0; block < count; block++) {
        INT.set(there, at + block * thereStride, (int) INT.get(from, offset + block * stride));
      }
    } else {
      for (long block = 0; block < count; block++) {
        MemorySegment.copy(from, offset + block * stride, there, at + block * thereStride, blockBytes);
      }
    }
  }

  /** Copies blocks from memory of a rank. */
  public static void getStrided(MemorySegment there, long at, long thereStride, MemorySegment into, long offset,
      long stride, long blockBytes, long count) {
    if (there.getClass() != MAPPED || into.getClass() != NATIVE) {
      copyStrided(there, at, thereStride, into, offset, stride, blockBytes, count);
    } else if (blockBytes == Long.BYTES) {
      for (long block = 0; block < count; block++) {
        LONG.set(into, offset + block * stride, (long) LONG.get(there, at + block * thereStride));
      }
    } else if (blockBytes == Integer.BYTES) {
      for (long block = 0; block < count; block++) {
        INT.set(into, offset + block * stride, (int) INT.get(there, at + block * thereStride));
      }
    } else {
      for (long block = 0; block < count; block++) {
        MemorySegment.copy(there, at + block * thereStride, into, offset + block * stride, blockBytes);
      }
    }
  }

  /** Copies blocks between memory of any kind. */
  public static void copyStrided(MemorySegment from, long offset, long stride, MemorySegment to, long at,
      long toStride, long blockBytes, long count) {
    if (blockBytes == Long.BYTES) {
      for (long block = 0; block < count; block++) {
        LONG.set(to, at + block * toStride, (long) LONG.get(from, offset + block * stride));
      }
    } else if (blockBytes == Integer.BYTES) {
      for (long block = 0; block < count; block++) {
        INT.set(to, at + block * toStride, (int) INT.get(from, offset + block * stride));
      }
    } else {
      for (long block = 0; block < count; block++) {
        MemorySegment.copy(from, offset + block * stride, to, at + block * toStride, blockBytes);
      }
    }
  }
}
