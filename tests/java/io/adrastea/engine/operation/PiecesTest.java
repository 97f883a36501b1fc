package io.adrastea.engine.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.link.Inbound;
import io.adrastea.peers.FusedReceive;
import io.adrastea.link.Link;
import io.adrastea.payload.IoEntries;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class PiecesTest {
  private static final int POLLS = 100;

  /** Remembers what it was asked for, and finds nothing. */
  private static final class Silence implements FusedReceive {
    int polls;
    long capacity;

    @Override
    public int receive(
        long match, long mask, int source, MemorySegment destination, long offset, long capacity, int polls,
        Inbound inbound) {
      this.polls = polls;
      this.capacity = capacity;
      return Link.AGAIN;
    }
  }

  /** A wait that polled once a step instead would yield its CPU, and sleep, before most messages come. */
  @Test
  void waitAsLongForWhatIsUnpackedAsForWhatIsCopied() {
    Receive receive = new Receive();
    receive.ask(null, 0, 7, -1L);
    Silence silence = new Silence();
    receive.describe(MemorySegment.ofArray(new byte[16]), 0, 16);
    assertEquals(Link.AGAIN, Pieces.receive(silence, receive, POLLS, new Inbound()));
    assertEquals(POLLS, silence.polls);
    assertEquals(16, silence.capacity);

    silence.polls = 0;
    IoEntries scattered = new IoEntries(2);
    scattered.add(MemorySegment.ofArray(new byte[8]), 0, 8);
    scattered.add(MemorySegment.ofArray(new byte[8]), 0, 8);
    receive.describe(scattered);
    assertEquals(Link.AGAIN, Pieces.receive(silence, receive, POLLS, new Inbound()));
    assertEquals(POLLS, silence.polls);
    assertEquals(0, silence.capacity, "no byte is copied: it is unpacked from where it lies");
  }
}
