package io.adrastea.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Memory for a transfer that a peer offers is there before its message is taken. */
class TransferTableTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int STRETCHES = Cookie.offeredEntries(Integer.MAX_VALUE);

  private final Cookie rts = new Cookie();

  private Transfer taken(TransferTable table) {
    Transfer transfer = table.take();
    transfer.begin(false, 0, 1);
    rts.read(Cookie.OFFERED, transfer.remote);
    return transfer;
  }

  @Test
  void theLongestCookieIsReadWithoutMemory() {
    while (rts.bytes() < Cookie.MOST_WORDS * Long.BYTES) {
      rts.add(1);
    }
    TransferTable table = new TransferTable();
    table.reserve(STRETCHES);
    Transfer first = taken(table); // and all that the first call of a method takes
    assertEquals(STRETCHES, first.remote.vector().count());
    table.reserve(STRETCHES);
    THREADS.getCurrentThreadAllocatedBytes();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Transfer second = taken(table);
    assertEquals(0, THREADS.getCurrentThreadAllocatedBytes() - before, "bytes");
    assertNotSame(first, second);
    assertEquals(STRETCHES, second.remote.vector().count());
  }

  @Test
  void aCookieOfAnySizeHasItsStretches() {
    assertEquals(0, Cookie.offeredEntries(0));
    assertEquals(0, Cookie.offeredEntries(Long.BYTES * (Cookie.OFFERED + 1)));
    assertEquals(1, Cookie.offeredEntries(Long.BYTES * (Cookie.OFFERED + 2)));
    assertEquals((Cookie.MOST_WORDS - Cookie.OFFERED) / 2, STRETCHES);
  }
}
