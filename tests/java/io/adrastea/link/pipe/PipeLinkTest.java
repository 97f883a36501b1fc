package io.adrastea.link.pipe;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Settings;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.link.Link;
import io.adrastea.link.LinkPromises;
import io.adrastea.peers.GivenLink;
import io.adrastea.peers.Links;
import io.adrastea.peers.Nodes;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two ends of a link through sockets, without a job. */
@Timeout(240)
class PipeLinkTest extends LinkPromises {
  private final GivenLink table = new GivenLink();
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

  @Override
  protected Link zero() {
    return zero;
  }

  @Override
  protected Link one() {
    return one;
  }

  @AfterEach
  void close() throws Exception {
    zero.close();
    one.close();
    directory.close();
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
    connectAgain();
  }

  @Override
  protected void connectAgain() throws Exception {
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
