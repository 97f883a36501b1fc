package io.adrastea.shmem;

import static io.adrastea.failure.FailingRanks.GONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Ranks;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.failure.FailingRanks;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** What becomes of a symmetric heap when a PE dies or is interrupted: those that wait are told, and memory stays. */
@EverySharedCoreList
class ShmemFailureTest {
  private static final long HEAP = 1 << 16;

  @Parameter
  String cores;

  private record Pe(Shmem shmem, Symmetric object) {}

  /** PE 1 dies, and the others call what takes all PEs, or waits for a word. */
  private void told(Consumer<Pe> call) throws Exception {
    FailingRanks.run(cores, 3, (job, cause) -> {
      Shmem shmem = Shmem.of(job, HEAP);
      Symmetric object = shmem.allocate(64);
      shmem.context().putLong(object, 8, 100 + shmem.pe(), shmem.pe());
      shmem.barrierAll();
      if (shmem.pe() == GONE) {
        throw cause;
      }
      FailingRanks.assertFails(GONE, () -> call.accept(new Pe(shmem, object)));
      assertEquals(100 + GONE, shmem.context().getLong(object, 8, GONE), "memory of the dead PE");
      shmem.close();
    });
  }

  @Test
  void waitsAreTold() throws Exception {
    told(pe -> {
      Runnable call = () -> pe.shmem().waits().waitUntilLong(pe.object(), 0, Comparison.NE, 0);
      RankFailedException failure = assertThrows(RankFailedException.class, call::run);
      String words = "; a wait for a word of 8 bytes at offset 0 of symmetric memory to be other than 0 in ";
      assertTrue(failure.getMessage().contains(words), failure.getMessage());
      throw failure;
    });
    told(pe -> pe.shmem().waits().waitUntilAnyInt(pe.object(), 0, 2, null, Comparison.NE, 0));
  }

  private static void testAgainAndAgain(BooleanSupplier test) {
    while (!test.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void testsAreTold() throws Exception {
    told(pe -> testAgainAndAgain(() -> pe.shmem().waits().testLong(pe.object(), 0, Comparison.NE, 0)));
    told(
        pe -> testAgainAndAgain(
            () -> pe.shmem().waits().testSomeInt(pe.object(), 0, 2, null, new int[2], Comparison.NE, 0) > 0));
  }

  @Test
  void barriersAndCollectivesAreTold() throws Exception {
    told(pe -> pe.shmem().barrierAll());
    told(pe -> pe.shmem().team().fcollect(pe.object(), 0, pe.object(), 8, 8));
    told(pe -> pe.shmem().team().splitStrided(0, 1, 2));
  }

  @Test
  void allocationsAreTold() throws Exception {
    told(pe -> pe.shmem().allocate(8));
    told(pe -> pe.object().reallocate(128));
    told(pe -> pe.object().free());
  }

  /** The PE dies that has added the memory; those that are left make heaps in the same memory again and again. */
  @Test
  void memoryIsGivenBackWhenPeZeroIsDead() throws Exception {
    FailingRanks.run(cores, 3, (job, cause) -> {
      Shmem first = Shmem.of(job, HEAP);
      long address = first.allocate(64).at(0).address();
      first.barrierAll();
      if (first.pe() == 0) {
        throw cause;
      }
      FailingRanks.assertFails(0, first::barrierAll);
      first.close();
      try (Communicator left = job.world().shrink()) {
        for (int turn = 0; turn < 100; turn++) {
          try (Shmem shmem = Shmem.of(left, HEAP)) {
            Symmetric object = shmem.allocate(64);
            assertEquals(address, object.at(0).address(), "other memory in turn " + turn);
            shmem.context().putLong(object, 0, 1 + shmem.pe(), 1 - shmem.pe());
            shmem.barrierAll();
            assertEquals(2 - shmem.pe(), shmem.context().getLong(object, 0, shmem.pe()));
          }
          left.barrier();
        }
      }
    });
  }

  /** PE 1 dies with a lock; the others set it one after the other, and one of them is told. */
  @Test
  void theNextPeIsToldOfADeadHolderOfALock() throws Exception {
    AtomicInteger told = new AtomicInteger();
    FailingRanks.run(cores, 4, (job, cause) -> {
      Shmem shmem = Shmem.of(job, HEAP);
      Symmetric words = shmem.allocate(64);
      ShmemLock lock = shmem.lock(words, 0);
      if (shmem.pe() == GONE) {
        lock.set();
      }
      shmem.barrierAll();
      if (shmem.pe() == GONE) {
        throw cause;
      }
      for (int i = 0; i < 20; i++) {
        try {
          lock.set();
        } catch (RankFailedException e) {
          assertEquals(GONE, e.rank());
          told.incrementAndGet();
          lock.set();
        }
        words.at(0).set(ValueLayout.JAVA_LONG, 8, words.at(0).get(ValueLayout.JAVA_LONG, 8) + 1);
        lock.clear();
      }
      shmem.context().fetchAddLong(words, 16, 1, 0);
      while (shmem.context().fetchLong(words, 16, 0) < 3) {
        Thread.onSpinWait();
      }
      assertEquals(60, words.at(0).get(ValueLayout.JAVA_LONG, 8));
      shmem.close();
    });
    assertEquals(1, told.get());
  }

  @Test
  void aWaitForALockThatIsInterruptedHasNone() throws Exception {
    Ranks.run(cores, 2, job -> {
      try (Shmem shmem = Shmem.of(job, HEAP)) {
        ShmemLock lock = shmem.lock(shmem.allocate(8), 0);
        if (shmem.pe() == 1) {
          lock.set();
        }
        shmem.barrierAll();
        if (shmem.pe() == 0) {
          Thread.currentThread().interrupt();
          assertThrows(InterruptedWaitException.class, lock::set);
          Thread.interrupted();
        }
        shmem.barrierAll();
        if (shmem.pe() == 1) {
          lock.clear();
        }
        lock.set();
        lock.clear();
        shmem.barrierAll();
      }
    });
  }

  @Test
  void aWaitThatIsInterruptedCanBeCalledAgain() throws Exception {
    Ranks.run(cores, 2, job -> {
      try (Shmem shmem = Shmem.of(job, HEAP)) {
        Symmetric object = shmem.allocate(64);
        if (shmem.pe() == 0) {
          Thread.currentThread().interrupt();
          assertThrows(InterruptedWaitException.class,
              () -> shmem.waits().waitUntilLong(object, 0, Comparison.EQ, 1));
          Thread.interrupted();
          shmem.barrierAll();
          assertEquals(1, shmem.waits().waitUntilLong(object, 0, Comparison.EQ, 1));
        } else {
          shmem.barrierAll();
          shmem.context().putLong(object, 0, 1, 0);
        }
      }
    });
  }
}
