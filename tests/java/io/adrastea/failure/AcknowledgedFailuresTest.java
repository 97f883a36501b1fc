package io.adrastea.failure;

import static io.adrastea.message.AnyWait.RECV;
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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Job;
import io.adrastea.Looks;
import io.adrastea.Ranks;
import io.adrastea.error.RankFailedException;
import io.adrastea.message.AnyWait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Receives from any source once the program has acknowledged that ranks failed: they go on among the living. */
@EveryCoreList
class AcknowledgedFailuresTest {
  private static final int SECOND = 3;

  @Parameter
  String cores;

  @ParameterizedTest
  @EnumSource
  void waitForTheLivingOnceTheFailureIsAcknowledged(AnyWait wait) {
    CountDownLatch looked = new CountDownLatch(1);
    runOthers(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == OTHER) {
            Ranks.await(looked);
            send(world, 0);
            return;
          }
          assertFails(GONE, () -> wait.source(world));
          assertFails(GONE, () -> wait.source(world));
          assertEquals(List.of(GONE), Ranks.world(job).acknowledgeFailedRanks());
          Looks.count(job, looked);
          assertEquals(OTHER, wait.source(world));
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"RECV", "PROBE", "TEST"})
  void failForAFailureThatComesAfterwards(AnyWait wait) {
    CountDownLatch acknowledged = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    run(
        cores,
        4,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          switch (world.rank()) {
            case GONE -> throw cause;
            case OTHER -> {
              Ranks.await(looked);
              send(world, 0);
            }
            case SECOND -> {
              Ranks.await(acknowledged);
              throw cause;
            }
            default -> {
              assertFails(GONE, () -> wait.source(world));
              assertEquals(List.of(GONE), Ranks.world(job).acknowledgeFailedRanks());
              acknowledged.countDown();
              assertFails(SECOND, () -> wait.source(world));
              assertFails(SECOND, () -> wait.source(world));
              assertEquals(List.of(GONE, SECOND), Ranks.world(job).acknowledgeFailedRanks());
              Looks.count(job, looked);
              assertEquals(OTHER, wait.source(world));
            }
          }
        });
  }

  /**
   * Rank 3 fails while the handler hears of rank 1: so the check that follows finds a failure that the handler has not
   * heard of.
   */
  @ParameterizedTest
  @EnumSource(names = {"RECV", "PROBE", "TEST"})
  void goOnWhenTheHandlerAcknowledgesEachFailure(AnyWait wait) {
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch toldOfBoth = new CountDownLatch(1);
    List<List<Integer>> acknowledged = new ArrayList<>();
    run(
        cores,
        4,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          switch (world.rank()) {
            case GONE -> throw cause;
            case OTHER -> {
              Ranks.await(toldOfBoth);
              send(world, 0);
            }
            case SECOND -> {
              Ranks.await(told);
              throw cause;
            }
            default -> {
              job.onRankFailure(
                  rank -> {
                    acknowledged.add(Ranks.world(job).acknowledgeFailedRanks());
                    told.countDown();
                    if (world.rankOf(rank) == GONE) {
                      awaitSecond(job);
                    } else {
                      toldOfBoth.countDown();
                    }
                  });
              assertEquals(OTHER, wait.source(world));
              assertEquals(List.of(List.of(GONE), List.of(GONE, SECOND)), acknowledged);
            }
          }
        });
  }

  private static void awaitSecond(Job job) {
    try {
      awaitFailed(job, GONE, SECOND);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void mayBeAcknowledgedByAnotherThreadWhileTheRankIsInACall() {
    CountDownLatch looked = new CountDownLatch(1);
    runOthers(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == OTHER) {
            Ranks.await(looked);
            send(world, 0);
            return;
          }
          job.onRankFailure(
              rank -> {
                List<List<Integer>> acknowledged = new ArrayList<>();
                Thread other =
                    Thread.ofPlatform().start(() -> acknowledged.add(Ranks.world(job).acknowledgeFailedRanks()));
                try {
                  other.join();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                assertEquals(List.of(List.of(GONE)), acknowledged);
                Looks.count(job, looked);
              });
          assertEquals(OTHER, RECV.source(world));
        });
  }

  /** Ways to wait for rank 1 itself, or for all. */
  private static final Map<String, ToIntFunction<Communicator>> NEEDS =
      Map.of(
          "recv", world -> world.recv(Data.of(new byte[8]), GONE, TAG).source(),
          "probe", world -> world.probe(GONE, TAG).source(),
          "send", AcknowledgedFailuresTest::sendMuch,
          "barrier", AcknowledgedFailuresTest::meet);

  private static int sendMuch(Communicator world) {
    world.send(Data.of(new byte[BIG]), GONE, TAG);
    return 0;
  }

  private static int meet(Communicator world) {
    world.barrier();
    return 0;
  }

  @ParameterizedTest
  @ValueSource(strings = {"recv", "probe", "send", "barrier"})
  void doNotChangeWhatNeedsTheFailedRank(String call) {
    runOthers(
        cores,
        2,
        job -> {
          awaitFailed(job, GONE);
          Ranks.world(job).acknowledgeFailedRanks();
          for (int i = 0; i < 2; i++) {
            RankFailedException failure =
                assertThrows(RankFailedException.class, () -> NEEDS.get(call).applyAsInt(Ranks.world(job)));
            assertEquals(GONE, failure.rank());
            assertTrue(failure.getMessage().endsWith("operations with other ranks go on"), failure.getMessage());
          }
        });
  }

  @Test
  void areToldHowToGoOn() {
    runOthers(
        cores,
        3,
        job -> {
          String message = assertThrows(RankFailedException.class, () -> RECV.source(Ranks.world(job))).getMessage();
          assertTrue(message.endsWith(
              "; operations with other ranks go on, those with any after acknowledgeFailedRanks() of the communicator"),
              message);
        });
  }

  @Test
  void haveNothingToAcknowledgeWhenNoneHasFailed() throws Exception {
    Job[] left = new Job[1];
    Ranks.run(
        cores,
        2,
        job -> {
          if (Ranks.world(job).rank() == 0) {
            assertEquals(List.of(), Ranks.world(job).acknowledgeFailedRanks());
            assertThrows(UnsupportedOperationException.class, () -> Ranks.world(job).acknowledgeFailedRanks().add(1));
            assertFails(1, () -> RECV.source(Ranks.world(job))); // it has left
            assertEquals(List.of(), Ranks.world(job).acknowledgeFailedRanks());
            left[0] = job;
          }
        });
    assertThrows(IllegalStateException.class, () -> left[0].world().acknowledgeFailedRanks());
  }
}
