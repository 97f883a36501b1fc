package io.adrastea.link;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.layout.CellDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** What each link promises that needs no shared memory: two ends of one, without a job. Pieces have 1000 bytes. */
public abstract class LinkPromises {
  protected final Inbound inbound = new Inbound();

  /** The link of rank 0, to itself and to the other. */
  protected abstract Link zero();

  /** The link of rank 1. */
  protected abstract Link one();

  /** Opens both anew, since rank 0 has closed its own. */
  protected abstract void connectAgain() throws Exception;

  /** How a rank is woken that sleeps in this test: by a permit. */
  protected static final class Bell implements Runnable {
    public final Semaphore rings = new Semaphore(0);

    public Bell() {}

    @Override
    public void run() {
      rings.release();
    }
  }

  protected static int send(Link link, int to, long value, int bytes) {
    long[] words = new long[bytes / 8];
    words[0] = value;
    return link.trySend(to, CellDescriptor.KIND_FIRST, 5, bytes, MemorySegment.ofArray(words), 0, bytes);
  }

  protected void awaitPiece(Link link) {
    while (link.poll(-1, inbound) != Link.PIECE) {
      Thread.yield();
    }
  }

  protected long taken(Link link) {
    awaitPiece(link);
    long value = inbound.memory().get(ValueLayout.JAVA_LONG, inbound.payload());
    assertEquals(0, link.release());
    return value;
  }

  @Test
  void aRankThatSleepsIsRungWhenAPieceComes() throws Exception {
    Bell bell = new Bell();
    one().watch(bell);
    assertFalse(bell.rings.tryAcquire());
    send(zero(), 1, 42, 8);
    assertTrue(bell.rings.tryAcquire(200, SECONDS));
    assertEquals(42, taken(one()));
    one().endWatch();
  }

  @Test
  void whatIsThereBeforeItFallsAsleepCounts() throws Exception {
    send(zero(), 1, 43, 8);
    awaitPiece(one());
    assertEquals(0, one().release());
    send(zero(), 1, 44, 8);
    Bell bell = new Bell();
    one().watch(bell);
    assertTrue(bell.rings.tryAcquire(200, SECONDS));
    assertEquals(44, taken(one()));
    one().endWatch();
  }

  @Test
  void aRankThatIsAwakeIsNotRung() {
    Bell bell = new Bell();
    one().watch(bell);
    one().endWatch();
    send(zero(), 1, 45, 8);
    assertEquals(45, taken(one()));
    assertEquals(0, bell.rings.availablePermits());
  }

  @Test
  void aSenderThatSleepsIsRungWhenThereIsRoom() throws Exception {
    long sent = 0;
    for (int refused = 0; refused < 1000;) { // until sockets and queues are full
      if (send(zero(), 1, sent, 1000) >= 0) {
        sent++;
        refused = 0;
      } else {
        refused++;
        Thread.yield();
      }
    }
    Bell bell = new Bell();
    zero().watch(bell);
    for (long i = 0; i < sent; i++) {
      assertEquals(i, taken(one()));
    }
    assertTrue(bell.rings.tryAcquire(200, SECONDS));
    zero().endWatch();
    assertTrue(send(zero(), 1, sent, 1000) >= 0);
    assertEquals(sent, taken(one()));
  }

  @Test
  void whatCameBeforeTheEndIsStillReceived() throws Exception {
    for (int i = 0; i < 20; i++) {
      send(zero(), 1, i, 1000);
    }
    zero().close();
    for (int i = 0; i < 20; i++) {
      assertEquals(i, taken(one()));
    }
    connectAgain();
  }

  @Test
  void onlyWhatIsOfNoCommunicatorPassesAClaim() {
    long room = zero().claim(1, CellDescriptor.KIND_FIRST, 5, 8, 8);
    assertTrue(room >= 0);
    assertEquals(Link.BUSY, send(zero(), 1, 47, 8));
    assertEquals(Link.BUSY, zero().claim(1, CellDescriptor.KIND_FIRST, 5, 8, 8));
    long control = 0xFFFF_FFFFL << 32 | CellDescriptor.MATCH_TRANSFER;
    MemorySegment word = MemorySegment.ofArray(new long[] {48});
    assertEquals(8, zero().trySend(1, CellDescriptor.KIND_FIRST, control, 8, word, 0, 8));
    assertEquals(48, taken(one()));
    zero().room(1).set(ValueLayout.JAVA_LONG, room, 49);
    assertEquals(0, zero().commit(1));
    assertEquals(49, taken(one()));
  }

  @Test
  void aBurstIsHeldBackUntilItEnds() {
    zero().beginBurst(1);
    send(zero(), 1, 50, 8);
    send(zero(), 0, 51, 8);
    assertEquals(51, taken(zero()));
    assertEquals(Link.AGAIN, one().poll(-1, inbound));
    zero().endBurst(1);
    assertEquals(50, taken(one()));
  }

  @Test
  void aPieceThatIsRetainedStaysAsItIs() {
    send(zero(), 1, 52, 8);
    send(zero(), 1, 53, 8);
    awaitPiece(one());
    MemorySegment memory = inbound.memory();
    long payload = inbound.payload();
    long place = inbound.place();
    assertEquals(0, one().retain());
    assertEquals(53, taken(one()));
    assertEquals(52, memory.get(ValueLayout.JAVA_LONG, payload));
    assertEquals(0, one().releaseRetained(0, place));
  }
}
