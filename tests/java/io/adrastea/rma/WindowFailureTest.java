package io.adrastea.rma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Settings;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.failure.FailingRanks;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of windows when a rank dies, or is interrupted: those that wait are told, and the window goes on. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm:direct", "java:direct", "jni,ffm:cma", "java:handler", "ffm,java@subset:handler"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
class WindowFailureTest {
  private static final int GONE = FailingRanks.GONE;
  private static final int RANKS = 4;

  @Parameter
  String windows;

  /** What ranks do with a window once rank 1 has died. */
  private interface Body {
    void run(Job job, Communicator world, Window window) throws Exception;
  }

  /** What rank 1 does with a window before it dies. */
  private interface Last {
    void run(Window window) throws Exception;
  }

  /** Rank 1 dies behind its last calls; then the others run their body, which has a communicator of those left. */
  private void run(Last last, Body others) throws Exception {
    run(window -> {}, last, others);
  }

  /** All ranks have done their first calls before. */
  private void run(Last first, Last last, Body others) throws Exception {
    Settings.with(Map.of("adrastea.window", WindowRanks.way(windows)), () -> {
      FailingRanks.run(WindowRanks.cores(windows), RANKS, (job, cause) -> {
        Communicator world = Ranks.world(job);
        Window window = Window.allocate(world, 64, 8);
        window.local().setAtIndex(ValueLayout.JAVA_LONG, 7, 100 + world.rank());
        first.run(window);
        world.barrier();
        if (world.rank() == GONE) {
          last.run(window);
          throw cause;
        }
        FailingRanks.awaitFailed(job, GONE);
        others.run(job, world, window);
        window.close();
      });
      return null;
    });
  }

  private static void inTurn(Communicator left, Runnable action) {
    for (int turn = 0; turn < left.size(); turn++) {
      if (turn == left.rank()) {
        action.run();
      }
      left.barrier();
    }
  }

  /** Each rank locks one after the other; so many of them in all are told that rank 1 has died with the lock. */
  private void assertTold(int times, boolean exclusive, Last last) throws Exception {
    AtomicInteger told = new AtomicInteger();
    run(last, (job, world, window) -> {
      try (Communicator left = world.shrink()) {
        inTurn(left, () -> {
          try (Epoch _ = window.lock(0, exclusive)) {
            window.fetchAndOp(1L, 0, 0, Op.SUM);
          } catch (RankFailedException e) {
            assertEquals(GONE, e.rank());
            told.incrementAndGet();
            try (Epoch _ = window.lock(0, exclusive)) {
              window.fetchAndOp(1L, 0, 0, Op.SUM);
            }
          }
        });
        if (left.rank() == 0) {
          assertEquals(RANKS - 1, window.local().get(ValueLayout.JAVA_LONG, 0));
        }
      }
    });
    assertEquals(times, told.get());
  }

  @Test
  void theNextExclusiveLockIsToldOfADeadExclusiveOne() throws Exception {
    assertTold(1, true, window -> window.lock(0, true));
  }

  @Test
  void theNextSharedLockIsToldOfADeadExclusiveOne() throws Exception {
    assertTold(1, false, window -> window.lock(0, true));
  }

  @Test
  void theNextExclusiveLockIsToldOfADeadSharedOne() throws Exception {
    assertTold(1, true, window -> window.lock(0, false));
  }

  @Test
  void theNextExclusiveLockIsToldOfADeadLockOfAll() throws Exception {
    assertTold(1, true, Window::lockAll);
  }

  @Test
  void sharedLocksDoNotWaitForDeadSharedOnes() throws Exception {
    assertTold(0, false, window -> window.lock(0, false));
    assertTold(0, false, Window::lockAll);
  }

  @Test
  void nobodyIsToldOfALockThatWasFree() throws Exception {
    assertTold(0, true, window -> window.lock(0, true).close());
  }

  @Test
  void allThatWaitForADeadHolderGoOn() throws Exception {
    AtomicInteger told = new AtomicInteger();
    CountDownLatch waiting = new CountDownLatch(RANKS - 1);
    Settings.with(Map.of("adrastea.window", WindowRanks.way(windows)), () -> {
      FailingRanks.run(WindowRanks.cores(windows), RANKS, (job, cause) -> {
        Communicator world = Ranks.world(job);
        Window window = Window.allocate(world, 64, 8);
        if (world.rank() == GONE) {
          window.lock(2, true);
          world.barrier();
          Ranks.await(waiting);
          throw cause;
        }
        world.barrier();
        waiting.countDown();
        for (int i = 0; i < 2; i++) {
          try (Epoch _ = window.lock(2, world.rank() != 0)) {
            window.fetchAndOp(1L, 2, 0, Op.SUM);
          } catch (RankFailedException e) {
            assertEquals(GONE, e.rank());
            told.incrementAndGet();
          }
        }
        try (Communicator left = world.shrink()) {
          left.barrier();
          if (world.rank() == 2) {
            assertEquals(2 * (RANKS - 1) - 1, window.local().get(ValueLayout.JAVA_LONG, 0));
          }
        }
        window.close();
      });
      return null;
    });
    assertEquals(1, told.get());
  }

  @Test
  void anAccessInLockAllIsToldOfADeadExclusiveLock() throws Exception {
    AtomicInteger told = new AtomicInteger();
    run(window -> window.lock(0, true), (job, world, window) -> {
      try (Communicator left = world.shrink()) {
        window.lockAll();
        inTurn(left, () -> {
          try {
            window.fetchAndOp(1L, 0, 0, Op.SUM);
          } catch (RankFailedException e) {
            assertEquals(GONE, e.rank());
            told.incrementAndGet();
            window.fetchAndOp(1L, 0, 0, Op.SUM);
          }
        });
        window.unlockAll();
        left.barrier();
        if (left.rank() == 0) {
          assertEquals(RANKS - 1, window.local().get(ValueLayout.JAVA_LONG, 0));
        }
      }
    });
    assertEquals(1, told.get());
  }

  @Test
  void aStartIsToldOfADeadTargetThoughAnotherHasNotPosted() throws Exception {
    run(window -> {}, (job, world, window) -> {
      FailingRanks.assertFails(GONE, () -> window.start(world.rank() == 0 ? 2 : 0, GONE));
      try (Communicator left = world.shrink()) {
        left.barrier(); // nobody has posted so far
      }
      window.post(world.rank());
      try (Epoch _ = window.start(world.rank())) {
        window.put(Data.of(new long[] {5}), world.rank(), 0);
      }
      window.await();
      assertEquals(5, window.local().get(ValueLayout.JAVA_LONG, 0));
    });
  }

  @Test
  void fencesAndStartsAndAwaitsWithADeadRankFail() throws Exception {
    run(window -> {}, (job, world, window) -> {
      FailingRanks.assertFails(GONE, () -> window.start(GONE));
      FailingRanks.assertFails(GONE, () -> window.start(GONE, world.rank() == 0 ? 2 : 0));
      window.post(GONE);
      FailingRanks.assertFails(GONE, window::await);
      FailingRanks.assertFails(GONE, window::fence);
      FailingRanks.assertFails(GONE, window::lastFence);
      assertThrows(IllegalStateException.class, () -> window.put(Data.of(new byte[1]), 0, 0));
      try (Communicator left = world.shrink()) { // those that live go on
        window.post(world.rank());
        try (Epoch _ = window.start(world.rank())) {
          window.put(Data.of(new long[] {3}), world.rank(), 0);
        }
        window.await();
        assertEquals(3, window.local().get(ValueLayout.JAVA_LONG, 0));
        left.barrier();
      }
    });
  }

  @Test
  void whatARankHasPostedAndCompletedBeforeItDiesCounts() throws Exception {
    run(window -> {
      if (window.rank() == 0) {
        window.post(GONE);
      }
    }, window -> {
      window.post(0, 2, 3);
      window.start(0).close();
    }, (job, world, window) -> {
      if (world.rank() == 0) {
        window.await();
      }
      window.start(GONE).close();
      FailingRanks.assertFails(GONE, () -> window.start(GONE));
    });
  }

  @Test
  void memoryOfADeadRankIsUsedWhereItIsMapped() throws Exception {
    run(window -> {}, (job, world, window) -> {
      try (Communicator left = world.shrink()) {
        for (boolean exclusive : new boolean[] {true, false}) {
          boolean isMapped = window.way(GONE).equals("direct");
          Epoch epoch = window.lock(GONE, exclusive);
          long[] got = {0};
          if (isMapped) {
            window.get(Data.of(got), GONE, 7);
            assertEquals(100 + GONE, got[0]);
            window.put(Data.of(got), GONE, 6);
          }
          if (isMapped) {
            window.accumulate(Data.of(new long[] {1}), GONE, 5, Op.SUM);
            window.fetchAndOp(1L, GONE, 0, Op.SUM);
          } else {
            FailingRanks.assertFails(GONE, () -> window.fetchAndOp(1L, GONE, 0, Op.SUM));
            FailingRanks.assertFails(GONE, () -> window.compareAndSwap(0, 1, GONE, 0));
          }
          if (window.way(GONE).equals("handler")) {
            FailingRanks.assertFails(GONE, () -> window.get(Data.of(got), GONE, 7));
          }
          epoch.close();
          left.barrier();
        }
        if (window.way(GONE).equals("direct")) {
          assertEquals(2 * (RANKS - 1), window.of(GONE).get(ValueLayout.JAVA_LONG, 0));
          assertEquals(2 * (RANKS - 1), window.of(GONE).getAtIndex(ValueLayout.JAVA_LONG, 5));
        }
      }
    });
  }

  /** What was put is lost with the handler, and the end of the epoch says so; then the epoch is over. */
  @Test
  void anEpochToADeadRankEnds() throws Exception {
    CountDownLatch put = new CountDownLatch(RANKS - 1);
    Settings.with(Map.of("adrastea.window", WindowRanks.way(windows)), () -> {
      FailingRanks.run(WindowRanks.cores(windows), RANKS, (job, cause) -> {
        Communicator world = Ranks.world(job);
        Window window = Window.allocate(world, 64, 8);
        world.barrier();
        if (world.rank() == GONE) {
          Ranks.await(put);
          throw cause;
        }
        boolean isTold = window.way(GONE).equals("handler");
        int kind = world.rank();
        Epoch epoch = kind == 0 ? window.lockAll() : window.lock(GONE, false);
        window.put(Data.of(new long[] {1}), GONE, world.rank());
        put.countDown();
        FailingRanks.awaitFailed(job, GONE);
        if (isTold && kind != 2) {
          FailingRanks.assertFails(GONE, epoch::close);
        } else {
          if (isTold) {
            FailingRanks.assertFails(GONE, () -> window.flush(GONE));
          }
          epoch.close();
        }
        assertThrows(IllegalStateException.class, epoch::close);
        try (Communicator left = world.shrink()) {
          left.barrier();
          inTurn(left, () -> window.lock(GONE, true).close()); // nobody has it
        }
        window.close();
      });
      return null;
    });
  }

  @Test
  void survivorsMakeWindows() throws Exception {
    run(window -> window.lock(0, true), (job, world, window) -> {
      try (Communicator left = world.shrink(); Window another = Window.allocate(left, 8, 8)) {
        int next = (left.rank() + 1) % left.size();
        another.fence();
        another.put(Data.of(new long[] {left.rank()}), next, 0);
        another.fence();
        assertEquals((left.rank() + left.size() - 1) % left.size(), another.local().get(ValueLayout.JAVA_LONG, 0));
        left.barrier();
        try (Epoch _ = another.lock(0, true)) {
          another.fetchAndOp(1L, 0, 0, Op.SUM);
        }
        another.lastFence();
      }
      FailingRanks.assertFails(GONE, () -> Window.allocate(world, 8, 8));
    });
  }

  @Test
  void anInterruptedWaitLeavesTheWindowAsItWas() throws Exception {
    WindowRanks.run(windows, 2, (job, world) -> {
      try (Window window = Window.allocate(world, 8, 8)) {
        for (int round = 0; round < 5; round++) {
          boolean isExclusive = round % 2 == 0;
          Epoch held = world.rank() == 0 ? window.lock(0, true) : null;
          world.barrier();
          if (world.rank() == 1) {
            assertInterrupted(() -> window.lock(0, isExclusive));
            assertInterrupted(() -> window.start(0));
            try (Epoch _ = window.lockAll()) {
              assertInterrupted(() -> window.fetchAndOp(1L, 0, 0, Op.SUM));
            }
          }
          world.barrier();
          if (held != null) {
            held.close();
          }
          world.barrier();
          Epoch epoch = window.lock(0, isExclusive);
          window.accumulate(Data.of(new long[] {1}), 0, 0, Op.SUM);
          Thread.currentThread().interrupt();
          window.flush(0); // waits for what others do alone, and is over
          window.accumulate(Data.of(new long[] {0}), 0, 0, Op.SUM);
          epoch.close();
          assertEquals(true, Thread.interrupted());
          world.barrier();
          if (world.rank() == 0) {
            window.post(1);
            assertInterrupted(window::await);
          }
          world.barrier();
          if (world.rank() == 0) {
            window.await();
            assertEquals(3 * (round + 1), window.local().get(ValueLayout.JAVA_LONG, 0));
          } else {
            try (Epoch _ = window.start(0)) {
              window.fetchAndOp(1L, 0, 0, Op.SUM);
            }
          }
        }
        world.barrier();
      }
    });
  }

  private static void assertInterrupted(Runnable call) {
    Thread.currentThread().interrupt();
    assertThrows(InterruptedWaitException.class, call::run);
    assertEquals(true, Thread.interrupted());
  }
}
