package io.adrastea.rma;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Settings;
import io.adrastea.error.AdrasteaException;
import io.adrastea.failure.FailingRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong uses of dynamic windows, and the death of a rank: exceptions that name the place, and nothing is written. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm:direct", "java:direct", "jni,ffm:cma", "java:handler", "ffm,java@subset:handler"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
class DynamicWindowMisuseTest {
  private static final int BYTES = 64;
  private static final byte FILL = 0x55;

  @Parameter
  String windows;

  private interface Body {
    void run(Job job, Window window, MemorySegment memory, long there);
  }

  /** Runs a body at two ranks, each of which has attached memory that is as before behind it. */
  private void run(Body body) throws Exception {
    WindowRanks.run(windows, 2, (job, world) -> {
      MemorySegment memory = memory(job).fill(FILL);
      Window window = Window.dynamic(world);
      window.attach(memory);
      long there = told(world, memory.address())[1 - world.rank()];
      body.run(job, window, memory, there);
      world.barrier();
      byte[] expected = new byte[BYTES];
      Arrays.fill(expected, FILL);
      assertArrayEquals(expected, memory.toArray(ValueLayout.JAVA_BYTE));
      window.fence();
      window.put(Data.of(new byte[] {1}), 1 - world.rank(), there);
      window.lastFence();
      assertEquals(1, memory.get(ValueLayout.JAVA_BYTE, 0));
      world.barrier();
      window.detach(memory);
      window.close();
    });
  }

  private MemorySegment memory(Job job) {
    return WindowRanks.way(windows).equals("direct") ? job.allocate(BYTES, 16) : Arena.ofAuto().allocate(BYTES, 16);
  }

  private static long[] told(Communicator world, long own) {
    long[] all = new long[world.size()];
    world.allgather(Data.of(new long[] {own}), Data.of(all));
    return all;
  }

  @Test
  void whatIsNotAttachedIsRefusedWhereItIs() throws Exception {
    run((job, window, memory, there) -> {
      int other = 1 - window.rank();
      long[] one = {7};
      window.fence();
      for (long wrong : new long[] {0, 8, -1, there - 8, there - 1, there + BYTES - 7, there + BYTES, there + BYTES + 8,
        Long.MAX_VALUE, Long.MAX_VALUE - 7, Long.MIN_VALUE}) {
        Class<IndexOutOfBoundsException> type = IndexOutOfBoundsException.class;
        String said = " of 8 bytes at displacement %d of rank %d in ".formatted(wrong, other);
        long[] got = {0x1234};
        refuses(type, "put" + said, () -> window.put(Data.of(one), other, wrong));
        refuses(type, "get" + said, () -> window.get(Data.of(got), other, wrong));
        refuses(type, "accumulate" + said, () -> window.accumulate(Data.of(one), other, wrong, Op.SUM));
        refuses(type, "getAccumulate" + said,
            () -> window.getAccumulate(Data.of(one), Data.of(got), other, wrong, Op.SUM));
        refuses(type, "fetchAndOp" + said, () -> window.fetchAndOp(1L, other, wrong, Op.SUM));
        refuses(type, "fetchAndOp" + said, () -> window.fetchAndOp(1.0, other, wrong, Op.NO_OP));
        refuses(type, "compareAndSwap" + said, () -> window.compareAndSwap(0, 1, other, wrong));
        refuses(type, "compareAndSwap" + said,
            () -> window.compareAndSwap(Data.of(one), Data.of(one), Data.of(got), other, wrong));
        refuses(type, "put" + said, () -> window.rput(Data.of(one), other, wrong));
        refuses(type, "get" + said, () -> window.rget(Data.of(got), other, wrong));
        refuses(type, "put" + said, () -> window.put(Data.of(one), other, wrong, 1, Datatype.LONG));
        refuses(type, "get" + said, () -> window.get(Data.of(got), other, wrong, 1, Datatype.LONG));
        refuses(type, "accumulate" + said,
            () -> window.accumulate(Data.of(one), other, wrong, 1, Datatype.LONG, Op.SUM));
        assertEquals(0x1234, got[0]);
      }
      refuses(IllegalArgumentException.class,
          "fetchAndOp at displacement %d of rank %d in ".formatted(there + 4, other),
          () -> window.fetchAndOp(1L, other, there + 4, Op.SUM));
      window.put(Data.of(new byte[0]), other, there + BYTES); // no bytes behind the last one
      window.lastFence();
      for (Runnable access : List.<Runnable>of(() -> window.put(Data.of(one), other, there),
          () -> window.fetchAndOp(1L, other, there, Op.SUM),
          () -> window.get(Data.of(one), other, there, 1, Datatype.LONG))) {
        refuses(IllegalStateException.class, "at displacement %d of rank %d in ".formatted(there, other), access);
      }
      for (int wrong : new int[] {-1, 2}) {
        refuses(IllegalArgumentException.class, "of rank %d in ".formatted(wrong),
            () -> window.put(Data.of(one), wrong, there));
        refuses(IllegalArgumentException.class, "of rank %d in ".formatted(wrong),
            () -> window.put(Data.of(one), wrong, there, 1, Datatype.LONG));
      }
    });
  }

  @Test
  void memoryThatCannotBeAttachedIsRefused() throws Exception {
    run((job, window, memory, there) -> {
      Class<IllegalArgumentException> type = IllegalArgumentException.class;
      try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        refuses(type, "heap memory has no address", () -> window.attach(MemorySegment.ofArray(new long[8])));
        refuses(type, "its arena can be closed", () -> window.attach(confined.allocate(64)));
        refuses(type, "its arena can be closed", () -> window.attach(shared.allocate(64)));
        refuses(type, "the memory is read-only", () -> window.attach(job.allocate(64, 8).asReadOnly()));
        refuses(type, "it has no bytes", () -> window.attach(memory.asSlice(8, 0)));
        refuses(type, "it has no bytes", () -> window.attach(MemorySegment.NULL));
        if (WindowRanks.way(windows).equals("direct")) {
          refuses(type, "adrastea.window=direct allows those alone", () -> window.attach(Arena.ofAuto().allocate(64)));
        }
      }
      String said = "%d bytes at displacement %d are attached already".formatted(BYTES, memory.address());
      for (MemorySegment part : List.of(memory, memory.asSlice(0, 1), memory.asSlice(BYTES - 1, 1),
          memory.asSlice(8, 8))) {
        String place = "%d bytes at displacement %d of rank %d".formatted(part.byteSize(), part.address(),
            window.rank());
        refuses(type, said, () -> window.attach(part));
        refuses(type, place, () -> window.attach(part));
      }
      for (MemorySegment wrong : List.of(memory.asSlice(0, BYTES - 1), memory.asSlice(1), memory.asSlice(0, 0),
          MemorySegment.ofArray(new long[8]), MemorySegment.NULL)) {
        refuses(type, "of %d bytes at displacement %d of rank %d, which were not attached".formatted(wrong.byteSize(),
            wrong.address(), window.rank()), () -> window.detach(wrong));
      }
      assertThrows(NullPointerException.class, () -> window.attach(null));
      assertThrows(NullPointerException.class, () -> window.detach(null));
    });
  }

  @Test
  void nothingIsDetachedInsideOfAnEpoch() throws Exception {
    run((job, window, memory, there) -> {
      int other = 1 - window.rank();
      String place = "detach of %d bytes at displacement %d at rank %d in ".formatted(BYTES, memory.address(),
          window.rank());
      Runnable refused = () -> refuses(IllegalStateException.class, place, () -> window.detach(memory));
      window.fence();
      refused.run();
      window.lastFence();
      try (Epoch _ = window.lock(window.rank(), false)) {
        refused.run();
      }
      try (Epoch _ = window.lockAll()) {
        refused.run();
      }
      window.post(other);
      refused.run();
      try (Epoch _ = window.start(other)) {
        refused.run();
      }
      refused.run();
      window.await();
      MemorySegment more = memory(job);
      try (Epoch _ = window.lockAll()) {
        window.attach(more); // at any time
      }
      window.detach(more);
    });
  }

  @Test
  void whatIsNotADynamicWindowIsRefusedByName() throws Exception {
    WindowRanks.run(windows, 2, (job, world) -> {
      Class<IllegalStateException> type = IllegalStateException.class;
      MemorySegment memory = memory(job);
      try (Window fixed = Window.allocate(world, BYTES, 8)) {
        refuses(type, "attach of 64 bytes at rank %d to window of ".formatted(world.rank()),
            () -> fixed.attach(memory));
        refuses(type, "detach of 64 bytes", () -> fixed.detach(memory));
        world.barrier();
      }
      Window window = Window.dynamic(world);
      window.attach(memory);
      refuses(type, "memory is attached to it", window::local);
      int other = 1 - world.rank();
      long there = told(world, memory.address())[other];
      refuses(IndexOutOfBoundsException.class, "way of 0 bytes at displacement 8 of rank " + other,
          () -> window.way(other, 8));
      Epoch epoch = window.lock(other, false);
      refuses(type, "close at rank", window::close);
      epoch.close();
      world.barrier();
      window.close(); // what is attached goes with it
      refuses(type, "the window is closed", () -> window.attach(memory));
      refuses(type, "the window is closed", () -> window.detach(memory));
      refuses(type, "the window is closed", () -> window.way(other, there));
      refuses(type, "the window is closed", () -> window.put(Data.of(new byte[1]), other, there));
      refuses(type, "the window is closed", () -> window.put(Data.of(new byte[1]), other, there, 1, Datatype.BYTE));
      world.barrier();
    });
  }

  @Test
  void windowsOfTwoKindsAreRefusedAtAllRanks() throws Exception {
    WindowRanks.run(windows, 3, (job, world) -> {
      for (int dynamic = 0; dynamic < 3; dynamic++) {
        boolean isDynamic = world.rank() == dynamic;
        refuses(AdrasteaException.class, "Window.dynamic is called by all ranks or by none", () -> {
          if (isDynamic) {
            Window.dynamic(world);
          } else {
            Window.allocate(world, 8, 8);
          }
        });
      }
      assertThrows(NullPointerException.class, () -> Window.dynamic(null));
      Window.dynamic(world).close();
    });
  }

  /** A stretch in shared memory is there after the death of its rank; others are gone with it. */
  @Test
  void memoryOfADeadRankIsUsedWhereItIsMapped() throws Exception {
    Settings.with(Map.of("adrastea.window", WindowRanks.way(windows)), () -> {
      FailingRanks.run(WindowRanks.cores(windows), 4, (job, cause) -> {
        Communicator world = Ranks.world(job);
        Window window = Window.dynamic(world);
        MemorySegment memory = memory(job).fill((byte) 0);
        memory.set(ValueLayout.JAVA_LONG, 8, 100 + world.rank());
        window.attach(memory);
        long at = told(world, memory.address())[FailingRanks.GONE];
        world.barrier();
        if (world.rank() == FailingRanks.GONE) {
          throw cause;
        }
        FailingRanks.awaitFailed(job, FailingRanks.GONE);
        try (Epoch _ = window.lock(FailingRanks.GONE, false)) {
          long[] got = new long[1];
          if (WindowRanks.way(windows).equals("direct")) { // the first look at the dead rank's table
            window.get(Data.of(got), FailingRanks.GONE, at + 8);
            assertEquals(100 + FailingRanks.GONE, got[0]);
            window.fetchAndOp(1L, FailingRanks.GONE, at, Op.SUM);
          } else {
            FailingRanks.assertFails(FailingRanks.GONE, () -> window.fetchAndOp(1L, FailingRanks.GONE, at, Op.SUM));
          }
          refuses(IndexOutOfBoundsException.class, "put of 1 bytes at displacement %d of rank ".formatted(at + BYTES),
              () -> window.put(Data.of(new byte[1]), FailingRanks.GONE, at + BYTES));
        }
        window.close();
      });
      return null;
    });
  }
}
