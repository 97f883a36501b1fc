package io.adrastea.bench.datatypes;

import java.lang.foreign.MemorySegment;

/**
 * What a program does that has no datatypes: a loop written for one shape, between its memory and a buffer. Both ends
 * of a message agree on the order in the buffer, which is not always that of the datatype.
 */
interface HandLoop {
  /** Copies the shape into a buffer. */
  void pack(MemorySegment memory, MemorySegment buffer);

  /** Copies a buffer into the shape. */
  void unpack(MemorySegment buffer, MemorySegment memory);

  /** What a program in C makes the same loop of. */
  String words();
}
