package io.adrastea.rma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.failure.FailingRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of accesses to a window: by the handler they go on behind the call, by other ways they are over. */
@ParameterizedClass(name = "{0}")
@ValueSource(
    strings = {"ffm:handler", "java:handler", "jni,ffm:handler", "ffm,java@subset:handler", "ffm:direct",
      "java:direct", "jni,ffm:cma"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
class WindowRequestTest {
  private static final int LARGE = 3 * Ranks.ALL_CELLS / Long.BYTES; // numbers that the cells do not hold
  private static final int GONE = FailingRanks.GONE;

  @Parameter
  String windows;

  /** What rank 0 does with the window. */
  private interface Origin {
    /** @param goOn has rank 1 make calls from now on, in which it does what others ask for */
    void run(Communicator world, Window window, CountDownLatch goOn) throws Exception;
  }

  /** What rank 1 finds in its memory in the end. */
  private interface Target {
    void check(Window window);
  }

  private boolean isEmulated() {
    return WindowRanks.way(windows).equals("handler");
  }

  /** Two ranks, the second one of which calls nothing until the first one says so. */
  private void run(Origin origin, Target target) throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    WindowRanks.run(windows, 2, (job, world) -> {
      try (Window window = Window.allocate(world, 8L * LARGE, 8)) {
        window.local().fill((byte) 0);
        world.barrier();
        if (world.rank() == 0) {
          try {
            origin.run(world, window, goOn);
          } finally {
            goOn.countDown();
          }
        } else {
          Ranks.await(goOn);
        }
        world.barrier();
        if (world.rank() == 1) {
          target.check(window);
        }
        world.barrier();
      }
    });
  }

  private static long[] numbers(long first) {
    return LongStream.range(first, first + LARGE).toArray();
  }

  private static long[] found(Window window) {
    return window.local().toArray(ValueLayout.JAVA_LONG);
  }

  /** Not before the target makes a call, where it is to do what the request is for. */
  private static void assertPending(boolean isPending, Request request) {
    for (int i = 0; i < 100; i++) {
      assertEquals(isPending, !request.isComplete(), request::toString);
    }
  }

  @Test
  void theyAreCompleteOnceTheTargetHasDoneItsPart() throws Exception {
    boolean isCma = WindowRanks.way(windows).equals("cma");
    run((world, window, goOn) -> {
      long[] got = new long[4];
      long[] was = new long[LARGE];
      try (Epoch _ = window.lock(1, false)) {
        Request put = window.rput(Data.of(numbers(1)), 1, 0);
        Request sums = window.raccumulate(Data.of(numbers(0)), 1, 0, Op.SUM);
        Request get = window.rget(Data.of(got), 1, 2);
        Request fetched = window.rgetAccumulate(Data.of(numbers(5)), Data.of(was), 1, 0, Op.REPLACE);
        assertTrue(put.isActive());
        assertPending(isEmulated(), put);
        assertPending(isEmulated(), get);
        assertPending(isEmulated() || isCma, sums);
        assertPending(isEmulated() || isCma, fetched);
        goOn.countDown();
        assertEquals(0, put.await().bytes());
        get.await();
        sums.await();
        fetched.await();
        assertFalse(fetched.isActive());
      }
      if (isEmulated()) { // in the order in which they were started, as messages go
        assertArrayEquals(new long[] {5, 7, 9, 11}, got);
        assertArrayEquals(LongStream.range(0, LARGE).map(i -> 2 * i + 1).toArray(), was);
      }
    }, window -> assertArrayEquals(numbers(5), found(window)));
  }

  @Test
  void callsOnManyCompleteThemBesideMessages() throws Exception {
    run((world, window, goOn) -> {
      byte[] message = new byte[1];
      long[][] got = new long[3][LARGE];
      try (Epoch _ = window.lockAll()) {
        window.put(Data.of(new long[] {1, 2, 3}), 0, 0);
        Request receive = world.irecv(Data.of(message), 0, 5);
        Request[] all = {null, window.rget(Data.of(got[0]), 1, 0), window.rget(Data.of(got[1]), 1, 0), receive,
          window.rget(Data.of(got[2]), 0, 0)};
        if (isEmulated()) {
          assertFalse(Request.testAll(all.clone()));
        }
        world.send(Data.of(new byte[] {7}), 0, 5);
        int any = Request.waitAny(all);
        assertTrue(any > 0 && all[any] == null);
        int[] indices = new int[all.length];
        assertTrue(Request.waitSome(all, indices) > 0);
        goOn.countDown();
        Request.waitAll(all);
        assertEquals(0, Arrays.stream(all).filter(request -> request != null).count());
        assertEquals(3, got[2][2]);
        Request[] more =
            {window.rput(Data.of(numbers(4)), 1, 0), window.raccumulate(Data.of(numbers(1)), 1, 0, Op.SUM)};
        while (!Request.testAll(more)) {
          Thread.onSpinWait();
        }
        window.flush(1); // by CMA the sums are the target's to make
        Request one = window.rget(Data.of(got[0]), 1, 0);
        Request[] last = {one};
        while (Request.testAny(last) == Request.PENDING) {
          Thread.onSpinWait();
        }
        assertEquals(Request.NONE, Request.testAny(last));
        assertArrayEquals(LongStream.range(0, LARGE).map(i -> 2 * i + 5).toArray(), got[0]);
      }
      assertEquals(7, message[0]);
    }, window -> assertEquals(5, found(window)[0]));
  }

  @Test
  void anInterruptOrALimitEndsTheWaitAndNotTheAccess() throws Exception {
    run((world, window, goOn) -> {
      long[] got = new long[2];
      try (Epoch _ = window.lock(1, true)) {
        window.put(Data.of(new long[] {4, 5}), 1, 0);
        Request get = window.rget(Data.of(got), 1, 0);
        if (isEmulated()) {
          Thread.currentThread().interrupt();
          assertThrows(InterruptedWaitException.class, get::await);
          assertTrue(Thread.interrupted());
          assertThrows(TimeLimitException.class, () -> get.await(Duration.ofMillis(1)));
          assertThrows(UnsupportedOperationException.class, get::cancel);
          assertThrows(IllegalStateException.class, () -> window.rget(Data.of(got), 1, 0, get));
          assertTrue(get.toString().contains("get of 16 bytes at rank 1"), get::toString);
        } else {
          assertFalse(get.cancel());
        }
        assertTrue(get.isActive());
        goOn.countDown();
        get.await();
        assertArrayEquals(new long[] {4, 5}, got);
        assertSame(get, window.rput(Data.of(new long[] {6}), 1, 0, get));
        get.await();
        assertSame(get, window.raccumulate(Data.of(new long[] {6}), 1, 0, Op.SUM, get));
        get.await();
        assertSame(get, window.rgetAccumulate(Data.of(got, 0, 1), Data.of(got, 1, 1), 1, 1, Op.MAX, get));
        get.await();
        assertEquals(5, got[1]);
      }
    }, window -> assertEquals(12, found(window)[0]));
  }

  @Test
  void flushesAndEndsOfEpochsWaitForThem() throws Exception {
    run((world, window, goOn) -> {
      goOn.countDown();
      long[] got = new long[LARGE];
      try (Epoch _ = window.lock(1, false)) {
        Request put = window.rput(Data.of(numbers(1)), 1, 0);
        window.flush(1);
        assertTrue(put.test());
        Request sum = window.raccumulate(Data.of(numbers(2)), 1, 0, Op.SUM);
        Request fetched = window.rgetAccumulate(Data.of(got), Data.of(got), 1, 0, Op.NO_OP);
        window.flushAll();
        assertEquals(3, got[0]);
        assertTrue(sum.test() && fetched.test());
        fetched = window.rget(Data.of(got), 1, 0);
        fetched.release(); // nobody is told, and it goes on
      }
      assertArrayEquals(LongStream.range(0, LARGE).map(i -> 2 * i + 3).toArray(), got);
      long[] more = new long[LARGE];
      try (Epoch _ = window.lockAll()) {
        window.rget(Data.of(more), 1, 0);
      }
      assertArrayEquals(got, more);
    }, window -> assertEquals(3, found(window)[0]));
  }

  @Test
  void accessesOfOneRankKeepTheirOrder() throws Exception {
    run((world, window, goOn) -> {
      goOn.countDown();
      long[] was = new long[LARGE];
      try (Epoch _ = window.lock(1, false)) {
        for (long round = 0; round < 5; round++) {
          Request[] all = {window.raccumulate(Data.of(numbers(round)), 1, 0, Op.REPLACE),
            window.raccumulate(Data.of(numbers(round)), 1, 0, Op.SUM),
            window.rgetAccumulate(Data.of(numbers(1)), Data.of(was), 1, 0, Op.REPLACE)};
          assertEquals(LARGE, window.fetchAndOp(1, 1, LARGE - 1, Op.SUM));
          Request.waitAll(all);
          long first = 2 * round;
          assertArrayEquals(LongStream.range(0, LARGE).map(i -> 2 * i + first).toArray(), was);
        }
      }
    }, window -> assertEquals(LARGE + 1, found(window)[LARGE - 1]));
  }

  /** What is not contiguous at the origin is packed and unpacked in pieces. */
  @Test
  void dataMayHaveGapsAtTheOrigin() throws Exception {
    int count = LARGE / 2;
    Datatype vector = Datatype.vector(count, 1, 2, Datatype.LONG);
    run((world, window, goOn) -> {
      goOn.countDown();
      MemorySegment in = MemorySegment.ofArray(new long[LARGE]);
      MemorySegment out = MemorySegment.ofArray(numbers(1));
      Data from = Data.of(out, 0, 1, vector);
      Data into = Data.of(in, 0, 1, vector);
      try (Epoch _ = window.lock(1, false)) {
        window.rput(from, 1, 0).await();
        window.raccumulate(from, 1, 0, Op.SUM).await();
        window.rgetAccumulate(from, into, 1, 0, Op.SUM).await();
        for (int i = 0; i < count; i++) {
          assertEquals(2 * (2 * i + 1), in.getAtIndex(ValueLayout.JAVA_LONG, 2L * i));
        }
        window.rget(into, 1, 0).await();
        for (int i = 0; i < count; i++) {
          assertEquals(3 * (2 * i + 1), in.getAtIndex(ValueLayout.JAVA_LONG, 2L * i));
        }
      }
    }, window -> assertEquals(3 * (2 * (count - 1) + 1), found(window)[count - 1]));
  }

  @Test
  void memoryThatIsClosedInTheMiddleFailsThem() throws Exception {
    run((world, window, goOn) -> {
      Datatype vector = Datatype.vector(LARGE / 2, 1, 2, Datatype.LONG);
      Request[] all;
      window.lock(1, false);
      try (Arena arena = Arena.ofShared()) {
        MemorySegment memory = arena.allocate(8L * LARGE, 8);
        Data plain = Data.of(memory, 0, LARGE, Datatype.LONG);
        Data gaps = Data.of(memory, 0, 1, vector);
        all = new Request[] {window.rput(plain, 1, 0), window.rget(gaps, 1, 0), window.rget(plain, 1, 0),
          window.raccumulate(gaps, 1, 0, Op.SUM), window.rgetAccumulate(gaps, gaps, 1, 0, Op.SUM)};
      }
      goOn.countDown();
      for (Request request : all) {
        if (isEmulated()) {
          assertThrows(AdrasteaException.class, request::await);
        } else {
          await(request);
        }
      }
      window.unlock(1);
      try (Epoch _ = window.lock(1, false)) {
        assertEquals(0, window.fetchAndOp(3, 1, LARGE - 1, Op.REPLACE) & 1);
      }
    }, window -> assertEquals(3, found(window)[LARGE - 1]));
  }

  private static void await(Request request) {
    try {
      request.await();
    } catch (AdrasteaException e) {
      assertTrue(e.getMessage().contains("cannot be used any more"), e::getMessage);
    }
  }

  @Test
  void theDeathOfTheTargetEndsThem() throws Exception {
    Settings.with(Map.of("adrastea.window", WindowRanks.way(windows)), () -> {
      CountDownLatch started = new CountDownLatch(1);
      FailingRanks.run(WindowRanks.cores(windows), 3, (job, cause) -> {
        Communicator world = Ranks.world(job);
        Window window = Window.allocate(world, 8L * LARGE, 8);
        world.barrier();
        if (world.rank() == GONE) {
          Ranks.await(started);
          throw cause;
        }
        if (world.rank() == 0) {
          endWithTarget(window, started);
        }
        try (Communicator left = world.shrink()) {
          left.barrier();
        }
        window.close();
      });
      return null;
    });
  }

  private void endWithTarget(Window window, CountDownLatch started) {
    long[] got = new long[LARGE];
    window.lockAll();
    Request[] all = {window.rput(Data.of(numbers(0)), GONE, 0), window.rget(Data.of(got), GONE, 0),
      window.raccumulate(Data.of(numbers(1)), GONE, 0, Op.SUM),
      window.rgetAccumulate(Data.of(numbers(2)), Data.of(new long[LARGE]), GONE, 0, Op.SUM)};
    Request released = window.rget(Data.of(new long[LARGE]), GONE, 0);
    released.release();
    started.countDown();
    for (Request request : all) {
      if (isEmulated()) {
        FailingRanks.assertFails(GONE, request::await);
        assertTrue(request.status().failure() instanceof RankFailedException);
      } else {
        awaitOrFail(request);
      }
    }
    if (isEmulated()) {
      FailingRanks.assertFails(GONE, () -> window.flush(GONE));
      FailingRanks.assertFails(GONE, window.rget(Data.of(got), GONE, 0)::await);
      FailingRanks.assertFails(GONE, window::unlockAll);
    } else {
      try {
        window.unlockAll();
      } catch (RankFailedException e) {
        assertEquals(GONE, e.rank());
      }
    }
  }

  private static void awaitOrFail(Request request) {
    try {
      request.await();
    } catch (RankFailedException e) {
      assertEquals(GONE, e.rank());
    }
  }

  /** The epoch of a fence needs no other call to end. */
  @Test
  void closeWaitsForThem() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    WindowRanks.run(windows, 2, (job, world) -> {
      Window window = Window.allocate(world, 8L * LARGE, 8);
      MemorySegment.copy(numbers(3), 0, window.local(), ValueLayout.JAVA_LONG, 0, LARGE);
      window.fence();
      long[] got = new long[LARGE];
      Request get = null;
      if (world.rank() == 0) {
        get = window.rget(Data.of(got), 1, 0);
        goOn.countDown();
      } else {
        Ranks.await(goOn);
      }
      window.close();
      assertTrue(get == null || get.test());
      assertTrue(get == null || Arrays.equals(numbers(3), got));
      world.barrier();
    });
  }
}
