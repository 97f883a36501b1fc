package io.adrastea.fastbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.layout.BoxEntryDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** What the writer of a fastbox touches ahead of a message. */
class OutboxTest {
  private static final int RING = 4096;
  private static final long NEIGHBOUR = 2 * RING;

  private final MemorySegment memory = Arena.ofAuto().allocate(3 * RING, 64);
  private final Outbox box = new Outbox(memory, 0, RING);
  private long sequence;

  private void put(int bytes) {
    assertTrue(box.find(bytes, true));
    box.commit(sequence++, bytes, false);
  }

  @Test
  void anAnswerExpectedAtTheEndOfTheRingLeavesTheNextRingAlone() {
    box.open(RING);
    for (int i = 0; i < 169; i++) {
      put(8);
    }
    put(16); // the last 8 bytes of the ring are left
    Words.storeLong(memory, BoxEntryDescriptor.RELEASED_OFFSET, RING - 8);
    assertTrue(box.find(0, true)); // learns that all was read
    Words.storeLong(memory, NEIGHBOUR, -1);
    box.expectAnswer();
    assertEquals(-1, Words.loadLong(memory, NEIGHBOUR));
  }
}
