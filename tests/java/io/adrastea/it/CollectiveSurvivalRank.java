package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.error.RankFailedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Collectives one after the other, each of whose results is checked, until a rank is killed in one of them: then each
 * of the others fails with its number, in that one or in the next, and again in every later one. The survivors make a
 * communicator of their own, and go on. Arguments: seed, number of ranks that are killed.
 */
public final class CollectiveSurvivalRank {
  private static final int MOST_LONGS = 40_000; // several cells
  private static final int TAG = 7;

  private final long seed;
  private SplittableRandom random; // the same at all ranks that go on
  private Communicator now;
  private long collectives;

  private CollectiveSurvivalRank(Job job, long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.now = job.world();
  }

  public static void main(String[] args) throws Exception {
    try (Job job = Job.join()) {
      CollectiveSurvivalRank rank = new CollectiveSurvivalRank(job, Long.parseLong(args[0]));
      int kills = Integer.parseInt(args[1]);
      for (int kill = 0; kill < kills; kill++) {
        System.out.println("round " + kill);
        rank.runUntilOneFails();
        rank.goOn(kill);
      }
      rank.any();
      System.out.printf("%s: survived %d, collectives %d%n", job.core(), kills, rank.collectives);
    }
  }

  private void runUntilOneFails() {
    try {
      while (true) {
        any();
        collectives++;
      }
    } catch (RankFailedException e) {
      requireFailedForGood(e.jobRank());
    }
  }

  private void requireFailedForGood(int gone) {
    for (Runnable call : new Runnable[] {() -> now.bcast(Data.of(new long[1]), 0), () -> now.allreduce(1L, Op.SUM)}) {
      try {
        call.run();
      } catch (RankFailedException e) {
        if (e.jobRank() != gone) {
          throw new IllegalStateException("rank %d had failed before".formatted(gone), e);
        }
        continue;
      }
      throw new IllegalStateException("a collective goes on without rank %d".formatted(gone));
    }
  }

  private void goOn(int kill) {
    int[] alive =
        IntStream.range(0, now.size()).filter(rank -> !now.failedRanks().contains(rank)).toArray();
    if (alive.length != now.size() - 1) {
      throw new IllegalStateException("%d of %d ranks are there".formatted(alive.length, now.size()));
    }
    now = now.subset(TAG + kill, alive);
    random = new SplittableRandom(seed + kill + 1); // they may have been at different collectives
  }

  private void any() {
    int count = 1 + (random.nextInt(4) == 0 ? random.nextInt(MOST_LONGS) : random.nextInt(12));
    long number = random.nextLong();
    int root = random.nextInt(now.size());
    switch (random.nextInt(3)) {
      case 0 -> bcast(count, number, root);
      case 1 -> allreduce(count, number);
      default -> allgather(count, number);
    }
  }

  private static MemorySegment filled(int longs, long number) {
    MemorySegment made = Arena.ofAuto().allocate((long) longs * Long.BYTES, Long.BYTES);
    Filling.write(made, number);
    return made;
  }

  private void bcast(int count, long number, int root) {
    MemorySegment data = filled(count, now.rank() == root ? number : 0);
    now.bcast(Data.of(data), root);
    Filling.check(data, number, "bcast from " + root);
  }

  private void allreduce(int count, long number) {
    MemorySegment memory = filled(count, number + now.rank());
    long[] data = memory.toArray(ValueLayout.JAVA_LONG);
    if (random.nextBoolean()) {
      now.allreduce(Data.of(data), Op.SUM);
    } else { // where the others can reach it
      now.allreduce(Data.of(memory, 0, count, Datatype.LONG), Op.SUM);
      data = memory.toArray(ValueLayout.JAVA_LONG);
    }
    for (int i = 0; i < count; i++) {
      long sum = 0;
      for (int rank = 0; rank < now.size(); rank++) {
        sum += Filling.word(number + rank, i);
      }
      if (data[i] != sum) {
        throw new IllegalStateException("sum %d of %d is wrong".formatted(i, count));
      }
    }
  }

  private void allgather(int count, long number) {
    MemorySegment all = Arena.ofAuto().allocate((long) count * Long.BYTES * now.size(), Long.BYTES);
    now.allgather(Data.of(filled(count, number + now.rank())), Data.of(all));
    for (int rank = 0; rank < now.size(); rank++) {
      Filling.check(all.asSlice((long) rank * count * Long.BYTES, (long) count * Long.BYTES), number + rank,
          "part " + rank + " of an allgather");
    }
  }
}
