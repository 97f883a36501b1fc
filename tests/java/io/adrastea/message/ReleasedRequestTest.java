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
import io.adrastea.LongMessages;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.error.TruncationException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Requests that are looked at without a report, that are given up, and that keep an object of the program. */
@EveryCoreList
class ReleasedRequestTest {
  private static final int BIG = 3 * Ranks.ALL_CELLS;

  @Parameter
  String cores;

  private static void awaitCompletion(Request request) {
    while (!request.isComplete()) {
      Thread.yield();
    }
  }

  @Test
  void isCompleteReportsNothing() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      byte[] received = new byte[8];
      Request request = world.irecv(Data.of(received), 0, 1);
      assertFalse(request.isComplete());
      assertTrue(request.isActive());
      world.send(Data.of(Contents.of(8, 1)), 0, 1);
      awaitCompletion(request);
      assertTrue(request.isActive(), "its completion is still to be reported");
      assertEquals(0, request.status().bytes());
      assertFalse(request.cancel(), "it is too late for that");
      assertEquals(new Status(0, 1, 8, false), request.await());
      Contents.check(8, 1, received);
      assertTrue(request.isComplete(), "it is inactive");
    });
  }

  @Test
  void isCompleteDoesNotThrowWhatTheOperationFailedWith() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      Request request = world.irecv(Data.of(new byte[4]), 0, 1);
      world.send(Data.of(Contents.of(8, 1)), 0, 1);
      awaitCompletion(request);
      assertTrue(request.isComplete());
      assertThrows(TruncationException.class, request::await);
      assertTrue(request.isComplete());
    });
  }

  @Test
  void isCompleteMovesACollectiveOn() throws Exception {
    Ranks.assumeShared(cores);
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      long[] sum = new long[1000];
      Request request = world.iallreduce(Data.of(new long[1000]), Data.of(sum), Op.SUM);
      awaitCompletion(request);
      assertTrue(request.isActive());
      request.await();
    });
  }

  @Test
  void aReceiveThatWasReleasedTakesItsMessageAllTheSame() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      byte[] first = new byte[8];
      byte[] second = new byte[8];
      Request request = world.irecv(Data.of(first), 0, 1);
      request.release();
      assertFalse(request.isActive());
      assertTrue(request.test());
      assertEquals(0, request.await().bytes());
      world.irecv(Data.of(second), 0, 1, request);
      world.send(Data.of(Contents.of(8, 1)), 0, 1);
      world.send(Data.of(Contents.of(7, 2)), 0, 1);
      assertEquals(7, request.await().bytes(), "the first message was for the receive that was given up");
      Contents.check(8, 1, first);
    });
  }

  @Test
  void aSendThatWasReleasedGoesOn() throws Exception {
    LongMessages.IN_PIECES.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 0) {
        world.isend(Data.of(Contents.of(BIG, 1)), 1, 0).release();
        world.recv(Data.of(new byte[1]), 1, 1);
      } else {
        byte[] received = new byte[BIG];
        world.recv(Data.of(received), 0, 0);
        Contents.check(BIG, 1, received);
        world.send(Data.of(new byte[1]), 0, 1);
      }
    });
  }

  @Test
  void moreThanTheReserveOfOperationsCanBeReleased() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      for (int i = 0; i < 300; i++) {
        byte[] received = new byte[8];
        world.irecv(Data.of(received), 0, 1).release();
        world.send(Data.of(Contents.of(8, i)), 0, 1);
        Request last = world.irecv(Data.of(new byte[1]), 0, 2);
        world.send(Data.of(new byte[1]), 0, 2);
        last.await();
        Contents.check(8, i, received);
      }
    });
  }

  @Test
  void aCollectiveThatWasReleasedGoesOn() throws Exception {
    Ranks.assumeShared(cores);
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      long[] sum = new long[1000];
      long[] ones = new long[1000];
      Arrays.fill(ones, world.rank() + 1);
      world.iallreduce(Data.of(ones), Data.of(sum), Op.SUM).release();
      world.barrier();
      while (sum[999] != 3) {
        assertNull(world.iprobe(1 - world.rank(), 9));
        Thread.yield();
      }
      Arrays.fill(ones, 3);
      assertArrayEquals(ones, sum);
      world.barrier();
    });
  }

  @Test
  void aPersistentRequestIsReleasedForGood() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      byte[] received = new byte[8];
      Request idle = world.recvInit(Data.of(received), 0, 1);
      Request active = world.recvInit(Data.of(received), 0, 1).start();
      idle.release();
      active.release();
      for (Request released : new Request[] {idle, active}) {
        assertEquals("persistent request, released", released.toString());
        assertEquals(
            "the request was released; prepare another one, and start that",
            assertThrows(IllegalStateException.class, released::start).getMessage());
        assertTrue(released.isComplete());
      }
      world.send(Data.of(Contents.of(8, 1)), 0, 1);
      assertNull(world.iprobe(0, 1), "the message was for the one that had been started");
      Contents.check(8, 1, received);
    });
  }

  @Test
  void aRequestThatIsInactiveKeepsWhatItReported() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      Request request = world.irecv(MemorySegment.ofArray(new byte[8]), 0, 1);
      world.send(Data.of(Contents.of(8, 1)), 0, 1);
      Status status = request.await();
      request.release();
      assertSame(status, request.status());
      new Request().release();
    });
  }

  @Test
  void anAttachmentStays() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      Request request = new Request();
      assertNull(request.attachment());
      request.attach("mine");
      world.irecv(Data.of(new byte[8]), 0, 1, request);
      world.send(Data.of(Contents.of(8, 1)), 0, 1);
      request.await();
      assertEquals("mine", request.attachment());
      request.attach(null);
      assertNull(request.attachment());
    });
  }
}
