package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.rma.Epoch;
import io.adrastea.rma.Window;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * A rank that uses a window with the others in each kind of epoch, and says what it has checked. The argument names
 * whose memory it is: {@code allocated}, {@code shared} of {@code Job.allocate}, {@code private}, or {@code mapped},
 * which the stand-in for XPMEM can attach. A second argument, {@code dynamic}, has that attached to a dynamic window.
 */
final class WindowRank {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final int WORDS = 4096;
  private static final int ROUNDS = 200;
  private static final int COUNTER = WORDS;
  private static final int MUTEX = WORDS + 1;
  private static final int GUARDED = WORDS + 2;
  private static final int SUM = WORDS + 3;
  private static final int PAIR = WORDS + 4; // two words
  private static final int ALL = WORDS + 8;

  private static MemorySegment local; // memory of this rank
  private static long[] bases; // by rank: the displacement of its first word
  private static long unit;

  private WindowRank() {}

  public static void main(String[] arguments) throws Exception {
    Job.run(job -> {
      Communicator world = job.world();
      boolean isDynamic = arguments.length > 1;
      try (Window window = isDynamic ? Window.dynamic(world) : window(job, arguments[0])) {
        bases = new long[world.size()];
        unit = isDynamic ? 8 : 1;
        if (isDynamic) {
          local = memory(job, arguments[0]);
          window.attach(local);
          world.allgather(Data.of(new long[] {local.address()}), Data.of(bases));
        } else {
          local = window.local();
        }
        StringBuilder ways = new StringBuilder();
        for (int rank = 0; rank < window.size(); rank++) {
          ways.append(' ').append(window.way(rank, at(rank, 0)));
        }
        System.out.printf("rank %d reaches%s%n", window.rank(), ways);
        ring(window);
        count(world, window);
        exclude(world, window);
        accumulate(world, window);
        rows(window);
        if (isDynamic) {
          comeAndGo(job, window, arguments[0]);
        }
        world.barrier();
        System.out.printf("rank %d has checked all%n", window.rank());
      }
      world.barrier(); // behind it memory of the program is no window's
    });
  }

  /** The displacement of a word of a rank's memory. */
  private static long at(int rank, int word) {
    return bases[rank] + unit * word;
  }

  private static Window window(Job job, String memory) {
    return memory.equals("allocated") ? Window.allocate(job.world(), 8L * ALL, 8)
        : Window.of(job.world(), memory(job, memory), 8);
  }

  private static MemorySegment memory(Job job, String memory) {
    long bytes = 8L * ALL;
    return switch (memory) {
      case "shared" -> job.allocate(bytes, 8);
      case "mapped" -> mapped(bytes);
      default -> Arena.ofAuto().allocate(bytes, 8);
    };
  }

  private static MemorySegment mapped(long bytes) {
    try {
      return StandInMemory.allocate(bytes);
    } catch (Throwable e) {
      throw new IllegalStateException("no memory that the stand-in for XPMEM can attach", e);
    }
  }

  private static void require(boolean isTrue, String what) {
    if (!isTrue) {
      throw new IllegalStateException(what);
    }
  }

  /** Puts to the next rank, by fences and by posts in turn, and gets it back. */
  private static void ring(Window window) {
    int next = (window.rank() + 1) % window.size();
    int previous = (window.rank() + window.size() - 1) % window.size();
    long[] out = new long[WORDS];
    long[] in = new long[WORDS];
    window.fence();
    for (int round = 0; round < ROUNDS; round++) {
      int words = round % 3 == 0 ? WORDS : round + 1;
      for (int i = 0; i < words; i++) {
        out[i] = round * 1_000_003L + window.rank() * 31L + i;
      }
      if (round % 2 == 0) {
        window.put(Data.of(out, 0, words), next, at(next, 0));
        window.fence();
        window.get(Data.of(in, 0, words), next, at(next, 0));
      } else {
        window.lastFence();
        window.post(previous);
        try (Epoch _ = window.start(next)) {
          window.put(Data.of(out, 0, words), next, at(next, 0));
          window.get(Data.of(in, 0, words), next, at(next, 0));
        }
        window.await();
      }
      for (int i = 0; i < words; i++) {
        require(in[i] == out[i], "round %d: word %d is %d and not %d".formatted(round, i, in[i], out[i]));
        long here = local.getAtIndex(LONG, i);
        require(here == out[i] + (previous - window.rank()) * 31L, "round %d: word %d of rank %d is %d".formatted(
            round, i, window.rank(), here));
      }
      window.fence();
    }
    window.lastFence();
  }

  /** Counts at rank 0, so that each number is drawn once, in ascending order at each rank. */
  private static void count(Communicator world, Window window) {
    long last = -1;
    try (Epoch _ = window.lockAll()) {
      for (int i = 0; i < ROUNDS; i++) {
        long drawn = window.fetchAndOp(1L, 0, at(0, COUNTER), Op.SUM);
        require(drawn > last, "number %d came behind %d".formatted(drawn, last));
        last = drawn;
      }
    }
    world.barrier();
    try (Epoch _ = window.lock(0, false)) {
      long drawn = window.fetchAndOp(0L, 0, at(0, COUNTER), Op.NO_OP);
      require(drawn == (long) ROUNDS * window.size(), "%d numbers were drawn".formatted(drawn));
    }
    world.barrier();
  }

  /** A counter under an exclusive lock, and one under a mutex of compareAndSwap, at the last rank. */
  private static void exclude(Communicator world, Window window) {
    int target = window.size() - 1;
    long[] value = new long[1];
    for (int i = 0; i < ROUNDS; i++) {
      try (Epoch _ = window.lock(target, true)) {
        window.get(Data.of(value), target, at(target, GUARDED));
        value[0]++;
        window.put(Data.of(value), target, at(target, GUARDED));
      }
    }
    world.barrier();
    window.lockAll();
    for (int i = 0; i < ROUNDS; i++) {
      while (window.compareAndSwap(0, window.rank() + 1, target, at(target, MUTEX)) != 0) {
        world.iprobe(Communicator.ANY_SOURCE, 1); // the target of a handler serves others in it
      }
      window.get(Data.of(value), target, at(target, GUARDED));
      value[0]++;
      window.put(Data.of(value), target, at(target, GUARDED));
      window.flush(target);
      window.compareAndSwap(window.rank() + 1, 0, target, at(target, MUTEX));
    }
    window.unlockAll();
    world.barrier();
    try (Epoch _ = window.lock(target, false)) {
      window.get(Data.of(value), target, at(target, GUARDED));
      require(value[0] == 2L * ROUNDS * window.size(), "%d additions are there".formatted(value[0]));
    }
    world.barrier();
  }

  /** Sums of doubles, and the least of pairs, at all ranks from all. */
  private static void accumulate(Communicator world, Window window) {
    MemorySegment pair = Arena.ofAuto().allocate(16, 8);
    local.setAtIndex(ValueLayout.JAVA_DOUBLE, PAIR, 1000);
    window.fence();
    for (int i = 0; i < ROUNDS; i++) {
      for (int target = 0; target < window.size(); target++) {
        window.accumulate(Data.of(new double[] {0.5}), target, at(target, SUM), Op.SUM);
        pair.set(ValueLayout.JAVA_DOUBLE, 0, 1 + (i * 7 + window.rank() * 3) % 100);
        pair.set(ValueLayout.JAVA_INT, 8, window.rank());
        window.accumulate(Data.of(pair, 0, 1, Datatype.DOUBLE_INT), target, at(target, PAIR), Op.MINLOC);
      }
    }
    window.fence();
    double sum = local.getAtIndex(ValueLayout.JAVA_DOUBLE, SUM);
    require(sum == 0.5 * ROUNDS * window.size(), "the sum is " + sum);
    double least = local.getAtIndex(ValueLayout.JAVA_DOUBLE, PAIR);
    require(least == 1, "the least is " + least);
    window.lastFence();
    world.barrier();
  }

  /** Elements with gaps at the target. */
  private static void rows(Window window) {
    Datatype column = Datatype.vector(64, 2, 7, Datatype.LONG);
    int next = (window.rank() + 1) % window.size();
    int previous = (window.rank() + window.size() - 1) % window.size();
    long[] out = new long[128];
    for (int i = 0; i < out.length; i++) {
      out[i] = -i - 1000L * window.rank();
    }
    window.fence();
    window.put(Data.of(out), next, at(next, 3), 1, column);
    window.fence();
    for (int i = 0; i < out.length; i++) {
      long here = local.getAtIndex(LONG, 3 + i / 2 * 7 + i % 2);
      require(here == -i - 1000L * previous, "element %d of the column is %d".formatted(i, here));
    }
    long[] in = new long[128];
    window.get(Data.of(in), next, at(next, 3), 1, column);
    require(Arrays.equals(in, out), "the column does not come back");
    window.fence();
    window.accumulate(Data.of(out), next, at(next, 3), 1, column, Op.SUM);
    window.fence();
    long here = local.getAtIndex(LONG, 3 + 63 * 7 + 1);
    require(here == 2 * (-127 - 1000L * previous), "the last element of the column is " + here);
    window.lastFence();
  }

  /** Memory that is attached beside the other, some of it anew at the same place, and detached again. */
  private static void comeAndGo(Job job, Window window, String memory) {
    Communicator world = job.world();
    int next = (window.rank() + 1) % window.size();
    int previous = (window.rank() + window.size() - 1) % window.size();
    long[] at = new long[window.size()];
    long[] in = new long[1];
    MemorySegment some = memory(job, memory);
    for (int round = 0; round < ROUNDS / 10; round++) {
      if (round % 3 == 0) {
        some = memory(job, memory);
      }
      window.attach(some);
      world.allgather(Data.of(new long[] {some.address()}), Data.of(at));
      try (Epoch _ = window.lock(next, false)) {
        window.put(Data.of(new long[] {round, window.rank()}), next, at[next] + 8);
        window.accumulate(Data.of(new long[] {5}), next, at[next] + 8, Op.SUM);
        window.flush(next);
        window.get(Data.of(in), next, at[next] + 8);
        require(in[0] == round + 5, "%d comes back in round %d".formatted(in[0], round));
      }
      world.barrier();
      window.sync();
      require(some.get(LONG, 8) == round + 5 && some.get(LONG, 16) == previous,
          "%d and %d have come in round %d".formatted(some.get(LONG, 8), some.get(LONG, 16), round));
      window.detach(some);
      world.barrier();
      refused(window, next, at[next]);
      world.barrier();
    }
  }

  private static void refused(Window window, int next, long at) {
    boolean isRefused = false;
    try (Epoch _ = window.lock(next, false)) {
      window.put(Data.of(new long[] {-1}), next, at);
    } catch (IndexOutOfBoundsException e) {
      isRefused = true;
    }
    require(isRefused, "what was detached is still accessed");
  }
}
