package io.adrastea.engine;

import java.lang.foreign.MemorySegment;

/** Heap memory that holds one piece of an unexpected message. Pooled. */
final class Chunk {
  final MemorySegment memory;
  final int sizeClass;
  int length;
  Chunk next;

  Chunk(int sizeClass) {
    this.sizeClass = sizeClass;
    this.memory = MemorySegment.ofArray(new byte[1 << sizeClass]);
  }
}
