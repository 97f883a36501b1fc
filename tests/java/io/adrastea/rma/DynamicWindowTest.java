package io.adrastea.rma;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.ThreadLevel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Windows that memory is attached to and detached from, by each way to it. */
@Tag("spins")
@EveryWindowList
class DynamicWindowTest {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final int WORDS = 64;

  @Parameter
  String windows;

  private final long seed = Long.getLong("adrastea.seed", System.nanoTime());

  private boolean isDirect() {
    return WindowRanks.way(windows).equals("direct");
  }

  private MemorySegment memory(Job job, long bytes) {
    return (isDirect() ? job.allocate(bytes, 16) : Arena.ofAuto().allocate(bytes, 16)).fill((byte) 0);
  }

  /** A number of each rank. */
  private static long[] told(Communicator world, long own) {
    long[] all = new long[world.size()];
    world.allgather(Data.of(new long[] {own}), Data.of(all));
    return all;
  }

  @Test
  void everyCallReachesWhatIsAttached() throws Exception {
    WindowRanks.run(windows, 3, (job, world) -> {
      try (Window window = Window.dynamic(world)) {
        MemorySegment memory = memory(job, WORDS * 8);
        long[] at = told(world, memory.address());
        window.attach(memory);
        world.barrier();
        String way = WindowRanks.way(windows);
        for (int target = 0; target < 3; target++) {
          assertEquals(target == world.rank() ? "direct" : way, window.way(target, at[target]));
          assertEquals("dynamic", window.way(target));
          assertEquals(1, window.unit(target));
          assertEquals(0, window.bytes(target));
          assertNull(window.of(target));
        }
        everyCall(world, window, at, memory);
        world.barrier();
        window.detach(memory);
      }
    });
  }

  private static void everyCall(Communicator world, Window window, long[] at, MemorySegment memory) {
    int rank = world.rank();
    int next = (rank + 1) % 3;
    int last = (rank + 2) % 3;
    window.fence();
    window.put(Data.of(new long[] {rank, 10 + rank}), next, at[next]);
    window.put(Data.of(new int[] {1, 2, 3, 4}), next, at[next] + 16, 1, Datatype.vector(4, 1, 3, Datatype.INT));
    window.rput(Data.of(new long[] {7}), next, at[next] + (WORDS - 1) * 8).await();
    window.fence();
    assertEquals(last, memory.get(LONG, 0));
    assertEquals(10 + last, memory.get(LONG, 8));
    assertEquals(4, memory.get(ValueLayout.JAVA_INT, 16 + 36));
    assertEquals(7, memory.getAtIndex(LONG, WORDS - 1));
    long[] got = new long[2];
    window.get(Data.of(got), next, at[next]);
    assertArrayEquals(new long[] {rank, 10 + rank}, got);
    int[] ints = new int[4];
    window.get(Data.of(ints), next, at[next] + 16, 1, Datatype.vector(4, 1, 3, Datatype.INT));
    assertArrayEquals(new int[] {1, 2, 3, 4}, ints);
    window.lastFence();
    try (Epoch _ = window.lockAll()) {
      for (int target = 0; target < 3; target++) {
        window.accumulate(Data.of(new long[] {1}), target, at[target] + 80, Op.SUM);
        window.accumulate(Data.of(new int[] {1, 2}), target, at[target] + 88, Op.SUM);
        window.accumulate(Data.of(new byte[] {1, 1, 1}), target, at[target] + 97, Op.SUM);
        window.accumulate(Data.of(new short[] {2, 3}), target, at[target] + 104, 2,
            Datatype.vector(1, 1, 2, Datatype.SHORT), Op.SUM);
        window.fetchAndOp(1L, target, at[target] + 112, Op.SUM);
        window.fetchAndOp(0.5, target, at[target] + 120, Op.SUM);
        window.getAccumulate(Data.of(new long[] {1L << rank}), Data.of(new long[1]), target, at[target] + 128, Op.BOR);
        MemorySegment pair = MemorySegment.ofArray(new long[2]);
        pair.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, -rank);
        pair.set(ValueLayout.JAVA_INT_UNALIGNED, 8, rank);
        window.accumulate(Data.of(pair, 0, 1, Datatype.LONG_INT), target, at[target] + 136, Op.MINLOC);
        if (target != rank) { // a rank that spins on its own memory serves nobody
          countUnderMutex(window, target, at[target] + 160);
        }
      }
    }
    world.barrier();
    window.sync();
    assertEquals(3, memory.get(LONG, 80));
    assertEquals(3, memory.get(ValueLayout.JAVA_INT, 88));
    assertEquals(6, memory.get(ValueLayout.JAVA_INT, 92));
    assertEquals(0x03030300, memory.get(ValueLayout.JAVA_INT, 96));
    assertEquals(6, memory.get(ValueLayout.JAVA_SHORT, 104));
    assertEquals(3, memory.get(LONG, 112));
    assertEquals(1.5, memory.get(ValueLayout.JAVA_DOUBLE, 120));
    assertEquals(7, memory.get(LONG, 128));
    assertEquals(-2, memory.get(LONG, 136));
    assertEquals(2, memory.get(ValueLayout.JAVA_INT, 144));
    assertEquals(2, memory.get(LONG, 168));
    window.post(last);
    try (Epoch _ = window.start(next)) {
      window.put(Data.of(new long[] {77}), next, at[next] + 8);
    }
    window.await();
    assertEquals(77, memory.get(LONG, 8));
  }

  private static void countUnderMutex(Window window, int target, long mutex) {
    long[] got = new long[1];
    while (window.compareAndSwap(0, 1, target, mutex) != 0) {
      Thread.onSpinWait();
    }
    window.get(Data.of(got), target, mutex + 8);
    got[0]++;
    window.put(Data.of(got), target, mutex + 8);
    window.flush(target);
    window.compareAndSwap(1, 0, target, mutex);
  }

  /** Random stretches come and go; each access is where it says, or is refused where no stretch holds it. */
  @Test
  void stretchesComeAndGo() throws Exception {
    WindowRanks.run(windows, 2, (job, world) -> {
      SplittableRandom random = new SplittableRandom(seed + world.rank());
      int bytes = 4096;
      MemorySegment memory = memory(job, bytes);
      byte[] expected = new byte[bytes];
      try (Window window = Window.dynamic(world)) {
        long[] at = told(world, memory.address());
        List<int[]> stretches = new ArrayList<>();
        int other = 1 - world.rank();
        for (int round = 0; round < 150; round++) {
          change(window, memory, stretches, random);
          int[] list = new int[2 * bytes];
          int[] mine = new int[bytes]; // of which stretch each byte is; 0: of none
          stretches.forEach(each -> Arrays.fill(mine, each[0], each[1], 1 + each[0]));
          world.allgather(Data.of(mine), Data.of(list));
          int[] there = Arrays.copyOfRange(list, other * bytes, (other + 1) * bytes);
          try (Epoch _ = round % 2 == 0 ? window.lockAll() : window.lock(other, random.nextBoolean())) {
            for (int access = 0; access < 10; access++) {
              int from = random.nextInt(bytes - 1);
              int length = 1 + random.nextInt(Math.min(60, bytes - from));
              access(window, other, at[other], there, from, length, expected, random);
            }
          }
          world.barrier();
        }
        check(world, memory, expected, other);
      }
      world.barrier();
    });
  }

  /** Attaches a free range, or detaches one of the stretches. */
  private static void change(Window window, MemorySegment memory, List<int[]> stretches, SplittableRandom random) {
    for (int change = 0; change < 4; change++) {
      int from = random.nextInt((int) memory.byteSize() - 1);
      int to = from + 1 + random.nextInt(Math.min(300, (int) memory.byteSize() - from));
      int[] over = stretches.stream().filter(each -> each[0] < to && from < each[1]).findAny().orElse(null);
      if (over == null) {
        window.attach(memory.asSlice(from, to - from));
        stretches.add(new int[] {from, to});
      } else {
        refuses(IllegalArgumentException.class, "stretches do not overlap",
            () -> window.attach(memory.asSlice(from, to - from)));
        window.detach(memory.asSlice(over[0], over[1] - over[0]));
        stretches.remove(over);
      }
    }
  }

  /** Puts to some bytes and gets them back, or is refused, as the number of the stretch says that each byte is of. */
  private static void access(Window window, int other, long base, int[] there, int from, int length, byte[] expected,
      SplittableRandom random) {
    boolean holds = there[from] != 0;
    for (int at = from; at < from + length; at++) {
      holds &= there[at] == there[from];
    }
    byte[] out = new byte[length];
    random.nextBytes(out);
    if (holds) {
      window.put(Data.of(out), other, base + from);
      window.flush(other);
      byte[] in = new byte[length];
      window.get(Data.of(in), other, base + from);
      assertArrayEquals(out, in);
      System.arraycopy(out, 0, expected, from, length);
    } else {
      String said = "of %d bytes at displacement %d of rank %d in ".formatted(length, base + from, other);
      refuses(IndexOutOfBoundsException.class, "put " + said, () -> window.put(Data.of(out), other, base + from));
      byte[] in = out.clone();
      refuses(IndexOutOfBoundsException.class, "get " + said, () -> window.get(Data.of(in), other, base + from));
      assertArrayEquals(out, in);
    }
  }

  private static void check(Communicator world, MemorySegment memory, byte[] expected, int other) {
    byte[] all = new byte[2 * expected.length];
    world.allgather(Data.of(expected), Data.of(all));
    byte[] mine = Arrays.copyOfRange(all, other == 1 ? expected.length : 0, (other == 1 ? 2 : 1) * expected.length);
    assertArrayEquals(mine, memory.toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void thereIsRoomForManyStretches() throws Exception {
    WindowRanks.run(windows, 2, (job, world) -> {
      int count = 500;
      MemorySegment memory = memory(job, count * 16L);
      try (Window window = Window.dynamic(world)) {
        int other = 1 - world.rank();
        long[] at = told(world, memory.address());
        for (int i = 0; i < count; i++) {
          window.attach(memory.asSlice(i * 7 % count * 16L, 8));
        }
        world.barrier();
        window.lockAll();
        for (int i = 0; i < count; i++) {
          assertEquals(0, window.fetchAndOp(i + 1L, other, at[other] + i * 16L, Op.SUM));
          long between = at[other] + i * 16L + 8;
          refuses(IndexOutOfBoundsException.class, "fetchAndOp of 8 bytes at displacement " + between,
              () -> window.fetchAndOp(1L, other, between, Op.SUM));
        }
        window.unlockAll();
        world.barrier();
        for (int i = 0; i < count; i++) {
          assertEquals(i + 1, memory.get(LONG, i * 16L));
          window.detach(memory.asSlice(i * 16L, 8));
        }
        world.barrier();
        try (Epoch _ = window.lock(other, false)) {
          refuses(IndexOutOfBoundsException.class, "put of 8 bytes at displacement " + at[other],
              () -> window.put(Data.of(new long[1]), other, at[other]));
        }
        world.barrier();
      }
    });
  }

  /** Others count in a stretch that stays, while its rank attaches and detaches those around it. */
  @Test
  void aStretchStaysWhileOthersComeAndGo() throws Exception {
    int rounds = 2000;
    AtomicInteger done = new AtomicInteger();
    WindowRanks.run(windows, 3, (job, world) -> {
      MemorySegment memory = memory(job, 1024);
      try (Window window = Window.dynamic(world)) {
        long at = told(world, memory.address() + 512)[0];
        if (world.rank() == 0) {
          window.attach(memory.asSlice(512, 64));
        }
        world.barrier();
        if (world.rank() == 0) {
          for (int round = 0; done.get() < 2; round++) {
            List<MemorySegment> some =
                List.of(memory.asSlice(round % 4 * 100L, 100), memory.asSlice(576, 32 + round % 9),
                    memory.asSlice(504, 8));
            some.forEach(window::attach);
            world.iprobe(1, 1); // makes progress
            some.forEach(window::detach);
          }
        } else {
          try {
            count(window, at, rounds);
          } finally {
            done.incrementAndGet();
          }
        }
        world.barrier();
        if (world.rank() == 0) {
          assertEquals(2 * rounds, memory.get(LONG, 512));
          assertEquals(2 * rounds, memory.get(ValueLayout.JAVA_DOUBLE, 520));
        }
      }
    });
  }

  /** Threads of one rank come to stretches that none of them has reached before, while more are attached. */
  @Test
  void severalThreadsReachStretches() throws Exception {
    int count = 60;
    int threads = 3;
    AtomicInteger attached = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    WindowRanks.run(windows, ThreadLevel.MULTIPLE, 2, (job, world) -> {
      MemorySegment memory = memory(job, count * 16L);
      try (Window window = Window.dynamic(world)) {
        long at = told(world, memory.address())[0];
        if (world.rank() == 0) {
          for (int i = 0; i < count; i++) {
            window.attach(memory.asSlice(i * 16L, 8));
            attached.set(i + 1);
            world.iprobe(1, 1); // makes progress
          }
          while (done.get() < threads) {
            world.iprobe(1, 1);
          }
        } else {
          window.lockAll();
          inThreads(threads, done, () -> {
            for (int i = 0; i < count; i++) {
              while (attached.get() <= i) {
                Thread.onSpinWait();
              }
              window.fetchAndOp(1L, 0, at + i * 16L, Op.SUM);
              window.accumulate(Data.of(new long[] {1}), 0, at + i * 16L, Op.SUM);
            }
          });
          window.unlockAll();
        }
        world.barrier();
        for (int i = 0; world.rank() == 0 && i < count; i++) {
          assertEquals(2 * threads, memory.get(LONG, i * 16L));
        }
      }
    });
  }

  private static void inThreads(int count, AtomicInteger done, Runnable body) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
      List<Future<?>> all = new ArrayList<>();
      for (int each = 0; each < count; each++) {
        all.add(threads.submit(() -> {
          try {
            body.run();
          } finally {
            done.incrementAndGet();
          }
        }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }

  private static void count(Window window, long at, int rounds) {
    byte[] in = new byte[64];
    try (Epoch _ = window.lockAll()) {
      for (int round = 0; round < rounds; round++) {
        window.fetchAndOp(1L, 0, at, Op.SUM);
        window.accumulate(Data.of(new double[] {1}), 0, at + 8, Op.SUM);
        window.get(Data.of(in), 0, at);
      }
    }
  }

  /**
   * An element that no instruction changes has one stripe for all that change it, by its address: for a thread of its
   * own rank, which reaches it where it lies, and for others, for whom its rank may do it, wherever the stretch begins.
   */
  @Test
  void stripesAreThoseOfTheAddressBehindAnotherAttach() throws Exception {
    int sums = 1_000;
    long place = 256;
    long[] starts = {0, 96, 32};
    AtomicInteger own = new AtomicInteger(); // sums of the rank whose memory it is
    AtomicInteger over = new AtomicInteger(); // rounds that the other one has ended
    WindowRanks.run(windows, ThreadLevel.MULTIPLE, 2, (job, world) -> {
      MemorySegment memory = memory(job, 512);
      MemorySegment one = Arena.ofAuto().allocate(16, 8);
      one.set(ValueLayout.JAVA_DOUBLE, 0, 1);
      Data summand = Data.of(one, 0, 1, Datatype.DOUBLE_COMPLEX);
      try (Window window = Window.dynamic(world)) {
        long at = told(world, memory.address())[0] + place;
        for (int round = 1; round <= starts.length; round++) {
          MemorySegment stretch = memory.asSlice(starts[round - 1]);
          if (world.rank() == 0) {
            window.attach(stretch);
          }
          world.barrier();
          window.lockAll();
          if (world.rank() == 0) {
            sumAlong(world, window, summand, at, own, over, round);
          } else {
            for (int sum = 0; sum < sums; sum++) {
              window.accumulate(summand, 0, at, Op.SUM);
            }
            window.flush(0);
            over.set(round);
          }
          window.unlockAll();
          world.barrier(); // both are done there
          if (world.rank() == 0) {
            window.detach(stretch);
          }
        }
        if (world.rank() == 0) {
          assertEquals(starts.length * sums + own.get(), memory.get(ValueLayout.JAVA_DOUBLE, place));
        }
      }
    });
  }

  /** Sums in another thread until the other rank has ended the round, and does meanwhile what that one asks for. */
  private static void sumAlong(Communicator world, Window window, Data summand, long at, AtomicInteger own,
      AtomicInteger over, int round) throws Exception {
    Thread sums = Thread.ofPlatform().start(() -> {
      while (over.get() < round) {
        window.accumulate(summand, 0, at, Op.SUM);
        own.incrementAndGet();
      }
    });
    while (over.get() < round) {
      world.iprobe(1, 1);
    }
    sums.join();
  }

  /** Accesses to a stretch that is being detached happen or are refused; nothing hangs, and the window goes on. */
  @Test
  void aStretchIsDetachedWhileOthersAccessIt() throws Exception {
    AtomicInteger done = new AtomicInteger();
    WindowRanks.run(windows, 3, (job, world) -> {
      MemorySegment memory = memory(job, 256);
      try (Window window = Window.dynamic(world)) {
        long at = told(world, memory.address())[0];
        world.barrier();
        if (world.rank() == 0) {
          while (done.get() < 2) {
            window.attach(memory);
            for (int i = 0; i < 3; i++) {
              world.iprobe(1, 1);
            }
            window.detach(memory);
          }
          window.attach(memory.fill((byte) 0));
        } else {
          try {
            accessWhatComesAndGoes(window, at);
          } finally {
            done.incrementAndGet();
          }
        }
        world.barrier();
        try (Epoch _ = window.lockAll()) { // nothing is told that belongs to an epoch before
          window.fetchAndOp(1L, 0, at + 248, Op.SUM);
          window.flushAll();
        }
        world.barrier();
        if (world.rank() == 0) {
          assertEquals(3, memory.get(LONG, 248));
        }
      }
    });
  }

  private static void accessWhatComesAndGoes(Window window, long at) {
    List<Runnable> accesses = List.of(() -> window.put(Data.of(new long[8]), 0, at),
        () -> window.get(Data.of(new long[8]), 0, at), () -> window.fetchAndOp(1L, 0, at + 64, Op.SUM),
        () -> window.compareAndSwap(0, 1, 0, at + 72), () -> window.accumulate(Data.of(new long[8]), 0, at, Op.SUM),
        () -> window.getAccumulate(Data.of(new int[8]), Data.of(new int[8]), 0, at, Op.SUM),
        () -> window.put(Data.of(new int[8]), 0, at, 1, Datatype.vector(4, 2, 5, Datatype.INT)),
        () -> window.get(Data.of(new int[8]), 0, at, 1, Datatype.vector(4, 2, 5, Datatype.INT)),
        () -> window.accumulate(Data.of(MemorySegment.ofArray(new long[2]), 0, 1, Datatype.LONG_INT), 0, at,
            Op.MINLOC));
    int refused = 0;
    int did = 0;
    for (int round = 0; refused < 20 || did < 200; round++) {
      Runnable access = accesses.get(round % accesses.size());
      Epoch epoch = window.lock(0, false);
      try {
        access.run();
        did++;
      } catch (IndexOutOfBoundsException e) {
        refused++;
      }
      try {
        epoch.close();
      } catch (IndexOutOfBoundsException e) {
        assertTrue(e.getMessage().contains("has refused an access to its memory at byte "), e.getMessage());
        refused++;
      }
    }
  }

  /** What the target finds detached when a put or an accumulate comes is told at the end of the epoch, once. */
  @Test
  void theHandlerRefusesWhatWasDetachedMeanwhile() throws Exception {
    String way = WindowRanks.way(windows);
    for (boolean puts : new boolean[] {true, false}) {
      boolean isHandler = way.equals("handler") || way.equals("cma") && !puts;
      CountDownLatch sent = new CountDownLatch(1);
      CountDownLatch detached = new CountDownLatch(1);
      WindowRanks.run(windows, 2, (job, world) -> {
        MemorySegment memory = memory(job, 64);
        try (Window window = Window.dynamic(world)) {
          long at = told(world, memory.address())[0];
          if (world.rank() == 0) {
            window.attach(memory);
            world.barrier();
            Ranks.await(sent);
            window.detach(memory); // nothing has come in here
            detached.countDown();
          } else {
            world.barrier();
            Epoch epoch = window.lockAll();
            if (puts) {
              window.put(Data.of(new long[] {-1}), 0, at + 8);
            } else {
              window.accumulate(Data.of(new int[] {-1}), 0, at + 8, Op.SUM);
            }
            sent.countDown();
            Ranks.await(detached);
            if (isHandler) {
              refuses(IndexOutOfBoundsException.class,
                  "refused an access to its memory at byte %d in ".formatted(at + 8),
                  () -> window.flush(0));
            }
            window.flushAll();
            epoch.close();
          }
          world.barrier();
          if (world.rank() == 0 && isHandler) {
            assertEquals(0, memory.get(LONG, 8));
          }
        }
      });
    }
  }

  /** Elements may lie around an origin that is in no stretch, such as those at absolute addresses. */
  @Test
  void elementsLieInOneStretch() throws Exception {
    WindowRanks.run(windows, 2, (job, world) -> {
      MemorySegment memory = memory(job, 256);
      try (Window window = Window.dynamic(world)) {
        window.attach(memory.asSlice(0, 128));
        window.attach(memory.asSlice(128, 128));
        int other = 1 - world.rank();
        long at = told(world, memory.address())[other];
        window.fence();
        Datatype absolute = Datatype.hindexed(new long[] {1, 1}, new long[] {at + 64, at + 16}, Datatype.LONG);
        window.put(Data.of(new long[] {1, 2}), other, 0, 1, absolute);
        window.put(Data.of(new long[] {3}), other, at + 256, 1,
            Datatype.hindexed(new long[] {1}, new long[] {-8}, Datatype.LONG));
        window.accumulate(Data.of(new long[] {10, 20}), other, 0, 1, absolute, Op.SUM);
        long[] got = new long[2];
        window.get(Data.of(got), other, 0, 1, absolute);
        window.fence();
        window.get(Data.of(got), other, 0, 1, absolute);
        assertArrayEquals(new long[] {11, 22}, got);
        window.getAccumulate(Data.of(new long[2]), Data.of(got), other, 0, 1, absolute, Op.NO_OP);
        assertArrayEquals(new long[] {11, 22}, got);
        window.lastFence();
        assertEquals(22, memory.get(LONG, 16));
        assertEquals(11, memory.get(LONG, 64));
        assertEquals(3, memory.get(LONG, 248));
        world.barrier();
        window.fence();
        Class<IndexOutOfBoundsException> type = IndexOutOfBoundsException.class;
        String said = "at displacement %d of rank %d in ".formatted(at + 120, other);
        refuses(type, "put of 16 bytes " + said, () -> window.put(Data.of(new long[2]), other, at + 120));
        Datatype wide = Datatype.vector(2, 1, 2, Datatype.INT);
        refuses(type, "put of 12 bytes " + said, () -> window.put(Data.of(new int[2]), other, at + 120, 1, wide));
        refuses(type, "get of 12 bytes " + said, () -> window.get(Data.of(new int[2]), other, at + 120, 1, wide));
        refuses(type, said, () -> window.accumulate(Data.of(new int[2]), other, at + 120, 1, wide, Op.SUM));
        window.lastFence();
        assertEquals(0, memory.get(LONG, 120));
        assertEquals(0, memory.get(LONG, 128));
        world.barrier();
      }
    });
  }

  /** Single bytes are changed by the 4 bytes around them, which are to lie in the stretch too. */
  @Test
  void narrowElementsAtAnEdgeAreRefused() throws Exception {
    WindowRanks.run(windows, 2, (job, world) -> {
      MemorySegment memory = memory(job, 64);
      MemorySegment stretch = memory.asSlice(2, 20);
      try (Window window = Window.dynamic(world)) {
        window.attach(stretch);
        int other = 1 - world.rank();
        long at = told(world, stretch.address())[other];
        Data one = Data.of(new byte[] {1});
        try (Epoch _ = window.lockAll()) {
          assertThrows(RuntimeException.class, () -> {
            window.getAccumulate(one, Data.of(new byte[1]), other, at, Op.SUM);
          });
          assertThrows(RuntimeException.class, () -> {
            window.accumulate(one, other, at, Op.SUM);
            window.flush(other);
          });
          assertThrows(RuntimeException.class, () -> window.compareAndSwap(one, one, Data.of(new byte[1]), other, at));
          window.accumulate(one, other, at + 2, Op.SUM);
        }
        world.barrier();
        byte[] expected = new byte[20];
        expected[2] = 1;
        assertArrayEquals(expected, stretch.toArray(ValueLayout.JAVA_BYTE));
      }
    });
  }
}
