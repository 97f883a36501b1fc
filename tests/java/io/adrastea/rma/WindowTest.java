package io.adrastea.rma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Op;
import io.adrastea.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** What each call of a window does, in each kind of epoch, by each way to the memory of other ranks. */
@Tag("spins")
@EveryWindowList
class WindowTest {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  @Parameter
  String windows;

  private void run(int ranks, WindowRanks.Body body) throws Exception {
    WindowRanks.run(windows, ranks, body);
  }

  private static int next(Window window) {
    return (window.rank() + 1) % window.size();
  }

  private static int previous(Window window) {
    return (window.rank() + window.size() - 1) % window.size();
  }

  @Test
  void tellsWhatItIs() throws Exception {
    run(3, (job, world) -> {
      try (Window window = Window.allocate(world, 100 + window(world), 1 << world.rank())) {
        assertEquals(world.rank(), window.rank());
        assertEquals(3, window.size());
        for (int rank = 0; rank < 3; rank++) {
          assertEquals(100 + rank, window.bytes(rank));
          assertEquals(1 << rank, window.unit(rank));
          assertEquals(rank == world.rank() ? "direct" : WindowRanks.way(windows), window.way(rank));
        }
        assertEquals(100 + world.rank(), window.local().byteSize());
        MemorySegment other = window.of(next(window));
        if (WindowRanks.way(windows).equals("direct")) {
          assertEquals(100 + next(window), other.byteSize());
        } else {
          assertNull(other);
        }
      }
    });
  }

  private static int window(Communicator world) {
    return world.rank();
  }

  @Test
  void putsAndGetsBetweenFences() throws Exception {
    run(3, (job, world) -> {
      try (Window window = Window.allocate(world, 1 << 16, 8)) {
        window.fence();
        long[] numbers = IntStream.range(0, 1000).mapToLong(i -> i * 31L + window.rank()).toArray();
        window.put(Data.of(numbers), next(window), 7);
        window.fence();
        long[] here = window.local().asSlice(7 * 8, 8000).toArray(LONG);
        long[] expected = IntStream.range(0, 1000).mapToLong(i -> i * 31L + previous(window)).toArray();
        assertArrayEquals(expected, here);
        long[] got = new long[1000];
        window.get(Data.of(got), next(window), 7);
        assertArrayEquals(numbers, got);
        window.lastFence();
      }
    });
  }

  @Test
  void putsMuch() throws Exception {
    run(2, (job, world) -> {
      int bytes = 3_000_001;
      try (Window window = Window.allocate(world, bytes + 5L, 1)) {
        byte[] out = new byte[bytes];
        Arrays.setAll(new int[0], i -> i);
        for (int i = 0; i < bytes; i++) {
          out[i] = (byte) (i * 7 + i / 256 + window.rank());
        }
        window.fence();
        window.put(Data.of(out), next(window), 3);
        window.fence();
        byte[] got = new byte[bytes];
        window.get(Data.of(got), next(window), 3);
        assertArrayEquals(out, got);
        for (int i = 0; i < bytes; i += 997) {
          assertEquals((byte) (i * 7 + i / 256 + previous(window)), window.local().get(ValueLayout.JAVA_BYTE, i + 3L));
        }
        window.fence();
      }
    });
  }

  @Test
  void putsAndGetsElements() throws Exception {
    run(2, (job, world) -> {
      Datatype column = Datatype.vector(100, 1, 3, Datatype.INT);
      try (Window window = Window.allocate(world, 4 * 300, 4)) {
        int[] out = IntStream.range(0, 100).map(i -> i + 1000 * window.rank()).toArray();
        window.fence();
        window.put(Data.of(out), next(window), 1, 1, column);
        window.fence();
        for (int i = 0; i < 300; i++) {
          int expected = i % 3 == 1 ? i / 3 + 1000 * previous(window) : 0;
          assertEquals(expected, window.local().getAtIndex(ValueLayout.JAVA_INT, i), "element " + i);
        }
        window.fence();
        int[] all = new int[300];
        window.get(Data.of(all, 2, 1, column), next(window), 1, 1, column);
        int[] packed = new int[100];
        window.get(Data.of(packed), next(window), 1, 1, column);
        assertArrayEquals(out, packed);
        for (int i = 0; i < 300; i++) {
          assertEquals(i % 3 == 2 ? i / 3 + 1000 * window.rank() : 0, all[i]);
        }
        window.put(Data.of(all, 2, 1, column), next(window), 0, 100, Datatype.INT);
        window.fence();
        assertEquals(99 + 1000 * previous(window), window.local().getAtIndex(ValueLayout.JAVA_INT, 99));
        window.fence();
      }
    });
  }

  @Test
  void accumulatesFromAll() throws Exception {
    run(3, (job, world) -> {
      try (Window window = Window.allocate(world, 8 * 2000, 8)) {
        double[] ones = new double[2000];
        Arrays.fill(ones, 0.5);
        window.fence();
        for (int target = 0; target < 3; target++) {
          window.accumulate(Data.of(ones), target, 0, Op.SUM);
          window.accumulate(Data.of(ones), target, 0, Op.SUM);
        }
        window.fence();
        for (int i = 0; i < 2000; i++) {
          assertEquals(3.0, window.local().getAtIndex(ValueLayout.JAVA_DOUBLE, i));
        }
        window.lastFence();
      }
    });
  }

  @Test
  void countsByFetchAndOp() throws Exception {
    run(3, (job, world) -> {
      try (Window window = Window.allocate(world, window(world) == 0 ? 16 : 0, 8)) {
        long[] was = new long[500];
        try (Epoch _ = window.lockAll()) {
          for (int i = 0; i < was.length; i++) {
            was[i] = window.fetchAndOp(1L, 0, 1, Op.SUM);
            if (i > 0) {
              assertTrue(was[i] > was[i - 1]);
            }
          }
        }
        world.barrier();
        if (world.rank() == 0) {
          assertEquals(1500, window.local().get(LONG, 8));
        }
        long[] all = new long[1500];
        world.allgather(Data.of(was), Data.of(all));
        Arrays.sort(all);
        assertArrayEquals(IntStream.range(0, 1500).asLongStream().toArray(), all);
      }
    });
  }

  @Test
  void excludesByCompareAndSwap() throws Exception {
    run(3, (job, world) -> {
      try (Window window = Window.allocate(world, 16, 8)) {
        window.lockAll();
        for (int i = 0; i < 100; i++) {
          while (window.compareAndSwap(0, 1 + window.rank(), 1, 0) != 0) {
            world.iprobe(0, 0); // moves on what others ask for
          }
          long value = window.fetchAndOp(0L, 1, 1, Op.NO_OP);
          window.put(Data.of(new long[] {value + 1}), 1, 1);
          window.flush(1);
          assertEquals(1 + window.rank(), window.compareAndSwap(1 + window.rank(), 0, 1, 0));
        }
        window.unlockAll();
        world.barrier();
        if (window.rank() == 1) {
          assertEquals(300, window.local().get(LONG, 8));
        }
      }
    });
  }

  @Test
  void locksForItself() throws Exception {
    run(3, (job, world) -> {
      try (Window window = Window.allocate(world, 8, 8)) {
        for (int i = 0; i < 200; i++) {
          try (Epoch _ = window.lock(2, true)) {
            long[] value = new long[1];
            window.get(Data.of(value), 2, 0);
            value[0]++;
            window.put(Data.of(value), 2, 0);
          }
        }
        world.barrier();
        if (window.rank() == 2) {
          try (Epoch _ = window.lock(2, false)) {
            assertEquals(600, window.local().get(LONG, 0));
          }
        }
      }
    });
  }

  @Test
  void postsAndStarts() throws Exception {
    run(3, (job, world) -> {
      try (Window window = Window.allocate(world, 8 * 3, 8)) {
        for (int round = 1; round <= 50; round++) {
          int to = next(window);
          int from = previous(window);
          window.post(from);
          try (Epoch _ = window.start(to)) {
            window.put(Data.of(new long[] {round * 10L + window.rank()}), to, window.rank());
          }
          if (round % 2 == 0) {
            while (!window.test()) {
              Thread.onSpinWait();
            }
          } else {
            window.await();
          }
          assertEquals(round * 10L + from, window.local().getAtIndex(LONG, from));
        }
      }
    });
  }

  @Test
  void completesByRequests() throws Exception {
    run(2, (job, world) -> {
      try (Window window = Window.allocate(world, 64, 8)) {
        Request mine = new Request();
        window.fence();
        window.rput(Data.of(new long[] {7, 8}), next(window), 0, mine).await();
        window.raccumulate(Data.of(new long[] {1}), next(window), 1, Op.SUM).await();
        window.fence();
        long[] was = new long[1];
        Request.waitAll(window.rgetAccumulate(Data.of(new long[] {2}), Data.of(was), next(window), 1, Op.PROD));
        assertEquals(9, was[0]);
        window.fence();
        long[] got = new long[2];
        assertFalse(mine.isActive());
        window.rget(Data.of(got), next(window), 0, mine);
        while (!mine.test()) {
          Thread.onSpinWait();
        }
        assertArrayEquals(new long[] {7, 18}, got);
        window.fence();
      }
    });
  }

  @Test
  void swapsElementsOfAnySize() throws Exception {
    run(2, (job, world) -> {
      try (Window window = Window.allocate(world, 16, 1)) {
        window.fence();
        byte[] byteWas = new byte[1];
        window.compareAndSwap(Data.of(new byte[] {0}), Data.of(new byte[] {5}), Data.of(byteWas), next(window), 3);
        short[] shortWas = {9};
        window.compareAndSwap(
            Data.of(new short[] {1}), Data.of(new short[] {5}), Data.of(shortWas), next(window), 6);
        float[] floatWas = {9};
        window.compareAndSwap(
            Data.of(new float[] {0}), Data.of(new float[] {2.5f}), Data.of(floatWas), next(window), 8);
        assertEquals(0, byteWas[0]);
        assertEquals(0, shortWas[0]);
        assertEquals(0, floatWas[0]);
        window.fence();
        assertArrayEquals(new byte[] {0, 0, 0, 5, 0, 0, 0, 0},
            window.local().asSlice(0, 8).toArray(ValueLayout.JAVA_BYTE));
        assertEquals(2.5f, window.local().get(ValueLayout.JAVA_FLOAT, 8));
        window.fence();
      }
    });
  }

  @Test
  void findsThePlaceOfTheLeast() throws Exception {
    run(3, (job, world) -> {
      try (Window window = Window.allocate(world, 16 * 4, 16)) {
        MemorySegment pairs = MemorySegment.ofArray(new long[2 * 4]);
        for (int i = 0; i < 4; i++) {
          window.local().set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 16L * i, 100);
          pairs.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 16L * i, (window.rank() + i) % 3);
          pairs.set(ValueLayout.JAVA_INT_UNALIGNED, 16L * i + 8, window.rank());
        }
        window.fence();
        for (int target = 0; target < 3; target++) {
          window.accumulate(Data.of(pairs, 0, 4, Datatype.DOUBLE_INT), target, 0, Op.MINLOC);
        }
        window.fence();
        for (int i = 0; i < 4; i++) {
          assertEquals(0, window.local().get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 16L * i));
          assertEquals((6 - i) % 3, window.local().get(ValueLayout.JAVA_INT_UNALIGNED, 16L * i + 8));
        }
        window.lastFence();
      }
    });
  }
}
