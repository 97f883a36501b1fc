package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Job;
import io.adrastea.error.RankFailedException;

/**
 * Rank 0 waits for rank 1, and says why that failed; rank 1, once rank 0 has said a word, does as told: {@code throw}, {@code fail} or {@code
 * abort}. Further ranks wait for rank 0, which never sends.
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
        world.send(word, 0, 1, 1, TAG);
        world.recv(word, 0, 1, Communicator.ANY_SOURCE, TAG);
      } catch (RankFailedException e) {
        System.out.println(e.getMessage());
        System.out.println("failed ranks " + job.acknowledgeFailedRanks());
      }
    } else if (world.rank() == 1) {
      world.recv(word, 0, 1, 0, TAG);
      switch (way) {
        case "throw" -> throw new IllegalStateException("client 1 has a bug");
        case "fail" -> job.fail("no license\nfor \u001b[31mclient\u001b[0m 1");
        default -> job.abort(7);
      }
    } else {
      Thread.sleep(Long.MAX_VALUE); // until the launcher ends it
    }
  }
}
