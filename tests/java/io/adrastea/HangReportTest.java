package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.engine.resources.EngineSettings;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.peers.Links;
import io.adrastea.ranktable.Waiting;
import io.adrastea.rma.Window;
import io.adrastea.shmem.Comparison;
import io.adrastea.shmem.Shmem;
import io.adrastea.shmem.SignalOp;
import io.adrastea.shmem.Symmetric;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.wait.Gate;
import io.adrastea.wait.WaitPolicy;
import io.adrastea.wait.Waits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What rank 0 tells of a wait that takes long, in the log and in the rank table, until rank 1, which does not wait,
 * ends it.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HangReportTest {
  private static final int TAG = 7;
  private static final int LARGE = 1 << 20;
  private static final int BIG = 3 * Ranks.ALL_CELLS;
  private static final long SOON = TimeUnit.MILLISECONDS.toNanos(20);

  /** A wait of rank 0, what is told of it, and what of rank 1 ends it. */
  enum Wait {
    RECV("in a receive from rank 1 with tag 7", world -> world.recv(Data.of(new byte[8]), 1, TAG),
        Wait::send), RECV_WHATEVER(
            "in a receive from any rank with any tag",
            world -> world.recv(Data.of(new byte[8]), Communicator.ANY_SOURCE, Communicator.ANY_TAG),
            Wait::send), RECV_IN_PLACE("in a receive from rank 1 with tag 7",
                world -> world.recvMessage(1, TAG).release(), Wait::send), AWAIT("in a receive from rank 1 with tag 7",
                    world -> world.irecv(Data.of(new byte[8]), 1, TAG).await(),
                    Wait::send), WAIT_ANY("for one of several requests",
                        world -> Request.waitAny(null, world.irecv(Data.of(new byte[8]), 1, TAG)), Wait::send), PROBE(
                            "in a probe of rank 1 with tag 7",
                            world -> {
                              world.probe(1, TAG);
                              world.recv(Data.of(new byte[8]), 1, TAG);
                            },
                            Wait::send), LARGE_SEND(
                                "in a send to rank 1 with tag 7",
                                world -> world.send(Data.of(new byte[LARGE]), 1, TAG),
                                world -> world.recv(Data.of(new byte[LARGE]), 0, TAG)), CLAIM(
                                    "for room for a message to rank 1 with tag 7",
                                    world -> {
                                      Request before = world.isend(Data.of(new byte[BIG]), 1, TAG + 1);
                                      world.claim(1, TAG, 8).commit();
                                      before.await();
                                    },
                                    world -> {
                                      world.recv(Data.of(new byte[BIG]), 0, TAG + 1);
                                      world.recv(Data.of(new byte[8]), 0, TAG);
                                    }), BARRIER("at the barrier, for all other ranks", Communicator::barrier,
                                        Communicator::barrier);

    private final String words;
    private final Consumer<Communicator> call;
    private final Consumer<Communicator> end;

    Wait(String words, Consumer<Communicator> call, Consumer<Communicator> end) {
      this.words = words;
      this.call = call;
      this.end = end;
    }

    private static void send(Communicator world) {
      world.send(Data.of(new byte[8]), 0, TAG);
    }
  }

  @Test
  void aCollectiveTellsByWhatLinkItsMemberOfAnotherNodeIsReached() throws Exception {
    Logger logger = Logger.getLogger(Waits.class.getName());
    Handler handler = new Teller();
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      Settings.with(Map.of("adrastea.hang.report", "1"), () -> {
        Ranks.run("java+nodes", 2, job -> {
          if (job.world().rank() == 0) {
            Ranks.await(first);
          }
          job.world().bcast(Data.of(new long[1]), 0);
        });
        return null;
      });
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }
    String words = "rank 1 has been waiting for 1 s in a collective, for rank 0 (PipeLink); thread";
    assertTrue(told.stream().anyMatch(line -> line.startsWith(words)), told::toString);
  }

  private final List<String> told = new CopyOnWriteArrayList<>();
  private final CountDownLatch first = new CountDownLatch(1);

  /** Runs two ranks, of which rank 0 tells of waits {@link #SOON}. */
  private void run(Gate.Threads threads, Consumer<JoinedRank> zero, Consumer<JoinedRank> one, Wait wait)
      throws Exception {
    run(threads, SOON, zero, one, job -> wait.call.accept(job.world()), job -> wait.end.accept(job.world()));
  }

  private void run(Gate.Threads threads, long nanos, Consumer<JoinedRank> zero, Consumer<JoinedRank> one,
      Consumer<Job> call, Consumer<Job> end) throws Exception {
    Logger logger = Logger.getLogger(Waits.class.getName());
    Handler handler = new Teller();
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try (ThreadJob threadJob = ThreadJob.create(2)) {
      FutureTask<Void> other = new FutureTask<>(() -> rank(threadJob, 1, 0, Gate.Threads.IN_TURN, end, one));
      Thread.ofPlatform().start(other);
      rank(threadJob, 0, nanos, threads, call, zero);
      other.get();
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }
  }

  private static Void rank(
      ThreadJob threadJob, int rank, long nanos, Gate.Threads threads, Consumer<Job> call,
      Consumer<JoinedRank> check) {
    JoinedRank joined = threadJob.enter(rank, () -> false);
    WaitPolicy waiting = new WaitPolicy(100, Optional.empty(), null, nanos);
    try (Job job = new Job(joined, false,
        new EngineSettings(waiting, TransferSettings.inForce(), true, threads, Links.SHARED_MEMORY))) {
      if (rank == 1) {
        check.accept(joined);
      }
      call.accept(job);
      if (rank == 0) {
        check.accept(joined);
      }
      job.world().barrier();
    }
    return null;
  }

  private final class Teller extends Handler {
    @Override
    public void publish(LogRecord told) {
      HangReportTest.this.told.add(told.getMessage());
      first.countDown();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private void awaitFirst() {
    try {
      Ranks.await(first);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource(Wait.class)
  void aWaitThatTakesLongIsToldOfOnceAndStandsInTheRankTableUntilItIsOver(Wait wait) throws Exception {
    Settings.with(
        Map.of("adrastea.core", "ffm,java", "adrastea.eager.bytes",
            wait == Wait.CLAIM ? Integer.toString(Integer.MAX_VALUE) : "auto"),
        () -> {
          run(
              Gate.Threads.IN_TURN,
              zero -> assertEquals(0, zero.table().waiting(0), "it is over"),
              one -> {
                awaitFirst();
                while (one.table().waiting(0) == 0) { // what it has just moved stands there before
                  LockSupport.parkNanos(SOON);
                }
                assertEquals(wait.words, Waiting.of(one.table().waiting(0)).toString());
                assertEquals(0, one.table().waiting(1));
              },
              wait);
          return null;
        });
    assertEquals(1, told.size(), told::toString);
    assertTrue(told.getFirst().startsWith("rank 0 has been waiting for 20 ms " + wait.words + "; thread '"),
        told::toString);
  }

  /** A wait of rank 0 in an epoch of a window: what rank 1 does before, rank 0's call, and what of rank 1 ends it. */
  enum WindowWait {
    EXCLUSIVE_LOCK(window -> window.lock(1, true), window -> window.lock(1, true).close(),
        window -> window.unlock(1)),

    SHARED_LOCK(window -> window.lock(1, true), window -> window.lock(1, false).close(), window -> window.unlock(1)),

    ACCESS_IN_LOCK_ALL(window -> window.lock(1, true), window -> {
      window.lockAll();
      window.fetchAndOp(1L, 1, 0, Op.SUM);
      window.unlockAll();
    }, window -> window.unlock(1)),

    START(window -> {}, window -> window.start(1).close(), window -> {
      window.post(0);
      window.await();
    }),

    AWAIT(window -> {}, window -> {
      window.post(1);
      window.await();
    }, window -> window.start(0).close()),

    /** The barrier behind it serves. */
    ANSWER(window -> {}, window -> {
      window.lock(1, false);
      window.get(Data.of(new byte[8]), 1, 0);
      window.unlock(1);
    }, window -> {});

    private final Consumer<Window> before;
    private final Consumer<Window> call;
    private final Consumer<Window> end;

    WindowWait(Consumer<Window> before, Consumer<Window> call, Consumer<Window> end) {
      this.before = before;
      this.call = call;
      this.end = end;
    }
  }

  @ParameterizedTest
  @EnumSource(WindowWait.class)
  void aWaitInAnEpochOfAWindowIsToldOf(WindowWait wait) throws Exception {
    JoinedRank[] one = {null};
    Settings.with(
        Map.of("adrastea.core", "ffm,java", "adrastea.window", wait == WindowWait.ANSWER ? "handler" : "auto"),
        () -> {
          run(Gate.Threads.IN_TURN, SOON, zero -> assertEquals(0, zero.table().waiting(0), "it is over"),
              joined -> one[0] = joined,
              job -> {
                try (Window window = Window.allocate(job.world(), Long.BYTES, Long.BYTES)) {
                  job.world().barrier();
                  wait.call.accept(window);
                }
              },
              job -> {
                try (Window window = Window.allocate(job.world(), Long.BYTES, Long.BYTES)) {
                  wait.before.accept(window);
                  job.world().barrier();
                  long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
                  while (Waiting.of(one[0].table().waiting(0)).call() != RankEntryDescriptor.IN_WINDOW
                      && System.nanoTime() < end) {
                    LockSupport.parkNanos(SOON);
                  }
                  assertEquals("in an epoch of a window, for rank 1",
                      Waiting.of(one[0].table().waiting(0)).toString());
                  wait.end.accept(window);
                }
              });
          return null;
        });
    List<String> ofWindow = told.stream().filter(line -> line.contains(" window, ")).toList();
    assertEquals(1, ofWindow.size(), told::toString);
    assertTrue(ofWindow.getFirst()
        .startsWith("rank 0 has been waiting for 20 ms in an epoch of a window, for rank 1; thread '"), told::toString);
  }

  /** A wait of rank 0 in symmetric memory: its call, what is told of it, and what of rank 1 ends it. */
  enum ShmemWait {
    WORD((shmem, object) -> shmem.waits().waitUntilLong(object, 8, Comparison.GE, 3),
        "for a word of 8 bytes at offset 8 of symmetric memory to be at least 3"),

    SIGNAL((shmem, object) -> shmem.waits().waitUntilLong(object, 8, Comparison.EQ, 3),
        "for a word of 8 bytes at offset 8 of symmetric memory to be equal to 3"),

    ALL((shmem, object) -> shmem.waits().waitUntilAllInt(object, 8, 2, null, Comparison.NE, -1, 0),
        "for all of 2 words of 4 bytes at offset 8 of symmetric memory to be other than values of their own"),

    ANY((shmem, object) -> shmem.waits().waitUntilAnyInt(object, 8, 2, null, Comparison.GT, 0),
        "for any of 2 words of 4 bytes at offset 8 of symmetric memory to be greater than 0"),

    SOME((shmem, object) -> shmem.waits().waitUntilSomeLong(object, 0, 2, null, new int[2], Comparison.LT, 0),
        "for some of 2 words of 8 bytes at offset 0 of symmetric memory to be less than 0"),

    LOCK((shmem, object) -> {
      shmem.lock(object, 64).set();
      shmem.lock(object, 64).clear();
    }, "for the lock at offset 64 in "),

    BARRIER((shmem, object) -> shmem.barrierAll(), "at the barrier, for all other ranks"),

    ALLOCATE((shmem, object) -> shmem.allocate(8), "in a collective, for ");

    private final BiConsumer<Shmem, Symmetric> call;
    private final String words;

    ShmemWait(BiConsumer<Shmem, Symmetric> call, String words) {
      this.call = call;
      this.words = words;
    }

    /** What rank 1 does when it has been told of. */
    private void end(Shmem shmem, Symmetric object) {
      switch (this) {
        case LOCK -> shmem.lock(object, 64).clear();
        case SIGNAL -> shmem.context().putSignal(object, 0, Data.of(new byte[8]), object, 8, 3, SignalOp.SET, 0);
        case SOME -> shmem.context().setLong(object, 0, -1, 0);
        case BARRIER, ALLOCATE -> call.accept(shmem, object);
        default -> shmem.context().setLong(object, 8, 3L << Integer.SIZE | 3, 0); // two words of 4 bytes as well
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ShmemWait.class)
  void aWaitInSymmetricMemoryIsToldOf(ShmemWait wait) throws Exception {
    Settings.with(Map.of("adrastea.core", "ffm,java"), () -> {
      run(Gate.Threads.IN_TURN, SOON, zero -> assertEquals(0, zero.table().waiting(0), "it is over"), one -> {},
          job -> {
            try (Shmem shmem = Shmem.of(job, 4096)) {
              Symmetric object = shmem.allocate(128);
              shmem.barrierAll();
              told.clear(); // what the way here took
              wait.call.accept(shmem, object);
            }
          },
          job -> {
            try (Shmem shmem = Shmem.of(job, 4096)) {
              Symmetric object = shmem.allocate(128);
              if (wait == ShmemWait.LOCK) {
                shmem.lock(object, 64).set();
              }
              shmem.barrierAll();
              long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
              while (told.stream().noneMatch(line -> line.contains(wait.words)) && System.nanoTime() < end) {
                LockSupport.parkNanos(SOON);
              }
              wait.end(shmem, object);
            }
          });
      return null;
    });
    List<String> ofWait = told.stream().filter(line -> line.contains(wait.words)).toList();
    assertEquals(1, ofWait.size(), told::toString);
    assertTrue(ofWait.getFirst().startsWith("rank 0 has been waiting for 20 ms " + wait.words), told::toString);
  }

  private static final long LATE = TimeUnit.MILLISECONDS.toNanos(800);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(150);
  private static final int SLOW_BYTES = 8 << 20; // a test moves about 1 MiB
  private static final int SHARED_BCAST_BYTES = 16 << 20; // half of which the root copies at once
  private static final int CELLS_BCAST_BYTES = 1 << 20; // a test moves some 64 KiB

  private static final long CHECKS = TimeUnit.MILLISECONDS.toNanos(100); // from one to the next
  private static final AtomicLong STILL = new AtomicLong(); // the longest time from one test to the next

  /** Ends a request in tests with pauses, each of which moves some of its bytes. */
  private static void moveSlowly(Request request) {
    long last = System.nanoTime();
    while (!request.test()) {
      LockSupport.parkNanos(PAUSE);
      long now = System.nanoTime();
      STILL.accumulateAndGet(now - last, Math::max);
      last = now;
    }
  }

  /** Whether rank 1 was without a CPU for so long that its pauses did not count: then a wait may be told of. */
  private static boolean stoodStill() {
    return STILL.getAndSet(0) > LATE - 2 * CHECKS;
  }

  private static Data array(int bytes) {
    return Data.of(new byte[bytes]);
  }

  /** Memory that a rank at the other end copies from, or to, alone. */
  private static Data shared(Job job, int bytes) {
    return Data.of(job.allocate(bytes, Long.BYTES));
  }

  /** A wait of rank 0 for longer than {@link #LATE}, and what of rank 1, which is slow, ends it. */
  enum Slow {
    /** Rank 1 alone copies. */
    SEND(job -> job.world().send(shared(job, SLOW_BYTES), 1, TAG),
        job -> moveSlowly(job.world().irecv(shared(job, SLOW_BYTES), 0, TAG))),

    SEND_OF_AN_ARRAY(job -> job.world().send(array(SLOW_BYTES), 1, TAG),
        job -> moveSlowly(job.world().irecv(array(SLOW_BYTES), 0, TAG))),

    RECV(job -> job.world().recv(array(SLOW_BYTES), 1, TAG),
        job -> moveSlowly(job.world().isend(array(SLOW_BYTES), 0, TAG))),

    RECV_BEHIND_ANOTHER(job -> {
      Request before = job.world().irecv(array(SLOW_BYTES), 1, TAG + 1);
      job.world().recv(array(8), 1, TAG);
      before.await();
    }, job -> {
      moveSlowly(job.world().isend(array(SLOW_BYTES), 0, TAG + 1));
      Wait.send(job.world());
    }),

    WAIT_ANY(job -> Request.waitAny(null, job.world().isend(shared(job, SLOW_BYTES), 1, TAG)), SEND.end),

    /** Rank 0 sends before it comes to the barrier, rank 1 receives. */
    BARRIER(job -> {
      Request send = job.world().isend(shared(job, SLOW_BYTES), 1, TAG);
      job.world().barrier();
      send.await();
    }, job -> {
      SEND.end.accept(job);
      job.world().barrier();
    }),

    /** Rank 0 has copied its half when rank 1 begins to copy the other. */
    BCAST(job -> job.world().bcast(shared(job, SHARED_BCAST_BYTES), 0),
        job -> moveSlowly(job.world().ibcast(shared(job, SHARED_BCAST_BYTES), 0))),

    BCAST_BY_CELLS(job -> job.world().bcast(array(CELLS_BCAST_BYTES), 0),
        job -> moveSlowly(job.world().ibcast(array(CELLS_BCAST_BYTES), 0)));

    private final Consumer<Job> call;
    private final Consumer<Job> end;

    Slow(Consumer<Job> call, Consumer<Job> end) {
      this.call = call;
      this.end = end;
    }
  }

  static Stream<Arguments> slowWaits() {
    return Stream.of("ffm", "java", "ffm,java")
        .flatMap(cores -> Stream.of(Slow.values()).map(wait -> Arguments.of(wait, cores)));
  }

  @ParameterizedTest
  @MethodSource("slowWaits")
  void aWaitInWhichSomethingMovesIsNotToldOf(Slow wait, String cores) throws Exception {
    Settings.with(
        Map.of("adrastea.core", cores, "adrastea.split.bytes", Integer.toString(Integer.MAX_VALUE)),
        () -> {
          do {
            told.clear();
            STILL.set(0);
            run(Gate.Threads.IN_TURN, LATE, zero -> {}, one -> {}, wait.call, wait.end);
          } while (stoodStill());
          return null;
        });
    assertEquals(List.of(), told);
  }

  /** After the first bytes of its message nothing moves for long: that is told of. */
  @Test
  void aWaitInWhichNothingMovesAnyMoreIsToldOf() throws Exception {
    run(
        Gate.Threads.IN_TURN,
        LATE,
        zero -> assertEquals(0, zero.table().waiting(0), "it is over"),
        one -> {},
        job -> job.world().send(array(SLOW_BYTES), 1, TAG),
        job -> {
          Request receive = job.world().irecv(array(SLOW_BYTES), 0, TAG);
          receive.test();
          awaitFirst();
          receive.await();
        });
    assertEquals(1, told.size(), told::toString);
    assertTrue(told.getFirst().startsWith("rank 0 has been waiting for 800 ms in a send to rank 1"), told::toString);
  }

  /** A thread that serves others may wait for long, and prove nothing. */
  @Test
  void whereSeveralThreadsMayWaitNoneStandsInTheRankTable() throws Exception {
    run(
        Gate.Threads.MANY,
        zero -> {},
        one -> {
          awaitFirst();
          assertEquals(0, one.table().waiting(0));
        },
        Wait.RECV);
    assertEquals(1, told.size(), told::toString);
  }

  @Test
  void aWordSaysWhatWasPutIntoIt() {
    for (Waiting waiting : List.of(new Waiting(1, 1023, Integer.MAX_VALUE), new Waiting(5, -1, 0),
        new Waiting(1, -1, -1), new Waiting(2, 0, 0))) {
      assertEquals(waiting, Waiting.of(waiting.word()));
    }
  }
}
