package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.IdleStrategy;
import io.adrastea.Job;
import io.adrastea.Settings;
import io.adrastea.error.JoinException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A process joins once at a time. */
class ProcessSeatTest {
  private static void refused(String said, Runnable join) {
    String message = assertThrows(JoinException.class, join::run).getMessage();
    assertTrue(message.contains(said), message);
  }

  @Test
  void aSecondJoinIsRefusedUntilTheFirstJobIsClosed() {
    for (int i = 0; i < 3; i++) {
      try (Job job = Job.join()) {
        refused("a process joins once at a time", Job::join);
        refused("as rank 0", Job::join);
        Job.runThreads(2, thread -> thread.world().barrier()); // ranks of a job of their own
        job.world().barrier();
      }
    }
  }

  @Test
  void aProcessThatHasJoinedDoesNotWaitForRanksToMeet() throws Exception {
    try (Job job = Job.join()) {
      refused("a process joins once at a time", () -> {
        try {
          Settings.with(
              Map.of("adrastea.rendezvous", "127.0.0.1:1", "adrastea.rank", "1", "adrastea.size", "2"), Job::join);
        } catch (RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      });
      job.world().barrier();
    }
  }

  @Test
  void aRankThatHasFailedFreesTheProcessToo() throws Exception {
    assertThrows(
        IllegalArgumentException.class,
        () -> Job.run(
            job -> {
              throw new IllegalArgumentException("on purpose");
            }));
    Job.run(job -> job.world().barrier());
  }

  /** There is none at each place where joining asks for one; that of the progress thread is the last. */
  @Test
  void aRankForWhoseThreadsThereIsNoIdleStrategyFreesTheProcess() {
    int given = 0;
    while (!joinsWithStrategies(given)) {
      Job.join().close();
      given++;
    }
    assertTrue(given > 0, "joining asks for no idle strategy");
  }

  private static boolean joinsWithStrategies(int most) {
    AtomicInteger left = new AtomicInteger(most);
    Supplier<IdleStrategy> strategies =
        () -> {
          if (left.getAndDecrement() <= 0) {
            throw new UnsupportedOperationException("no strategy is left");
          }
          return Thread::onSpinWait;
        };
    try (Job job = Job.builder().progressThread().idleStrategy(strategies).join()) {
      return job.world().size() == 1;
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }

  @Test
  void aJobOfSeveralRanksIsJoinedOnce() {
    Membership membership = new Membership(0x4a0b, 1, 2, Optional.empty());
    ProcessSeat.take(membership);
    ProcessSeat.giveBack(); // joining failed
    ProcessSeat.take(membership);
    ProcessSeat.leave();
    refused("was rank 1 of job 0000000000004a0b and has left it", () -> ProcessSeat.take(membership));
    ProcessSeat.take(new Membership(0x4a0c, 1, 2, Optional.empty()));
    ProcessSeat.leave();
  }
}
