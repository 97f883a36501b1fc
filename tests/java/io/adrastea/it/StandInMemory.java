package io.adrastea.it;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * What a program does that has another user of XPMEM beside it, on the stand-in for its kernel module: memory that is
 * freed and made anew at the same address, and descriptors of the device that are closed.
 */
final class StandInMemory {
  private static final int READ_AND_WRITE = 3;
  private static final int SHARED = 1;
  private static final int FIXED = 0x10;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup STAND_IN =
      SymbolLookup.libraryLookup(Path.of(System.getenv("ADRASTEA_LIBRARY")), Arena.global());
  private static final MethodHandle MEMFD =
      bind(LINKER.defaultLookup(), "memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle TRUNCATE =
      bind(LINKER.defaultLookup(), "ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MAP =
      bind(
          LINKER.defaultLookup(),
          "mmap",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle OPEN_AND_CLOSE =
      bind(STAND_IN, "standin_open_and_close", FunctionDescriptor.ofVoid());
  private static final MethodHandle OPEN_AND_USE =
      bind(STAND_IN, "standin_open_and_use", FunctionDescriptor.of(JAVA_INT));

  private StandInMemory() {}

  private static MethodHandle bind(SymbolLookup where, String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(where.find(name).orElseThrow(), type);
  }

  /** A mapping of a file without a name. */
  static MemorySegment allocate(long bytes) throws Throwable {
    return map(0, bytes, SHARED);
  }

  /** Frees such memory, and makes other memory at its address. */
  static MemorySegment allocateAgain(MemorySegment memory) throws Throwable {
    return map(memory.address(), memory.byteSize(), SHARED | FIXED);
  }

  private static MemorySegment map(long address, long bytes, int flags) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      int file = (int) MEMFD.invokeExact(arena.allocateFrom("memory"), 0);
      if ((int) TRUNCATE.invokeExact(file, bytes) != 0) {
        throw new IllegalStateException("no file for %d bytes".formatted(bytes));
      }
      long here = (long) MAP.invokeExact(address, bytes, READ_AND_WRITE, flags, file, 0L);
      if (here == -1 || address != 0 && here != address) {
        throw new IllegalStateException("no memory for %d bytes".formatted(bytes));
      }
      return MemorySegment.ofAddress(here).reinterpret(bytes);
    }
  }

  /** Opens the device once more and closes that descriptor, as any program in this process may. */
  static void openAndClose() throws Throwable {
    OPEN_AND_CLOSE.invokeExact();
  }

  /** Opens it again, and uses XPMEM. */
  static void openAndUse() throws Throwable {
    if ((int) OPEN_AND_USE.invokeExact() != 0) {
      throw new IllegalStateException("the other user of XPMEM can do nothing");
    }
  }
}
