package io.adrastea.communicator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.CartesianTopology;
import io.adrastea.Communicator;
import io.adrastea.GraphTopology;
import io.adrastea.Intercommunicator;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.InterruptedWaitException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random programs: communicators are made in every way, used and closed, while ranks are interrupted at any moment. In
 * each round each rank has the right communicator or gets an exception, and no rank waits for ever; in a round without
 * an interrupt there is no exception. At the end all numbers are free.
 */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "jni", "jna", "java", "ffm,java", "java,ffm", "jna,jni"})
@Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterruptedMakingTest {
  private static final int ROUNDS = Integer.getInteger("adrastea.test.interruptions", 30);
  private static final long SEED = Long.getLong("adrastea.seed", System.nanoTime());
  private static final int RANKS = 4;
  private static final int TAG = 7;
  private static final int MOST_NANOS = 400_000; // until an interrupt: as long as most rounds take
  private static final int NUMBERS = 1023; // that are taken in turn

  @Parameter
  String cores;

  private final Thread[] threads = new Thread[RANKS];
  private final Phaser meetings = new Phaser(RANKS + 1); // and the thread that interrupts them

  /** A rank's part of a round: what it draws is the same at all ranks. */
  private record Round(Communicator base, Communicator group, SplittableRandom random) {}

  /** A way to make a communicator; null: the rank is in none. */
  private interface Way {
    AutoCloseable make(Round round);
  }

  private static final List<Way> WAYS = List.of(
      round -> round.base().dup(),
      InterruptedMakingTest::split,
      InterruptedMakingTest::subset,
      InterruptedMakingTest::create,
      InterruptedMakingTest::grid,
      InterruptedMakingTest::graph,
      round -> shrink(round.base()),
      InterruptedMakingTest::chain);

  private static Communicator split(Round round) {
    int[] colors = round.random().ints(RANKS, Communicator.NO_COLOR, 2).toArray();
    int own = colors[round.base().rank()];
    Communicator made = round.base().split(own, 0);
    if (own == Communicator.NO_COLOR) {
      assertNull(made);
    } else {
      assertArrayEquals(ranks(round.base(), rank -> colors[rank] == own), made.group().jobRanks());
    }
    return made;
  }

  private static int[] ranks(Communicator base, IntPredicate isIn) {
    return IntStream.range(0, RANKS).filter(isIn).map(base::jobRank).toArray();
  }

  private static Communicator subset(Round round) {
    int[] order = new int[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
      int at = round.random().nextInt(rank + 1);
      order[rank] = order[at];
      order[at] = rank;
    }
    int[] some = Arrays.copyOf(order, 2 + round.random().nextInt(RANKS - 1));
    if (IntStream.of(some).noneMatch(rank -> rank == round.base().rank())) {
      return null;
    }
    Communicator made = round.base().subset(TAG, some);
    assertArrayEquals(IntStream.of(some).map(round.base()::jobRank).toArray(), made.group().jobRanks());
    return made;
  }

  private static Intercommunicator create(Round round) {
    int other = round.base().rank() % 2 == 0 ? 1 : 0;
    Intercommunicator made = Intercommunicator.create(round.group(), 0, round.base(), other, TAG);
    assertEquals(RANKS / 2, made.remoteSize());
    return made;
  }

  private static AutoCloseable grid(Round round) {
    CartesianTopology grid =
        CartesianTopology.of(round.base(), new int[] {2, 2}, new boolean[2], round.random().nextBoolean());
    assertEquals(RANKS, grid.communicator().size());
    return grid.communicator();
  }

  private static AutoCloseable graph(Round round) {
    int[] next = {(round.base().rank() + 1) % RANKS};
    int[] before = {(round.base().rank() + RANKS - 1) % RANKS};
    GraphTopology ring = GraphTopology.adjacent(round.base(), before, next);
    assertEquals(RANKS, ring.communicator().size());
    return ring.communicator();
  }

  private static Communicator shrink(Communicator base) {
    while (true) {
      try {
        return base.shrink();
      } catch (InterruptedWaitException e) {
        Thread.interrupted(); // the next call goes on with it
      }
    }
  }

  private static Communicator chain(Round round) {
    try (Communicator first = round.base().dup(); Communicator second = first.split(0, -first.rank())) {
      return second.dup();
    }
  }

  private static void use(AutoCloseable made, SplittableRandom random) {
    Intercommunicator inter = made instanceof Intercommunicator between ? between : null;
    for (int times = random.nextInt(3); times > 0; times--) {
      switch (random.nextInt(inter == null ? 3 : 2)) {
        case 0 -> {
          if (inter == null) {
            ((Communicator) made).barrier();
          } else {
            inter.barrier();
          }
        }
        case 1 -> {
          int flags = inter == null ? ((Communicator) made).agree(5) : inter.agree(5);
          assertEquals(5, flags);
        }
        default -> {
          Communicator one = (Communicator) made;
          assertEquals(one.size(), one.allreduce(1L, Op.SUM));
        }
      }
    }
  }

  /** Whether it went well. */
  private boolean makeAndUse(Round round, int revoker) throws Exception {
    Way way = WAYS.get(round.random().nextInt(WAYS.size()));
    SplittableRandom later = round.random().split();
    try (AutoCloseable made = way.make(round)) {
      if (round.base().rank() == revoker) {
        round.base().revoke();
      }
      if (made != null) {
        use(made, later);
      }
      return true;
    } catch (AdrasteaException e) {
      return false;
    }
  }

  private record Victim(int rank, int nanos) {}

  /** What a round draws, at all ranks and at the thread that interrupts them the same. */
  private static SplittableRandom random(int round) {
    return new SplittableRandom(SEED + round);
  }

  private static Victim[] victims(SplittableRandom random) {
    Victim[] victims = new Victim[random.nextInt(3)];
    Arrays.setAll(victims, i -> new Victim(random.nextInt(RANKS), random.nextInt(MOST_NANOS)));
    return victims;
  }

  /** Meets the others, and the thread that interrupts; an interrupt does not end that. */
  private void meet() {
    if (meetings.arriveAndAwaitAdvance() < 0) {
      throw new AssertionError("another thread has failed");
    }
  }

  private void run(Job job) throws Exception {
    Communicator world = job.world();
    threads[world.rank()] = Thread.currentThread();
    try {
      for (int number = 0; number < ROUNDS; number++) {
        run(world, random(number));
      }
      allNumbersAreFree(world);
    } finally {
      meetings.arriveAndDeregister();
    }
  }

  private void run(Communicator world, SplittableRandom random) throws Exception {
    boolean calm = victims(random).length == 0;
    int revoker = random.nextInt(6 * RANKS);
    try (Communicator base = world.shrink(); Communicator group = base.split(base.rank() % 2, 0)) {
      meet();
      boolean well = makeAndUse(new Round(base, group, random.split()), revoker);
      meet(); // a rank that has given up is in no call of the library now
      Thread.interrupted();
      assertTrue(well || !calm || revoker < RANKS, "without an interrupt all goes well");
    }
  }

  /** The other side of {@link #run}. */
  private void interrupt() throws InterruptedException, TimeoutException {
    for (int number = 0; number < ROUNDS; number++) {
      SplittableRandom random = random(number);
      Victim[] victims = victims(random);
      meetings.awaitAdvanceInterruptibly(meetings.arrive(), Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
      for (Victim victim : victims) {
        LockSupport.parkNanos(victim.nanos);
        threads[victim.rank].interrupt();
      }
      meetings.awaitAdvanceInterruptibly(meetings.arrive(), Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Ends a test that hangs: every wait by an interrupt. */
  private void tellAndEnd(Thread running) throws InterruptedException {
    StringBuilder words = new StringBuilder("a round does not end (adrastea.seed=" + SEED + ")");
    for (Thread thread : threads) {
      words.append("\n").append(thread.getName());
      Arrays.stream(thread.getStackTrace()).forEach(frame -> words.append("\n  ").append(frame));
    }
    meetings.forceTermination();
    while (running.isAlive()) {
      Arrays.stream(threads).forEach(Thread::interrupt);
      running.join(100);
    }
    throw new AssertionError(words.toString());
  }

  /** Each number comes once when they are taken in turn, if none is lost. */
  private static void allNumbersAreFree(Communicator world) {
    for (int i = 0; i < 4 * ROUNDS; i++) {
      world.subset(TAG, world.rank()).close(); // looks at what this rank has made before
    }
    world.barrier();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < NUMBERS; i++) {
      try (Communicator one = world.dup()) {
        names.add(one.name());
        one.barrier();
      }
      world.barrier();
    }
    assertEquals(NUMBERS, names.size(), "numbers of communicators");
  }

  @Test
  void everyRoundEndsAtEachRankWithTheCommunicatorOrAnException() throws Exception {
    System.out.println("InterruptedMakingTest, " + cores + ": adrastea.seed=" + SEED);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread running = new Thread(() -> {
      try {
        Ranks.run(cores, RANKS, this::run);
      } catch (Throwable e) {
        failure.set(e);
      }
    }, "ranks");
    running.start();
    try {
      interrupt();
    } catch (TimeoutException e) {
      tellAndEnd(running);
    }
    meetings.arriveAndDeregister();
    running.join();
    if (failure.get() != null) {
      throw new AssertionError("adrastea.seed=" + SEED, failure.get());
    }
  }
}
