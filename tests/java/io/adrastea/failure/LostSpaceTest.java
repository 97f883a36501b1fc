package io.adrastea.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.AlteredRank;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Settings;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.collective.CollectiveKind;
import io.adrastea.collective.SomeCollective;
import io.adrastea.core.Spaces;
import io.adrastea.message.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Collectives of private memory whose ranks reach each other by XPMEM, which ends for some of them, where CMA cannot
 * stand in: another user of XPMEM in their process has closed a descriptor of it. The kernel's side is played here for
 * ranks in one process, so that the cores without XPMEM have it too: a rank that has lost it exports nothing and
 * reaches nobody, and nobody reaches its memory any more.
 */
@EverySharedCoreList
class LostSpaceTest {
  private static final int FIRST_SEGMENT = 70;
  private static final int OF_TWO = 17_000; // longs: all kinds go straight from memory to memory
  private static final int OF_MORE = 33_000;
  private static final int CALLS = 2;

  /** When a rank loses XPMEM. */
  enum When {
    BEFORE_ALL_CALLS, BETWEEN_CALLS, AT_A_COPY
  }

  /** Why CMA cannot stand in. */
  enum Without {
    BY_SETTING, REFUSED
  }

  /** What is done by a rank. */
  private interface Body {
    void run(Communicator world, Kernel kernel);
  }

  /** The module for all ranks. */
  private static final class Kernel {
    private final boolean[] lost;
    private final AtomicInteger reached = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE); // copies before a rank loses it
    private volatile int loser;

    Kernel(int ranks) {
      lost = new boolean[ranks];
    }

    /** All in the process of a rank is ended. */
    synchronized void end(int rank) {
      lost[rank] = true;
    }

    synchronized boolean hasLost(int rank) {
      return lost[rank];
    }

    void endAfter(int copies, int rank) {
      loser = rank;
      left.set(copies);
    }

    private long reach(int rank, long segment, long address, long bytes) {
      if (bytes > 0 && left.decrementAndGet() == 0) {
        end(loser);
      }
      if (hasLost(rank)) {
        return Spaces.STALE;
      }
      if (hasLost((int) segment - FIRST_SEGMENT)) {
        return Spaces.SRCH;
      }
      reached.addAndGet(bytes > 0 ? 1 : 0);
      return bytes == 0 ? 0 : address;
    }

    AlteredRank.Change of(int rank) {
      return (name, arguments, real) -> switch (name) {
        case "export" -> hasLost(rank) ? (long) Spaces.STALE : (long) FIRST_SEGMENT + rank;
        case "reach" -> reach(rank, (long) arguments[0], (long) arguments[1], (long) arguments[2]);
        case "unreach" -> hasLost(rank) ? Spaces.STALE : 0;
        case "read", "write" -> (long) Spaces.PERM;
        default -> real.call();
      };
    }
  }

  private final String cores;

  LostSpaceTest(String cores) {
    this.cores = cores;
  }

  private int run(Without without, int ranks, Body body) throws Exception {
    Kernel kernel = new Kernel(ranks);
    Settings.with(
        Map.of("adrastea.core", cores, "adrastea.lmt", without == Without.BY_SETTING ? "xpmem" : "auto"),
        () -> {
          try (ThreadJob threadJob = ThreadJob.create(ranks)) {
            List<FutureTask<Void>> tasks = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
              int self = rank;
              FutureTask<Void> task = new FutureTask<>(() -> {
                try (Job job = AlteredRank.job(
                    threadJob.enter(self, () -> false), false, AlteredRank.NONE, kernel.of(self))) {
                  body.run(job.world(), kernel);
                }
                return null;
              });
              tasks.add(task);
              new Thread(task, "rank " + rank).start();
            }
            for (FutureTask<Void> task : tasks) {
              task.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
          }
          return null;
        });
    return kernel.reached.get();
  }

  /** Rank {@code who} loses it, or all do. */
  private static void lose(Communicator world, Kernel kernel, int who) {
    world.barrier();
    if (who == world.rank() || who == world.size()) {
      kernel.end(world.rank());
    }
    world.barrier();
  }

  private static void call(Communicator world, CollectiveKind kind) {
    SomeCollective collective =
        new SomeCollective(world, kind, world.size() == 2 ? OF_TWO : OF_MORE, Arena.ofAuto());
    for (int round = 0; round < CALLS; round++) {
      collective.renew();
      collective.run();
      collective.check();
    }
  }

  private static void call(Communicator world, Kernel kernel, CollectiveKind kind, When when, int who) {
    if (when == When.BEFORE_ALL_CALLS) {
      lose(world, kernel, who);
    }
    call(world, kind);
    if (when == When.BETWEEN_CALLS) {
      lose(world, kernel, who);
    } else if (when == When.AT_A_COPY) {
      world.barrier();
      if (world.rank() == 0) {
        kernel.endAfter(2, Math.min(who, world.size() - 1));
      }
      world.barrier();
    }
    call(world, kind);
  }

  @ParameterizedTest
  @CsvSource({
    "BEFORE_ALL_CALLS, BY_SETTING", "BETWEEN_CALLS, BY_SETTING", "AT_A_COPY, BY_SETTING", "BETWEEN_CALLS, REFUSED"
  })
  void everyCollectiveGoesOnWithTheRightBytes(When when, Without without) throws Exception {
    int reached = 0;
    for (CollectiveKind kind : CollectiveKind.ALL) {
      boolean isExchange = kind.compareTo(CollectiveKind.GATHER) >= 0;
      int least = isExchange ? 2 : 2 + (kind.ordinal() + when.ordinal()) % 2;
      for (int ranks = least; ranks <= (isExchange ? 3 : least); ranks++) {
        int who = (kind.ordinal() + when.ordinal() + without.ordinal()) % (ranks + 1);
        reached += run(without, ranks, (world, kernel) -> call(world, kernel, kind, when, who));
      }
    }
    assertEquals(when != When.BEFORE_ALL_CALLS, reached > 10, "copies by XPMEM before it was lost: " + reached);
  }

  /** Calls whose input is their output. */
  private static void inPlace(Communicator world, int round) {
    int size = world.size();
    int count = size == 2 ? OF_TWO : OF_MORE;
    MemorySegment memory = Arena.ofAuto().allocate(8L * count * size, 64);
    for (int i = 0; i < count * size; i++) {
      memory.setAtIndex(ValueLayout.JAVA_LONG, i, place(world.rank(), i, round));
    }
    Data all = Data.of(memory, 0, count * size, Datatype.LONG);
    world.alltoall(Data.IN_PLACE, all);
    for (int i = 0; i < count * size; i++) {
      int from = i / count;
      assertEquals(place(from, world.rank() * count + i % count, round), memory.getAtIndex(ValueLayout.JAVA_LONG, i));
    }
    world.allreduce(Data.IN_PLACE, all, Op.SUM);
    for (int i = 0; i < count * size; i++) {
      long sum = 0;
      for (int rank = 0; rank < size; rank++) {
        sum += place(i / count, rank * count + i % count, round);
      }
      assertEquals(sum, memory.getAtIndex(ValueLayout.JAVA_LONG, i));
    }
  }

  private static long place(int rank, int index, int round) {
    return 1_000_003L * rank + index + 77L * round;
  }

  @ParameterizedTest
  @CsvSource({"2, 0", "2, 2", "3, 1", "3, 3"})
  void inPlaceToo(int ranks, int who) throws Exception {
    int reached = run(Without.BY_SETTING, ranks, (world, kernel) -> {
      inPlace(world, 0);
      world.barrier();
      if (world.rank() == 0) {
        kernel.endAfter(1, Math.min(who, world.size() - 1));
      }
      world.barrier();
      inPlace(world, 1);
      lose(world, kernel, who);
      inPlace(world, 2);
    });
    assertTrue(reached > 0);
  }
}
