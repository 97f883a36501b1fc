package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.engine.resources.EngineSettings;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.peers.Links;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.wait.Gate;
import io.adrastea.wait.WaitPolicy;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** A progress thread that finds what no correct rank writes. */
@EverySharedCoreList
class ProgressThreadFailureTest {
  @Parameter
  String cores;

  private static EngineSettings settings() {
    return new EngineSettings(new WaitPolicy(100, Optional.empty(), null, 0), TransferSettings.inForce(), true,
        Gate.Threads.MANY, Links.SHARED_MEMORY);
  }

  /** Sends the second piece of a message that has no first. */
  private static Void sendNonsense(ThreadJob threadJob, CountDownLatch over) throws Exception {
    JoinedRank joined = threadJob.enter(1, () -> false);
    joined.core().trySend(0, CellDescriptor.KIND_NEXT, 0, 8, Arena.ofAuto().allocate(8), 0, 8);
    Ranks.await(over);
    joined.leave();
    return null;
  }

  /** Asks, without moving anything on, until the thread has failed. */
  private static SegmentException failure(Job job) throws InterruptedException {
    while (true) { // the class has a deadline
      try {
        job.progressThread();
        return fail("a second progress thread was started");
      } catch (SegmentException e) {
        return e;
      } catch (IllegalStateException e) {
        assertTrue(e.getMessage().contains("has a progress thread"), e::toString);
        Thread.sleep(1);
      }
    }
  }

  private static void check(Job job) throws InterruptedException {
    job.progressThread();
    String said = failure(job).getMessage();
    assertTrue(said.contains("progress thread of rank 0"), said);
    assertTrue(said.contains("rank 1 sent a piece of kind"), said);
    byte[] array = new byte[8];
    assertThrows(SegmentException.class, () -> Ranks.world(job).send(Data.of(array, 0, 8), 1, 0));
    assertThrows(SegmentException.class, () -> Ranks.world(job).recv(Data.of(array, 0, 8), 1, 0));
    FutureTask<Void> another = new FutureTask<>(() -> Ranks.world(job).send(Data.of(array, 0, 8), 1, 0), null);
    new Thread(another, "another thread").start(); // which finds the engine left by this one
    ExecutionException failure = assertThrows(ExecutionException.class, another::get);
    assertInstanceOf(SegmentException.class, failure.getCause());
    job.close();
    assertThrows(IllegalStateException.class, () -> Ranks.world(job).send(Data.of(array, 0, 8), 1, 0));
  }

  @Test
  void makesEveryCallFailWithItsReasonUntilTheJobIsClosed() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    Settings.with(
        Map.of("adrastea.core", Ranks.cores(cores)),
        () -> {
          try (ThreadJob threadJob = ThreadJob.create(2)) {
            FutureTask<Void> other = new FutureTask<>(() -> sendNonsense(threadJob, over));
            new Thread(other, "rank 1").start();
            try {
              check(new Job(threadJob.enter(0, () -> false), false, settings()));
            } finally {
              over.countDown();
            }
            other.get();
          }
          return null;
        });
  }
}
