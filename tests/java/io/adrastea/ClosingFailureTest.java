package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.core.Core;
import io.adrastea.core.SlotMember;
import io.adrastea.engine.resources.EngineSettings;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.peers.Links;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.wait.Gate;
import io.adrastea.wait.WaitPolicy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A rank that cannot give back what it has when it leaves: the others are not left waiting for it. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosingFailureTest {
  private static final int FAILING = 0;

  private static EngineSettings settings() {
    return new EngineSettings(new WaitPolicy(100, Optional.empty(), null, 0), TransferSettings.inForce(), true,
        Gate.Threads.IN_TURN, Links.SHARED_MEMORY);
  }

  /** One whose method of that name fails; likewise its parts of slots, by another name. */
  private static Object failing(Object real, String name, String ofMember, Object failure, Class<?> type) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          if (method.getName().equals(name)) {
            if (failure instanceof Error error) {
              throw error;
            }
            return failure;
          }
          try {
            method.setAccessible(true);
            Object result = method.invoke(real, arguments);
            return result instanceof SlotMember
                ? failing(result, ofMember, "", failure, SlotMember.class) : result;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private static Job job(ThreadJob threadJob, String ofMember, Object failure) {
    JoinedRank joined = threadJob.enter(FAILING, () -> false);
    Core core = (Core) failing(joined.core(), "abort", ofMember, failure, Core.class); // which takes a claim back
    return new Job(new JoinedRank(joined.segment(), joined.table(), FAILING, joined.provider(), core), false,
        settings());
  }

  private static int waitFor(Job job) {
    RankFailedException failure =
        assertThrows(RankFailedException.class, () -> job.world().recv(Data.of(new byte[8]), FAILING, 0));
    job.close();
    return failure.rank();
  }

  private static void check(Object failure, Class<? extends Throwable> thrown, Consumer<Communicator> call)
      throws Exception {
    try (ThreadJob threadJob = ThreadJob.create(2)) {
      FutureTask<Integer> other =
          new FutureTask<>(() -> waitFor(new Job(threadJob.enter(1, () -> false), false, settings())));
      new Thread(other, "rank 1").start();
      Job job = job(threadJob, "breakOff", failure);
      call.accept(job.world());
      Throwable found = assertThrows(thrown, job::close);
      assertTrue(failure instanceof Integer || found == failure, found::toString);
      assertEquals(FAILING, other.get());
      job.close(); // once more does nothing
      assertTrue(assertThrows(IllegalStateException.class, job.world()::barrier).getMessage().contains("closed"));
    }
  }

  private static void checked(Object failure, Class<? extends Throwable> thrown, Consumer<Communicator> call)
      throws Exception {
    Settings.with(
        Map.of("adrastea.core", "java"),
        () -> {
          check(failure, thrown, call);
          return null;
        });
  }

  @Test
  void aCorruptSegmentFailsTheRank() throws Exception {
    checked(Core.CORRUPT, SegmentException.class, world -> world.claim(1, 0, 8));
  }

  @Test
  void anErrorFailsTheRank() throws Exception {
    checked(new OutOfMemoryError("on purpose"), OutOfMemoryError.class, world -> world.claim(1, 0, 8));
  }

  @Test
  void anErrorAtTheEndOfItsCollectivesFailsTheRank() throws Exception {
    checked(new OutOfMemoryError("on purpose"), OutOfMemoryError.class, Communicator::ibarrier);
  }

  @Test
  void aCommunicatorIsClosedThoughItsCollectivesEndWithAnError() {
    try (ThreadJob threadJob = ThreadJob.create(1)) {
      InternalError failure = new InternalError("on purpose");
      Job job = job(threadJob, "close", failure);
      for (Consumer<Communicator> ends : List.<Consumer<Communicator>>of(
          Communicator::close, Communicator::release)) {
        Communicator mine = job.world().dup();
        mine.barrier();
        assertSame(failure, assertThrows(InternalError.class, () -> ends.accept(mine)));
        assertTrue(mine.toString().endsWith(", closed"), mine::toString);
        assertThrows(IllegalStateException.class, () -> ends.accept(mine));
      }
      assertSame(failure, assertThrows(InternalError.class, job::close), "its world has had collectives, too");
    }
  }
}
