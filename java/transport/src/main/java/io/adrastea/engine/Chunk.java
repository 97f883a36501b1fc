package io.adrastea.engine;

import java.lang.foreign.MemorySegment;

/**
 * Heap memory that holds a piece of an unexpected message, or a private copy of one received in place. Pooled. An array
 * of longs, so that values in it are aligned as they are in a cell.
 */
final class Chunk {
  final MemorySegment memory;
  final int sizeClass;
  long length;
  Chunk next;

  Chunk(int sizeClass) {
    this.sizeClass = sizeClass;
    this.memory = MemorySegment.ofArray(new long[1 << sizeClass - 3]);
  }
}
