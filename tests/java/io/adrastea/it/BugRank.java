package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.error.RankFailedException;

/**
 * Rank 0 waits for rank 1, and says why that failed; rank 1, once rank 0 has said a word, does as told: {@code throw},
 * {@code fail} or {@code
 * abort}, or, in the handler of the failure of rank 2 and so inside a call, {@code abort-inside} or {@code
 * exit-inside}. Rank 2 fails then. Further ranks sleep.
 */
public final class BugRank {
  private static final int TAG = 5;

  private BugRank() {}

  public static void main(String[] args) throws Exception {
    Job.run(job -> run(job, args[0]));
  }

  private static void run(Job job, String way) throws InterruptedException {
    Communicator world = job.world();
    long[] word = new long[1];
    if (world.rank() == 0) {
      try {
        world.send(Data.of(word, 0, 1), 1, TAG);
        world.recv(Data.of(word, 0, 1), way.endsWith("-inside") ? 1 : Communicator.ANY_SOURCE, TAG);
      } catch (RankFailedException e) {
        System.out.println(e.getMessage());
        System.out.println("failed ranks " + job.world().acknowledgeFailedRanks());
      }
    } else if (world.rank() == 1) {
      world.recv(Data.of(word, 0, 1), 0, TAG);
      switch (way) {
        case "throw" -> throw new IllegalStateException("client 1 has a bug");
        case "fail" -> job.fail("no license\nfor \u001b[31mclient\u001b[0m 1");
        case "abort" -> job.abort(7);
        default -> endInside(job, way);
      }
    } else if (world.rank() == 2 && way.endsWith("-inside")) {
      job.fail("nobody needs it");
    } else {
      Thread.sleep(Long.MAX_VALUE); // until the launcher ends it
    }
  }

  private static void endInside(Job job, String way) {
    job.onRankFailure(
        failed -> {
          if (way.equals("exit-inside")) {
            job.fail("no license");
            System.exit(2);
          }
          job.abort(7);
        });
    job.world().recv(Data.of(new long[1]), 0, TAG); // rank 0 never sends it
  }
}
