package io.adrastea.engine.collective;

import java.lang.foreign.MemorySegment;

/** An operator of the program's own, which the engine lends the operands, wherever they lie. */
@FunctionalInterface
public interface Folding {
  /**
   * Combines whole elements of two operands, the target on the left, and leaves the result in the target.
   *
   * @param bytes of either operand
   */
  void fold(MemorySegment target, long targetAt, MemorySegment source, long sourceAt, long bytes);
}
