package io.adrastea.rma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Settings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** In which order accesses of several ranks to one place happen, and that none is seen in parts. */
@Tag("spins")
@EveryWindowList
class WindowOrderTest {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int RANKS = 3;
  private static final int TIMES = 300;

  @Parameter
  String windows;

  /** An access that was made between two points in time, and where it stands among all by what it has found. */
  private record Made(long place, long begin, long end) {}

  private void run(WindowRanks.Body body) throws Exception {
    WindowRanks.run(windows, RANKS, body);
  }

  private static void moveOn(Communicator world) {
    world.iprobe(Communicator.ANY_SOURCE, 0); // does what others ask for
  }

  @Test
  void accumulatesOfOneRankToOnePlaceComeInTheirOrder() throws Exception {
    run((job, world) -> {
      try (Window window = Window.allocate(world, 64, 8)) {
        try (Epoch _ = window.lockAll()) {
          long last = 0;
          for (long i = 1; window.rank() == 0 && i <= 4 * TIMES; i++) {
            long[] two = {i, i};
            switch ((int) i % 4) {
              case 0 -> window.accumulate(Data.of(two), 1, 2, Op.REPLACE);
              case 1 -> window.fetchAndOp(i, 1, 2, Op.REPLACE);
              case 2 -> window.accumulate(Data.of(two), 1, 2, 1, Datatype.vector(2, 1, 2, Datatype.LONG), Op.REPLACE);
              default -> window.getAccumulate(Data.of(two), Data.of(new long[2]), 1, 2, Op.MAX);
            }
          }
          while (window.rank() > 0 && last < 4 * TIMES) {
            long[] now = new long[1];
            window.getAccumulate(Data.of(now), Data.of(now), 1, 2, Op.NO_OP);
            assertTrue(now[0] >= last, now[0] + " behind " + last);
            last = now[0];
            moveOn(world);
          }
        }
        world.barrier();
      }
    });
  }

  /** Nodes lie in the memory of their ranks, and the head at rank 0: each word is a link, of a rank and a place. */
  @Test
  void aLinkedListHasEachNodeThatWasPushed() throws Exception {
    run((job, world) -> {
      try (Window window = Window.allocate(world, 8L * (TIMES + 1), 8)) {
        window.lockAll();
        for (int i = 1; i <= TIMES; i++) {
          long node = (window.rank() + 1L) * 10_000 + i;
          long head = window.fetchAndOp(0L, 0, 0, Op.NO_OP);
          boolean isPushed = false;
          while (!isPushed) {
            window.fetchAndOp(head, window.rank(), i, Op.REPLACE);
            long found = window.compareAndSwap(head, node, 0, 0);
            isPushed = found == head;
            head = found;
          }
          moveOn(world);
        }
        world.barrier();
        List<Long> nodes = new ArrayList<>();
        for (long node = window.fetchAndOp(0L, 0, 0, Op.NO_OP); node != 0;) {
          nodes.add(node);
          node = window.fetchAndOp(0L, (int) (node / 10_000) - 1, node % 10_000, Op.NO_OP);
        }
        nodes.sort(Comparator.naturalOrder());
        List<Long> expected = new ArrayList<>();
        for (int rank = 1; rank <= RANKS; rank++) {
          for (int i = 1; i <= TIMES; i++) {
            expected.add(rank * 10_000L + i);
          }
        }
        assertEquals(expected, nodes);
        world.barrier();
        window.unlockAll();
      }
    });
  }

  @Test
  void aMutexOfFetchAndOpExcludes() throws Exception {
    run((job, world) -> {
      try (Window window = Window.allocate(world, 32, 8)) {
        window.lockAll();
        for (int i = 0; i < 100; i++) {
          long ticket = window.fetchAndOp(1L, 0, 0, Op.SUM);
          while (window.fetchAndOp(0L, 0, 1, Op.NO_OP) != ticket) {
            moveOn(world);
            Thread.yield();
          }
          long[] count = new long[1];
          window.get(Data.of(count), 2, 3);
          count[0]++;
          window.put(Data.of(count), 2, 3);
          window.flush(2);
          window.fetchAndOp(1L, 0, 1, Op.SUM);
        }
        world.barrier();
        window.unlockAll();
        if (window.rank() == 2) {
          assertEquals(100 * RANKS, window.local().getAtIndex(LONG, 3));
        }
      }
    });
  }

  @Test
  void pairsAreNeverSeenInParts() throws Exception {
    run((job, world) -> {
      try (Window window = Window.allocate(world, 32, 16)) {
        for (int round = 0; round < 2; round++) {
          Op op = round == 0 ? Op.REPLACE : Op.MAXLOC;
          try (Epoch _ = window.lockAll()) {
            MemorySegment pair = MemorySegment.ofArray(new long[2]);
            for (int i = 1; i <= 2 * TIMES; i++) {
              if ((i + window.rank()) % 2 == 0) {
                long value = i * 1_000_003L + window.rank();
                pair.set(LONG, 0, value);
                pair.set(INT, 8, mark(value));
                window.accumulate(Data.of(pair, 0, 1, Datatype.LONG_INT), 1, round, op);
              } else {
                Data result = Data.of(pair, 0, 1, Datatype.LONG_INT);
                window.getAccumulate(result, result, 1, round, Op.NO_OP);
                assertEquals(pair.get(LONG, 0) == 0 ? 0 : mark(pair.get(LONG, 0)), pair.get(INT, 8));
              }
            }
          }
          world.barrier();
        }
      }
    });
  }

  private static int mark(long value) {
    return (int) (value * 0x9E37_79B9_7F4A_7C15L >>> 33) + 1;
  }

  /** The memory of rank 0 is reached directly by rank 1, and by the handler by rank 2: a window each. */
  @Test
  void directAndEmulatedAccessesToOneWordAreAtomic() throws Exception {
    Settings.with(Map.of("adrastea.window", "direct"), () -> {
      Ranks.run(WindowRanks.cores(windows), RANKS, job -> {
        Communicator world = Ranks.world(job);
        MemorySegment memory = job.allocate(64, 64).fill((byte) 0);
        Window direct = Window.of(world, memory, 8);
        Window emulated = world.rank() == 0
            ? Settings.with(Map.of("adrastea.window", "handler"), () -> overAgain(world, memory))
            : overAgain(world, memory);
        assertEquals("direct", direct.way(0));
        assertEquals(world.rank() == 0 ? "direct" : "handler", emulated.way(0));
        Window used = world.rank() == 1 ? direct : emulated;
        long[] was = new long[TIMES];
        used.lockAll();
        for (int i = 0; i < TIMES; i++) {
          was[i] = used.fetchAndOp(1L, 0, 0, Op.SUM);
          used.accumulate(Data.of(new double[] {0.5, 1}), 0, 1, Op.SUM);
          used.accumulate(Data.of(new byte[] {1, 1, 1, 1}), 0, 3, Op.SUM);
          for (long seen = -1, last = 0; seen != last;) { // adds one by a swap
            last = seen < 0 ? 0 : seen;
            seen = used.compareAndSwap(last, last + 1, 0, 4);
          }
          moveOn(world);
        }
        world.barrier();
        used.flush(0);
        world.barrier();
        used.unlockAll();
        long[] all = new long[RANKS * TIMES];
        world.allgather(Data.of(was), Data.of(all));
        Arrays.sort(all);
        assertArrayEquals(LongStream.range(0, all.length).toArray(), all);
        if (world.rank() == 0) {
          assertEquals(RANKS * TIMES * 0.5, memory.get(ValueLayout.JAVA_DOUBLE, 8));
          assertEquals(RANKS * TIMES, memory.get(ValueLayout.JAVA_DOUBLE, 16));
          for (int i = 0; i < 4; i++) {
            assertEquals((byte) (RANKS * TIMES), memory.get(ValueLayout.JAVA_BYTE, 24 + i));
          }
          assertEquals(RANKS * TIMES, memory.get(ValueLayout.JAVA_LONG, 32));
        }
        emulated.close();
        direct.close();
      });
      return null;
    });
  }

  /** All make it between two barriers: rank 0 has changed the setting of all before, and changes it back behind. */
  private static Window overAgain(Communicator world, MemorySegment memory) {
    world.barrier();
    Window window = Window.of(world, memory, 8);
    world.barrier();
    return window;
  }

  @Test
  void historiesAreThoseOfOneAccessAfterTheOther() throws Exception {
    List<Made> sums = new ArrayList<>();
    Map<Long, Made> swaps = new HashMap<>(); // by what was replaced
    run((job, world) -> {
      List<Made> own = new ArrayList<>();
      Map<Long, Made> ownSwaps = new HashMap<>();
      try (Window window = Window.allocate(world, 16, 8)) {
        window.lockAll();
        for (int i = 1; i <= TIMES; i++) {
          long begin = System.nanoTime();
          long found = window.fetchAndOp(1L, 1, 0, Op.SUM);
          own.add(new Made(found, begin, System.nanoTime()));
          long last = window.fetchAndOp(0L, 1, 1, Op.NO_OP);
          long wanted = i * 10L + window.rank();
          begin = System.nanoTime();
          if (window.compareAndSwap(last, wanted, 1, 1) == last) {
            ownSwaps.put(last, new Made(wanted, begin, System.nanoTime()));
          }
          moveOn(world);
        }
        world.barrier();
        window.unlockAll();
      }
      synchronized (sums) {
        sums.addAll(own);
        ownSwaps.forEach((replaced, made) -> assertFalse(swaps.containsKey(replaced), "replaced twice: " + replaced));
        swaps.putAll(ownSwaps);
      }
    });
    sums.sort(Comparator.comparingLong(Made::place));
    assertEquals(LongStream.range(0, (long) RANKS * TIMES).boxed().toList(), sums.stream().map(Made::place).toList());
    assertInTime(sums);
    List<Made> chain = new ArrayList<>();
    for (Made made = swaps.get(0L); made != null; made = swaps.get(made.place)) {
      chain.add(made);
    }
    assertEquals(swaps.size(), chain.size());
    assertInTime(chain);
  }

  /** None that ended before another one began stands behind it. */
  private static void assertInTime(List<Made> history) {
    long least = Long.MAX_VALUE; // end of those behind
    for (int i = history.size() - 1; i >= 0; i--) {
      assertTrue(history.get(i).begin <= least, "number %d began when one behind it was over".formatted(i));
      least = Math.min(least, history.get(i).end);
    }
  }

  @Test
  void aPostIsAnsweredBeforeTheMemoryIsUsed() throws Exception {
    run((job, world) -> {
      int count = 4000;
      try (Window window = Window.allocate(world, count * 8L, 8)) {
        int to = (window.rank() + 1) % RANKS;
        int from = (window.rank() + RANKS - 1) % RANKS;
        for (long round = 1; round <= 30; round++) {
          long number = round;
          window.post(from);
          try (Epoch _ = window.start(to)) {
            window.put(Data.of(IntStream.range(0, count).mapToLong(i -> number).toArray()), to, 0);
          }
          window.await();
          long[] found = window.local().toArray(ValueLayout.JAVA_LONG);
          assertArrayEquals(LongStream.generate(() -> number).limit(count).toArray(), found);
        }
      }
    });
  }
}
