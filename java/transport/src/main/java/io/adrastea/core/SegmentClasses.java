package io.adrastea.core;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The classes of native memory, to compare that of a segment with. HotSpot calls the methods of a segment virtually,
 * four times for each access, wherever it has seen several classes, and in a method that is compiled apart from its
 * callers it has seen those of all callers. Behind a comparison with a constant it knows the class, whatever it has
 * seen.
 */
public final class SegmentClasses {
  /** Memory that was allocated outside of the heap. */
  public static final Class<?> NATIVE = MemorySegment.NULL.getClass();

  /** Memory that is mapped from a file: a job's segment, and all shared memory. */
  public static final Class<?> MAPPED = mapped();

  private SegmentClasses() {}

  private static Class<?> mapped() {
    try (FileChannel any = FileChannel.open(Path.of("/proc/self/exe"))) {
      return any.map(FileChannel.MapMode.READ_ONLY, 0, 1, Arena.ofAuto()).getClass();
    } catch (IOException e) {
      return NATIVE; // no segment is of this class: all accesses go the slower way
    }
  }
}
