package io.adrastea.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.GivenSegment;
import io.adrastea.core.Sleeper;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The thread that moves a rank's operations on, and what it leaves when it ends. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProgressLoopTest {
  private final AtomicInteger announced = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final CountDownLatch announcing = new CountDownLatch(1);
  private final CountDownLatch closing = new CountDownLatch(1);

  /** The loop is closed while it says that it is about to sleep. */
  private final Sleeper sleeper =
      (Sleeper) Proxy.newProxyInstance(
          Sleeper.class.getClassLoader(), new Class<?>[] {Sleeper.class}, (proxy, method, arguments) -> {
            switch (method.getName()) {
              case "announceSleep" -> {
                announced.incrementAndGet();
                announcing.countDown();
                await(closing);
              }
              case "endSleep" -> ended.incrementAndGet();
              default -> {
              }
            }
            return method.getReturnType() == long.class ? (Object) 1L : (Object) 0;
          });

  @Test
  void isAwakeWhenItHasEnded(@TempDir Path directory) throws Exception {
    try (Segment segment = GivenSegment.blank(directory, 1, 8, 4096)) {
      Gate gate = new Gate(0, Gate.Threads.MANY, () -> new Waiter(false, false, 0));
      Waits waits = waits(sleeper, gate, new RankTable(segment));
      ProgressLoop loop = new ProgressLoop(gate, waits, () -> false, new Waiter(false, false, 0), 0);
      loop.start();
      await(announcing);
      Thread closer = new Thread(loop::close);
      closer.start();
      while (loop.isOpen()) {
        Thread.onSpinWait();
      }
      closing.countDown();
      closer.join();
      assertEquals(1, announced.get());
      assertEquals(1, ended.get(), "the sleep that was announced has ended");
    }
  }

  /** A thread that waits leaves it to the loop to move things on, as long as there is one that does. */
  @Test
  void isLeftToMoveThingsOn(@TempDir Path directory) throws Exception {
    try (Segment segment = GivenSegment.blank(directory, 1, 8, 4096)) {
      Gate gate = new Gate(0, Gate.Threads.MANY, () -> new Waiter(false, false, 0));
      Waits waits = waits(sleeper, gate, new RankTable(segment));
      assertFalse(isAttended(gate, waits), "without a loop");
      ProgressLoop loop = new ProgressLoop(gate, waits, () -> true, new Waiter(false, false, 0), 0);
      loop.start();
      while (!isAttended(gate, waits)) {
        Thread.onSpinWait(); // the class has a deadline
      }
      loop.close();
      assertFalse(isAttended(gate, waits), "the loop has ended");
    }
  }

  private static boolean isAttended(Gate gate, Waits waits) {
    gate.enter();
    try {
      return waits.isAttended();
    } finally {
      gate.exit();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(220, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Waits waits(Sleeper sleeper, Gate gate, RankTable table) {
    return new Waits(sleeper, gate, table, 0, new Movement(table, 0, new int[] {0}),
        new WordSleepers(table, 0, new int[] {0}), 0);
  }
}
