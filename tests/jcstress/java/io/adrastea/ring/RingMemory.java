package io.adrastea.ring;

import io.adrastea.layout.CopyRingDescriptor;
import io.adrastea.segment.GivenView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A copy ring of two words, a chunk each, and the buffers of both ends. */
class RingMemory {
  static final int RING_BYTES = 2 * Long.BYTES;

  final MemorySegment ring = GivenView.memory(CopyRingDescriptor.BYTES + RING_BYTES);
  final MemorySegment source = GivenView.memory(4 * Long.BYTES);
  final MemorySegment destination = GivenView.memory(4 * Long.BYTES);

  RingMemory() {
    for (int word = 0; word < 4; word++) {
      source.setAtIndex(ValueLayout.JAVA_LONG, word, 1 + word);
    }
  }

  final int put(int word, int words) {
    return CopyRing.put(ring, Long.BYTES, (long) word * Long.BYTES, source, (long) word * Long.BYTES,
        words * Long.BYTES);
  }

  /** The words that were there, as digits. */
  final String take(int word, int words) {
    int taken =
        CopyRing.take(ring, Long.BYTES, (long) word * Long.BYTES, destination, (long) word * Long.BYTES,
            words * Long.BYTES);
    if (taken < 0 || taken % Long.BYTES != 0) {
      return "X";
    }
    StringBuilder digits = new StringBuilder("+");
    for (int i = 0; i < taken / Long.BYTES; i++) {
      digits.append(destination.getAtIndex(ValueLayout.JAVA_LONG, word + i));
    }
    return digits.toString();
  }
}
