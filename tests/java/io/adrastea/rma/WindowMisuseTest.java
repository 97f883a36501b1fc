package io.adrastea.rma;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import io.adrastea.ThreadLevel;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.SegmentException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong uses of windows: exceptions that name the place, nothing is written, and nothing hangs. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm:direct", "java:direct", "jni,ffm:cma", "java:handler", "ffm,java@subset:handler"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
class WindowMisuseTest {
  private static final int BYTES = 64;
  private static final byte FILL = 0x55;

  @Parameter
  String windows;

  private interface Body {
    void run(Communicator world, Window window, int other) throws Exception;
  }

  /** Runs a body at two ranks with a window, whose memory is as before behind it, and which can still be used. */
  private void run(int unit, Body body) throws Exception {
    WindowRanks.run(windows, 2, (job, world) -> {
      Window window = Window.allocate(world, BYTES, unit);
      window.local().fill(FILL);
      window.fence();
      window.lastFence();
      int other = 1 - world.rank();
      body.run(world, window, other);
      world.barrier();
      byte[] expected = new byte[BYTES];
      Arrays.fill(expected, FILL);
      assertArrayEquals(expected, window.local().toArray(ValueLayout.JAVA_BYTE), "memory of the window");
      window.fence();
      window.put(Data.of(new byte[] {1}), other, 0);
      window.lastFence();
      assertEquals(1, window.local().get(ValueLayout.JAVA_BYTE, 0));
      window.close();
    });
  }

  private static String at(String call, long displacement, int target) {
    return "%s of 8 bytes at displacement %d of rank %d in ".formatted(call, displacement, target);
  }

  @Test
  void whatLiesOutsideIsRefusedWhereItIs() throws Exception {
    run(8, (world, window, other) -> {
      window.fence();
      long[] long1 = {7};
      byte[] bytes9 = new byte[9];
      long before = 0x1234;
      for (long wrong : new long[] {8, 9, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 60, 1L << 61, (1L << 61) + 1,
        Long.MAX_VALUE / 8, Long.MAX_VALUE / 8 + 1, -(1L << 61), 1L << 32}) {
        for (int target = 0; target < 2; target++) {
          int there = target;
          Class<IndexOutOfBoundsException> type = IndexOutOfBoundsException.class;
          refuses(type, at("put", wrong, there), () -> window.put(Data.of(long1), there, wrong));
          long[] got = {before};
          refuses(type, at("get", wrong, there), () -> window.get(Data.of(got), there, wrong));
          assertEquals(before, got[0]);
          refuses(type, at("accumulate", wrong, there), () -> window.accumulate(Data.of(long1), there, wrong, Op.SUM));
          refuses(type, at("getAccumulate", wrong, there),
              () -> window.getAccumulate(Data.of(long1), Data.of(got), there, wrong, Op.SUM));
          assertEquals(before, got[0]);
          refuses(type, at("fetchAndOp", wrong, there), () -> window.fetchAndOp(1L, there, wrong, Op.SUM));
          refuses(type, at("fetchAndOp", wrong, there), () -> window.fetchAndOp(1.0, there, wrong, Op.NO_OP));
          refuses(type, at("compareAndSwap", wrong, there), () -> window.compareAndSwap(0, 1, there, wrong));
          refuses(type, at("compareAndSwap", wrong, there),
              () -> window.compareAndSwap(Data.of(long1), Data.of(long1), Data.of(got), there, wrong));
          refuses(type, at("put", wrong, there), () -> window.rput(Data.of(long1), there, wrong));
          refuses(type, at("get", wrong, there), () -> window.rget(Data.of(got), there, wrong));
          refuses(type, at("accumulate", wrong, there),
              () -> window.raccumulate(Data.of(long1), there, wrong, Op.SUM));
          String place = "displacement %d of rank %d in ".formatted(wrong, there);
          refuses(type, place, () -> window.put(Data.of(long1), there, wrong, 1, Datatype.LONG));
          refuses(type, place, () -> window.get(Data.of(got), there, wrong, 1, Datatype.LONG));
          refuses(type, place, () -> window.accumulate(Data.of(long1), there, wrong, 1, Datatype.LONG, Op.SUM));
        }
      }
      refuses(IndexOutOfBoundsException.class, "put of 9 bytes at displacement 7 of rank " + other,
          () -> window.put(Data.of(bytes9), other, 7));
      window.lastFence();
    });
  }

  @Test
  void elementsThatReachOutsideAreRefused() throws Exception {
    run(1, (world, window, other) -> {
      window.fence();
      Class<IndexOutOfBoundsException> type = IndexOutOfBoundsException.class;
      String place = "displacement 8 of rank %d in ".formatted(other);
      int[] two = {1, 2};
      for (Datatype there : List.of(Datatype.vector(2, 1, 14, Datatype.INT),
          Datatype.hindexed(new long[] {1, 1}, new long[] {0, -12}, Datatype.INT),
          Datatype.hindexed(new long[] {1, 1}, new long[] {0, 1L << 40}, Datatype.INT))) {
        refuses(type, place, () -> window.put(Data.of(two), other, 8, 1, there));
        refuses(type, place, () -> window.get(Data.of(new int[2]), other, 8, 1, there));
        refuses(type, place, () -> window.accumulate(Data.of(two), other, 8, 1, there, Op.SUM));
        refuses(type, place, () -> window.getAccumulate(Data.of(two), Data.of(new int[2]), other, 8, 1, there, Op.SUM));
      }
      refuses(IllegalArgumentException.class, "both ends are to have as many bytes",
          () -> window.put(Data.of(two), other, 0, 3, Datatype.INT));
      refuses(IllegalArgumentException.class, "both ends are to have as many bytes",
          () -> window.put(Data.of(two), other, 0, -2, Datatype.INT));
      refuses(IllegalArgumentException.class, "both ends are to have as many bytes",
          () -> window.put(Data.of(two), other, 0, (1L << 62) + 2, Datatype.INT));
      refuses(IllegalArgumentException.class, "both ends are to have as many bytes",
          () -> window.accumulate(Data.of(two), other, 0, 1, Datatype.INT, Op.SUM));
      window.lastFence();
    });
  }

  @Test
  void elementsThatAreNotAlignedAreRefused() throws Exception {
    run(1, (world, window, other) -> {
      window.fence();
      Class<IllegalArgumentException> type = IllegalArgumentException.class;
      for (int target = 0; target < 2; target++) {
        int there = target;
        refuses(type, "fetchAndOp at displacement 4 of rank " + there, () -> window.fetchAndOp(1L, there, 4, Op.SUM));
        refuses(type, "fetchAndOp at displacement 1 of rank " + there, () -> window.fetchAndOp(1.0, there, 1, Op.SUM));
        refuses(type, "compareAndSwap at displacement 7 of rank " + there,
            () -> window.compareAndSwap(0, 1, there, 7));
        refuses(type, "accumulate at displacement 2 of rank " + there,
            () -> window.accumulate(Data.of(new int[] {1}), there, 2, Op.SUM));
        refuses(type, "accumulate at displacement 3 of rank " + there,
            () -> window.accumulate(Data.of(new short[] {1}), there, 3, Op.SUM));
        refuses(type, "getAccumulate at displacement 2 of rank " + there,
            () -> window.getAccumulate(Data.of(new float[1]), Data.of(new float[1]), there, 2, Op.NO_OP));
        refuses(type, "compareAndSwap at displacement 1 of rank " + there,
            () -> window.compareAndSwap(Data.of(new char[1]), Data.of(new char[1]), Data.of(new char[1]), there, 1));
        Datatype second = Datatype.hindexed(new long[] {1, 1}, new long[] {0, 6}, Datatype.INT);
        refuses(type, "accumulate at displacement 8 of rank " + there,
            () -> window.accumulate(Data.of(new int[] {1, 2}), there, 8, 1, second, Op.SUM));
      }
      window.lastFence();
    });
  }

  @Test
  void ranksThatThereAreNotAreRefused() throws Exception {
    run(8, (world, window, other) -> {
      Class<IllegalArgumentException> type = IllegalArgumentException.class;
      window.fence();
      for (int wrong : new int[] {-1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        String said = "of rank %d in ".formatted(wrong);
        refuses(type, said, () -> window.put(Data.of(new byte[1]), wrong, 0));
        refuses(type, said, () -> window.get(Data.of(new byte[1]), wrong, 0));
        refuses(type, said, () -> window.fetchAndOp(1L, wrong, 0, Op.SUM));
        refuses(type, said, () -> window.compareAndSwap(1, 2, wrong, 0));
        refuses(type, said, () -> window.accumulate(Data.of(new byte[1]), wrong, 0, Op.SUM));
        refuses(type, "rank %d of window of ".formatted(wrong), () -> window.bytes(wrong));
        refuses(type, "rank %d of window of ".formatted(wrong), () -> window.of(wrong));
      }
      window.lastFence();
      for (int wrong : new int[] {-1, 2}) {
        String said = "of rank %d in ".formatted(wrong);
        refuses(type, "lock " + said, () -> window.lock(wrong, true));
        refuses(type, "unlock " + said, () -> window.unlock(wrong));
        refuses(type, "post " + said, () -> window.post(other, wrong));
        refuses(type, "start " + said, () -> window.start(wrong));
        refuses(type, "flush " + said, () -> window.flush(wrong));
      }
      refuses(type, "start with rank %d twice".formatted(other), () -> window.start(other, other));
      refuses(type, "post with rank %d twice".formatted(other), () -> window.post(other, other));
    });
  }

  /** A list that is refused is so each time: it is not taken for the last good one, as long as it is. */
  @Test
  void listsOfRanksAreRefusedAgainBehindGoodOnes() throws Exception {
    run(8, (world, window, other) -> {
      Class<IllegalArgumentException> type = IllegalArgumentException.class;
      for (int round = 0; round < 2; round++) {
        window.post(other);
        window.start(other).close();
        window.await();
        for (int again = 0; again < 3; again++) {
          refuses(type, "post of rank 99 in ", () -> window.post(99));
          refuses(type, "start of rank 99 in ", () -> window.start(99));
        }
        window.post(0, 1);
        window.start(0, 1).close();
        window.await();
        for (int again = 0; again < 3; again++) {
          refuses(type, "post with rank 1 twice", () -> window.post(1, 1));
          refuses(type, "start with rank 1 twice", () -> window.start(1, 1));
          refuses(type, "start of rank 2 in ", () -> window.start(0, 2));
        }
      }
    });
  }

  @Test
  void accessesOutsideOfEpochsAreRefused() throws Exception {
    run(8, (world, window, other) -> {
      List<Runnable> accesses = List.of(
          () -> window.put(Data.of(new byte[1]), other, 3), () -> window.get(Data.of(new byte[1]), other, 3),
          () -> window.accumulate(Data.of(new long[1]), other, 3, Op.SUM),
          () -> window.getAccumulate(Data.of(new long[1]), Data.of(new long[1]), other, 3, Op.SUM),
          () -> window.fetchAndOp(1L, other, 3, Op.SUM), () -> window.fetchAndOp(1.0, other, 3, Op.SUM),
          () -> window.compareAndSwap(1, 2, other, 3), () -> window.rput(Data.of(new byte[1]), other, 3),
          () -> window.put(Data.of(new int[1]), other, 3, 1, Datatype.INT));
      Runnable refused = () -> accesses.forEach(access -> refuses(IllegalStateException.class,
          "at displacement 3 of rank %d in ".formatted(other), access));
      refused.run();
      window.fence();
      window.lastFence();
      refused.run();
      try (Epoch _ = window.lock(world.rank(), false)) { // of another rank
        refused.run();
      }
      window.lockAll().close();
      refused.run();
      window.post(world.rank());
      try (Epoch _ = window.start(world.rank())) {
        refused.run();
      }
      window.await();
      window.post(other);
      refused.run();
      window.start(other).close();
      window.await();
      refused.run();
      for (Runnable call : List.<Runnable>of(() -> window.flush(other), window::flushAll,
          () -> window.flushLocal(other), window::flushLocalAll)) {
        refuses(IllegalStateException.class, "it is for the epochs of lock() and lockAll()", call);
      }
    });
  }

  @Test
  void epochsThatAreNotOpenAreNotEnded() throws Exception {
    run(8, (world, window, other) -> {
      Class<IllegalStateException> type = IllegalStateException.class;
      refuses(type, "unlock of rank %d in ".formatted(other), () -> window.unlock(other));
      refuses(type, "unlockAll at rank", window::unlockAll);
      refuses(type, "complete at rank", window::complete);
      refuses(type, "await at rank", window::await);
      refuses(type, "test at rank", window::test);
      Epoch locked = window.lock(other, false);
      refuses(type, "unlock of rank %d in ".formatted(world.rank()), () -> window.unlock(world.rank()));
      refuses(type, "unlockAll at rank", window::unlockAll);
      refuses(type, "complete at rank", window::complete);
      locked.close();
      refuses(type, "unlock of rank %d in ".formatted(other), locked::close);
      Epoch all = window.lockAll();
      refuses(type, "unlock of rank %d in ".formatted(other), () -> window.unlock(other));
      all.close();
      refuses(type, "unlockAll at rank", all::close);
      window.fence();
      refuses(type, "unlockAll at rank", window::unlockAll);
      refuses(type, "complete at rank", window::complete);
      window.lastFence();
    });
  }

  @Test
  void epochsThatExcludeEachOtherAreRefused() throws Exception {
    run(8, (world, window, other) -> {
      Class<IllegalStateException> type = IllegalStateException.class;
      List<Runnable> others = List.of(window::fence, window::lastFence, window::lockAll, () -> window.start(other));
      try (Epoch _ = window.lock(other, true)) {
        refuses(type, "lock of rank %d in ".formatted(other), () -> window.lock(other, false));
        refuses(type, "for itself", () -> window.lock(other, true));
        others.forEach(call -> refuses(type, "the epoch of a lock is open", call));
      }
      try (Epoch _ = window.lock(other, false)) {
        refuses(type, "with others", () -> window.lock(other, true));
      }
      try (Epoch _ = window.lockAll()) {
        others.forEach(call -> refuses(type, "the epoch of lockAll is open", call));
        refuses(type, "the epoch of lockAll is open", () -> window.lock(other, false));
      }
      window.post(other);
      refuses(type, "which has posted already", () -> window.post(other));
      refuses(type, "which has posted to other ranks", window::fence);
      try (Epoch _ = window.start(other)) {
        others.forEach(call -> refuses(type, "the epoch of a start is open", call));
        refuses(type, "the epoch of a start is open", () -> window.lock(other, false));
      }
      window.await();
    });
  }

  @Test
  void aWindowIsNotClosedInsideOfAnEpochNorTwice() throws Exception {
    WindowRanks.run(windows, 2, (job, world) -> {
      Class<IllegalStateException> type = IllegalStateException.class;
      int other = 1 - world.rank();
      Window window = Window.allocate(world, BYTES, 8);
      Epoch epoch = window.lock(other, false);
      refuses(type, "close at rank %d in ".formatted(world.rank()), window::close);
      window.put(Data.of(new long[] {5}), other, 1);
      epoch.close();
      epoch = window.lockAll();
      refuses(type, "close at rank", window::close);
      epoch.close();
      window.post(other);
      refuses(type, "close at rank", window::close);
      epoch = window.start(other);
      refuses(type, "close at rank", window::close);
      epoch.close();
      window.await();
      window.fence(); // an epoch without an access
      assertEquals(5, window.local().getAtIndex(ValueLayout.JAVA_LONG, 1));
      window.close();
      refuses(type, "the window is closed", window::close);
      for (Runnable call : List.<Runnable>of(window::fence, window::lastFence, window::lockAll, window::unlockAll,
          () -> window.lock(other, true), () -> window.unlock(other), () -> window.post(other), window::await,
          window::test, () -> window.start(other), window::complete, window::sync, window::flushAll, window::local,
          () -> window.of(other), () -> window.put(Data.of(new byte[1]), other, 0),
          () -> window.fetchAndOp(1L, other, 0, Op.SUM))) {
        refuses(type, "the window is closed", call);
      }
      world.barrier();
    });
  }

  private static void refusesOf(Communicator world, int refused, MemorySegment memory, String said) {
    if (world.rank() == refused) {
      refuses(IllegalArgumentException.class, said, () -> Window.of(world, memory, 8));
    } else {
      refuses(AdrasteaException.class, "rank %s could not open its memory as a window".formatted(
          Ranks.name(world, refused)), () -> Window.of(world, Arena.ofAuto().allocate(0), 8));
    }
  }

  @Test
  void memoryThatMayGoAwayIsRefusedAtAllRanks() throws Exception {
    WindowRanks.run(windows, 2, (job, world) -> {
      try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        refusesOf(world, 0, MemorySegment.ofArray(new long[8]), "heap memory has no address");
        refusesOf(world, 1, confined.allocate(64), "its arena can be closed");
        refusesOf(world, 0, shared.allocate(64), "its arena can be closed");
        refusesOf(world, 1, Arena.ofAuto().allocate(64).asReadOnly(), "the memory is read-only");
        refusesOf(world, 0, job.allocate(64, 8).asReadOnly(), "the memory is read-only");
        if (WindowRanks.way(windows).equals("direct")) {
          refusesOf(world, 1, Arena.ofAuto().allocate(64), "adrastea.window=direct allows those alone");
        }
      }
      try (Window window = Window.allocate(world, 8, 8)) { // nothing is left of those before
        window.fence();
        window.lastFence();
      }
    });
  }

  @Test
  void operatorsAndTypesWithoutMeaningAreRefused() throws Exception {
    run(8, (world, window, other) -> {
      Class<IllegalArgumentException> type = IllegalArgumentException.class;
      window.fence();
      Op own = Op.ofLongs(Long::sum, true);
      long[] longs = {1};
      double[] doubles = {1};
      refuses(type, "accumulate in ", () -> window.accumulate(Data.of(longs), other, 0, own));
      refuses(type, "getAccumulate in ", () -> window.getAccumulate(Data.of(longs), Data.of(longs), other, 0, own));
      refuses(type, "fetchAndOp in ", () -> window.fetchAndOp(1L, other, 0, own));
      refuses(type, "BAND", () -> window.accumulate(Data.of(doubles), other, 0, Op.BAND));
      refuses(type, "BAND", () -> window.fetchAndOp(1.0, other, 0, Op.BAND));
      refuses(type, "MINLOC", () -> window.accumulate(Data.of(longs), other, 0, Op.MINLOC));
      refuses(type, "MINLOC", () -> window.fetchAndOp(1L, other, 0, Op.MINLOC));
      refuses(type, "SUM", () -> window.accumulate(Data.of(new boolean[] {true}), other, 0, Op.SUM));
      MemorySegment pair = MemorySegment.ofArray(new long[2]);
      Data pairs = Data.of(pair, 0, 1, Datatype.LONG_INT);
      refuses(type, "SUM", () -> window.accumulate(pairs, other, 0, Op.SUM));
      refuses(type, "compareAndSwap", () -> window.compareAndSwap(pairs, pairs, pairs, other, 0));
      Data two = Data.of(new int[2]);
      refuses(type, "compareAndSwap", () -> window.compareAndSwap(two, two, two, other, 0));
      refuses(type, "compareAndSwap", () -> window.compareAndSwap(
          Data.of(longs), Data.of(doubles), Data.of(longs), other, 0));
      Datatype mixed = Datatype.struct(new long[] {1, 1}, new long[] {0, 8}, Datatype.LONG, Datatype.DOUBLE);
      refuses(type, "accumulate", () -> window.accumulate(Data.of(pair, 0, 1, mixed), other, 0, Op.REPLACE));
      refuses(type, "one basic type",
          () -> window.accumulate(Data.of(new long[2]), other, 0, 1, mixed, Op.SUM));
      refuses(type, "both are to have the same basic type",
          () -> window.accumulate(Data.of(longs), other, 0, 1, Datatype.DOUBLE, Op.SUM));
      assertThrows(NullPointerException.class, () -> window.put((Data) null, other, 0));
      assertThrows(NullPointerException.class, () -> window.accumulate(Data.of(longs), other, 0, null));
      assertThrows(NullPointerException.class, () -> window.fetchAndOp(1L, other, 0, null));
      MemorySegment fixed = MemorySegment.ofArray(new long[1]).asReadOnly();
      refuses(type, "read-only", () -> window.get(Data.of(fixed), other, 0));
      refuses(type, "read-only", () -> window.get(fixed, 0, 8, other, 0));
      refuses(type, "read-only",
          () -> window.getAccumulate(Data.of(longs), Data.of(fixed, 0, 1, Datatype.LONG), other, 0, Op.SUM));
      window.lastFence();
    });
  }

  @Test
  void aRequestThatIsActiveIsRefused() throws Exception {
    run(8, (world, window, other) -> {
      window.fence();
      Request active = world.irecv(Data.of(new byte[1]), other, 9);
      assertThrows(IllegalStateException.class, () -> window.rput(Data.of(new byte[1]), other, 0, active));
      assertThrows(IllegalStateException.class, () -> window.rget(Data.of(new byte[1]), other, 0, active));
      world.send(Data.of(new byte[1]), other, 9);
      active.await();
      window.lastFence();
    });
  }

  @Test
  void windowsThatCannotBeAreNotMade() throws Exception {
    WindowRanks.run(windows, 2, (job, world) -> {
      assertThrows(NullPointerException.class, () -> Window.allocate(null, 8, 8));
      assertThrows(NullPointerException.class, () -> Window.of(world, null, 8));
      for (int unit : new int[] {0, -1, Integer.MIN_VALUE}) {
        refuses(IllegalArgumentException.class, "%d bytes; at least 1".formatted(unit),
            () -> Window.allocate(world, 8, unit));
      }
      refuses(IllegalArgumentException.class, "a window of -1 bytes; 0 or more", () -> Window.allocate(world, -1, 8));
      Communicator closed = world.dup();
      closed.close();
      assertThrows(IllegalStateException.class, () -> Window.allocate(closed, 8, 8));
      for (long bytes : new long[] {1L << 50, Long.MAX_VALUE - 100, Long.MAX_VALUE}) {
        for (int refused = 0; refused < 2; refused++) {
          long own = world.rank() == refused ? bytes : 8;
          Exception thrown = assertThrows(Exception.class, () -> Window.allocate(world, own, 8));
          assertTrue(thrown instanceof SegmentException || thrown instanceof IllegalArgumentException
              || thrown instanceof AdrasteaException, thrown::toString);
        }
      }
      world.barrier();
    });
  }

  /** While a thread of rank 0 waits to begin an epoch, its other threads are refused what does not go with it. */
  private void refusesBeside(String state, Consumer<Window> awaited, Consumer<Window> beside) throws Exception {
    WindowRanks.run(windows, ThreadLevel.MULTIPLE, 2, (job, world) -> {
      Window window = Window.allocate(world, BYTES, 8);
      if (world.rank() == 0) {
        world.barrier(); // rank 1 has the lock
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> awaited.accept(window));
        IllegalStateException refusal = null;
        while (refusal == null || !refusal.getMessage().contains(state)) {
          refusal = assertThrows(IllegalStateException.class, () -> window.put(Data.of(new long[1]), 0, 0));
        }
        refuses(IllegalStateException.class, state, window::fence);
        refuses(IllegalStateException.class, state, window::lockAll);
        refuses(IllegalStateException.class, state, () -> window.start(1));
        beside.accept(window);
        world.barrier();
        waiting.join();
      } else {
        try (Epoch _ = window.lock(0, true)) {
          world.barrier();
          world.barrier(); // the others have been refused
        }
        window.post(0);
        window.await();
      }
      window.fence();
      window.lastFence();
      window.close();
    });
  }

  @Test
  void threadsDoNotBeginTwoEpochsAtOnce() throws Exception {
    for (boolean exclusive : new boolean[] {true, false}) {
      refusesBeside("the epoch of a lock", window -> {
        window.lock(0, exclusive).close();
        window.start(1).close();
      }, window -> {
        refuses(IllegalStateException.class, "in another thread", () -> window.lock(0, false));
        refuses(IllegalStateException.class, "has not locked", () -> window.unlock(0));
        try (Epoch _ = window.lock(1, true)) { // locks of several targets go together
          window.put(Data.of(new long[] {8}), 1, 0);
        }
      });
    }
    refusesBeside("an epoch that a thread of this rank waits to begin", window -> window.start(1).close(),
        window -> refuses(IllegalStateException.class, "waits to begin", () -> window.lock(1, true)));
  }

  @Test
  void ranksThatShareNoMemoryAreRefused() throws Exception {
    for (String links : List.of("pipes", "mixed")) {
      Ranks.run("ffm+" + links, 3, job -> {
        List<Exception> thrown = new ArrayList<>();
        try {
          Window.allocate(job.world(), 8, 8).close();
        } catch (CapabilityException e) {
          thrown.add(e);
        }
        assertEquals(1, thrown.size(), links);
        job.world().barrier();
      });
    }
  }

  @Test
  void aSettingThatThereIsNotIsRefused() throws Exception {
    Settings.with(Map.of("adrastea.window", "fast"), () -> {
      refuses(IllegalArgumentException.class, "adrastea.window", () -> {
        try {
          Ranks.run("ffm", 1, job -> Window.allocate(job.world(), 8, 8).close());
        } catch (RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      });
      return null;
    });
  }
}
