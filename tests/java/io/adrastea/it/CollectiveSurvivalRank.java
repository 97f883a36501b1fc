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
 * until ranks are killed in one of them: then each of the others fails with the number of one, in that one or in the
 * next, and again in every later one. The survivors make a communicator of their own, and go on. Arguments: seed, and
 * for each round how many ranks are killed in it.
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
      int rounds = args.length - 1;
      for (int round = 0; round < rounds; round++) {
        System.out.println("round " + round);
        rank.runUntilKilled(Integer.parseInt(args[1 + round]));
        rank.goOn(round);
      }
      rank.any();
      rank.close();
      System.out.printf("%s: survived %d, collectives %d%n", job.core(), rounds, rank.collectives);
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

  private void runUntilKilled(int victims) throws InterruptedException {
    int gone = failure();
    while (now.failedRanks().size() < victims) {
      Thread.sleep(1); // they are killed one after the other
    }
    List<Integer> dead = now.failedRanks().stream().map(now::jobRank).toList();
    if (dead.size() != victims) {
      throw new IllegalStateException("%d ranks are killed, and %s have failed".formatted(victims, dead));
    }
    requireIs(dead, gone);
    requireFailedForGood(dead);
  }

  private int failure() {
    try {
      while (true) {
        any();
      }
    } catch (RankFailedException e) {
      return e.jobRank();
    }
  }

  /**
   * Everywhere each kind in each form tells of one of the dead, and so does what was outstanding, unless it has ended.
   */
  private void requireFailedForGood(List<Integer> dead) {
    List<Runnable> barriers =
        List.of(now::barrier, grid.communicator()::barrier, graph.communicator()::barrier, halves::barrier);
    barriers.forEach(barrier -> requireTold(dead, barrier, barrier));
    for (Request request : outstanding) {
      try {
        request.await();
      } catch (RankFailedException e) {
        requireIs(dead, e.jobRank());
      }
    }
    outstanding.clear();
    for (CollectiveKind kind : CollectiveKind.ALL) {
      requireFailedForGood(dead, new SomeCollective(now, List.of(kind), FEW_LONGS, own, own));
    }
    for (int i = 0; i < MOST; i++) {
      requireFailedForGood(dead, onNeighbors(grid, FEW_LONGS, own));
      requireFailedForGood(dead, onNeighbors(graph, FEW_LONGS, own));
      requireFailedForGood(dead, betweenGroups(FEW_LONGS, own));
    }
  }

  private void requireFailedForGood(List<Integer> dead, DrawnCollective one) {
    requireTold(dead, one, one::run);
    requireTold(dead, one, () -> one.start(new Request()));
    requireTold(dead, one, () -> one.prepare().start());
  }

  private static void requireTold(List<Integer> dead, Object what, Runnable call) {
    try {
      call.run();
    } catch (RankFailedException e) {
      requireIs(dead, e.jobRank());
      return;
    }
    throw new IllegalStateException("a collective goes on without ranks %s: %s".formatted(dead, what));
  }

  private static void requireIs(List<Integer> dead, int told) {
    if (!dead.contains(told)) {
      throw new IllegalStateException("ranks %s have failed, and it is told of %d".formatted(dead, told));
    }
  }

  private void goOn(int round) {
    int[] alive =
        IntStream.range(0, now.size()).filter(rank -> !now.failedRanks().contains(rank)).toArray();
    close();
    now = now.subset(TAG + round, alive);
    begin(round + 1);
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
