package io.adrastea.fastbox;

import static io.adrastea.layout.BoxMessageDescriptor.BYTES;
import static io.adrastea.layout.BoxMessageDescriptor.KIND_MASK;
import static io.adrastea.layout.BoxMessageDescriptor.KIND_SHIFT;

/**
 * A ring of messages for one ordered pair of ranks: what both sides know. Twin of {@code fastbox/adr_box_ring.h}, which
 * tells source, invariants and the reasons of the orders; the SYNC labels are the same.
 */
final class BoxRing {
  /** What a packed message begins at a multiple of. */
  static final long WORD = 8;

  /** What any other message begins at a multiple of. */
  static final long LINE = 64;

  private BoxRing() {}

  /** Offset in the segment of what lies at {@code position}. */
  static long messageAt(long ring, long mask, long position) {
    return ring + (position & mask);
  }

  /** Where a message of {@code length} bytes ends that begins at {@code begin}. */
  static long end(long begin, int length, boolean packed) {
    long multiple = packed ? WORD : LINE;
    return (begin + BYTES + length + multiple - 1) & -multiple;
  }

  static int kind(long header) {
    return (int) (header >>> KIND_SHIFT & KIND_MASK);
  }
}
