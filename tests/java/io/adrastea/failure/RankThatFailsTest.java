package io.adrastea.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.RankFailedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** What others hear of a rank that throws, gives up or aborts. */
@EveryCoreList
class RankThatFailsTest {
  @Parameter
  String cores;

  private void run(Job.Body failing, String said) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          if (Ranks.world(job).rank() == 1) {
            failing.run(job);
            return;
          }
          String message =
              assertThrows(RankFailedException.class, () -> Ranks.world(job).recv(Data.of(new byte[8]), 1, 0))
                  .getMessage();
          assertTrue(
              message.contains("has failed: " + said + "; a receive from rank " + Ranks.name(Ranks.world(job), 1)),
              message);
          assertEquals(List.of(1), Ranks.world(job).failedRanks());
        });
  }

  @Test
  void tellsWhatItHasThrown() {
    IllegalStateException bug = new IllegalStateException("client 1 has a bug");
    Throwable thrown =
        assertThrows(
            IllegalStateException.class,
            () -> run(
                job -> {
                  throw bug;
                },
                "IllegalStateException: client 1 has a bug"));
    assertSame(bug, thrown);
    assertEquals(0, thrown.getSuppressed().length);
  }

  @Test
  void tellsWhyItGivesUpAndIsClosedThen() throws Exception {
    run(
        job -> {
          job.fail("no license");
          job.fail("nothing happens");
          job.close();
          assertThrows(IllegalStateException.class, () -> Ranks.world(job).send(Data.of(new byte[8]), 0, 0));
        },
        "no license");
  }

  @Test
  void abortsTheJobWithoutEndingTheProcessOfOtherThreads() throws Exception {
    run(
        job -> {
          assertThrows(IllegalArgumentException.class, () -> job.abort(0));
          assertThrows(IllegalArgumentException.class, () -> job.abort(256));
          assertThrows(AdrasteaException.class, () -> job.abort(3));
        },
        "it aborted the job with exit code 3");
  }
}
