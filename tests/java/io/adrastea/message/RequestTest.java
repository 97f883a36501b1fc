package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.error.TruncationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Completing requests, one and many, on messages to oneself. */
@EveryCoreList
class RequestTest {
  @Parameter
  String cores;

  private static Request receive(Communicator world, byte[] into, int tag) {
    return world.irecv(Data.of(into), 0, tag);
  }

  private static void send(Communicator world, int bytes, int tag) {
    world.send(Data.of(Contents.of(bytes, tag)), 0, tag);
  }

  /** Its completion was reported: it says the same again, at once. */
  private static void checkReported(Request request, Status status) {
    assertFalse(request.isActive());
    assertEquals(status, request.status());
    assertEquals(status, request.await());
    assertTrue(request.test());
    assertFalse(request.cancel());
  }

  private static void checkFailed(Request request) {
    assertFalse(request.isActive());
    assertSame(assertThrows(TruncationException.class, request::await),
        assertThrows(TruncationException.class, request::test));
    assertEquals(0, request.status().bytes());
    assertFalse(request.cancel());
  }

  @Test
  void saysTheSameAgainOnceReported() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Request awaited = receive(world, new byte[8], 1);
          Request tested = receive(world, new byte[8], 2);
          assertFalse(awaited.test());
          assertTrue(awaited.isActive());
          send(world, 8, 1);
          send(world, 7, 2);
          Status status = awaited.await();
          while (!tested.test()) {
            Thread.yield();
          }
          Request other = receive(world, new byte[8], 3); // takes over what the engine had for the first one
          checkReported(awaited, status);
          checkReported(tested, new Status(0, 2, 7, false));
          send(world, 8, 3);
          assertEquals(3, other.await().tag());
          assertEquals(1, status.tag());
        });
  }

  @Test
  void thatWasReportedIsNotTakenForALaterOne() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] first = new byte[8];
          byte[] second = new byte[8];
          Request[] requests = {receive(world, first, 0), null};
          send(world, 8, 0);
          assertEquals(0, Request.waitAny(requests));
          assertNull(requests[0]);
          for (int i = 1; i < 200; i++) { // the operations of the engine's pool take turns
            requests[1] = receive(world, second, i);
            send(world, 8, i);
            assertEquals(1, Request.waitAny(requests), "message %d is for entry 1".formatted(i));
            Contents.check(8, i, second);
          }
          Contents.check(8, 0, first);
        });
  }

  @Test
  void thatWasAwaitedByItselfIsPassedOverInAnArray() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Request[] requests = {receive(world, new byte[8], 0), null};
          send(world, 8, 0);
          requests[0].await(); // and left where it is
          for (int i = 1; i < 200; i++) {
            requests[1] = receive(world, new byte[8], i);
            send(world, 8, i);
            assertEquals(1, Request.waitAny(requests), "message %d is for entry 1".formatted(i));
          }
        });
  }

  @Test
  void ofTheCallersIsUsedAgainAndRefusedWhileActive() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Request mine = new Request();
          assertEquals(new Status(Communicator.ANY_SOURCE, Communicator.ANY_TAG, 0, false), mine.await());
          byte[] received = new byte[8];
          for (int i = 0; i < 100; i++) {
            assertSame(mine, world.irecv(Data.of(received, 0, 8), 0, i, mine));
            assertThrows(IllegalStateException.class, () -> world.irecv(Data.of(new byte[8]), 0, 0, mine));
            assertThrows(IllegalStateException.class, () -> world.isend(Data.of(new byte[8]), 0, 0, mine));
            send(world, 8, i);
            assertEquals(i, mine.await().tag());
            Contents.check(8, i, received);
          }
          Request persistent = world.recvInit(Data.of(received, 0, 8), 0, 0);
          assertThrows(IllegalArgumentException.class, () -> world.irecv(Data.of(received, 0, 8), 0, 0, persistent));
          assertThrows(NullPointerException.class, () -> world.irecv(Data.of(received, 0, 8), 0, 0, null));
          assertThrows(IllegalArgumentException.class, () -> world.irecv(Data.of(received, 0, 8), 9, 0, mine));
          assertFalse(mine.isActive(), "nothing was started");
        });
  }

  @Test
  void waitsForAllWhateverTheirOrder() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[][] received = new byte[100][16];
          Request[] requests = new Request[102];
          for (int i = 0; i < 100; i++) {
            requests[i] = receive(world, received[i], i);
          }
          requests[101] = world.sendInit(Data.of(new byte[1]), 0, 0); // idle, and one is null
          Request[] posted = requests.clone();
          for (int i = 99; i >= 0; i--) {
            send(world, 16, i);
          }
          Request.waitAll(requests);
          for (int i = 0; i < 100; i++) {
            Contents.check(16, i, received[i]);
            checkReported(posted[i], new Status(0, i, 16, false));
            assertNull(requests[i]);
          }
          Request.waitAll(requests); // none is left
          Request.waitAll();
        });
  }

  @Test
  void waitsForAllThoughOneFails() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] small = new byte[4];
          byte[] wide = new byte[8];
          Request first = receive(world, small, 0);
          Request second = receive(world, wide, 1);
          send(world, 5, 0);
          send(world, 8, 1);
          TruncationException failure =
              assertThrows(TruncationException.class, () -> Request.waitAll(null, first, second));
          assertEquals(5, failure.messageBytes());
          Contents.check(8, 1, wide);
          checkFailed(first);
          checkReported(second, new Status(0, 1, 8, false));
        });
  }

  @Test
  void waitsForAnyAndTellsWhich() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[][] received = new byte[4][8];
          Request[] requests = new Request[5];
          for (int i = 0; i < 4; i++) {
            requests[i + 1] = receive(world, received[i], i);
          }
          Request[] posted = requests.clone();
          for (int tag : new int[] {2, 0, 3, 1}) {
            send(world, 8, tag);
            assertEquals(tag + 1, Request.waitAny(requests));
            Contents.check(8, tag, received[tag]);
            assertNull(requests[tag + 1]);
            assertEquals(tag, posted[tag + 1].status().tag());
          }
          assertEquals(-1, Request.waitAny(requests));
          assertEquals(-1, Request.waitAny());
        });
  }

  @Test
  void waitsForAnyAndRaisesItsFailureAlone() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] wide = new byte[8];
          Request[] requests = {receive(world, wide, 0), receive(world, new byte[4], 1)};
          send(world, 5, 1);
          assertThrows(TruncationException.class, () -> Request.waitAny(requests));
          assertNull(requests[1], "it was reported");
          send(world, 8, 0);
          assertEquals(0, Request.waitAny(requests));
          Contents.check(8, 0, wide);
        });
  }

  @Test
  void testsAllAndReportsNoneBeforeAllAreComplete() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] received = new byte[8];
          Request first = receive(world, new byte[4], 0);
          Request second = receive(world, received, 1);
          Request[] requests = {first, null, second};
          send(world, 5, 0);
          for (int i = 0; i < 100; i++) {
            assertFalse(Request.testAll(requests), "the second has not come");
          }
          assertSame(first, requests[0], "not reported yet");
          send(world, 8, 1);
          assertThrows(TruncationException.class, () -> untilAll(requests));
          Contents.check(8, 1, received);
          checkFailed(first);
          checkReported(second, new Status(0, 1, 8, false));
          assertArrayEquals(new Request[3], requests);
          assertTrue(Request.testAll(requests), "none is left");
          assertTrue(Request.testAll());
        });
  }

  private static void untilAll(Request... requests) {
    while (!Request.testAll(requests)) {
      Thread.yield();
    }
  }

  @Test
  void hasAnEmptyStatusAfterASend() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Status status = Ranks.world(job).isend(Data.of(new byte[8]), 0, 0).await();
          assertEquals(Communicator.ANY_SOURCE, status.source());
          assertEquals(Communicator.ANY_TAG, status.tag());
          assertEquals(0, status.bytes());
          Ranks.world(job).recv(Data.of(new byte[8]), 0, 0);
        });
  }
}
