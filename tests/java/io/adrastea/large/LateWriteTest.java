package io.adrastea.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.AlteredRank;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Settings;
import io.adrastea.atomic.Words;
import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.error.AdrasteaException;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.layout.SlotMemberDescriptor;
import io.adrastea.segment.Segment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A rank writes the output of another one where it lies, and is late: it has said so, and its copy is held here until
 * the other one cannot go on any more. That one's call returns when nothing is written any more, since its program has
 * the memory again. The twin of {@code comm_late_write_test.c}.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LateWriteTest {
  private static final int TAKER = 0;
  private static final int WRITER = 1;
  private static final int BYTES = 1 << 19;
  private static final int PATIENCE_MILLIS = 100;
  private static final byte OWN = 0x5a;

  /** What keeps the taker from going on. */
  enum Trouble {
    INTERRUPTED(2), REVOKED(3);

    private final int ranks;

    Trouble(int ranks) {
      this.ranks = ranks;
    }
  }

  /** What is called; the taker is the root of a gather, the writer that of a bcast. */
  enum Called {
    GATHER, BCAST
  }

  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch taken = new CountDownLatch(1);
  private final CountDownLatch written = new CountDownLatch(1);
  private ThreadJob threadJob;
  private Trouble trouble;
  private volatile Thread taker;
  private volatile Segment segment;

  private boolean hasBrokenOff() {
    MemorySegment memory = segment.memory();
    long slot = segment.geometry().worldSlotOffset();
    long part = SlotDescriptor.memberOffset(trouble.ranks, TAKER);
    return Words.loadAcquire(
        memory, slot + part + SlotMemberDescriptor.STATE_OFFSET) == SlotMemberDescriptor.BROKEN;
  }

  /** Copies once the taker has broken off, and its program would have its memory if its call did not wait. */
  private Object late(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
    if (!name.equals("write") || (long) arguments[4] <= 1 || held.getCount() == 0) {
      return real.call();
    }
    held.countDown();
    if (trouble == Trouble.INTERRUPTED) {
      taker.interrupt();
    }
    while (!hasBrokenOff()) {
      Thread.sleep(1);
    }
    taken.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    Object result = real.call();
    written.countDown();
    return result;
  }

  private void run(int rank, Called called) throws Exception {
    Arena arena = Arena.ofAuto();
    MemorySegment in = arena.allocate(BYTES);
    MemorySegment out = arena.allocate((long) trouble.ranks * BYTES);
    JoinedRank joined = threadJob.enter(rank, () -> false);
    segment = joined.segment();
    try (Job job =
        AlteredRank.job(joined, false, AlteredRank.NONE, rank == WRITER ? this::late : AlteredRank.NONE)) {
      Communicator world = job.world();
      if (rank == TAKER) {
        taker = Thread.currentThread();
      }
      world.barrier();
      if (rank > WRITER) {
        held.await();
        world.revoke();
        return;
      }
      Data given = Data.of(in);
      Data both = Data.of(out, 0, BYTES);
      if (rank == WRITER) {
        try {
          call(world, called, given, rank == TAKER ? Data.of(out) : null, both);
        } catch (AdrasteaException e) { // unless it had all before
          assertTrue(held.getCount() == 0, e.getMessage());
        }
        return;
      }
      assertThrows(AdrasteaException.class, () -> call(world, called, given, Data.of(out), both));
      assertEquals(trouble == Trouble.INTERRUPTED, Thread.interrupted());
      out.fill(OWN);
      taken.countDown();
      written.await();
      for (long i = 0; i < out.byteSize(); i++) {
        assertEquals(OWN, out.get(ValueLayout.JAVA_BYTE, i));
      }
    }
  }

  private static void call(Communicator world, Called called, Data in, Data out, Data both) {
    switch (called) {
      case GATHER -> world.gather(in, out, TAKER);
      case BCAST -> world.bcast(both, WRITER);
    }
  }

  @ParameterizedTest
  @CsvSource({"GATHER, REVOKED, ffm", "GATHER, INTERRUPTED, jni", "BCAST, INTERRUPTED, ffm"})
  void memoryThatTheProgramHasAgainIsNotWritten(Called called, Trouble what, String core) throws Exception {
    trouble = what;
    Settings.with(Map.of("adrastea.core", core), () -> {
      try (ThreadJob all = ThreadJob.create(what.ranks)) {
        threadJob = all;
        List<FutureTask<Void>> ranks = new ArrayList<>();
        for (int rank = 0; rank < what.ranks; rank++) {
          int number = rank;
          FutureTask<Void> task = new FutureTask<>(() -> {
            run(number, called);
            return null;
          });
          ranks.add(task);
          new Thread(task, "rank " + rank).start();
        }
        for (FutureTask<Void> rank : ranks) {
          rank.get(60, TimeUnit.SECONDS);
        }
      }
      return null;
    });
    assertEquals(0, written.getCount());
  }
}
