package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.RankFailedException;
import io.adrastea.rma.Epoch;
import io.adrastea.rma.Window;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A rank of a job whose windows meet an end. The arguments:
 *
 * <ul>
 * <li>{@code locks}: ranks from 2 on, the victims, come one after the other, each to one point in the life of a lock of
 * rank 0's memory, where it is killed; ranks 0 and 1 then lock that memory, and say how often they were told;
 * <li>{@code copies}: rank 1 is killed, whose memory rank 0 reaches by CMA;
 * <li>{@code attachment WHO}: rank 0 has attached rank 1's memory by XPMEM, and another user of XPMEM in the process of
 * rank WHO ends that inside of an epoch.
 * </ul>
 */
final class WindowEndRank {
  static final int SURVIVORS = 2;
  static final String[] POINTS = {"exclusive", "shared", "all", "waiter"};
  private static final int GO = 1;
  private static final int REACHED = 2;
  private static final int DONE = 3;
  private static final int COUNT = 3; // the number in the window that is counted under locks

  private final Communicator world;
  private final byte[] nothing = {0};

  private WindowEndRank(Communicator world) {
    this.world = world;
  }

  public static void main(String[] args) throws Exception {
    Job.run(job -> {
      WindowEndRank rank = new WindowEndRank(job.world());
      switch (args[0]) {
        case "locks" -> rank.locks();
        case "copies" -> rank.copies();
        default -> rank.attachment(Integer.parseInt(args[1]));
      }
    });
  }

  static String point(int victim) {
    return POINTS[(victim - SURVIVORS) % POINTS.length];
  }

  private void tell(int rank, int tag) {
    world.send(Data.of(nothing), rank, tag);
  }

  private void hear(int rank, int tag) {
    world.recv(Data.of(nothing), rank, tag);
  }

  private static void require(boolean isTrue, String what) {
    if (!isTrue) {
      throw new IllegalStateException(what);
    }
  }

  // Locks

  private void locks() {
    Window window = Window.allocate(world, 64, 8);
    if (world.rank() >= SURVIVORS) {
      comeToPoint(window);
      return;
    }
    long[] count = {0};
    for (int victim = SURVIVORS; victim < world.size(); victim++) {
      boolean isHolder = !point(victim).equals("waiter");
      if (world.rank() == 1) {
        Epoch held = isHolder ? null : window.lock(0, true);
        tell(victim, GO);
        hear(victim, REACHED);
        tell(0, REACHED);
        if (held != null) {
          while (world.failedRanks().size() <= victim - SURVIVORS) {
            world.iprobe(0, DONE);
          }
          held.close();
        }
      } else {
        hear(1, REACHED);
      }
      System.out.println("survivor %d was told %d of %d".formatted(world.rank(), countLocked(window, count), victim));
      tell(1 - world.rank(), DONE);
      hear(1 - world.rank(), DONE);
    }
    try (Epoch _ = window.lock(0, true)) {
      window.get(Data.of(count), 0, COUNT);
    }
    long expected = (long) SURVIVORS * (world.size() - SURVIVORS);
    require(count[0] == expected, "%d and not %d were counted under locks".formatted(count[0], expected));
    tell(1 - world.rank(), DONE);
    hear(1 - world.rank(), DONE);
    window.close();
    System.out.println("survived");
  }

  /** Adds one under an exclusive lock; how often it was told of a death before it had that. */
  private static int countLocked(Window window, long[] count) {
    for (int told = 0;; told++) {
      try (Epoch _ = window.lock(0, true)) {
        window.get(Data.of(count), 0, COUNT);
        count[0]++;
        window.put(Data.of(count), 0, COUNT);
        return told;
      } catch (RankFailedException e) {
        require(told == 0, "told twice: " + e);
      }
    }
  }

  private void comeToPoint(Window window) {
    hear(1, GO);
    String point = point(world.rank());
    switch (point) {
      case "exclusive" -> window.lock(0, true);
      case "shared" -> window.lock(0, false);
      case "all" -> {
        window.lockAll();
        window.fetchAndOp(0L, 0, 0, Op.NO_OP);
      }
      default -> {}
    }
    tell(1, REACHED);
    System.out.println("reached " + point);
    if (point.equals("waiter")) {
      window.lock(0, true);
    }
    hear(0, GO); // which does not come
  }

  // Memory that is gone

  private void copies() {
    Window window = Window.of(world, Arena.ofAuto().allocate(64, 8), 8);
    window.local().setAtIndex(ValueLayout.JAVA_LONG, 1, 7);
    require(world.rank() == 1 || window.way(1).equals("cma"), "the way is " + window.way(1));
    world.barrier();
    if (world.rank() == 1) {
      System.out.println("reached the end");
      hear(0, GO); // which does not come
    }
    window.lock(1, false);
    long[] number = {0};
    window.get(Data.of(number), 1, 1);
    require(number[0] == 7, "%d was got".formatted(number[0]));
    System.out.println("accessed");
    while (world.failedRanks().isEmpty()) {
      world.iprobe(1, DONE);
    }
    requireFailure(() -> window.put(Data.of(number), 1, 0));
    requireFailure(() -> window.get(Data.of(number), 1, 0));
    requireFailure(() -> window.rput(Data.of(number), 1, 0).await());
    requireFailure(() -> window.fetchAndOp(1L, 1, 0, Op.SUM));
    requireFailure(() -> {
      window.accumulate(Data.of(number), 1, 0, Op.SUM);
      window.flush(1);
    });
    try {
      window.unlock(1);
    } catch (RankFailedException e) {
      require(e.rank() == 1, e.toString());
    }
    window.lock(1, true).close();
    window.close();
    System.out.println("survived");
  }

  private static void requireFailure(Runnable access) {
    try {
      access.run();
    } catch (RankFailedException e) {
      require(e.rank() == 1, e.toString());
      return;
    }
    throw new IllegalStateException("an access to memory of a dead rank ended well");
  }

  private void attachment(int who) throws Exception {
    Window window = Window.of(world, mapped(), 8);
    require(world.rank() == 1 || window.way(1).equals("xpmem"), "the way is " + window.way(1));
    Epoch epoch = null;
    if (world.rank() == 0) {
      epoch = window.lockAll();
      window.put(Data.of(new long[] {1}), 1, 0);
      window.flush(1);
    }
    world.barrier();
    if (world.rank() == who) {
      endAttachments();
    }
    world.barrier();
    if (epoch != null) {
      requireLost(epoch::close); // an access may find no page there, as the system has it
      window.lock(1, true); // the lock is free, and each epoch says so again
      requireLost(() -> window.flush(1));
      requireLost(() -> window.unlock(1));
    }
    world.barrier();
    window.close();
    System.out.println("survived");
    world.barrier();
  }

  private static void requireLost(Runnable end) {
    try {
      end.run();
    } catch (AdrasteaException e) {
      require(e.getMessage().contains("is not attached any more"), e.toString());
      return;
    }
    throw new IllegalStateException("an epoch to memory that is not attached ended well");
  }

  private static MemorySegment mapped() {
    try {
      return StandInMemory.allocate(64);
    } catch (Throwable e) {
      throw new IllegalStateException("no memory that the stand-in for XPMEM can attach", e);
    }
  }

  private static void endAttachments() {
    try {
      StandInMemory.openAndClose();
    } catch (Throwable e) {
      throw new IllegalStateException("the other user of XPMEM has failed", e);
    }
  }
}
