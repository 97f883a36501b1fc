package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.error.RankFailedException;
import io.adrastea.rma.Epoch;
import io.adrastea.rma.Window;
import java.util.List;
import java.util.Random;

/**
 * Locks memory of ranks at random, alone and with others, while some are killed, and looks whether locks exclude: in
 * the memory of each rank stands the one that has locked it alone. The survivors go on once all victims are dead.
 */
final class WindowDeathRank {
  static final int SURVIVORS = 3;
  private static final int LAST_ROUNDS = 300;
  private static final int MOST_HELD_NANOS = 200_000;
  private static final int OWNER = 0; // the number of a rank in the window, and 1; 0: none
  private static final int COUNT = 1;

  private final Communicator world;
  private final int victims;
  private final Random random = new Random();
  private final Window window;
  private int told; // of deaths, by locks
  private long rounds;

  private WindowDeathRank(Communicator world) {
    this.world = world;
    this.victims = world.size() - SURVIVORS;
    this.window = Window.allocate(world, 64, 8);
  }

  public static void main(String[] args) throws Exception {
    Job.run(job -> new WindowDeathRank(job.world()).run());
  }

  private void run() {
    int left = LAST_ROUNDS;
    while (left > 0) {
      try {
        accessAny();
      } catch (RankFailedException e) {
        told++;
      }
      if (rounds++ == 0) {
        System.out.println("ready");
      }
      left -= world.failedRanks().size() == victims ? 1 : 0;
    }
    try (Communicator survivors = world.shrink()) {
      for (int target = 0; target < world.size(); target++) {
        lockAtLast(target);
      }
      survivors.barrier();
    }
    window.close();
    System.out.println("survived, told " + told);
  }

  /** Nobody has the lock for long, and of what dead ranks have left each rank is told once at most. */
  private void lockAtLast(int target) {
    for (int failures = 0; failures <= victims; failures++) {
      try {
        window.lock(target, true).close();
        return;
      } catch (RankFailedException e) {
        told++;
      }
    }
    throw new AssertionError("rank %d cannot be locked".formatted(target));
  }

  private void accessAny() {
    int target = random.nextInt(world.size());
    switch (random.nextInt(4)) {
      case 0, 1 -> accessAlone(target);
      case 2 -> {
        try (Epoch _ = window.lock(target, false)) {
          requireNoOwner(target);
          window.fetchAndOp(1L, target, COUNT, Op.SUM);
          hold();
          requireNoOwner(target);
        }
      }
      default -> {
        try (Epoch _ = window.lockAll()) {
          requireNoOwner(target);
          window.fetchAndOp(1L, target, COUNT, Op.SUM);
          hold();
          requireNoOwner(target);
        }
      }
    }
  }

  private void accessAlone(int target) {
    try (Epoch _ = window.lock(target, true)) {
      requireDead(target, window.fetchAndOp(world.rank() + 1L, target, OWNER, Op.REPLACE));
      window.fetchAndOp(1L, target, COUNT, Op.SUM);
      hold();
      long owner = window.fetchAndOp(0L, target, OWNER, Op.REPLACE);
      if (owner != world.rank() + 1L) {
        throw new AssertionError("rank %d is locked by %d, too".formatted(target, owner - 1));
      }
    }
  }

  private void requireNoOwner(int target) {
    requireDead(target, window.fetchAndOp(0L, target, OWNER, Op.NO_OP));
  }

  /** The owner that stands there is none, or has died with the lock. */
  private void requireDead(int target, long owner) {
    List<Integer> dead = world.failedRanks();
    if (owner != 0 && !dead.contains((int) owner - 1)) {
      throw new AssertionError("rank %d is locked by %d, which lives".formatted(target, owner - 1));
    }
  }

  private void hold() {
    long end = System.nanoTime() + random.nextInt(MOST_HELD_NANOS);
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }
}
