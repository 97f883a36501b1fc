package io.adrastea.link.pipe;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Settings;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.link.Inbound;
import io.adrastea.link.Link;
import io.adrastea.peers.GivenLink;
import io.adrastea.peers.Links;
import io.adrastea.peers.Nodes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two ends of a link through sockets, without a job. */
@Timeout(240)
class PipeLinkTest {
  private final GivenLink table = new GivenLink();
  private final Inbound inbound = new Inbound();
  private PipeDirectory directory;
  private PipeLink zero;
  private PipeLink one;

  @BeforeEach
  void connect() throws Exception {
    table.pieceBytes = 1000;
    directory = PipeDirectory.create();
    Settings.with(directory.settings("pipes"), () -> {
      Thread other = Thread.ofPlatform().start(() -> one = opened(1));
      zero = opened(0);
      other.join();
      return null;
    });
  }

  private PipeLink opened(int rank) {
    BitSet both = new BitSet();
    both.set(0, 2);
    return (PipeLink) new PipeLinkProvider().open(new Links.Joined(1, rank, Nodes.one(2), table), both);
  }

  @AfterEach
  void close() throws Exception {
    zero.close();
    one.close();
    directory.close();
  }

  /** How a rank is woken that sleeps in this test: by a permit. */
  private static final class Bell implements Runnable {
    final Semaphore rings = new Semaphore(0);

    @Override
    public void run() {
      rings.release();
    }
  }

  private static int send(Link link, int to, long value, int bytes) {
    long[] words = new long[bytes / 8];
    words[0] = value;
    return link.trySend(to, CellDescriptor.KIND_FIRST, 5, bytes, MemorySegment.ofArray(words), 0, bytes);
  }

  private void awaitPiece(Link link) {
    while (link.poll(-1, inbound) != Link.PIECE) {
      Thread.onSpinWait();
    }
  }

  private long taken(Link link) {
    awaitPiece(link);
    long value = inbound.memory().get(ValueLayout.JAVA_LONG, inbound.payload());
    assertEquals(0, link.release());
    return value;
  }

  @Test
  void aRankThatSleepsIsRungWhenAPieceComes() throws Exception {
    Bell bell = new Bell();
    one.watch(bell);
    assertFalse(bell.rings.tryAcquire());
    send(zero, 1, 42, 8);
    assertTrue(bell.rings.tryAcquire(200, SECONDS));
    assertEquals(42, taken(one));
    one.endWatch();
  }

  @Test
  void whatIsThereBeforeItFallsAsleepCounts() throws Exception {
    send(zero, 1, 43, 8);
    awaitPiece(one);
    assertEquals(0, one.release());
    send(zero, 1, 44, 8);
    Bell bell = new Bell();
    one.watch(bell);
    assertTrue(bell.rings.tryAcquire(200, SECONDS));
    assertEquals(44, taken(one));
    one.endWatch();
  }

  @Test
  void aRankThatIsAwakeIsNotRung() {
    Bell bell = new Bell();
    one.watch(bell);
    one.endWatch();
    send(zero, 1, 45, 8);
    assertEquals(45, taken(one));
    assertEquals(0, bell.rings.availablePermits());
  }

  @Test
  void aSenderThatSleepsIsRungWhenThereIsRoom() throws Exception {
    long sent = 0;
    for (int refused = 0; refused < 1000;) { // until sockets and queues are full
      if (send(zero, 1, sent, 1000) >= 0) {
        sent++;
        refused = 0;
      } else {
        refused++;
        Thread.yield();
      }
    }
    Bell bell = new Bell();
    zero.watch(bell);
    for (long i = 0; i < sent; i++) {
      assertEquals(i, taken(one));
    }
    assertTrue(bell.rings.tryAcquire(200, SECONDS));
    zero.endWatch();
    assertTrue(send(zero, 1, sent, 1000) >= 0);
    assertEquals(sent, taken(one));
  }

  @Test
  void aConnectionThatEndsRingsAndTheRankAtItsOtherEndHasFailed() throws Exception {
    send(zero, 1, 46, 8);
    assertEquals(46, taken(one));
    Bell bell = new Bell();
    one.watch(bell);
    zero.cut(1);
    assertTrue(bell.rings.tryAcquire(200, SECONDS));
    one.endWatch();
    while (one.isPresent(0)) { // its own word for its end may still come
      Thread.sleep(1);
    }
    assertTrue(one.hasFailed(0));
    assertEquals("its connection has ended", one.reason(0));
    assertEquals(0, one.repair());
    assertEquals(Link.GONE, send(one, 0, 1, 8));
    assertEquals(8, send(one, 1, 2, 8), "to itself");
  }

  @Test
  void whatCameBeforeTheEndIsStillReceived() throws Exception {
    for (int i = 0; i < 20; i++) {
      send(zero, 1, i, 1000);
    }
    zero.close();
    for (int i = 0; i < 20; i++) {
      assertEquals(i, taken(one));
    }
    connectAgainForClosing();
  }

  /** A socket whose other end is closed refuses what is written, while bytes that came before are still in it. */
  @Test
  void whatCameBeforeTheEndIsStillReceivedBehindASendThatFails() throws Exception {
    int sent = 180; // more than a link mostly takes in before somebody asks for it; the socket holds the rest
    for (int i = 0; i < sent; i++) {
      while (send(zero, 1, i, 1000) < 0) {
        Thread.onSpinWait();
      }
    }
    zero.close();
    while (send(one, 0, 1, 8) >= 0) { // until the socket has refused one
      Thread.onSpinWait();
    }
    for (int i = 0; i < sent; i++) {
      assertEquals(i, taken(one));
    }
    connectAgainForClosing();
  }

  private void connectAgainForClosing() throws Exception {
    one.close();
    directory.close();
    connect();
  }

  /** A link knows the kinds of pieces, and which messages pass a claim, without the layout of shared memory. */
  @Test
  void theNumbersOfLinksAreThoseOfTheLayout() {
    assertEquals(CellDescriptor.KIND_FIRST, 1);
    assertEquals(CellDescriptor.KIND_ABORT, Link.MOST_KIND);
    assertTrue(Link.isControl(ControlMessages.MATCH | 255));
    assertFalse(Link.isControl(CellDescriptor.MATCH_TRANSFER));
  }

  @Test
  void onlyWhatIsOfNoCommunicatorPassesAClaim() {
    long room = zero.claim(1, CellDescriptor.KIND_FIRST, 5, 8, 8);
    assertTrue(room >= 0);
    assertEquals(Link.BUSY, send(zero, 1, 47, 8));
    assertEquals(Link.BUSY, zero.claim(1, CellDescriptor.KIND_FIRST, 5, 8, 8));
    long control = 0xFFFF_FFFFL << 32 | CellDescriptor.MATCH_TRANSFER;
    MemorySegment word = MemorySegment.ofArray(new long[] {48});
    assertEquals(8, zero.trySend(1, CellDescriptor.KIND_FIRST, control, 8, word, 0, 8));
    assertEquals(48, taken(one));
    zero.room(1).set(ValueLayout.JAVA_LONG, room, 49);
    assertEquals(0, zero.commit(1));
    assertEquals(49, taken(one));
  }

  @Test
  void aBurstIsHeldBackUntilItEnds() {
    zero.beginBurst(1);
    send(zero, 1, 50, 8);
    send(zero, 0, 51, 8);
    assertEquals(51, taken(zero));
    assertEquals(Link.AGAIN, one.poll(-1, inbound));
    zero.endBurst(1);
    assertEquals(50, taken(one));
  }

  @Test
  void aPieceThatIsRetainedStaysAsItIs() {
    send(zero, 1, 52, 8);
    send(zero, 1, 53, 8);
    awaitPiece(one);
    MemorySegment memory = inbound.memory();
    assertEquals(0, one.retain());
    assertEquals(53, taken(one));
    assertEquals(52, memory.get(ValueLayout.JAVA_LONG, 0));
    assertEquals(0, one.releaseRetained(0, 0));
  }

  @Test
  void aRankThatSendsWhatNoneCorrectSendsIsCutOff() throws Exception {
    MemorySegment word = MemorySegment.ofArray(new long[1]);
    assertEquals(8, zero.trySend(1, 77, 5, 8, word, 0, 8)); // there is no such kind
    while (one.isPresent(0)) {
      Thread.sleep(1);
    }
    assertTrue(one.hasFailed(0));
    assertEquals(Link.AGAIN, one.poll(-1, inbound));
  }
}
