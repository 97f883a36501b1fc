package io.adrastea.agrona;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.IdleStrategy;
import io.adrastea.Job;
import io.adrastea.Settings;
import io.adrastea.ThreadLevel;
import io.adrastea.error.RankFailedException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting as an idle strategy of the user's does. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
class IdleStrategyTest {
  private static final int BIG = 2 << 20; // more than all cells hold

  @Parameter
  String core;

  private void run(Job.Builder builder, Job.Body body) throws Exception {
    Settings.with(
        Map.of("adrastea.core", core),
        () -> {
          builder.runThreads(2, body);
          return null;
        });
  }

  /** Counts, and does nothing else. */
  private static final class Counting implements IdleStrategy {
    final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    volatile long idles;
    volatile long resets;

    @Override
    public void idle() {
      idles++;
      threads.add(Thread.currentThread());
      Thread.onSpinWait();
    }

    @Override
    public void reset() {
      resets++;
    }
  }

  /** Messages small and big, blocking and not, to and fro. */
  private static void exchange(Job job) {
    Communicator world = job.world();
    int peer = 1 - world.rank();
    byte[] out = new byte[BIG];
    byte[] in = new byte[BIG];
    for (int i = 0; i < 20; i++) {
      out[0] = (byte) i;
      int bytes = i == 10 ? BIG : 8;
      if (world.rank() == 0) {
        world.send(Data.of(out, 0, bytes), peer, i);
        assertEquals(bytes, world.recv(Data.of(in, 0, BIG), peer, i).bytes());
      } else {
        assertEquals(bytes, world.recv(Data.of(in, 0, BIG), peer, i).bytes());
        world.send(Data.of(in, 0, bytes), peer, i);
      }
      assertEquals(i, in[0]);
    }
    world.sendrecv(Data.of(out, 0, BIG), peer, 99, Data.of(in, 0, BIG), peer, 99);
  }

  static Stream<Arguments> strategies() {
    return Stream.concat(
        Stream.<Supplier<org.agrona.concurrent.IdleStrategy>>of(
            () -> NoOpIdleStrategy.INSTANCE,
            () -> BusySpinIdleStrategy.INSTANCE,
            () -> YieldingIdleStrategy.INSTANCE,
            BackoffIdleStrategy::new,
            () -> new SleepingIdleStrategy(1000),
            () -> new SleepingMillisIdleStrategy(1))
            .map(theirs -> named(theirs.get().alias(), () -> Agrona.idleStrategy(theirs.get()))),
        Stream.of(named("lambda", () -> Thread::onSpinWait)));
  }

  private static Arguments named(String name, Supplier<IdleStrategy> strategy) {
    return Arguments.of(name, strategy);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("strategies")
  void letsMessagesThroughWhateverTheStrategy(String alias, Supplier<IdleStrategy> strategy) throws Exception {
    run(Job.builder().idleStrategy(strategy), IdleStrategyTest::exchange);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("strategies")
  void letsSeveralThreadsThroughWhateverTheStrategy(String alias, Supplier<IdleStrategy> strategy) throws Exception {
    run(Job.builder().threads(ThreadLevel.MULTIPLE).idleStrategy(strategy), IdleStrategyTest::exchange);
  }

  /** Returns when somebody has idled. */
  private static void awaitIdling(Queue<Counting> made) throws InterruptedException {
    long before = made.stream().mapToLong(strategy -> strategy.idles).sum();
    while (made.stream().mapToLong(strategy -> strategy.idles).sum() == before) {
      Thread.sleep(1); // the class has a deadline
    }
  }

  @Test
  void givesEachRankAnInstanceOfItsOwnThatIdlesAndIsReset() throws Exception {
    Queue<Counting> made = new ConcurrentLinkedQueue<>();
    run(
        Job.builder()
            .idleStrategy(
                () -> {
                  Counting strategy = new Counting();
                  made.add(strategy);
                  return strategy;
                }),
        job -> {
          byte[] message = new byte[1];
          Communicator world = job.world();
          if (world.rank() == 0) {
            for (int i = 0; i < 3; i++) {
              awaitIdling(made);
              world.send(Data.of(message, 0, 1), 1, i);
            }
          }
          for (int i = 0; world.rank() == 1 && i < 3; i++) {
            world.recv(Data.of(message, 0, 1), 0, i);
          }
        });
    assertEquals(2, made.size());
    List<Counting> used = made.stream().filter(strategy -> strategy.idles > 0).toList();
    assertEquals(1, used.size(), "only one rank waited");
    assertEquals(1, used.getFirst().threads.size());
    assertTrue(used.getFirst().resets > 0, "reset between the waits");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("strategies")
  void findsARankThatDied(String alias, Supplier<IdleStrategy> strategy) {
    findsARankThatDied(strategy);
  }

  @Test
  void findsARankThatDiedThoughEachIdleIsLong() {
    // Dozens of these would be too many.
    IdleStrategy second = Agrona.idleStrategy(new SleepingMillisIdleStrategy(1000));
    findsARankThatDied(() -> second);
  }

  private void findsARankThatDied(Supplier<IdleStrategy> strategy) {
    IllegalStateException cause = new IllegalStateException("on purpose");
    Job.Body body =
        job -> {
          if (job.world().rank() == 1) {
            throw cause;
          }
          job.world().recv(Data.of(new byte[1]), 1, 0);
        };
    Throwable thrown =
        assertThrows(IllegalStateException.class, () -> run(Job.builder().idleStrategy(strategy), body));
    assertSame(cause, thrown);
    assertInstanceOf(RankFailedException.class, thrown.getSuppressed()[0]);
  }

  @Test
  void readsTheClockAfterEachIdleOfAStrategyThatMayTakeLong() {
    assertTrue(((IdleStrategy) Thread::yield).mayTakeLong(), "of a strategy that does not say");
    assertTrue(Agrona.idleStrategy(new BackoffIdleStrategy()).mayTakeLong());
    assertFalse(Agrona.idleStrategy(YieldingIdleStrategy.INSTANCE).mayTakeLong());
  }

  @Test
  void refusesNoStrategyOfAgrona() {
    NullPointerException refusal = assertThrows(NullPointerException.class, () -> Agrona.idleStrategy(null));
    assertEquals("the idle strategy is null", refusal.getMessage());
  }

  @Test
  void refusesNoSupplier() {
    NullPointerException refusal =
        assertThrows(NullPointerException.class, () -> Job.builder().idleStrategy(null));
    assertEquals("the supplier of idle strategies is null", refusal.getMessage());
  }

  @Test
  void refusesASupplierThatGivesNoneAndLeavesNobodyWaiting() {
    Queue<IdleStrategy> only = new ConcurrentLinkedQueue<>(List.of(Thread::yield));
    NullPointerException refusal =
        assertThrows(
            NullPointerException.class,
            () -> run(
                Job.builder().idleStrategy(only::poll), // one of the two ranks gets none
                job -> job.world().recv(Data.of(new byte[1]), 1 - job.world().rank(), 0)));
    assertEquals("the supplier of idle strategies gave null", refusal.getMessage());
    assertInstanceOf(RankFailedException.class, refusal.getSuppressed()[0]);
  }

  /** Throws at each second idle. */
  private static final class Throwing implements IdleStrategy {
    private int idles;

    @Override
    public void idle() {
      if (++idles % 2 == 0) {
        throw new UnsupportedOperationException("on purpose");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("levels")
  void letsAnExceptionOfTheStrategyOutAndGoesOn(ThreadLevel level) throws Exception {
    run(
        Job.builder().threads(level).idleStrategy(Throwing::new),
        job -> {
          Communicator world = job.world();
          byte[] message = new byte[1];
          if (world.rank() == 0) {
            UnsupportedOperationException thrown =
                assertThrows(UnsupportedOperationException.class, () -> world.probe(1, 0));
            assertEquals("on purpose", thrown.getMessage());
            message[0] = 42;
            world.send(Data.of(message, 0, 1), 1, 0);
          } else {
            while (world.iprobe(0, 0) == null) {
              Thread.onSpinWait();
            }
            world.recv(Data.of(message, 0, 1), 0, 0);
            assertEquals(42, message[0]);
          }
        });
  }

  static Stream<ThreadLevel> levels() {
    return Stream.of(ThreadLevel.SERIALIZED, ThreadLevel.MULTIPLE);
  }
}
