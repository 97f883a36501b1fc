package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Taking operations back, in time and too late. */
@EveryCoreList
class CancelTest {
  private static final int BIG = 3 * Ranks.ALL_CELLS;

  @Parameter
  String cores;

  private static void checkCancelled(Status status) {
    assertTrue(status.isCancelled());
    assertEquals(Communicator.ANY_SOURCE, status.source());
    assertEquals(Communicator.ANY_TAG, status.tag());
    assertEquals(0, status.bytes());
    assertEquals("cancelled", status.toString());
  }

  @Test
  void takesBackAReceiveThatNothingMatched() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] first = new byte[8];
          byte[] second = new byte[8];
          Request cancelled = world.irecv(Data.of(first, 0, 8), 0, 0);
          Request kept = world.irecv(Data.of(second, 0, 8), 0, 0);
          assertTrue(cancelled.cancel());
          world.send(Data.of(Contents.of(8, 1)), 0, 0);
          assertFalse(kept.await().isCancelled());
          Contents.check(8, 1, second);
          Contents.checkZero(MemorySegment.ofArray(first));
          assertTrue(cancelled.test());
          checkCancelled(cancelled.status());
        });
  }

  @Test
  void takesBackASendThatWaitsBehindAnother() throws Exception {
    CountDownLatch cancelled = new CountDownLatch(1);
    LongMessages.IN_PIECES.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request first = world.isend(Data.of(Contents.of(BIG, 1)), 1, 0);
            Request second = world.isend(Data.of(Contents.of(8, 2)), 1, 0);
            Request third = world.isend(Data.of(Contents.of(9, 3)), 1, 0);
            assertTrue(second.cancel());
            cancelled.countDown();
            checkCancelled(second.await());
            Request.waitAll(first, third);
          } else {
            Ranks.await(cancelled);
            byte[] received = new byte[BIG];
            world.recv(Data.of(received, 0, BIG), 0, 0);
            Contents.check(BIG, 1, received);
            assertEquals(9, world.recv(Data.of(received, 0, 9), 0, 0).bytes());
            Contents.check(9, 3, received);
          }
        });
  }

  @Test
  void takesBackALargeSendWhoseOfferWaitsForRoom() throws Exception {
    int count = 2 * Ranks.CELLS;
    CountDownLatch cancelled = new CountDownLatch(1);
    LongMessages.BY_RENDEZVOUS.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request[] first = new Request[count];
            for (int i = 0; i < count; i++) { // more than there are cells
              first[i] = world.isend(Data.of(Contents.of(Ranks.CELL_BYTES, i)), 1, 0);
            }
            Request large = world.isend(Data.of(Contents.of(BIG, 2)), 1, 0);
            Request last = world.isend(Data.of(Contents.of(9, 3)), 1, 0);
            assertTrue(large.cancel());
            cancelled.countDown();
            checkCancelled(large.await());
            Request.waitAll(first);
            last.await();
          } else {
            Ranks.await(cancelled);
            byte[] received = new byte[BIG];
            for (int i = 0; i < count; i++) {
              world.recv(Data.of(received, 0, BIG), 0, 0);
              Contents.check(Ranks.CELL_BYTES, i, received);
            }
            assertEquals(9, world.recv(Data.of(received, 0, BIG), 0, 0).bytes());
            Contents.check(9, 3, received);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void leavesASendThatHasBegun(LongMessages way) throws Exception {
    CountDownLatch tried = new CountDownLatch(1);
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request send = world.isend(Data.of(Contents.of(BIG, 1)), 1, 0);
            assertFalse(send.cancel());
            tried.countDown();
            assertFalse(send.await().isCancelled());
          } else {
            Ranks.await(tried);
            byte[] received = new byte[BIG];
            world.recv(Data.of(received, 0, BIG), 0, 0);
            Contents.check(BIG, 1, received);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void leavesAReceiveWhoseMessageHasBegunToArrive(LongMessages way) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch tried = new CountDownLatch(1);
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request send = world.isend(Data.of(Contents.of(BIG, 1)), 1, 0);
            begun.countDown();
            Ranks.await(tried); // meanwhile nothing moves the rest on
            send.await();
          } else {
            Ranks.await(begun);
            world.probe(0, 0);
            byte[] received = new byte[BIG];
            Request receive = world.irecv(Data.of(received, 0, BIG), 0, 0);
            assertFalse(receive.test());
            assertFalse(receive.cancel());
            tried.countDown();
            assertFalse(receive.await().isCancelled());
            Contents.check(BIG, 1, received);
          }
        });
  }

  @Test
  void leavesWhatIsComplete() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] received = new byte[8];
          Request receive = world.irecv(Data.of(received, 0, 8), 0, 0);
          world.send(Data.of(Contents.of(8, 1)), 0, 0);
          world.send(Data.of(new byte[0]), 0, 1);
          world.probe(0, 1); // what came before it has been received
          assertFalse(receive.cancel());
          assertEquals(8, receive.await().bytes());
          Contents.check(8, 1, received);
          assertFalse(receive.cancel(), "nor once it was reported");
          world.recv(Data.of(new byte[0]), 0, 1);
        });
  }
}
