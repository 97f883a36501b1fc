package io.adrastea.failure;

import static io.adrastea.message.AnyWait.RECV;
import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static io.adrastea.failure.FailingRanks.BIG;
import static io.adrastea.failure.FailingRanks.GONE;
import static io.adrastea.failure.FailingRanks.OTHER;
import static io.adrastea.failure.FailingRanks.TAG;
import static io.adrastea.failure.FailingRanks.assertFails;
import static io.adrastea.failure.FailingRanks.awaitFailed;
import static io.adrastea.failure.FailingRanks.run;
import static io.adrastea.failure.FailingRanks.runOthers;
import static io.adrastea.failure.FailingRanks.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Job;
import io.adrastea.LongMessages;
import io.adrastea.Looks;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.ThreadLevel;
import io.adrastea.error.RankFailedException;
import io.adrastea.message.AnyWait;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Receives from any source once the failures of others are acknowledged: what the failed ranks have sent is received,
 * as far as it is whole, and nobody waits for a message that cannot come.
 */
@EveryCoreList
class AcknowledgedRanksMessagesTest {
  private static final String ALONE = "cannot complete; no other rank is there any more";

  @Parameter
  String cores;

  private static void assertFailsAlone(Runnable call) {
    String message = assertThrows(RankFailedException.class, call::run).getMessage();
    assertTrue(message.endsWith(ALONE), message);
  }

  @Test
  void takeTheMessageThatTheFailedRankHadSent() {
    run(
        cores,
        3,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          switch (world.rank()) {
            case GONE -> {
              send(world, 0);
              throw cause;
            }
            case OTHER -> world.recv(Data.of(new byte[8]), 0, TAG);
            default -> {
              awaitFailed(job, GONE);
              Ranks.world(job).acknowledgeFailedRanks();
              assertEquals(GONE, RECV.source(world));
              send(world, OTHER);
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void failOnceForAMessageThatBreaksOff(LongMessages way) {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch seen = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    breaksOff(
        way,
        begun,
        seen,
        looked,
        job -> {
          Communicator world = Ranks.world(job);
          Ranks.await(begun);
          world.probe(GONE, TAG);
          seen.countDown();
          awaitFailed(job, GONE);
          assertEquals(List.of(GONE), Ranks.world(job).acknowledgeFailedRanks());
          assertFails(GONE, () -> world.recv(Data.of(new byte[BIG]), ANY_SOURCE, ANY_TAG));
          Looks.count(job, looked);
          assertEquals(OTHER, RECV.source(world));
        });
  }

  @Test
  void failOnceWhenTheirOwnMessageBreaksOff() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch seen = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    breaksOff(
        LongMessages.IN_PIECES,
        begun,
        seen,
        looked,
        job -> {
          Communicator world = Ranks.world(job);
          Request receive = world.irecv(Data.of(new byte[BIG]), ANY_SOURCE, TAG);
          Ranks.await(begun);
          assertFalse(receive.test()); // takes in what is there
          seen.countDown();
          awaitFailed(job, GONE);
          assertEquals(List.of(GONE), Ranks.world(job).acknowledgeFailedRanks());
          assertFails(GONE, receive::await);
          Looks.count(job, looked);
          assertEquals(OTHER, RECV.source(world));
        });
  }

  /**
   * Rank 1 begins a message that has no room and fails in the middle of it, rank 2 sends one when rank 0 has looked and
   * found nothing.
   */
  private void breaksOff(
      LongMessages way, CountDownLatch begun, CountDownLatch seen, CountDownLatch looked, Job.Body first) {
    run(
        cores,
        ThreadLevel.SERIALIZED,
        3,
        way,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          switch (world.rank()) {
            case GONE -> {
              world.isend(Data.of(new byte[BIG]), 0, TAG);
              begun.countDown();
              Ranks.await(seen);
              throw cause;
            }
            case OTHER -> {
              Ranks.await(looked);
              send(world, 0);
            }
            default -> first.run(job);
          }
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"RECV", "PROBE", "TEST"})
  void failWhenAllOthersHaveFailed(AnyWait wait) {
    run(
        cores,
        3,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          if (world.rank() != 0) {
            throw cause;
          }
          awaitFailed(job, GONE, OTHER);
          assertEquals(List.of(GONE, OTHER), Ranks.world(job).acknowledgeFailedRanks());
          assertFailsAlone(() -> wait.source(world));
          Request toItself = world.isend(Data.of(new byte[8]), 0, TAG);
          assertEquals(0, wait.source(world));
          toItself.await();
          assertFailsAlone(() -> wait.source(world));
        });
  }

  @Test
  void failWhenEachOtherHasFailedOrLeft() {
    runOthers(
        cores,
        3,
        job -> {
          if (Ranks.world(job).rank() == 0) {
            awaitFailed(job, GONE);
            assertEquals(List.of(GONE), Ranks.world(job).acknowledgeFailedRanks());
            assertFailsAlone(() -> RECV.source(Ranks.world(job)));
          }
        });
  }

  @Test
  void waitForAnotherThreadOfTheirOwnRankWhenAllOthersHaveFailed() {
    CountDownLatch looked = new CountDownLatch(1);
    run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        LongMessages.BY_RENDEZVOUS,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == GONE) {
            throw cause;
          }
          awaitFailed(job, GONE);
          assertFails(GONE, () -> RECV.source(world));
          assertEquals(List.of(GONE), Ranks.world(job).acknowledgeFailedRanks());
          Looks.count(job, looked);
          Thread sender =
              Thread.ofPlatform()
                  .start(
                      () -> {
                        awaitLooks(looked);
                        send(world, 0);
                      });
          assertEquals(0, RECV.source(world));
          sender.join();
        });
  }

  private static void awaitLooks(CountDownLatch looked) {
    try {
      Ranks.await(looked);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
