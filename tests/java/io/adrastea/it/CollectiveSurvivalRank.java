package io.adrastea.it;

import io.adrastea.CollectiveKind;
import io.adrastea.Communicator;
import io.adrastea.Job;
import io.adrastea.Request;
import io.adrastea.SomeCollective;
import io.adrastea.error.RankFailedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Collectives of all kinds and forms, each of whose results is checked, until a rank is killed in one of them: then
 * each of the others fails with its number, in that one or in the next, and again in every later one. The survivors
 * make a communicator of their own, and go on. Arguments: seed, number of ranks that are killed.
 */
public final class CollectiveSurvivalRank {
  private static final int MOST_LONGS = 20_000; // several cells
  private static final int MOST = 9; // outstanding: more than the core has under way
  private static final int TAG = 7;

  private final long seed;
  private final SplittableRandom own;
  private SplittableRandom random; // the same at all ranks that go on
  private Communicator now;
  private long collectives;

  private CollectiveSurvivalRank(Job job, long seed) {
    this.seed = seed;
    this.own = new SplittableRandom(seed + job.world().rank());
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
      }
    } catch (RankFailedException e) {
      requireFailedForGood(e.jobRank());
    }
  }

  /** Each kind in each form tells of the same rank. */
  private void requireFailedForGood(int gone) {
    for (CollectiveKind kind : CollectiveKind.ALL) {
      SomeCollective one = new SomeCollective(now, List.of(kind), MOST_LONGS, own, own);
      for (Runnable call : new Runnable[] {one::run, () -> one.start(new Request()), () -> one.prepare().start()}) {
        try {
          call.run();
        } catch (RankFailedException e) {
          if (e.jobRank() != gone) {
            throw new IllegalStateException("rank %d had failed before".formatted(gone), e);
          }
          continue;
        }
        throw new IllegalStateException("a collective goes on without rank %d: %s".formatted(gone, one));
      }
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

  /** One collective, or several outstanding at once, of any kind and in any form. */
  private void any() {
    List<SomeCollective> some = new ArrayList<>();
    List<Request> requests = new ArrayList<>();
    int count = random.nextInt(3) == 0 ? random.nextInt(2, MOST) : 1;
    for (int i = 0; i < count; i++) {
      SomeCollective one = new SomeCollective(now, CollectiveKind.ALL, MOST_LONGS, random, own);
      some.add(one);
      switch (random.nextInt(3)) {
        case 0 -> one.run();
        case 1 -> requests.add(one.start(new Request()));
        default -> requests.add(one.prepare().start());
      }
    }
    Collections.shuffle(requests, new Random(own.nextLong())); // each rank waits for them in an order of its own
    requests.forEach(Request::await);
    some.forEach(SomeCollective::check);
    collectives += count;
  }
}
