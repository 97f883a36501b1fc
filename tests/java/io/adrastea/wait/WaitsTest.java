package io.adrastea.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.adrastea.GivenSegment;
import io.adrastea.atomic.Words;
import io.adrastea.core.Core;
import io.adrastea.core.Cores;
import io.adrastea.core.Sleeper;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.RankTable;
import io.adrastea.ranktable.Waiting;
import io.adrastea.segment.Segment;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wait for a word in shared memory that another rank writes: nothing of the engine is there. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitsTest {
  private static final int SELF = 0; // on the node
  private static final int JOB_RANK = 5;
  private static final int OTHER = 1;
  private static final int[] LOCAL_RANKS = {SELF, OTHER};
  private static final int ROUNDS = 50;
  private static final long ENOUGH_WAITS = 10_000;

  private Segment segment;
  private RankTable table;
  private Movement movement;
  private long word;
  private Core core; // of this rank
  private Core otherCore;
  private Gate gate;
  private Waits waits;
  private final List<Integer> sleeps = new ArrayList<>(); // how each ended
  private Runnable atStep = () -> {};
  private int steps;
  private boolean gone;
  private long moved;
  private String raised;

  /** A word shows a value, or more, that rank 1 writes. */
  private final class WordReaches implements Condition<Long> {
    @Override
    public boolean isMet(Long value, int polls) {
      for (int left = polls; left > 0; left--) {
        if (Words.loadAcquireLong(segment.memory(), word) >= value) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean isOnWords() {
      return onWords;
    }

    @Override
    public int missing(Long value) {
      return gone ? OTHER : NONE;
    }

    @Override
    public void fail(Long value, int rank) {
      throw new RankFailedException(rank, rank, "rank %d has failed, which was to write %d".formatted(rank, value));
    }

    @Override
    public long moves(Long value) {
      return moved;
    }

    @Override
    public Waiting waiting(Long value) {
      return new Waiting(RankEntryDescriptor.IN_MEMORY, OTHER, -1);
    }
  }

  private final WordReaches reaches = new WordReaches();
  private boolean onWords;

  private final Upkeep upkeep =
      new NoUpkeep() {
        @Override
        public boolean step() {
          steps++;
          atStep.run();
          return false;
        }

        @Override
        public void raise() {
          if (raised != null) {
            throw new IllegalStateException(raised);
          }
        }
      };

  @BeforeEach
  void make(@TempDir Path directory) {
    segment = GivenSegment.formatted(directory, 2, 8, 4096);
    for (int rank = 0; rank < 2; rank++) { // each can wake the other
      Words.store(segment.memory(), segment.geometry().rankEntryOffset(rank) + RankEntryDescriptor.FLAGS_OFFSET,
          RankEntryDescriptor.FLAG_WAKEABLE | RankEntryDescriptor.FLAG_WAKER);
    }
    table = new RankTable(segment);
    movement = new Movement(table, SELF, LOCAL_RANKS);
    word = segment.geometry().cellOffset(OTHER, 0) + 1024; // in the payload of a cell that nobody sends
    gate = new Gate(SELF, Gate.Threads.IN_TURN, () -> new Waiter(false, false, 100));
  }

  private void open(String name, long hangNanos) {
    core = Cores.choose(name).open(segment, SELF);
    otherCore = Cores.choose(name).open(segment, OTHER);
    Sleeper real = core.sleeper();
    Sleeper told = (Sleeper) Proxy.newProxyInstance(
        Sleeper.class.getClassLoader(), new Class<?>[] {Sleeper.class}, (proxy, method, arguments) -> {
          try {
            method.setAccessible(true);
            Object result = method.invoke(real, arguments);
            if (method.getName().equals("sleep")) {
              sleeps.add((Integer) result);
            }
            return result;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
    waits = new Waits(told, gate, table, JOB_RANK, movement, new WordSleepers(table, SELF, LOCAL_RANKS),
        hangNanos);
    waits.serve(upkeep);
  }

  @AfterEach
  void close() {
    if (core != null) {
      core.close();
      otherCore.close();
    }
    segment.close();
  }

  private void write(long value) {
    Words.storeReleaseLong(segment.memory(), word, value);
  }

  private void await(long value, LongConsumer limits) {
    gate.enter();
    try {
      Waiter waiter = waits.beginWait(OTHER);
      limits.accept(value);
      try {
        waits.await(reaches, value, waiter);
      } finally {
        waiter.limitAt(0);
      }
    } finally {
      gate.exit();
    }
  }

  private void await(long value) {
    await(value, ignored -> {});
  }

  private long sleeping() {
    return Words.load(segment.memory(),
        segment.geometry().rankEntryOffset(SELF) + RankEntryDescriptor.DOORBELL_SLEEPING_OFFSET);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void endsWhenTheWordShowsItAndMovesThingsOnMeanwhile(String name) {
    open(name, 0);
    atStep = () -> write(steps);
    await(3);
    assertTrue(steps >= 3, () -> steps + " steps");
    assertEquals(0, sleeping());
  }

  @Test
  void sleepsAndIsWokenByWhoWritesTheWord() throws Exception {
    open("ffm", 0);
    for (long value = 1; value <= ROUNDS; value++) {
      long written = value;
      Thread writer = new Thread(() -> {
        while (sleeping() == 0) {
          Thread.onSpinWait();
        }
        write(written);
        otherCore.sleeper().wake(SELF);
      });
      writer.start();
      await(value);
      writer.join();
      assertEquals(0, sleeping());
    }
    assertTrue(sleeps.contains(0), () -> "never woken: " + sleeps);
  }

  private int sleepsOnWords() {
    return Words.load(segment.memory(),
        segment.geometry().rankEntryOffset(SELF) + RankEntryDescriptor.SLEEPS_ON_WORDS_OFFSET);
  }

  /** The waits of the rank that writes, which counts its calls in {@code wakes}. */
  private Waits writer(int[] wakes) {
    Sleeper counting = (Sleeper) Proxy.newProxyInstance(
        Sleeper.class.getClassLoader(), new Class<?>[] {Sleeper.class}, (proxy, method, arguments) -> {
          assertEquals("wake", method.getName());
          wakes[0]++;
          return otherCore.sleeper().wake((Integer) arguments[0]);
        });
    Gate others = new Gate(OTHER, Gate.Threads.IN_TURN, () -> new Waiter(false, false, 100));
    return new Waits(counting, others, table, OTHER, new Movement(table, OTHER, LOCAL_RANKS),
        new WordSleepers(table, OTHER, LOCAL_RANKS), 0);
  }

  @Test
  void aSleeperOnWordsIsWokenByTheRankThatWritesOne() throws Exception {
    open("ffm", 0);
    onWords = true;
    int[] wakes = {0};
    Waits writer = writer(wakes);
    for (long value = 1; value <= ROUNDS; value++) {
      long written = value;
      Thread thread = new Thread(() -> {
        while (sleeping() == 0 || sleepsOnWords() == 0) {
          Thread.onSpinWait();
        }
        Words.storeRelaxedLong(segment.memory(), word, written);
        writer.wakeWordSleeper(SELF);
      });
      thread.start();
      await(value);
      thread.join();
      assertEquals(0, sleeping());
      assertEquals(0, sleepsOnWords());
    }
    assertTrue(sleeps.contains(0), () -> "never woken: " + sleeps);
    assertTrue(wakes[0] > 0);
  }

  @Test
  void aRankThatSleepsForOtherThingsIsNotAsked() throws Exception {
    open("ffm", 0);
    int[] wakes = {0};
    Waits writer = writer(wakes);
    writer.wakeWordSleeper(SELF); // it does not sleep at all
    Thread thread = new Thread(() -> {
      while (sleeping() == 0) {
        Thread.onSpinWait();
      }
      writer.wakeWordSleeper(SELF);
      write(1);
      otherCore.sleeper().wake(SELF);
    });
    thread.start();
    await(1);
    thread.join();
    assertEquals(0, wakes[0]);
    assertEquals(0, sleepsOnWords());
  }

  @Test
  void theLastThreadThatSleepsOnWordsTakesTheFlagAway() {
    WordSleepers sleepers = new WordSleepers(table, SELF, new int[] {SELF, Movement.ELSEWHERE});
    assertFalse(sleepers.sleeps(SELF));
    sleepers.begin();
    sleepers.begin();
    sleepers.end();
    assertTrue(sleepers.sleeps(SELF));
    sleepers.end();
    assertFalse(sleepers.sleeps(SELF));
    assertFalse(sleepers.sleeps(OTHER), "on another node");
  }

  @Test
  void endsAtItsLimit() {
    open("ffm", 0);
    TimeLimitException told =
        assertThrows(TimeLimitException.class, () -> await(1, value -> gate.waiter().limit(1_000_000)));
    assertEquals("the time limit came while rank 5 waited for what rank 1 writes to shared memory", told.getMessage());
    assertEquals(0, sleeping());
  }

  @Test
  void endsByAnInterrupt() {
    open("ffm", 0);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedWaitException.class, () -> await(1));
    assertTrue(Thread.interrupted());
    write(1);
    await(1);
  }

  @Test
  void endsWhenTheRankIsGoneThatItDependsOn() {
    open("ffm", 0);
    gate.serve(() -> gone = true); // the first check of liveness
    RankFailedException failed = assertThrows(RankFailedException.class, () -> await(1));
    assertEquals(OTHER, failed.rank());
    assertEquals(0, sleeping());
  }

  @Test
  void findsWhatARankHasWrittenThatIsGone() {
    open("ffm", 0);
    gate.serve(() -> {
      write(1);
      gone = true;
    });
    await(1);
  }

  @Test
  void isToldOfInTheRankTableUntilItEnds() {
    open("ffm", 1);
    Optional<?>[] shown = {Optional.empty()};
    long[] checks = {0};
    gate.serve(() -> {
      if (++checks[0] == 3) {
        shown[0] = Optional.of(Waiting.of(Words.loadLong(segment.memory(),
            segment.geometry().rankEntryOffset(SELF) + RankEntryDescriptor.WAITING_OFFSET)));
        write(1);
      }
    });
    await(1);
    assertEquals(Optional.of(new Waiting(RankEntryDescriptor.IN_MEMORY, OTHER, -1)), shown[0]);
    assertEquals(0, Words.loadLong(segment.memory(),
        segment.geometry().rankEntryOffset(SELF) + RankEntryDescriptor.WAITING_OFFSET));
  }

  /** The clock of the wait is the system's; checks are 100 ms apart, in each of which something has moved. */
  @Test
  void isNotToldOfWhileSomethingMoves() {
    open("ffm", TimeUnit.MILLISECONDS.toNanos(150));
    long[] checks = {0};
    await(1, ignored -> gate.serve(() -> { // not when it comes in, which is a check, too, after 100 ms
      moved++;
      assertEquals(0, table.waiting(SELF), "after " + checks[0] + " checks");
      if (++checks[0] == 8) {
        write(1);
      }
    }));
  }

  @Test
  void isTakenBackWhenSomethingMovesAndToldAnewWhenItStandsAgain() {
    open("ffm", 1);
    List<Long> shown = new ArrayList<>();
    await(1, ignored -> gate.serve(() -> { // not when it comes in, which is a check, too, after 100 ms
      shown.add(table.waiting(SELF)); // as the check before has left it
      moved += shown.size() == 3 ? 1 : 0; // which the check after this sees
      if (shown.size() == 6) {
        write(1);
      }
    }));
    assertEquals(0, shown.get(0));
    assertEquals(Waiting.of(shown.get(2)), Waiting.of(shown.get(4)), shown::toString);
    assertEquals(0, shown.get(3), "it moved");
    assertNotEquals(shown.get(2), shown.get(4), "a launcher is to see that it was taken back in between");
    assertEquals(shown.get(1), shown.get(2));
    assertEquals(new Waiting(RankEntryDescriptor.IN_MEMORY, OTHER, -1), Waiting.of(shown.get(1)));
  }

  /** What a rank moves for others stands in the place of its wait, which so closes no circle. */
  @Test
  void isNotInTheRankTableWhileTheRankMovesSomethingForOthers() {
    open("ffm", 1);
    List<Long> shown = new ArrayList<>();
    await(1, ignored -> gate.serve(() -> { // not when it comes in, which is a check, too, after 100 ms
      shown.add(table.waiting(SELF));
      if (shown.size() == 2) {
        movement.message(OTHER);
      }
      movement.tell();
      if (shown.size() == 4) {
        write(1);
      }
    }));
    assertNotEquals(0, shown.get(1));
    assertEquals(0, shown.get(2), "it moved");
    assertEquals(shown.get(1), shown.get(3), "its own wait did not");
  }

  @Test
  void endsByWhatTheProgramIsToBeTold() {
    open("ffm", 0);
    gate.serve(() -> raised = "something else");
    assertEquals("something else", assertThrows(IllegalStateException.class, () -> await(1)).getMessage());
  }

  @Test
  void makesNoGarbage() {
    open("ffm", 0);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().threadId();
    Long value = 1L; // made once
    boolean[] there = {false};
    atStep = () -> write(there[0] ? 0 : 1);
    for (int warm = 0; warm < 2; warm++) {
      long before = threads.getThreadAllocatedBytes(self);
      for (long i = 0; i < ENOUGH_WAITS; i++) {
        write(0);
        gate.enter();
        waits.await(reaches, value, waits.beginWait(OTHER));
        gate.exit();
      }
      long bytes = threads.getThreadAllocatedBytes(self) - before;
      assertTrue(warm == 0 || bytes < ENOUGH_WAITS, () -> bytes + " bytes in " + ENOUGH_WAITS + " waits");
    }
  }
}
