package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RevokedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes communicators and closes them, until a rank is killed; then all revoke, shrink and go on, until the survivors
 * are left. Then rank 0 counts how many numbers of communicators can be taken.
 */
final class CommunicatorDeathRank {
  static final int SURVIVORS = 3;
  private static final int NUMBERS = 65_535;
  private static final int TAG = 1;

  private final Communicator world;
  private final long seed;
  private Random random; // the same at all ranks, once all have shrunk as often
  private int shrunk;
  private Communicator base; // of all that are left
  private long made;

  private CommunicatorDeathRank(Communicator world, long seed) {
    this.world = world;
    this.seed = seed;
    this.random = new Random(seed);
    this.base = world;
  }

  public static void main(String[] args) throws Exception {
    Job.run(job -> new CommunicatorDeathRank(job.world(), Long.parseLong(args[0])).run());
  }

  private void run() {
    while (base.size() > SURVIVORS) {
      try {
        makeAndClose();
        if (made++ == 0) {
          System.out.println("ready");
        }
      } catch (RankFailedException | CollectiveException | RevokedException e) {
        goOnWithoutTheDead();
      } catch (AdrasteaException e) {
        System.out.println("kept out: " + e.getMessage());
        goOnWithoutTheDead();
      }
    }
    System.out.println("survived, made " + (made > 0));
    base.barrier();
    if (world.rank() == 0) {
      System.out.println("free " + free());
    }
    base.barrier();
  }

  /**
   * Makes communicators of all ranks, or of some, in turned orders, so that each rank is the one that takes the number.
   */
  private void makeAndClose() {
    int turn = random.nextInt(base.size());
    int colors = 1 + random.nextInt(2);
    int key = (base.rank() + turn) % base.size();
    Communicator one = random.nextBoolean() ? base.dup() : base.split(base.rank() % colors, key);
    try {
      one.barrier();
      int[] got = new int[1];
      int next = (one.rank() + 1) % one.size();
      int before = (one.rank() + one.size() - 1) % one.size();
      one.sendrecv(Data.of(new int[] {one.jobRank(one.rank())}), next, TAG, Data.of(got), before, TAG);
      if (got[0] != one.jobRank(before)) {
        throw new AssertionError("%d came from %d".formatted(got[0], one.jobRank(before)));
      }
    } finally {
      one.close();
    }
  }

  private void goOnWithoutTheDead() {
    base.revoke();
    Communicator left = base.shrink();
    if (base != world) {
      base.close();
    }
    base = left;
    shrunk++;
    random = new Random(seed + shrunk);
    System.out.println("left " + base.size());
  }

  private int free() {
    List<Communicator> all = new ArrayList<>();
    try {
      while (all.size() < NUMBERS) {
        all.add(base.subset(0, 0)); // the world was revoked
      }
    } catch (AdrasteaException e) {
      // the last was taken
    }
    int count = all.size();
    all.forEach(Communicator::close);
    return count;
  }
}
