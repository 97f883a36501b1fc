package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.TruncationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Completing requests, one and many, on messages to oneself. */
@EveryCoreList
class RequestTest {
  @Parameter String cores;

  private static Request receive(Communicator world, byte[] into, int tag) {
    return world.irecv(into, 0, into.length, 0, tag);
  }

  private static void send(Communicator world, int bytes, int tag) {
    world.send(Contents.of(bytes, tag), 0, bytes, 0, tag);
  }

  private static void checkSpent(Request request) {
    assertThrows(IllegalStateException.class, request::await);
    assertThrows(IllegalStateException.class, request::test);
    assertThrows(IllegalStateException.class, request::cancel);
  }

  @Test
  void isSpentOnceReported() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = job.world();
          Request awaited = receive(world, new byte[8], 1);
          Request tested = receive(world, new byte[8], 2);
          assertFalse(awaited.test());
          send(world, 8, 1);
          send(world, 8, 2);
          awaited.await();
          while (!tested.test()) {
            Thread.yield();
          }
          checkSpent(awaited);
          checkSpent(tested);
        });
  }

  @Test
  void waitsForAllWhateverTheirOrder() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = job.world();
          byte[][] received = new byte[100][16];
          Request[] requests = new Request[102];
          for (int i = 0; i < 100; i++) {
            requests[i] = receive(world, received[i], i);
          }
          requests[101] = world.sendInit(new byte[1], 0, 1, 0, 0); // idle, and one is null
          for (int i = 99; i >= 0; i--) {
            send(world, 16, i);
          }
          Request.waitAll(requests);
          for (int i = 0; i < 100; i++) {
            Contents.check(16, i, received[i]);
            checkSpent(requests[i]);
          }
          Request.waitAll(requests); // all spent
          Request.waitAll();
        });
  }

  @Test
  void waitsForAllThoughOneFails() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = job.world();
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
          checkSpent(first);
          checkSpent(second);
        });
  }

  @Test
  void waitsForAnyAndTellsWhich() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = job.world();
          byte[][] received = new byte[4][8];
          Request[] requests = new Request[5];
          for (int i = 0; i < 4; i++) {
            requests[i + 1] = receive(world, received[i], i);
          }
          for (int tag : new int[] {2, 0, 3, 1}) {
            send(world, 8, tag);
            assertEquals(tag + 1, Request.waitAny(requests));
            Contents.check(8, tag, received[tag]);
            assertEquals(tag, requests[tag + 1].status().tag());
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
          Communicator world = job.world();
          byte[] wide = new byte[8];
          Request[] requests = {receive(world, wide, 0), receive(world, new byte[4], 1)};
          send(world, 5, 1);
          assertThrows(TruncationException.class, () -> Request.waitAny(requests));
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
          Communicator world = job.world();
          byte[] received = new byte[8];
          Request first = receive(world, new byte[4], 0);
          Request second = receive(world, received, 1);
          Request[] requests = {first, null, second};
          send(world, 5, 0);
          for (int i = 0; i < 100; i++) {
            assertFalse(Request.testAll(requests), "the second has not come");
          }
          send(world, 8, 1);
          assertThrows(TruncationException.class, () -> untilAll(requests));
          Contents.check(8, 1, received);
          checkSpent(first);
          checkSpent(second);
          assertTrue(Request.testAll(requests), "all are spent");
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
          Status status = job.world().isend(new byte[8], 0, 8, 0, 0).await();
          assertEquals(Communicator.ANY_SOURCE, status.source());
          assertEquals(Communicator.ANY_TAG, status.tag());
          assertEquals(0, status.bytes());
          job.world().recv(new byte[8], 0, 8, 0, 0);
        });
  }
}
