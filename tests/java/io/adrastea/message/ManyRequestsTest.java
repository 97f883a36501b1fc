package io.adrastea.message;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.TruncationException;
import io.adrastea.failure.FailingRanks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Waiting for and testing many requests: which are complete, what was received, what has failed. */
@EveryCoreList
class ManyRequestsTest {
  private static final Status EMPTY = new Status(ANY_SOURCE, ANY_TAG, 0, false);

  @Parameter
  String cores;

  private interface Body {
    void run(Communicator world) throws Exception;
  }

  /** Runs on one rank, which sends to itself. */
  private void alone(Body body) throws Exception {
    Ranks.run(cores, 1, job -> body.run(Ranks.world(job)));
  }

  private static void send(Communicator world, int tag) {
    world.send(Data.of(new byte[8]), 0, tag);
  }

  private static Request receive(Communicator world, int tag) {
    return world.irecv(Data.of(new byte[8]), 0, tag);
  }

  private static Request receiveTooShort(Communicator world, int tag) {
    return world.irecv(Data.of(new byte[7]), 0, tag);
  }

  private static Status status(int tag) {
    return new Status(0, tag, 8, false);
  }

  @Test
  void allTellTheirStatuses() throws Exception {
    alone(world -> {
      Request persistent = world.recvInit(Data.of(new byte[8]), 0, 3).start();
      Request[] requests = {receive(world, 1), null, receive(world, 2), persistent, new Request()};
      Status[] statuses = new Status[6];
      send(world, 3);
      send(world, 2);
      assertFalse(Request.testAll(requests, statuses));
      assertArrayEquals(new Status[6], statuses, "none is reported");
      send(world, 1);
      Request.waitAll(requests, statuses);
      assertArrayEquals(new Status[] {status(1), EMPTY, status(2), status(3), EMPTY, null}, statuses);
      assertNull(requests[0]);
      assertSame(persistent, requests[3]);
      assertTrue(Request.testAll(requests, statuses));
      assertEquals(EMPTY, statuses[0]);
    });
  }

  @Test
  void anyTellsItsStatus() throws Exception {
    alone(world -> {
      Request[] requests = {null, receive(world, 1), receive(world, 2)};
      Status[] statuses = new Status[3];
      assertEquals(Request.PENDING, Request.testAny(requests));
      assertEquals(Request.PENDING, Request.testAny(requests, statuses));
      send(world, 2);
      assertEquals(2, Request.waitAny(requests, statuses));
      assertArrayEquals(new Status[] {null, null, status(2)}, statuses);
      assertEquals(Request.PENDING, Request.testAny(requests, statuses));
      send(world, 1);
      int index = Request.PENDING;
      while (index == Request.PENDING) {
        index = Request.testAny(requests, statuses);
      }
      assertEquals(1, index);
      assertEquals(status(1), statuses[1]);
      assertEquals(Request.NONE, Request.testAny(requests, statuses));
      assertEquals(Request.NONE, Request.testAny());
      assertEquals(Request.NONE, Request.waitAny(requests, statuses));
    });
  }

  @Test
  void someAreAllThatAreComplete() throws Exception {
    alone(world -> {
      Request[] requests = new Request[6];
      for (int i = 1; i < 6; i++) {
        requests[i] = receive(world, i);
      }
      int[] indices = {9, 9, 9, 9, 9, 9};
      Status[] statuses = new Status[6];
      assertEquals(0, Request.testSome(requests, indices));
      assertEquals(Request.NONE, indices[0]);
      for (int tag : new int[] {5, 2, 4}) {
        send(world, tag);
      }
      while (world.iprobe(0, ANY_TAG) != null) {
        Thread.onSpinWait(); // all are taken in by the receives
      }
      assertEquals(3, Request.waitSome(requests, indices, statuses));
      assertArrayEquals(new int[] {2, 4, 5, -1, -1, -1}, indices);
      assertArrayEquals(new Status[] {null, null, status(2), null, status(4), status(5)}, statuses);
      assertNull(requests[4]);
      assertNotNull(requests[3]);
      send(world, 3);
      assertEquals(1, Request.waitSome(requests, indices));
      assertEquals(3, indices[0]);
      send(world, 1);
      while (Request.testSome(requests, indices, statuses) == 0) {
        Thread.onSpinWait();
      }
      assertEquals(status(1), statuses[1]);
      assertEquals(Request.NONE, Request.testSome(requests, indices, statuses));
      assertEquals(Request.NONE, Request.waitSome(requests, indices));
    });
  }

  @Test
  void allAreReportedThoughSomeFail() throws Exception {
    alone(world -> {
      Request[] requests = {receive(world, 1), receiveTooShort(world, 2), receiveTooShort(world, 3)};
      Request[] posted = requests.clone();
      Status[] statuses = new Status[3];
      for (int tag = 1; tag <= 3; tag++) {
        send(world, tag);
      }
      TruncationException first =
          assertThrows(TruncationException.class, () -> Request.waitAll(requests, statuses));
      assertEquals(status(1), statuses[0]);
      assertSame(first, statuses[1].failure());
      assertTrue(statuses[1].toString().startsWith("failed: "), statuses[1]::toString);
      TruncationException second = assertInstanceOf(TruncationException.class, statuses[2].failure());
      assertSame(second, assertThrows(TruncationException.class, posted[2]::await), "it keeps its own");
      assertSame(statuses[2], posted[2].status());
      assertArrayEquals(new Request[3], requests);
      assertNull(statuses[0].failure());
    });
  }

  @Test
  void someAreReportedThoughOneFails() throws Exception {
    alone(world -> {
      Request[] requests = {receive(world, 1), receiveTooShort(world, 2), receive(world, 3), receive(world, 4)};
      Status[] statuses = new Status[4];
      int[] indices = new int[4];
      for (int tag = 1; tag <= 3; tag++) {
        send(world, tag);
      }
      assertNull(world.iprobe(0, ANY_TAG));
      TruncationException failure =
          assertThrows(TruncationException.class, () -> Request.waitSome(requests, indices, statuses));
      assertArrayEquals(new int[] {0, 1, 2, -1}, indices);
      assertSame(failure, statuses[1].failure());
      assertEquals(status(3), statuses[2]);
      assertTrue(requests[3].cancel());
      assertEquals(3, Request.waitAny(requests, statuses));
      assertTrue(statuses[3].isCancelled());
    });
  }

  @Test
  void anInterruptLeavesTheRestAsItIs() throws Exception {
    alone(world -> {
      Request[] requests = {receive(world, 1), receive(world, 2)};
      int[] indices = new int[2];
      Thread.currentThread().interrupt();
      assertThrows(InterruptedWaitException.class, () -> Request.waitSome(requests, indices));
      assertTrue(Thread.interrupted());
      assertTrue(requests[0].isActive() && requests[1].isActive());
      assertArrayEquals(new int[] {-1, -1}, indices);
      send(world, 1);
      send(world, 2);
      Request.waitAll(requests);
    });
  }

  @Test
  void thoseOfARankThatFailsFailAndTheOthersAreReported() throws Exception {
    Status[] statuses = new Status[3];
    FailingRanks.run(
        cores,
        2,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            world.send(Data.of(new byte[8]), 0, 1);
            throw cause;
          }
          Request[] requests = {world.irecv(Data.of(new byte[8]), 1, 1), world.irecv(Data.of(new byte[8]), 1, 2),
            world.issend(Data.of(new byte[8]), 1, 3)};
          assertThrows(RankFailedException.class, () -> Request.waitAll(requests, statuses));
        });
    assertEquals(new Status(1, 1, 8, false), statuses[0]);
    assertEquals(1, assertInstanceOf(RankFailedException.class, statuses[1].failure()).rank());
    assertInstanceOf(RankFailedException.class, statuses[2].failure());
  }

  @Test
  void persistentOnesStartTogetherOrNotAtAll() throws Exception {
    alone(world -> {
      byte[] received = new byte[8];
      Request[] requests = {world.recvInit(Data.of(received), 0, 1), world.ssendInit(Data.of(new byte[8]), 0, 1),
        world.sendInit(Data.of(new byte[8]), Communicator.NO_RANK, 1)};
      Status[] statuses = new Status[3];
      for (int i = 0; i < 50; i++) {
        Request.startAll(requests);
        Request.waitAll(requests, statuses);
        assertArrayEquals(new Status[] {status(1), EMPTY, EMPTY}, statuses);
      }
      requests[2].start();
      assertThrows(IllegalStateException.class, () -> Request.startAll(requests));
      assertFalse(requests[0].isActive(), "none is started");
      requests[2].await();
      assertThrows(NullPointerException.class, () -> Request.startAll(requests[0], null));
      assertThrows(IllegalStateException.class, () -> Request.startAll(requests[0], new Request()));
      assertFalse(requests[0].isActive());
      Request.startAll();
    });
  }

  @Test
  void ofTwoJobsAreRefused() throws Exception {
    alone(world -> alone(other -> {
      Request[] requests = {receive(world, 1), receive(other, 1)};
      IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Request.waitAll(requests));
      assertTrue(e.getMessage().contains("requests of two jobs"), e::getMessage);
      assertThrows(IllegalArgumentException.class, () -> Request.testAny(requests));
      assertThrows(IllegalArgumentException.class, () -> Request.waitSome(requests, new int[2]));
      send(other, 1);
      requests[1].await();
      assertTrue(requests[0].cancel());
      Request.waitAll(requests);
    }));
  }

  @Test
  void placesAreToBeEnough() throws Exception {
    alone(world -> {
      Request[] requests = {receive(world, 1), null};
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> Request.waitAll(requests, new Status[1]));
      assertTrue(e.getMessage().contains("1 places for the statuses of 2 requests"), e::getMessage);
      assertThrows(IllegalArgumentException.class, () -> Request.waitAny(requests, new Status[0]));
      assertThrows(IllegalArgumentException.class, () -> Request.testSome(requests, new int[1]));
      assertThrows(NullPointerException.class, () -> Request.testSome(requests, null));
      assertThrows(NullPointerException.class, () -> Request.testAll(requests, (Status[]) null));
      assertTrue(requests[0].cancel());
      requests[0].await();
    });
  }
}
