package io.adrastea.datatype;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Copies of blocks of equal size between two strided places: the loops below all packing and unpacking [SCI-MPICH 2002,
 * 3.3.2]. Packing and unpacking are the same copy with its ends exchanged. Twin of {@code datatype/adr_block_copy.h}.
 *
 * <p>
 * Java has words of 1, 2, 4 and 8 bytes: larger blocks are several of them. The two ends may have any alignment, and an
 * array of bytes has none, so the layouts ask for none.
 */
interface BlockCopy {
  /** One block of any size. */
  void block(MemorySegment to, long target, MemorySegment from, long source, long size);

  /** Copies {@code rows} rows of {@code blocks} blocks of {@code size} bytes each: two levels in one loop. */
  void rows(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size);

  /** Copies blocks from where a table tells, from its word {@code first} on, to contiguous memory. */
  void gather(
      MemorySegment to, long target, MemorySegment from, long origin, long[] table, int first, int blocks, long size);

  /** Copies blocks from contiguous memory to where a table tells, from its word {@code first} on. */
  void scatter(
      MemorySegment to, long origin, MemorySegment from, long source, long[] table, int first, int blocks, long size);

  /** The loops between two memories; either may be {@link Packing#MEMORY}. */
  static BlockCopy between(MemorySegment to, MemorySegment from) {
    return to == Packing.MEMORY && from == Packing.MEMORY ? Kinds.ADDRESSES : Kinds.loops(to, from);
  }

  /** The loops of each pair of kinds of memory, made when they are first asked for. */
  final class Kinds {
    private static final BlockCopy ADDRESSES = new BlockLoops();

    /** Kinds of memory that a JVM has: native, mapped, and each type of arrays. */
    private static final int MOST = 16;

    private static final AtomicReferenceArray<Class<?>> KINDS = new AtomicReferenceArray<>(MOST);
    private static final AtomicReferenceArray<BlockCopy> LOOPS = new AtomicReferenceArray<>(MOST * MOST);

    private Kinds() {}

    private static BlockCopy loops(MemorySegment to, MemorySegment from) {
      int pair = MOST * number(kind(to)) + number(kind(from));
      BlockCopy loops = LOOPS.get(pair);
      return loops != null ? loops : make(pair, kind(to), kind(from));
    }

    private static Class<?> kind(MemorySegment memory) {
      return memory == Packing.MEMORY ? Void.class : memory.getClass();
    }

    private static int number(Class<?> kind) {
      for (int i = 0;; i++) {
        Class<?> there = KINDS.get(i);
        if (there == kind || there == null && (KINDS.compareAndSet(i, null, kind) || KINDS.get(i) == kind)) {
          return i;
        }
      }
    }

    /** Several threads may make the same: each is as good as the other. */
    private static BlockCopy make(int pair, Class<?> to, Class<?> from) {
      try (InputStream text = BlockLoops.class.getResourceAsStream("BlockLoops.class")) {
        if (text == null) {
          throw new IllegalStateException(
              "%s.class is not beside its class; the jar of Adrastea is to be left whole".formatted(
                  BlockLoops.class.getName()));
        }
        MethodHandles.Lookup own =
            MethodHandles.lookup().defineHiddenClassWithClassData(text.readAllBytes(), List.of(to, from), true);
        BlockCopy loops = (BlockCopy) own.lookupClass().getDeclaredConstructor().newInstance();
        LOOPS.set(pair, loops);
        return loops;
      } catch (IOException | ReflectiveOperationException e) {
        throw new IllegalStateException("the loops between %s and %s cannot be made".formatted(to, from), e);
      }
    }
  }
}
