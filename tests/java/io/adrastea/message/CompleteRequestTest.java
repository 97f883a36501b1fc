package io.adrastea.message;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
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
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/**
 * Requests that are complete from their start: a send whose message went out at once, a receive whose message was
 * there. They are active until they are reported, as any other.
 */
@EveryCoreList
class CompleteRequestTest {
  private static final Status EMPTY = new Status(ANY_SOURCE, ANY_TAG, 0, false);
  private static final int WINDOW = 20;

  @Parameter
  String cores;

  private interface Body {
    void run(Communicator world) throws Exception;
  }

  /** Runs on one rank, which sends to itself. */
  private void alone(Body body) throws Exception {
    Ranks.run(cores, 1, job -> body.run(Ranks.world(job)));
  }

  private static Request send(Communicator world, int tag) {
    return world.isend(Data.of(Contents.of(8, tag)), 0, tag);
  }

  private static void receive(Communicator world, int tag) {
    byte[] received = new byte[8];
    world.recv(Data.of(received), 0, tag);
    Contents.check(8, tag, received);
  }

  @Test
  void areActiveUntilTheyAreReported() throws Exception {
    alone(world -> {
      Request awaited = send(world, 1);
      Request tested = send(world, 2);
      Request limited = send(world, 3);
      for (Request request : new Request[] {awaited, tested, limited}) {
        assertTrue(request.isActive());
        assertFalse(request.cancel(), "its message is out");
        assertThrows(IllegalStateException.class, request::start);
        assertThrows(IllegalStateException.class, () -> world.isend(Data.of(new byte[8]), 0, 0, request));
      }
      assertEquals(EMPTY, awaited.await());
      assertTrue(tested.test());
      assertEquals(EMPTY, limited.await(Duration.ofNanos(1)));
      for (Request request : new Request[] {awaited, tested, limited}) {
        assertFalse(request.isActive());
        assertEquals(EMPTY, request.status());
        assertEquals(EMPTY, request.await());
        assertTrue(request.test());
        assertFalse(request.cancel());
      }
      for (int tag = 1; tag <= 3; tag++) {
        receive(world, tag);
      }
    });
  }

  @Test
  void keepTheStatusBeforeUntilTheyAreReported() throws Exception {
    alone(world -> {
      Request mine = new Request();
      world.irecv(Data.of(new byte[8]), 0, 7, mine);
      world.send(Data.of(new byte[8]), 0, 7);
      Status received = mine.await();
      assertSame(mine, world.isend(Data.of(Contents.of(8, 1)), 0, 1, mine));
      assertSame(received, mine.status());
      assertEquals(EMPTY, mine.await());
      assertEquals(EMPTY, mine.status());
      receive(world, 1);
    });
  }

  @Test
  void areReportedByAllCallsOnMany() throws Exception {
    alone(world -> {
      Request[] requests = {null, send(world, 1), send(world, 2)};
      Status[] statuses = new Status[3];
      assertEquals(1, Request.waitAny(requests, statuses));
      assertNull(requests[1]);
      assertEquals(2, Request.testAny(requests));
      assertArrayEquals(new Status[] {null, EMPTY, null}, statuses);
      assertEquals(Request.NONE, Request.waitAny(requests));

      requests[0] = send(world, 3);
      requests[2] = send(world, 4);
      int[] indices = new int[3];
      assertEquals(2, Request.waitSome(requests, indices));
      assertArrayEquals(new int[] {0, 2, Request.NONE}, indices);
      requests[1] = send(world, 5);
      assertEquals(1, Request.testSome(requests, indices));

      Request pending = world.irecv(Data.of(new byte[8]), 0, 99);
      requests = new Request[] {send(world, 6), pending};
      assertFalse(Request.testAll(requests), "the receive is not");
      assertTrue(requests[0].isActive(), "none is reported before all are complete");
      assertEquals(0, Request.waitAny(requests));
      world.send(Data.of(new byte[8]), 0, 99);
      requests[0] = send(world, 7);
      Request.waitAll(requests, statuses);
      assertArrayEquals(new Status[] {EMPTY, new Status(0, 99, 8, false)}, Arrays.copyOf(statuses, 2));
      assertArrayEquals(new Request[2], requests);
      for (int tag = 1; tag <= 7; tag++) {
        receive(world, tag);
      }
    });
  }

  @Test
  void areAwaitedInVainOnceTheJobIsLeft() throws Exception {
    Request[] sent = new Request[2];
    alone(world -> {
      sent[0] = send(world, 1);
      sent[1] = world.isend(Data.of(new byte[8]), Communicator.NO_RANK, 1);
    });
    for (Request request : sent) {
      assertThrows(IllegalStateException.class, request::await);
      assertThrows(IllegalStateException.class, request::test);
      assertThrows(IllegalStateException.class, request::cancel);
      assertTrue(request.isActive());
    }
  }

  /** A receiver that is behind finds messages there as it starts its receives: they come in order, each to its own. */
  @Test
  void areReceivesOfAReceiverThatIsBehind() throws Exception {
    alone(world -> {
      byte[][] received = new byte[WINDOW][8];
      Request[] requests = new Request[WINDOW];
      Arrays.setAll(requests, i -> new Request());
      for (int round = 0; round < 50; round++) {
        for (int i = 0; i < WINDOW; i++) {
          world.send(Data.of(Contents.of(8, round + i)), 0, i % 3);
        }
        boolean late = round % 5 != 4; // else the last one is asked for first, and all others are unexpected
        for (int i = 0; i < WINDOW; i++) {
          int at = late ? i : (i + WINDOW - 1) % WINDOW;
          world.irecv(Data.of(received[at]), round % 2 == 0 ? 0 : ANY_SOURCE, late ? ANY_TAG : at % 3, requests[at]);
        }
        for (int i = WINDOW - 1; i >= 0; i--) {
          Status status = requests[i].await();
          assertEquals(8, status.bytes());
          assertEquals(0, status.source());
          if (late) {
            assertEquals(i % 3, status.tag());
            Contents.check(8, round + i, received[i]);
          }
        }
      }
    });
  }

  @Test
  void doNotHideThatAMessageIsTooLong() throws Exception {
    alone(world -> {
      for (int round = 0; round < 20; round++) {
        Request[] requests = new Request[4];
        for (int i = 0; i < 4; i++) {
          world.send(Data.of(new byte[i == 2 ? 9 : 8]), 0, i);
        }
        for (int i = 0; i < 4; i++) {
          requests[i] = world.irecv(Data.of(new byte[8]), 0, i);
        }
        Request tooShort = requests[2];
        TruncationException failure = assertThrows(TruncationException.class, () -> Request.waitAll(requests));
        assertEquals(9, failure.messageBytes());
        assertSame(failure, assertThrows(TruncationException.class, tooShort::await));
        assertSame(failure, tooShort.status().failure());
      }
    });
  }

  @Test
  void arePersistentOnesToo() throws Exception {
    alone(world -> {
      byte[] out = new byte[8];
      byte[] in = new byte[8];
      Request send = world.sendInit(Data.of(out), 0, 0);
      Request receive = world.recvInit(Data.of(in), 0, 0);
      for (int i = 0; i < 100; i++) {
        System.arraycopy(Contents.of(8, i), 0, out, 0, 8);
        send.start();
        assertTrue(send.isActive());
        assertThrows(IllegalStateException.class, send::start);
        assertFalse(send.cancel());
        receive.start();
        assertEquals(new Status(0, 0, 8, false), receive.await());
        Contents.check(8, i, in);
        assertEquals(EMPTY, send.await());
      }
    });
  }
}
