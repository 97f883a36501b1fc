package io.adrastea.rma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Op;
import io.adrastea.ProgressThread;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.ThreadLevel;
import io.adrastea.error.AdrasteaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads of a rank on one window, and the progress thread that serves one whose rank calls nothing. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm:handler", "java:handler", "jni,ffm:handler", "ffm:direct", "jni,ffm:cma"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
class WindowThreadsTest {
  private static final int RANKS = 2;
  private static final int THREADS = 3;
  private static final int ROUNDS = 60;
  private static final int OWN = 5000; // numbers of each thread in the window, more than a piece has
  private static final int COUNTER = 0;
  private static final int SWAPPED = 1;
  private static final int DOUBLE = 2;
  private static final int SUMS = 8; // as many as a thread's own
  private static final int FIRST_OWN = SUMS + OWN;
  private static final int ALL = FIRST_OWN + RANKS * THREADS * OWN;

  @Parameter
  String windows;

  @Test
  void threadsAccessOneWindowAtATime() throws Exception {
    ConcurrentLinkedQueue<Long> drawn = new ConcurrentLinkedQueue<>();
    WindowRanks.run(windows, ThreadLevel.MULTIPLE, RANKS, (job, world) -> {
      try (Window window = Window.allocate(world, 8L * ALL, 8)) {
        window.lockAll();
        int other = 1 - world.rank();
        List<Thread> threads = new ArrayList<>();
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        for (int thread = 0; thread < THREADS; thread++) {
          int number = world.rank() * THREADS + thread;
          threads.add(Thread.ofPlatform().start(() -> {
            try {
              access(window, other, number, drawn);
            } catch (Throwable e) {
              failures.add(e);
            }
          }));
        }
        for (Thread thread : threads) {
          while (thread.isAlive()) {
            world.iprobe(Communicator.ANY_SOURCE, 0);
            Thread.yield();
          }
        }
        assertEquals(List.of(), List.copyOf(failures));
        world.barrier();
        window.unlockAll();
        world.barrier();
        long rounds = (long) THREADS * ROUNDS;
        MemorySegment local = window.local();
        assertEquals(rounds, local.getAtIndex(ValueLayout.JAVA_LONG, COUNTER));
        assertEquals(rounds, local.getAtIndex(ValueLayout.JAVA_LONG, SWAPPED));
        assertEquals(rounds * 0.5, local.getAtIndex(ValueLayout.JAVA_DOUBLE, DOUBLE));
        for (int i = 0; i < OWN; i++) {
          assertEquals(rounds * 3 * i, local.getAtIndex(ValueLayout.JAVA_LONG, SUMS + i));
        }
      }
    });
    long[] all = drawn.stream().mapToLong(Long::longValue).sorted().toArray(); // of both counters
    assertArrayEquals(LongStream.range(0, RANKS * THREADS * ROUNDS).map(i -> i / 2).toArray(), all);
  }

  /** All calls, each thread to elements of its own and to those that all of them change. */
  private static void access(Window window, int target, int number, ConcurrentLinkedQueue<Long> drawn) {
    long place = FIRST_OWN + (long) number * OWN;
    long[] mine = new long[OWN];
    long[] got = new long[OWN];
    long[] was = new long[OWN];
    long[] operands = LongStream.range(0, OWN).toArray();
    Datatype everySecond = Datatype.vector(OWN / 2, 1, 2, Datatype.LONG);
    Request request = new Request();
    for (int round = 1; round <= ROUNDS; round++) {
      drawn.add(window.fetchAndOp(1L, target, COUNTER, Op.SUM));
      window.fetchAndOp(0.5, target, DOUBLE, Op.SUM);
      for (long seen = -1, last = 0; seen != last;) { // adds one by a swap
        last = seen < 0 ? 0 : seen;
        seen = window.compareAndSwap(last, last + 1, target, SWAPPED);
      }
      window.accumulate(Data.of(operands), target, SUMS, Op.SUM);
      window.raccumulate(Data.of(operands), target, SUMS, Op.SUM, request).await();
      window.getAccumulate(Data.of(operands), Data.of(got), target, SUMS, Op.SUM);
      long first = round * 1_000_003L + number;
      for (int i = 0; i < OWN; i++) {
        mine[i] = first + i;
      }
      window.rput(Data.of(mine), target, place, request).await();
      window.flush(target);
      window.get(Data.of(got), target, place);
      assertArrayEquals(mine, got);
      window.rgetAccumulate(Data.of(operands), Data.of(was), target, place, Op.SUM, request).await();
      assertArrayEquals(mine, was);
      window.rget(Data.of(got), target, place, request).await();
      assertEquals(first + 2 * (OWN - 1), got[OWN - 1]);
      window.put(Data.of(mine, 0, OWN / 2), target, place, 1, everySecond);
      window.flush(target);
      window.get(Data.of(got, 0, OWN / 2), target, place, 1, everySecond);
      for (int i = 0; i < OWN / 2; i++) {
        assertEquals(mine[i], got[i]);
      }
    }
  }

  /** A window over memory of the program at both ranks, whose second one calls nothing meanwhile. */
  private void serve(ThreadLevel level, boolean byJob, Window.Option... options) throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    WindowRanks.run(windows, level, RANKS, (job, world) -> {
      ProgressThread thread = byJob && world.rank() == 1 ? job.progressThread() : null;
      Window window = Window.allocate(world, 8L * OWN, 8, world.rank() == 1 ? options : new Window.Option[0]);
      world.barrier();
      if (world.rank() == 1) {
        Ranks.await(done);
      } else {
        try (Epoch _ = window.lock(1, false)) {
          long[] got = new long[OWN];
          window.put(Data.of(LongStream.range(0, OWN).toArray()), 1, 0);
          window.accumulate(Data.of(LongStream.range(0, OWN).toArray()), 1, 0, Op.SUM);
          window.flush(1);
          window.get(Data.of(got), 1, 0);
          assertEquals(2, got[1]);
          window.getAccumulate(Data.of(got), Data.of(got), 1, 0, Op.NO_OP);
          assertEquals(2 * (OWN - 1), got[OWN - 1]);
          assertEquals(0, window.fetchAndOp(1, 1, 0, Op.SUM));
          window.rget(Data.of(got), 1, 0).await();
          assertEquals(1, got[0]);
        } finally {
          done.countDown();
        }
      }
      world.barrier();
      window.close();
      if (world.rank() == 1) { // of its own it has none any more
        if (byJob) {
          assertThrows(IllegalStateException.class, job::progressThread);
          thread.close();
        }
        job.progressThread().close();
      }
      world.barrier();
    });
  }

  @Test
  void aTargetThatCallsNothingIsServedByTheThreadOfTheWindow() throws Exception {
    serve(ThreadLevel.MULTIPLE, false, Window.Option.PROGRESS_THREAD);
  }

  @Test
  void theThreadOfTheJobServesAsWell() throws Exception {
    serve(ThreadLevel.MULTIPLE, true, Window.Option.PROGRESS_THREAD);
    serve(ThreadLevel.MULTIPLE, true);
  }

  @Test
  void theThreadEndsWithTheLastWindowThatWantsIt() throws Exception {
    WindowRanks.run(windows, ThreadLevel.MULTIPLE, RANKS, (job, world) -> {
      Window first = Window.allocate(world, 8, 8, Window.Option.PROGRESS_THREAD);
      MemorySegment memory =
          WindowRanks.way(windows).equals("direct") ? job.allocate(8, 8) : Arena.ofAuto().allocate(8, 8);
      Window second = Window.of(world, memory, 8, Window.Option.PROGRESS_THREAD);
      Window without = Window.allocate(world, 8, 8);
      first.close();
      assertThrows(IllegalStateException.class, job::progressThread);
      second.close();
      job.progressThread().close();
      without.close();
      Window.allocate(world, 8, 8, Window.Option.PROGRESS_THREAD); // ends with the job
      world.barrier();
    });
  }

  @Test
  void wantOfNativeMemoryIsToldAsThatByAll() throws Exception {
    WindowRanks.run(windows, RANKS, (job, world) -> {
      if (WindowRanks.way(windows).equals("direct")) {
        return; // takes no memory of the process
      }
      for (int lacking = 0; lacking < RANKS; lacking++) {
        long bytes = world.rank() == lacking ? 1L << 50 : 64;
        AdrasteaException e = assertThrows(AdrasteaException.class, () -> Window.allocate(world, bytes, 8));
        assertTrue(e.getMessage().startsWith("rank " + lacking + " has no native memory"), e::getMessage);
      }
      Window.allocate(world, 64, 8).close();
    });
  }

  @Test
  void itIsRefusedByAllWhereOneRankIsForOneThread() throws Exception {
    WindowRanks.run(windows, RANKS, (job, world) -> {
      for (int refused = 0; refused < RANKS; refused++) {
        if (world.rank() == refused) {
          IllegalStateException e = assertThrows(IllegalStateException.class,
              () -> Window.allocate(world, 8, 8, Window.Option.PROGRESS_THREAD));
          assertTrue(e.getMessage().contains("PROGRESS_THREAD"), e::getMessage);
          assertTrue(e.getMessage().contains("ThreadLevel.MULTIPLE"), e::getMessage);
        } else {
          assertThrows(AdrasteaException.class, () -> Window.allocate(world, 8, 8));
        }
      }
      try (Window window = Window.allocate(world, 8, 8)) { // nothing is left of the others
        window.fence();
        window.lastFence();
      }
    });
  }
}
