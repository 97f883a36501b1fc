package io.adrastea.fastbox;

import static io.adrastea.layout.BoxMessageDescriptor.BYTES;

import io.adrastea.atomic.Words;
import io.adrastea.layout.BoxEntryDescriptor;
import io.adrastea.segment.GivenView;
import java.lang.foreign.MemorySegment;

/** A fastbox with a ring of four lines, and both of its ends; a message is one word, stored without any order. */
class BoxMemory {
  private static final int RING_BYTES = 256;
  private static final long LINE = 64;

  /** In the places of payloads from the beginning: a header that is seen without its payload shows it. */
  private static final int OLD = 5;

  private static final long RING = (BoxEntryDescriptor.BYTES + 127L) / 128 * 128;

  final MemorySegment memory = GivenView.memory(RING + RING_BYTES);
  final Outbox outbox = new Outbox(memory, 0, RING_BYTES);
  final Inbox inbox = new Inbox(memory, 0, RING_BYTES);

  BoxMemory() {
    for (long line = RING; line < RING + RING_BYTES; line += LINE) {
      Words.storeLong(memory, line + BYTES, OLD);
    }
    inbox.open(RING);
    outbox.open(RING);
  }

  /** Sends a word; false: there is no room. */
  final boolean send(long sequence, long word, boolean burst) {
    if (!outbox.find(Long.BYTES, false)) {
      return false;
    }
    Words.storeLong(memory, outbox.message() + BYTES, word);
    outbox.commit(sequence, Long.BYTES, burst);
    return true;
  }

  /** The word of the next message, which is given back; 0: not there; -1: nonsense. */
  final int receive(long sequence) {
    long header = inbox.poll(sequence);
    if (header <= 0) {
      return header == 0 ? 0 : -1;
    }
    int word = (int) Words.loadLong(memory, inbox.message() + BYTES);
    inbox.end(header);
    return word;
  }
}
