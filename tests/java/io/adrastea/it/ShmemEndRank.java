package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.error.RankFailedException;
import io.adrastea.shmem.Comparison;
import io.adrastea.shmem.Shmem;
import io.adrastea.shmem.ShmemLock;
import io.adrastea.shmem.SignalOp;
import io.adrastea.shmem.Symmetric;
import io.adrastea.shmem.Team;
import java.util.List;

/**
 * A PE of a job in which ranks from 2 on, the victims, come one after the other, each to a call in which it is killed.
 * It has a heap with ranks 0 and 1 alone, who make the same call, one of them at once and the other when it is dead;
 * both then are told. The arguments: the point of the first victim, and the survivor that is early.
 */
final class ShmemEndRank {
  static final int SURVIVORS = 2;
  private static final int VICTIM = 2; // in the heap
  private static final long HEAP = 32 << 20;
  private static final long LARGE = 8 << 20; // the zeros of which take some milliseconds
  private static final int BYTES = 4096;
  private static final int WORDS = 1024; // where those lie that are waited for
  private static final int RESULT = 2048;

  /** What a victim is killed in. */
  static final List<String> POINTS = List.of("waitUntil", "waitUntilAll", "waitUntilAny", "waitUntilSome", "vector",
      "signal", "holder", "waiter", "barrierAll", "syncAll", "sync", "broadcast", "collect", "fcollect", "alltoall",
      "alltoalls", "reduce", "inscan", "exscan", "splitStrided", "split2d", "reservation", "allocate", "reallocate",
      "free", "make");

  private final Communicator members;
  private final String point;
  private final boolean isEarly;
  private Shmem shmem;
  private Symmetric object;
  private ShmemLock lock;

  private ShmemEndRank(Communicator members, String point, boolean isEarly) {
    this.members = members;
    this.point = point;
    this.isEarly = isEarly;
  }

  public static void main(String[] args) throws Exception {
    int first = Integer.parseInt(args[0]);
    int early = Integer.parseInt(args[1]);
    Job.run(job -> {
      Communicator world = job.world();
      if (world.rank() >= SURVIVORS) {
        new ShmemEndRank(world.subset(world.rank(), 0, 1, world.rank()), point(first, world.rank()), false).die();
      }
      for (int victim = SURVIVORS; victim < world.size(); victim++) {
        Communicator members = world.subset(victim, 0, 1, victim);
        ShmemEndRank rank = new ShmemEndRank(members, point(first, victim), world.rank() == early);
        System.out.printf("survivor %d was told %d of %d%n", world.rank(), rank.survive(), victim);
      }
      System.out.println("survived");
    });
  }

  static String point(int first, int victim) {
    return POINTS.get((first + victim - SURVIVORS) % POINTS.size());
  }

  private void open() {
    shmem = Shmem.of(members, HEAP);
    object = shmem.allocate(BYTES);
    lock = shmem.lock(object, BYTES - Long.BYTES);
    shmem.context().putLong(object, 0, 1000 + shmem.pe(), shmem.pe());
    shmem.barrierAll();
  }

  private void call() {
    Team team = shmem.team();
    switch (point) {
      case "waitUntil" -> shmem.waits().waitUntilLong(object, WORDS, Comparison.NE, 0);
      case "waitUntilAll" -> shmem.waits().waitUntilAllLong(object, WORDS, 3, null, Comparison.NE, 0);
      case "waitUntilAny" -> shmem.waits().waitUntilAnyInt(object, WORDS, 3, null, Comparison.GT, 0);
      case "waitUntilSome" -> shmem.waits().waitUntilSomeInt(object, WORDS, 3, null, new int[3], Comparison.GT, 0);
      case "vector" -> shmem.waits().waitUntilAllLong(object, WORDS, 3, new int[3], Comparison.EQ, 1, 2, 3);
      case "signal" -> {
        shmem.context().putSignal(object, RESULT, Data.of(new byte[8]), object, WORDS, 1, SignalOp.ADD,
            (shmem.pe() + 1) % shmem.pes());
        shmem.waits().waitUntilLong(object, WORDS, Comparison.GT, 1);
      }
      case "barrierAll" -> shmem.barrierAll();
      case "syncAll" -> shmem.syncAll();
      case "sync" -> team.sync();
      case "broadcast" -> team.broadcast(object, RESULT, object, 0, 8, 0);
      case "collect" -> team.collect(object, RESULT, object, 0, 8);
      case "fcollect" -> team.fcollect(object, RESULT, object, 0, 8);
      case "alltoall" -> team.alltoall(object, RESULT, object, 0, 8);
      case "alltoalls" -> team.alltoalls(object, RESULT, 2, object, 0, 1, 8, 2);
      case "reduce" -> team.reduce(object, RESULT, object, 0, 4, Datatype.LONG, Op.SUM);
      case "inscan" -> team.inscan(object, RESULT, object, 0, 4, Datatype.LONG, Op.SUM);
      case "exscan" -> team.exscan(object, RESULT, object, 0, 4, Datatype.LONG, Op.SUM);
      case "splitStrided" -> team.splitStrided(0, 1, 3);
      case "split2d" -> team.split2d(2);
      case "reservation" -> shmem.allocate(LARGE);
      case "allocate" -> shmem.allocate(64);
      case "reallocate" -> object.reallocate(2 * BYTES);
      case "free" -> object.free();
      case "make" -> Shmem.of(members, HEAP);
      default -> throw new IllegalArgumentException(point);
    }
  }

  private void die() throws InterruptedException {
    open();
    if (point.equals("holder")) {
      lock.set();
    }
    shmem.barrierAll();
    System.out.println("reached " + point);
    if (point.equals("waiter")) {
      lock.set();
    } else if (!point.equals("holder")) {
      call();
    }
    Thread.sleep(Long.MAX_VALUE);
  }

  /** Returns how often this PE was told of the dead one. */
  private int survive() throws InterruptedException {
    open();
    int told = point.equals("holder") || point.equals("waiter") ? locks() : calls();
    require(point.equals("free") || shmem.context().getLong(object, 0, VICTIM) == 1000 + VICTIM, "other memory");
    shmem.close();
    members.close();
    return told;
  }

  private void awaitDeath() throws InterruptedException {
    while (members.failedRanks().isEmpty()) {
      Thread.sleep(1);
    }
  }

  /** A lock goes on; of a holder one is told. */
  private int locks() throws InterruptedException {
    boolean holds = point.equals("waiter") && !isEarly;
    if (holds) {
      lock.set();
    }
    shmem.barrierAll();
    if (!isEarly) {
      awaitDeath();
    }
    int told = 0;
    while (!holds) {
      try {
        lock.set();
        holds = true;
      } catch (RankFailedException e) {
        require(e.rank() == VICTIM, "rank %d is dead".formatted(e.rank()));
        told++;
      }
    }
    lock.clear();
    requireTold();
    return told;
  }

  /** The call fails, or, where the dead PE had done its part in it, the next one. */
  private int calls() throws InterruptedException {
    long allocated = shmem.allocated();
    shmem.barrierAll();
    boolean isWait = POINTS.indexOf(point) < POINTS.indexOf("holder");
    if (!isEarly && !isWait) {
      awaitDeath();
    }
    try {
      call();
      require(!isWait, "a wait has ended");
    } catch (RankFailedException e) {
      require(e.rank() == VICTIM, "rank %d is dead".formatted(e.rank()));
      require(shmem.allocated() == allocated, "something of a call that failed is allocated");
      return 1;
    }
    requireTold();
    return 1;
  }

  private void requireTold() {
    try {
      shmem.syncAll();
    } catch (RankFailedException e) {
      return;
    }
    throw new IllegalStateException("PE %d is not told of the dead PE behind %s".formatted(shmem.pe(), point));
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
