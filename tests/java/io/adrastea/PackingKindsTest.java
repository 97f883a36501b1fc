package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.core.JavaPacking;
import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCursor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Packing in Java has loops for each size of blocks, and a copy of them for each pair of kinds of memory: all sizes and
 * all pairs, against a copy byte by byte.
 */
class PackingKindsTest {
  private static final int BLOCKS = 37; // more than a loop takes at a time, and not a multiple of it
  private static final int MOST = 130;
  private static final int BYTES = BLOCKS * (2 * MOST + 8) + 64;

  private static List<MemorySegment> everyKind(Arena shared, Arena confined) {
    return List.of(Arena.global().allocate(BYTES), Arena.ofAuto().allocate(BYTES), shared.allocate(BYTES),
        confined.allocate(BYTES), MemorySegment.ofArray(new byte[BYTES]), MemorySegment.ofArray(new char[BYTES / 2]),
        MemorySegment.ofArray(new short[BYTES / 2]), MemorySegment.ofArray(new int[BYTES / 4]),
        MemorySegment.ofArray(new float[BYTES / 4]), MemorySegment.ofArray(new long[BYTES / 8]),
        MemorySegment.ofArray(new double[BYTES / 8]));
  }

  private static void fill(MemorySegment memory, int seed) {
    for (long i = 0; i < memory.byteSize(); i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) (seed + i * 31 + i / 251));
    }
  }

  private static void copy(MemorySegment from, long at, MemorySegment to, long place, long size) {
    for (long i = 0; i < size; i++) {
      to.set(ValueLayout.JAVA_BYTE, place + i, from.get(ValueLayout.JAVA_BYTE, at + i));
    }
  }

  /** Blocks at a stride, from a place that is not aligned. */
  private static void isPackedAndUnpacked(MemorySegment memory, MemorySegment packed, int size, long stride) {
    Program program = Datatype.hvector(BLOCKS, size, stride, Datatype.BYTE).map().program();
    long first = 3 + Math.max(0, -stride * (BLOCKS - 1));
    long bytes = (long) BLOCKS * size;
    MemorySegment expected = MemorySegment.ofArray(new byte[BYTES]);
    fill(memory, size);
    fill(packed, 1);
    expected.asSlice(0, packed.byteSize()).copyFrom(packed);
    for (int block = 0; block < BLOCKS; block++) {
      copy(memory, first + block * stride, expected, 5 + (long) block * size, size);
    }
    JavaPacking.pack(program, new ProgramCursor().begin(program, 1), memory, first, packed, 5, bytes);
    String what = "%d bytes at %d, %s to %s".formatted(size, stride, memory, packed);
    assertEquals(-1, packed.mismatch(expected.asSlice(0, packed.byteSize())), what);

    fill(packed, 7 * size);
    expected.asSlice(0, memory.byteSize()).copyFrom(memory);
    for (int block = 0; block < BLOCKS; block++) {
      copy(packed, 5 + (long) block * size, expected, first + block * stride, size);
    }
    JavaPacking.unpack(program, new ProgramCursor().begin(program, 1), memory, first, packed, 5, bytes);
    assertEquals(-1, memory.mismatch(expected.asSlice(0, memory.byteSize())), what);
  }

  @Test
  void blocksOfEverySizeArePacked() {
    MemorySegment memory = Arena.ofAuto().allocate(BYTES);
    MemorySegment array = MemorySegment.ofArray(new int[BYTES / 4]);
    MemorySegment packed = Arena.ofAuto().allocate(BYTES);
    for (int size = 1; size <= MOST; size++) {
      for (long stride : new long[] {2 * size, size + 3, -2 * size}) {
        isPackedAndUnpacked(memory, packed, size, stride);
        isPackedAndUnpacked(array, packed, size, stride);
      }
    }
  }

  @Test
  void everyKindOfMemoryIsPackedIntoEveryOther() {
    try (Arena shared = Arena.ofShared();
        Arena confined = Arena.ofConfined()) {
      List<MemorySegment> memories = everyKind(shared, confined);
      List<MemorySegment> others = everyKind(shared, confined);
      for (MemorySegment memory : memories) {
        for (MemorySegment packed : others) {
          for (int size : new int[] {1, 2, 3, 4, 8, 13, 16, 24, 64, 100}) {
            isPackedAndUnpacked(memory, packed, size, 2 * size);
          }
        }
      }
    }
  }

  @Test
  void blocksThatAllLieAtOnePlaceEndWithTheLast() {
    Program program = Datatype.hvector(BLOCKS, 4, 0, Datatype.BYTE).map().program();
    MemorySegment packed = Arena.ofAuto().allocate(4 * BLOCKS);
    MemorySegment memory = Arena.ofAuto().allocate(4);
    fill(packed, 9);
    JavaPacking.unpack(program, new ProgramCursor().begin(program, 1), memory, 0, packed, 0, 4 * BLOCKS);
    assertEquals(-1, memory.mismatch(packed.asSlice(4 * BLOCKS - 4)));
  }

  @Test
  void memoryThatIsReadOnlyOrClosedStaysAsItIs() {
    Program program = Datatype.hvector(BLOCKS, 4, 8, Datatype.BYTE).map().program();
    MemorySegment packed = Arena.ofAuto().allocate(BYTES);
    fill(packed, 3);
    ProgramCursor cursor = new ProgramCursor();
    MemorySegment fixed = Arena.ofAuto().allocate(BYTES).asReadOnly();
    assertThrows(RuntimeException.class, // of different classes in different Java versions
        () -> JavaPacking.unpack(program, cursor.begin(program, 1), fixed, 0, packed, 0, 4 * BLOCKS));
    assertEquals(-1, fixed.mismatch(Arena.ofAuto().allocate(BYTES)));
    MemorySegment closed;
    try (Arena arena = Arena.ofShared()) {
      closed = arena.allocate(BYTES);
    }
    assertThrows(IllegalStateException.class,
        () -> JavaPacking.pack(program, cursor.begin(program, 1), closed, 0, packed, 0, 4 * BLOCKS));
  }
}
