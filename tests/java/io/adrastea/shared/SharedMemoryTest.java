package io.adrastea.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.EveryCoreListOfWorld;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.ThreadLevel;
import io.adrastea.Threads;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shared memory among ranks, as the job gives it. */
@EveryCoreListOfWorld
class SharedMemoryTest {
  private static final int TAG = 1;
  private static final int ROUNDS = 200;

  @Parameter
  String cores;

  @BeforeEach
  void requireOneNode() {
    Ranks.assumeOneNode(cores);
  }

  @Test
  void everyRankReachesTheMemoryOfEveryOther() throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          MemorySegment mine = job.allocate(world.size() * Long.BYTES, Long.BYTES);
          long[] place = {job.offset(mine)};
          long[] places = new long[world.size()];
          for (int rank = 0; rank < world.size(); rank++) {
            world.sendrecv(Data.of(place, 0, 1), rank, TAG, Data.of(places, rank, 1), rank, TAG);
            job.shared(rank, places[rank], mine.byteSize())
                .setAtIndex(ValueLayout.JAVA_LONG, world.rank(), 100 * rank + world.rank());
          }
          for (int rank = 0; rank < world.size(); rank++) {
            world.sendrecv(Data.of(place, 0, 0), rank, TAG, Data.of(place, 0, 0), rank, TAG);
          }
          for (int rank = 0; rank < world.size(); rank++) {
            assertEquals(100 * world.rank() + rank, mine.getAtIndex(ValueLayout.JAVA_LONG, rank));
          }
        });
  }

  @ParameterizedTest
  @EnumSource(ThreadLevel.class)
  void threadsOfARankMayAllocateWhileItIsUsed(ThreadLevel level) throws Exception {
    Ranks.run(
        cores,
        level,
        2,
        job -> {
          Threads others = Threads.start(3, number -> churn(job));
          exchange(Ranks.world(job));
          others.join();
        });
  }

  private static void exchange(Communicator world) {
    byte[] word = new byte[8];
    for (int i = 0; i < ROUNDS; i++) {
      world.sendrecv(Data.of(word, 0, 8), 1 - world.rank(), TAG, Data.of(word, 0, 8), 1 - world.rank(), TAG);
    }
  }

  private static void churn(Job job) {
    long mark = Thread.currentThread().threadId();
    for (int i = 0; i < ROUNDS; i++) {
      MemorySegment memory = job.allocate(8 + 1000L * i, 8);
      memory.set(ValueLayout.JAVA_LONG, 0, mark);
      MemorySegment again = job.shared(Ranks.world(job).rank(), job.offset(memory), 8);
      assertEquals(mark, again.get(ValueLayout.JAVA_LONG, 0));
      job.free(memory);
    }
  }

  @Test
  void reachingMakesNothingButTheSegmentItReturns() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Ranks.run(
        cores,
        1,
        job -> {
          long offset = job.offset(job.allocate(4096, 8));
          MemorySegment whole = job.shared(0, offset, 4096);
          int calls = 50_000;
          long slices = Long.MAX_VALUE;
          long reached = Long.MAX_VALUE;
          long sum = 0;
          for (int measurement = 0; measurement < 10; measurement++) {
            long start = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < calls; i++) {
              sum += whole.asSlice(i & 7, 8).address();
            }
            long middle = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < calls; i++) {
              sum += job.shared(0, offset + (i & 7), 8).address();
            }
            slices = Math.min(slices, middle - start);
            reached = Math.min(reached, threads.getCurrentThreadAllocatedBytes() - middle);
          }
          assertTrue(sum != 0);
          long most = Math.max(slices, 64L * calls); // a segment takes 40 to 64 bytes, or none when it does not escape
          assertTrue(reached <= most, "%d bytes in %d calls".formatted(reached, calls));
        });
  }

  @Test
  void memoryOutlivesTheJobAndCallsDoNot() throws Exception {
    AtomicReference<MemorySegment> left = new AtomicReference<>();
    AtomicReference<Job> ended = new AtomicReference<>();
    Ranks.run(
        cores,
        1,
        job -> {
          left.set(job.allocate(100_000, 8));
          ended.set(job);
        });
    MemorySegment memory = left.get();
    memory.fill((byte) 5);
    System.gc();
    assertEquals(5, memory.get(ValueLayout.JAVA_BYTE, 99_999));
    Job job = ended.get();
    assertThrows(IllegalStateException.class, () -> job.allocate(8, 8));
    assertThrows(IllegalStateException.class, () -> job.free(memory));
    assertThrows(IllegalStateException.class, () -> job.offset(memory));
    assertThrows(IllegalStateException.class, () -> job.shared(0, 0, 8));
  }

  @Test
  void misuseIsRefusedAndTheJobGoesOn() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          assertThrows(IllegalArgumentException.class, () -> job.allocate(0, 8));
          assertThrows(IllegalArgumentException.class, () -> job.allocate(8, 3));
          assertThrows(IllegalArgumentException.class, () -> job.shared(2, 0, 8));
          assertThrows(IllegalArgumentException.class, () -> job.shared(0, 0, 8));
          MemorySegment memory = job.allocate(8, 8);
          assertThrows(IllegalArgumentException.class, () -> job.free(memory.asSlice(1)));
          job.free(memory);
          assertThrows(IllegalArgumentException.class, () -> job.free(memory));
          assertThrows(IllegalArgumentException.class, () -> job.offset(memory));
          exchange(Ranks.world(job));
        });
  }
}
