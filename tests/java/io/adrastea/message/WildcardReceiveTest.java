package io.adrastea.message;

import static io.adrastea.Communicator.ANY_SOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.ThreadLevel;
import io.adrastea.error.RankLeftException;
import io.adrastea.failure.FailingRanks;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Receives from any source, of which some are gone and others are not. */
@EveryCoreList
class WildcardReceiveTest {
  private static final int GONE = 1;
  private static final int BIG = 3 * Ranks.ALL_CELLS;

  @Parameter
  String cores;

  private interface Wait {
    Status await(Request request) throws Exception;
  }

  @ParameterizedTest
  @EnumSource
  void takesTheMessageThatComesAsAnotherRankIsFoundGone(LongMessages way) {
    findsGoneWhileAMessageComes(way, Request::await);
  }

  @ParameterizedTest
  @EnumSource
  void takesItAlsoWhenItIsOnlyAskedForAgainAndAgain(LongMessages way) {
    findsGoneWhileAMessageComes(
        way,
        request -> {
          while (!request.test()) {
            Thread.onSpinWait();
          }
          return request.status();
        });
  }

  /**
   * The look that finds the rank gone tells the handler first, which lets the other rank send: what it sent is there
   * when the receive is checked.
   */
  private void findsGoneWhileAMessageComes(LongMessages way, Wait wait) {
    Ranks.assumeShared(cores); // elsewhere what was sent may still be on its way when another rank is found gone
    CountDownLatch found = new CountDownLatch(1);
    CountDownLatch sent = new CountDownLatch(1);
    FailingRanks.run(cores, ThreadLevel.SERIALIZED, 3, way,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == GONE) {
            throw cause;
          } else if (world.rank() == 2) {
            Ranks.await(found);
            Request send = world.isend(Data.of(Contents.of(BIG, 3)), 0, 0);
            sent.countDown();
            send.await();
          } else {
            byte[] received = new byte[BIG];
            Request receive = world.irecv(Data.of(received, 0, BIG), ANY_SOURCE, 0);
            job.onRankFailure(
                rank -> {
                  found.countDown();
                  awaitUninterrupted(sent);
                });
            assertEquals(2, wait.await(receive).source());
            Contents.check(BIG, 3, received);
          }
        });
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      Ranks.await(latch);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void waitsForAnotherThreadOfItsOwnRankOnceThatAllOthersHaveLeftIsAcknowledged() throws Exception {
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == GONE) {
            return;
          }
          assertThrows(RankLeftException.class, () -> world.recv(Data.of(new byte[8]), ANY_SOURCE, 0));
          assertEquals(List.of(GONE), world.acknowledgeLeftRanks());
          byte[] received = new byte[8];
          Request receive = world.irecv(Data.of(received, 0, 8), ANY_SOURCE, 0);
          for (int tries = 0; tries < 200; tries++) {
            assertFalse(receive.test());
            Thread.sleep(1);
          }
          world.send(Data.of(Contents.of(8, 1)), 0, 0);
          assertEquals(0, receive.await().source());
          Contents.check(8, 1, received);
        });
  }
}
