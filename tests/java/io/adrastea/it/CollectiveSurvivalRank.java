package io.adrastea.it;

import io.adrastea.collective.CollectiveKind;
import io.adrastea.Communicator;
import io.adrastea.collective.DrawnCollective;
import io.adrastea.Intercommunicator;
import io.adrastea.Job;
import io.adrastea.Request;
import io.adrastea.collective.SomeCollective;
import io.adrastea.collective.SomeGroupCollective;
import io.adrastea.collective.SomeNeighborCollective;
import io.adrastea.collective.SomeNeighborCollective.Neighborhood;
import io.adrastea.collective.SomeNeighborCollective.OnGraph;
import io.adrastea.collective.SomeNeighborCollective.OnGrid;
import io.adrastea.error.RankFailedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Collectives of all kinds and forms, those of neighbours and of groups as well, each of whose results is checked,
 * until a rank is killed in one of them: then each of the others fails with its number, in that one or in the next, and
 * again in every later one. The survivors make a communicator of their own, and go on. Arguments: seed, number of ranks
 * that are killed.
 */
public final class CollectiveSurvivalRank {
  private static final int MOST_LONGS = 50_000; // more than a stage, and what goes from memory to memory
  private static final int MOST_OF_BLOCK = 12_000;
  private static final int FEW_LONGS = 100; // of what fails at once
  private static final int MOST = 9; // outstanding: more than the core has under way
  private static final int TAG = 7;

  private final long seed;
  private final SplittableRandom own;
  private SplittableRandom random; // the same at all ranks that go on
  private Communicator now;
  private Neighborhood grid;
  private Neighborhood graph;
  private Intercommunicator halves;
  private final List<Request> outstanding = new ArrayList<>();
  private long collectives;

  private CollectiveSurvivalRank(Job job, long seed) {
    this.seed = seed;
    this.own = new SplittableRandom(seed + job.world().rank());
    this.now = job.world();
    begin(0);
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
      rank.close();
      System.out.printf("%s: survived %d, collectives %d%n", job.core(), kills, rank.collectives);
    }
  }

  /** Makes all that the ranks of this communicator have collectives on. */
  private void begin(int round) {
    random = new SplittableRandom(seed + round); // they may have been at different collectives
    grid = OnGrid.of(now);
    graph = OnGraph.of(now, random);
    halves = SomeGroupCollective.halves(now);
  }

  private void close() {
    grid.close();
    graph.close();
    halves.close();
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

  /**
   * Everywhere each kind in each form tells of the same rank, and so does what was outstanding, unless it has ended.
   */
  private void requireFailedForGood(int gone) {
    List<Runnable> barriers =
        List.of(now::barrier, grid.communicator()::barrier, graph.communicator()::barrier, halves::barrier);
    barriers.forEach(barrier -> requireTold(gone, barrier, barrier));
    for (Request request : outstanding) {
      try {
        request.await();
      } catch (RankFailedException e) {
        requireIs(gone, e);
      }
    }
    outstanding.clear();
    for (CollectiveKind kind : CollectiveKind.ALL) {
      requireFailedForGood(gone, new SomeCollective(now, List.of(kind), FEW_LONGS, own, own));
    }
    for (int i = 0; i < MOST; i++) {
      requireFailedForGood(gone, onNeighbors(grid, FEW_LONGS, own));
      requireFailedForGood(gone, onNeighbors(graph, FEW_LONGS, own));
      requireFailedForGood(gone, betweenGroups(FEW_LONGS, own));
    }
  }

  private void requireFailedForGood(int gone, DrawnCollective one) {
    requireTold(gone, one, one::run);
    requireTold(gone, one, () -> one.start(new Request()));
    requireTold(gone, one, () -> one.prepare().start());
  }

  private static void requireTold(int gone, Object what, Runnable call) {
    try {
      call.run();
    } catch (RankFailedException e) {
      requireIs(gone, e);
      return;
    }
    throw new IllegalStateException("a collective goes on without rank %d: %s".formatted(gone, what));
  }

  private static void requireIs(int gone, RankFailedException e) {
    if (e.jobRank() != gone) {
      throw new IllegalStateException("rank %d had failed before".formatted(gone), e);
    }
  }

  private void goOn(int kill) {
    int[] alive =
        IntStream.range(0, now.size()).filter(rank -> !now.failedRanks().contains(rank)).toArray();
    if (alive.length != now.size() - 1) {
      throw new IllegalStateException("%d of %d ranks are there".formatted(alive.length, now.size()));
    }
    close();
    now = now.subset(TAG + kill, alive);
    begin(kill + 1);
  }

  /** One collective, or several outstanding at once, of any kind and in any form. */
  private void any() {
    List<DrawnCollective> some = new ArrayList<>();
    int count = random.nextInt(3) == 0 ? random.nextInt(2, MOST) : 1;
    for (int i = 0; i < count; i++) {
      DrawnCollective one = next();
      some.add(one);
      switch (random.nextInt(3)) {
        case 0 -> one.run();
        case 1 -> outstanding.add(one.start(new Request()));
        default -> outstanding.add(one.prepare().start());
      }
    }
    Collections.shuffle(outstanding, new Random(own.nextLong())); // each rank waits for them in an order of its own
    outstanding.forEach(Request::await);
    outstanding.clear();
    some.forEach(DrawnCollective::check);
    collectives += count;
  }

  private DrawnCollective next() {
    return switch (random.nextInt(5)) {
      case 0 -> onNeighbors(grid, MOST_OF_BLOCK, random);
      case 1 -> onNeighbors(graph, MOST_OF_BLOCK, random);
      case 2 -> betweenGroups(MOST_OF_BLOCK, random);
      default -> new SomeCollective(now, CollectiveKind.ALL, MOST_LONGS, random, own);
    };
  }

  private DrawnCollective onNeighbors(Neighborhood neighborhood, int most, SplittableRandom same) {
    return new SomeNeighborCollective(neighborhood, most, same, own);
  }

  private DrawnCollective betweenGroups(int most, SplittableRandom same) {
    return new SomeGroupCollective(halves, now.rank() < now.size() / 2, most, same, own);
  }
}
