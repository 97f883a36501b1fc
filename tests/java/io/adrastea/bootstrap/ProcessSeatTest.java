package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import io.adrastea.error.JoinException;
import java.util.Optional;
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
  void aRankThatHasFailedFreesTheProcessToo() throws Exception {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Job.run(
                job -> {
                  throw new IllegalArgumentException("on purpose");
                }));
    Job.run(job -> job.world().barrier());
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
