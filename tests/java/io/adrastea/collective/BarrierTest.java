package io.adrastea.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.IdleStrategy;
import io.adrastea.Job;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.ThreadLevel;
import io.adrastea.error.RankFailedException;
import io.adrastea.failure.FailingRanks;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Communicator#barrier}: which ranks it keeps, which it lets go, and what goes on meanwhile. */
@Tag("spins")
@EveryCoreList
class BarrierTest {
  private static final int BIG = 3 * Ranks.ALL_CELLS;

  @Parameter
  String cores;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void nobodyLeavesBeforeAllHaveCome(int ranks) throws Exception {
    int rounds = cores.contains("+") ? 200 : 2000; // by messages, each delayed
    long[][] came = new long[2][ranks]; // used in turn: one is written again after the barrier that follows its reading
    Ranks.run(
        cores,
        ranks,
        job -> {
          Communicator world = Ranks.world(job);
          for (int round = 1; round <= rounds; round++) {
            long[] now = came[round % 2];
            now[world.rank()] = round;
            world.barrier();
            for (int rank = 0; rank < ranks; rank++) {
              assertEquals(round, now[rank], "rank " + rank);
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void aSendGoesOnToARankThatWaitsAtTheBarrier(LongMessages way) throws Exception {
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] buffer = Contents.of(BIG, 1);
          if (world.rank() == 0) {
            world.send(Data.of(buffer, 0, BIG), 1, 0); // more than the other's cells: it must take some in
            world.barrier();
          } else {
            byte[] received = new byte[BIG];
            Request posted = way == LongMessages.BY_RENDEZVOUS ? world.irecv(Data.of(received, 0, BIG), 0, 0) : null;
            world.barrier();
            (posted == null ? world.irecv(Data.of(received, 0, BIG), 0, 0) : posted).await();
            Contents.check(BIG, 1, received);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void aStartedSendGoesOnWhileItsRankWaitsAtTheBarrier(LongMessages way) throws Exception {
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request send = world.isend(Data.of(Contents.of(BIG, 1)), 1, 0);
            world.barrier();
            send.await();
          } else {
            byte[] received = new byte[BIG];
            world.recv(Data.of(received, 0, BIG), 0, 0);
            Contents.check(BIG, 1, received);
            world.barrier();
          }
        });
  }

  @Test
  void messagesOfBothSidesOfABarrierStayApart() throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          int next = (world.rank() + 1) % 3;
          int before = (world.rank() + 2) % 3;
          byte[] received = new byte[8];
          for (int round = 0; round < 500; round++) {
            Request receive = world.irecv(Data.of(received, 0, 8), before, 0);
            world.send(Data.of(Contents.of(8, 3L * round + world.rank()), 0, 8), next, 0);
            world.barrier();
            receive.await();
            Contents.check(8, 3L * round + before, received);
          }
        });
  }

  private static RankFailedException failureOf(Communicator world) {
    return assertThrows(RankFailedException.class, world::barrier);
  }

  @Test
  void aRankThatHasLeftIsNamedAtEachCall() throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          world.barrier();
          if (world.rank() == 1) {
            return;
          }
          for (int call = 0; call < 2; call++) {
            RankFailedException failure = failureOf(world);
            assertEquals(1, failure.rank());
            assertTrue(Ranks.byRank(failure.getMessage()).contains("rank 1"), failure.getMessage());
            assertTrue(failure.getMessage().contains("has left the job; a barrier"), failure.getMessage());
          }
          int peer = 2 - world.rank();
          byte[] received = new byte[8];
          world.sendrecv(Data.of(Contents.of(8, peer)), peer, 0, Data.of(received, 0, 8), peer, 0);
          Contents.check(8, world.rank(), received);
        });
  }

  @Test
  void aRankThatFailedIsNamed() {
    FailingRanks.runOthers(
        cores,
        2,
        job -> {
          RankFailedException failure = failureOf(Ranks.world(job));
          assertEquals(1, failure.rank());
          assertTrue(failure.getMessage().contains("has failed"), failure.getMessage());
        });
  }

  /** Sleeps so long that every look is followed by the question which ranks are still there. */
  private static final class Sleeper implements IdleStrategy {
    private static final long MILLIS = 120;

    private final CountDownLatch looks;

    Sleeper(CountDownLatch looks) {
      this.looks = looks;
    }

    @Override
    public void idle() {
      looks.countDown();
      try {
        Thread.sleep(MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void aRankThatLeavesRightBehindTheBarrierIsNotMissedByThoseWhoLookLater() throws Exception {
    Ranks.assumeShared(cores);
    CountDownLatch looks = new CountDownLatch(5); // each before a sleep, behind which it asks; the first time, not yet
    Settings.with(
        Map.of("adrastea.core", Ranks.cores(cores)),
        () -> {
          Job.builder()
              .idleStrategy(() -> new Sleeper(looks))
              .runThreads(
                  2,
                  job -> {
                    if (Ranks.world(job).rank() == 1) {
                      Ranks.await(looks); // of the other
                    }
                    Ranks.world(job).barrier();
                  });
          return null;
        });
  }

  @Test
  void oneThreadOfARankIsThereAtATime() throws Exception {
    TwoThreads.oneIsRefused(cores, "barrier", "passed", world -> {
      world.barrier();
      return "passed";
    });
  }

  @Test
  void otherThreadsOfARankExchangeMessagesWhileOneWaits() throws Exception {
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          FutureTask<Boolean> barrier =
              new FutureTask<>(
                  () -> {
                    world.barrier();
                    return true;
                  });
          if (world.rank() == 0) {
            new Thread(barrier, "at the barrier").start();
          }
          byte[] received = new byte[8];
          int peer = 1 - world.rank();
          for (int round = 0; round < 200; round++) {
            world.sendrecv(Data.of(Contents.of(8, round)), peer, 0, Data.of(received, 0, 8), peer, 0);
            Contents.check(8, round, received);
          }
          if (world.rank() == 1) {
            world.barrier();
          } else {
            assertTrue(barrier.get());
          }
        });
  }

  @Test
  void aClosedJobHasNone() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          job.close();
          IllegalStateException failure =
              assertThrows(IllegalStateException.class, () -> Ranks.world(job).barrier());
          assertTrue(failure.getMessage().contains("rank %d has closed its job".formatted(Ranks.inJob(cores, 1, 0))),
              failure.getMessage());
        });
  }
}
