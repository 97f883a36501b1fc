package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Requests that are started again and again. */
@EveryCoreList
class PersistentRequestTest {
  @Parameter
  String cores;

  @Test
  void sendsAndReceivesAnewAtEachStart() throws Exception {
    int rounds = 2000;
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int peer = 1 - world.rank();
          long[] out = new long[3];
          long[] in = new long[3];
          Request send = world.sendInit(Data.of(out, 1, 2), peer, 0);
          Request receive = world.recvInit(Data.of(in, 0, 2), Communicator.ANY_SOURCE, Communicator.ANY_TAG);
          for (int i = 0; i < rounds; i++) {
            out[1] = i;
            out[2] = ~i * (long) peer;
            receive.start();
            send.start();
            Request.waitAll(send, receive);
            assertEquals(peer, receive.status().source());
            assertEquals(16, receive.status().bytes());
            assertEquals(i, in[0]);
            assertEquals(~i * (long) world.rank(), in[1]);
          }
        });
  }

  @Test
  void sendsMessagesOfManyCellsAnew() throws Exception {
    int bytes = 2 * Ranks.ALL_CELLS;
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int peer = 1 - world.rank();
          MemorySegment out = Arena.ofAuto().allocate(bytes);
          MemorySegment in = Arena.ofAuto().allocate(bytes);
          Request send = world.sendInit(Data.of(out), peer, 1);
          Request receive = world.recvInit(Data.of(in), peer, 1);
          for (int i = 0; i < 10; i++) {
            out.copyFrom(MemorySegment.ofArray(Contents.of(bytes, i + world.rank())));
            send.start();
            receive.start();
            assertEquals(bytes, receive.await().bytes());
            send.await();
            Contents.check(bytes, i + peer, in);
          }
        });
  }

  @Test
  void refusesToStartWhatIsStarted() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          byte[] in = new byte[4];
          Request receive = Ranks.world(job).recvInit(Data.of(in, 0, 4), 0, 0);
          receive.start();
          assertThrows(IllegalStateException.class, receive::start);
          Ranks.world(job).send(Data.of(Contents.of(4, 1)), 0, 0);
          receive.await();
          Contents.check(4, 1, in);
        });
  }

  @Test
  void staysInItsArrayInactive() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Request send = world.sendInit(Data.of(new byte[4]), 0, 0);
          Request receive = world.recvInit(Data.of(new byte[4]), 0, 0);
          Request[] requests = {send, receive};
          for (int i = 0; i < 3; i++) {
            receive.start();
            send.start();
            int first = Request.waitAny(requests);
            assertEquals(1 - first, Request.waitAny(requests));
            assertEquals(-1, Request.waitAny(requests), "both are inactive");
            assertSame(send, requests[0]);
            assertSame(receive, requests[1]);
          }
          receive.start();
          send.start();
          Request.waitAll(requests);
          assertSame(receive, requests[1]);
        });
  }

  @Test
  void isCompleteAsLongAsItIsInactive() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Request send = Ranks.world(job).sendInit(Data.of(new byte[4]), 0, 0);
          assertEquals(0, send.await().bytes());
          assertTrue(send.test());
          assertFalse(send.cancel());
          send.start().await();
          assertFalse(send.isActive());
          assertEquals(0, send.await().bytes());
          assertEquals(4, Ranks.world(job).recv(Data.of(new byte[4]), 0, 0).bytes());
        });
  }

  @Test
  void refusesToStartWhatIsNotPersistent() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Request send = Ranks.world(job).isend(Data.of(new byte[4]), 0, 0);
          assertThrows(IllegalStateException.class, send::start);
          send.await();
          Ranks.world(job).recv(Data.of(new byte[4]), 0, 0);
        });
  }

  @Test
  void startsAgainAfterCancelAndAfterFailure() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] in = new byte[4];
          Request receive = world.recvInit(Data.of(in, 0, 4), 0, 0);
          receive.start();
          assertTrue(receive.cancel());
          assertTrue(receive.await().isCancelled());
          world.send(Data.of(new byte[5]), 0, 0);
          receive.start();
          assertThrows(TruncationException.class, receive::await);
          world.send(Data.of(Contents.of(4, 2)), 0, 0);
          Status status = receive.start().await();
          assertEquals(4, status.bytes());
          assertEquals(false, status.isCancelled());
          Contents.check(4, 2, in);
        });
  }
}
