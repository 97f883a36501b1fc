package io.adrastea;

import io.adrastea.error.RankFailedException;
import java.io.IOException;
import java.util.Arrays;

/**
 * A rank whose links are sockets, as settings say, and that does what its argument says. {@code exchange}: all send all
 * others a short and a long message, meet at a barrier, and rank 0 receives from any. {@code survive}: the last rank is
 * waited for until it fails, and the others go on.
 */
public final class PipesRank {
  private static final int[] SIZES = {0, 8, 5000, 1 << 20};

  private final Communicator world;

  private PipesRank(Communicator world) {
    this.world = world;
  }

  public static void main(String[] args) throws Exception {
    Job.run(job -> {
      PipesRank rank = new PipesRank(job.world());
      if (args[0].equals("exchange")) {
        rank.exchange(job.world().size());
        rank.receiveFromAny();
      } else {
        rank.survive();
      }
      System.out.println("rank " + job.world().rank() + " done");
    });
  }

  private void exchange(int ranks) {
    int self = world.rank();
    for (int bytes : SIZES) {
      Request[] sends = new Request[ranks];
      for (int to = 0; to < ranks; to++) {
        sends[to] = world.isend(Data.of(Contents.of(bytes, 10 * self + to)), to, bytes % 100);
      }
      for (int from = 0; from < ranks; from++) {
        byte[] memory = new byte[bytes];
        world.recv(Data.of(memory), from, bytes % 100);
        if (!Arrays.equals(Contents.of(bytes, 10 * from + self), memory)) {
          throw new IllegalStateException("a message of %d bytes from rank %d is not as it was".formatted(bytes, from));
        }
      }
      Request.waitAll(sends);
    }
    if (ranks == world.size()) {
      world.barrier();
    }
  }

  private void receiveFromAny() {
    byte[] memory = new byte[8];
    if (world.rank() == 0) {
      int sum = 0;
      for (int i = 1; i < world.size(); i++) {
        sum += world.recv(Data.of(memory), Communicator.ANY_SOURCE, 7).source();
      }
      System.out.println("sources add up to " + sum);
    } else {
      world.send(Data.of(memory), 0, 7);
    }
    world.barrier();
  }

  private void survive() throws IOException {
    int last = world.size() - 1;
    if (world.rank() == last) {
      System.out.println("ready");
      world.recv(Data.of(new byte[8]), last, 0); // from itself: it is killed here
    }
    try {
      world.recv(Data.of(new byte[8]), last, 0);
    } catch (RankFailedException e) {
      System.out.println("told of " + e.rank());
    }
    exchange(last);
  }
}
