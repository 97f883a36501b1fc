package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.error.RankFailedException;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Two ranks that send each other messages of all lengths, which are checked, for so many milliseconds; or until one
 * fails, of which the other tells.
 */
public final class LinkFaultsRank {
  private static final int MOST_LONGS = 20_000;
  private static final int FEW = 10;

  private LinkFaultsRank() {}

  public static void main(String[] args) throws Exception {
    Job.run(job -> {
      try {
        int rounds = exchange(job.world(), Long.parseLong(args[0]) * 1_000_000);
        System.out.println("all came, rounds " + rounds);
      } catch (RankFailedException e) {
        System.out.println("failed: " + e.getMessage());
      }
    });
  }

  private static int exchange(Communicator world, long nanos) {
    SplittableRandom random = new SplittableRandom(1);
    int self = world.rank();
    long begun = System.nanoTime();
    int rounds = 0;
    for (long goesOn = 1; goesOn == 1; rounds++) {
      long[] out = random.longs(2 + random.nextInt(1 + random.nextInt(MOST_LONGS))).toArray();
      long[] in = out.clone();
      out[0] = System.nanoTime() - begun < nanos ? 1 : 0;
      out[1] = 2L * rounds + self;
      if (self == 0) {
        world.send(Data.of(out), 1, 0);
      }
      long[] came = new long[in.length];
      world.recv(Data.of(came), 1 - self, 0);
      goesOn = self == 0 ? out[0] : came[0];
      in[0] = came[0];
      in[1] = 2L * rounds + 1 - self;
      if (!Arrays.equals(in, came)) {
        throw new IllegalStateException("message %d of %d longs is not as it was sent".formatted(rounds, in.length));
      }
      if (self == 1) {
        world.send(Data.of(out), 0, 0);
      }
      if (rounds == FEW) {
        System.out.println("running");
      }
    }
    return rounds;
  }
}
