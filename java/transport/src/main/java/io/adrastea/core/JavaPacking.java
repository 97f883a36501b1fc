package io.adrastea.core;

import io.adrastea.datatype.Packing;
import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCopy;
import io.adrastea.datatype.ProgramCursor;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * {@link Packing} for cores that pack in Java: memory that nobody can free during the call goes by its address, which
 * is the fastest; arrays, and arenas that another thread may close, are checked at each access.
 */
public final class JavaPacking {
  private JavaPacking() {}

  /** Packs as {@link Spaces#pack} does. */
  public static void pack(
      Program program, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed, long at,
      long length) {
    boolean there = isPlain(packed);
    boolean here = LastingMemory.outlasts(memory, true);
    Packing.pack(program, cursor, here ? Packing.MEMORY : memory, here ? memory.address() + offset : offset,
        there ? Packing.MEMORY : packed, there ? packed.address() + at : at, length);
    Reference.reachabilityFence(memory);
    Reference.reachabilityFence(packed);
  }

  /** Unpacks as {@link Spaces#unpack} does. */
  public static void unpack(
      Program program, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed, long at,
      long length) {
    boolean there = LastingMemory.outlasts(packed, true);
    boolean here = isPlain(memory);
    Packing.unpack(program, cursor, here ? Packing.MEMORY : memory, here ? memory.address() + offset : offset,
        there ? Packing.MEMORY : packed, there ? packed.address() + at : at, length);
    Reference.reachabilityFence(memory);
    Reference.reachabilityFence(packed);
  }

  /** Copies between two layouts, as {@link Spaces} does. */
  public static void copy(
      Program to, ProgramCursor toCursor, MemorySegment destination, long toOffset, Program from,
      ProgramCursor fromCursor, MemorySegment source, long fromOffset, long length) {
    boolean there = isPlain(destination);
    boolean here = LastingMemory.outlasts(source, true);
    ProgramCopy.copy(to, toCursor, there ? Packing.MEMORY : destination,
        there ? destination.address() + toOffset : toOffset, from, fromCursor, here ? Packing.MEMORY : source,
        here ? source.address() + fromOffset : fromOffset, length);
    Reference.reachabilityFence(destination);
    Reference.reachabilityFence(source);
  }

  /** Whether it may be written to by its address. */
  private static boolean isPlain(MemorySegment memory) {
    return !memory.isReadOnly() && LastingMemory.outlasts(memory, true);
  }
}
