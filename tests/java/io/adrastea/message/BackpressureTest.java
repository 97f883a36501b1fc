package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Receivers that are full or away stop neither their senders' receives nor sends to others. */
@EveryCoreList
class BackpressureTest {
  private static final int BIG = 5 * Ranks.ALL_CELLS + 11;

  @Parameter
  String cores;

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void letsAllRanksSendMoreThanAllCellsBeforeTheyReceive(int ranks) throws Exception {
    LongMessages.IN_PIECES.run(
        cores,
        ranks,
        job -> {
          Communicator world = Ranks.world(job);
          for (int peer = 0; peer < ranks; peer++) {
            world.send(Data.of(Contents.of(BIG, world.rank()), 0, BIG), peer, 0);
          }
          byte[] received = new byte[BIG];
          for (int peer = 0; peer < ranks; peer++) {
            world.recv(Data.of(received, 0, BIG), peer, 0);
            Contents.check(BIG, peer, received);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void letsAllRanksOfferMoreThanAllCellsBeforeTheyReceive(int ranks) throws Exception {
    LongMessages.BY_RENDEZVOUS.run(
        cores,
        ranks,
        job -> {
          Communicator world = Ranks.world(job);
          Request[] sends = new Request[ranks];
          for (int peer = 0; peer < ranks; peer++) {
            sends[peer] = world.isend(Data.of(Contents.of(BIG, world.rank()), 0, BIG), peer, 0);
          }
          byte[] received = new byte[BIG];
          for (int peer = 0; peer < ranks; peer++) {
            world.recv(Data.of(received, 0, BIG), peer, 0);
            Contents.check(BIG, peer, received);
          }
          Request.waitAll(sends);
        });
  }

  @ParameterizedTest
  @EnumSource
  void sendsToOthersWhileOneRankDoesNotReceive(LongMessages way) throws Exception {
    int count = 500;
    CountDownLatch others = new CountDownLatch(1);
    way.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request big = world.isend(Data.of(Contents.of(BIG, 1)), 1, 0);
            for (int i = 0; i < count; i++) {
              world.send(Data.of(new int[] {i}), 2, 0);
              world.send(Data.of(Contents.of(3 * Ranks.CELL_BYTES, i), 0, 3 * Ranks.CELL_BYTES), 2, 1);
            }
            world.recv(Data.of(new byte[1]), 2, 0);
            assertFalse(big.test(), "rank 1 has not received");
            others.countDown();
            big.await();
          } else if (world.rank() == 1) {
            Ranks.await(others);
            byte[] received = new byte[BIG];
            world.recv(Data.of(received, 0, BIG), 0, 0);
            Contents.check(BIG, 1, received);
          } else {
            int[] number = new int[1];
            byte[] received = new byte[3 * Ranks.CELL_BYTES];
            for (int i = 0; i < count; i++) {
              world.recv(Data.of(number, 0, 1), 0, 0);
              assertEquals(i, number[0]);
              world.recv(Data.of(received), 0, 1);
              Contents.check(received.length, i, received);
            }
            world.send(Data.of(new byte[1]), 0, 0);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void takesMessagesInWhileItsOwnSendWaits(LongMessages way) throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    way.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] received = new byte[BIG];
          if (world.rank() == 0) {
            // in pieces, they are kept until they are asked for
            Request posted = way == LongMessages.BY_RENDEZVOUS ? world.irecv(Data.of(received, 0, BIG), 2, 0) : null;
            world.send(Data.of(Contents.of(BIG, 1)), 1, 0); // ends only after rank 2's send
            (posted == null ? world.irecv(Data.of(received, 0, BIG), 2, 0) : posted).await();
            Contents.check(BIG, 2, received);
          } else if (world.rank() == 1) {
            Ranks.await(taken);
            world.recv(Data.of(received, 0, BIG), 0, 0);
            Contents.check(BIG, 1, received);
          } else {
            world.send(Data.of(Contents.of(BIG, 2)), 0, 0);
            taken.countDown();
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void keepsThousandsOfSendsPendingInOrder(LongMessages way) throws Exception {
    int count = 3000;
    CountDownLatch started = new CountDownLatch(1);
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request[] requests = new Request[count];
            for (int i = 0; i < count; i++) {
              int size = i % 50 == 0 ? 2 * Ranks.CELL_BYTES + i : i % 100;
              requests[i] = world.isend(Data.of(Contents.of(size, i)), 1, i % 3);
            }
            started.countDown();
            Request.waitAll(requests);
          } else {
            Ranks.await(started);
            byte[] received = new byte[4 * Ranks.CELL_BYTES];
            for (int i = 0; i < count; i++) {
              Status status = world.recv(Data.of(received), 0, Communicator.ANY_TAG);
              assertEquals(i % 3, status.tag());
              Contents.check((int) status.bytes(), i, received);
            }
          }
        });
  }
}
