package io.adrastea.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.error.RankFailedException;
import io.adrastea.failure.FailingRanks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** A rank that never waits, and whose calls find what they are for: it is told of a death all the same. */
@EveryCoreList
class RankAtWorkTest {
  private static final int FAILING = 1;
  private static final int MOST_VAIN = 15; // tests, each right after a look, so that it makes none itself

  @Parameter
  String cores;

  private final byte[] sent = new byte[8];
  private final byte[] received = new byte[8];

  /** Rank 0 does as it is told, while rank 1 fails. */
  private void run(Job.Body atWork) {
    FailingRanks.runOthers(cores, 2, atWork);
  }

  /** Messages to itself, each there when it is tested. */
  private void workUntilTold(Job job) {
    List<Integer> told = new ArrayList<>();
    job.onRankFailure(rank -> told.add(Ranks.world(job).rankOf(rank))); // of all that have failed, once more
    while (told.isEmpty()) {
      Request send = Ranks.world(job).isend(Data.of(sent, 0, 8), 0, 0);
      Request receive = Ranks.world(job).irecv(Data.of(received, 0, 8), 0, 0);
      assertTrue(receive.test() && send.test());
    }
    assertEquals(List.of(FAILING), told);
  }

  @Test
  void itsHandlerIsTold() {
    run(this::workUntilTold);
  }

  @Test
  void aRequestThatItTestsInTurnFails() {
    run(
        job -> {
          Request never = Ranks.world(job).irecv(Data.of(new byte[8]), FAILING, 0);
          RankFailedException failure = null;
          for (int vain = 0; vain < MOST_VAIN && failure == null; vain++) {
            workUntilTold(job);
            failure = failureOf(never);
          }
          assertEquals(FAILING, failure == null ? -1 : failure.rank());
        });
  }

  private static RankFailedException failureOf(Request request) {
    try {
      assertFalse(request.test());
      return null;
    } catch (RankFailedException e) {
      return e;
    }
  }
}
