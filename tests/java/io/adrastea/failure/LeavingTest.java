package io.adrastea.failure;

import static io.adrastea.Communicator.ANY_SOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.LongMessages;
import io.adrastea.Looks;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.ThreadLevel;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RankLeftException;
import io.adrastea.message.AnyWait;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of operations that depend on a rank that left its job in order. */
@EveryCoreList
class LeavingTest {
  private static final int BIG = 3 * Ranks.ALL_CELLS;

  @Parameter
  String cores;

  private static RankLeftException failureOf(Executable call) {
    return assertThrows(RankLeftException.class, call);
  }

  private static void checkLeft(int rank, RankFailedException failure) {
    assertEquals(rank, failure.rank());
    assertTrue(failure.getMessage().contains("has left the job"), failure.getMessage());
  }

  @Test
  void deliversWhatWasSentAndFailsWhatWasNot() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            world.send(Data.of(Contents.of(8, 1)), 0, 0);
            world.send(Data.of(Contents.of(20, 2)), 0, 1);
            return;
          }
          byte[] received = new byte[20];
          checkLeft(1, failureOf(() -> world.recv(Data.of(received, 0, 8), 1, 2)));
          checkLeft(1, failureOf(() -> world.recv(Data.of(received, 0, 8), ANY_SOURCE, 2)));
          checkLeft(1, failureOf(() -> world.probe(1, 2)));
          checkLeft(1, failureOf(() -> world.send(Data.of(new byte[BIG]), 1, 0)));
          world.recv(Data.of(received, 0, 20), 1, 1);
          Contents.check(20, 2, received);
          world.recv(Data.of(received, 0, 8), ANY_SOURCE, 0);
          Contents.check(8, 1, received);
        });
  }

  @Test
  void letsAWaitForAnySourceGoOnWhileOthersAreThere() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    CountDownLatch received = new CountDownLatch(1);
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] buffer = new byte[8];
          if (world.rank() == 1) {
            job.close();
            left.countDown();
          } else if (world.rank() == 2) {
            Ranks.await(left);
            checkLeft(1, failureOf(() -> world.recv(Data.of(buffer, 0, 8), 1, 0)));
            world.send(Data.of(Contents.of(8, 1)), 0, 0);
            Ranks.await(received);
          } else {
            Ranks.await(left);
            assertEquals(2, world.recv(Data.of(buffer, 0, 8), ANY_SOURCE, 0).source());
            Contents.check(8, 1, buffer);
            received.countDown();
            RankFailedException failure =
                failureOf(() -> world.recv(Data.of(buffer, 0, 8), ANY_SOURCE, 0));
            checkLeft(failure.rank(), failure);
          }
        });
  }

  @Test
  void isListedApartFromFailures() {
    CountDownLatch listed = new CountDownLatch(1);
    FailingRanks.run(
        cores,
        4,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          switch (world.rank()) {
            case FailingRanks.GONE -> throw cause;
            case 2 -> {
            }
            case 3 -> Ranks.await(listed);
            default -> {
              while (world.leftRanks().isEmpty() || world.failedRanks().isEmpty()) {
                Thread.sleep(1);
              }
              assertEquals(List.of(2), world.leftRanks());
              assertEquals(List.of(FailingRanks.GONE), world.failedRanks());
              assertEquals(List.of(world.jobRank(2)), job.leftRanks().stream().filter(rank -> world.rankOf(rank) >= 0)
                  .toList());
              assertThrows(UnsupportedOperationException.class, () -> world.leftRanks().add(0));
              assertEquals(List.of(2), world.acknowledgeLeftRanks());
              FailingRanks.assertFails(FailingRanks.GONE, () -> AnyWait.RECV.source(world)); // not acknowledged
              listed.countDown();
            }
          }
        });
  }

  /** Rank 2 has left; the failure of rank 1 alone tells when the last wait was checked and went on. */
  @ParameterizedTest
  @EnumSource
  void failsAWaitForAnybodyAtALevelOfManyThreadsUntilTheProgramKnows(AnyWait wait) {
    CountDownLatch looked = new CountDownLatch(1);
    FailingRanks.run(
        cores,
        ThreadLevel.MULTIPLE,
        3,
        LongMessages.BY_RENDEZVOUS,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == FailingRanks.GONE) {
            throw cause;
          } else if (world.rank() == 2) {
            return;
          }
          FailingRanks.awaitFailed(job, FailingRanks.GONE);
          world.acknowledgeFailedRanks();
          checkLeft(2, failureOf(() -> wait.source(world)));
          checkLeft(2, failureOf(() -> wait.source(world)));
          assertEquals(List.of(2), world.acknowledgeLeftRanks());
          Looks.count(job, looked);
          Thread sender = Thread.ofPlatform().start(() -> {
            try {
              Ranks.await(looked);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            FailingRanks.send(world, 0);
          });
          assertEquals(0, wait.source(world));
          sender.join();
        });
  }

  /**
   * The second receive is asked for while the message before its own still waits for cells: then what is in them is not
   * all.
   */
  @Test
  void waitsForAnySourceWhileAMessageToItselfIsStillToBeSent() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            return;
          }
          checkLeft(1, failureOf(() -> world.recv(Data.of(new byte[8]), 1, 0)));
          byte[] first = new byte[BIG];
          byte[] second = new byte[8];
          Request big = world.irecv(Data.of(first, 0, BIG), ANY_SOURCE, 0);
          Request small = world.irecv(Data.of(second, 0, 8), ANY_SOURCE, 1);
          Request bigSend = world.isend(Data.of(Contents.of(BIG, 1)), 0, 0);
          Request smallSend = world.isend(Data.of(Contents.of(8, 2)), 0, 1);
          while (!small.test()) {
            Thread.onSpinWait();
          }
          Request.waitAll(big, bigSend, smallSend);
          Contents.check(BIG, 1, first);
          Contents.check(8, 2, second);
        });
  }

  @ParameterizedTest
  @EnumSource
  void failsAReceiveFromAnySourceWhoseMessageStopsInTheMiddle(LongMessages way) throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    way.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            world.isend(Data.of(new byte[BIG]), 0, 0);
            assertThrows(IllegalStateException.class, job::close);
            left.countDown();
          } else if (world.rank() == 2) {
            Ranks.await(ended); // there all the while
          } else {
            Ranks.await(left);
            byte[] received = new byte[BIG];
            checkLeft(1, failureOf(() -> world.recv(Data.of(received, 0, BIG), ANY_SOURCE, 0)));
            ended.countDown();
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void completesAReceiveWhoseMessageIsOnItsWayThoughAnotherRankFails(LongMessages way) throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    FailingRanks.run(cores, ThreadLevel.SERIALIZED, 3, way,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            Ranks.await(begun);
            throw cause;
          } else if (world.rank() == 2) {
            Request send = world.isend(Data.of(Contents.of(BIG, 3)), 0, 0);
            sent.countDown();
            Ranks.await(looked); // meanwhile nothing moves the rest on
            send.await();
          } else {
            Ranks.await(sent);
            world.probe(2, 0);
            byte[] received = new byte[BIG];
            Request receive = world.irecv(Data.of(received, 0, BIG), ANY_SOURCE, 0);
            begun.countDown();
            assertFalse(
                assertThrows(RankFailedException.class, () -> world.probe(1, 0)) instanceof RankLeftException);
            Looks.count(job, looked);
            receive.await();
            Contents.check(BIG, 3, received);
          }
        });
  }
}
