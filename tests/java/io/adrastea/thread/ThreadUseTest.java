package io.adrastea.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.IoVector;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.ThreadLevel;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.message.Calls;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A second thread in a call of a rank that one thread at a time may use. */
@EveryCoreList
class ThreadUseTest {
  /** Where a thread waits, having come in. */
  private static final Set<String> WAITING =
      Set.of("Bypass.receive", "Completion.settle", "Engine.awaitMessage");

  @Parameter
  String cores;

  /** Waits until a thread is in the middle of a wait of the engine. */
  private static void awaitInside(Thread thread) {
    while (Arrays.stream(thread.getStackTrace()).noneMatch(ThreadUseTest::isWaiting)) {
      Thread.yield();
    }
  }

  private static boolean isWaiting(StackTraceElement frame) {
    String type = frame.getClassName().replaceFirst(".*\\.", "");
    return WAITING.contains(type + "." + frame.getMethodName());
  }

  private static Thread start(String name, FutureTask<?> task) {
    Thread thread = new Thread(task, name);
    thread.start();
    return thread;
  }

  private void refused(String call, Runnable action, String inside) {
    String message = assertThrows(ConcurrentUseException.class, action::run, call).getMessage();
    assertTrue(message.contains("thread 'second' called rank " + Ranks.inJob(cores, 2, 0)), message);
    assertTrue(message.contains("while thread '" + inside + "' was in a call"), message);
  }

  private void callEverything(Job job, String inside) {
    Communicator world = Ranks.world(job);
    MemorySegment memory = MemorySegment.ofArray(new byte[8]);
    Calls.sends(world)
        .forEach((name, call) -> {
          if (!name.equals("sendInit") && !name.equals("ssendInit")) { // prepares only
            refused(name, () -> call.with(memory, 1, 9), inside);
          }
        });
    Calls.receives(world)
        .forEach((name, call) -> {
          if (!name.equals("recvInit")) {
            refused(name, () -> call.with(memory, 1, 9), inside);
          }
        });
    Calls.probes(world, 1, 9).forEach(call -> refused("probe", call, inside));
    IoVector parts = new IoVector().add(memory);
    refused("send parts", () -> world.send(Data.of(parts), 1, 9), inside);
    refused("recv parts", () -> world.recv(Data.of(parts), 1, 9), inside);
    refused("recv in place", () -> world.recv(1, 9, message -> {}), inside);
    refused("recvMessage", () -> world.recvMessage(1, 9), inside);
    refused("tryRecvMessage", () -> world.tryRecvMessage(1, 9), inside);
    refused("claim", () -> world.claim(1, 9, 8), inside);
    refused("tryClaim", () -> world.tryClaim(1, 9, 8), inside);
    refused("burst", () -> world.burst(1), inside);
    refused("close", job::close, inside);
  }

  @ParameterizedTest
  @EnumSource(names = {"SINGLE", "FUNNELED"})
  void isRefusedWhereOnlyTheOneThatJoinedMayCallThoughItIsInNoCall(ThreadLevel level) throws Exception {
    Ranks.run(
        cores,
        level,
        1,
        job -> {
          FutureTask<String> second =
              new FutureTask<>(
                  () -> {
                    job.failedRanks(); // any thread may ask
                    return assertThrows(ConcurrentUseException.class, () -> Ranks.world(job).probe(0, 0)).getMessage();
                  });
          start("second", second);
          String message = second.get();
          assertTrue(
              message.contains("thread 'second' called rank %1$d, whose calls are thread 'adrastea-rank-%1$d's"
                  .formatted(job.world().rank())),
              message);
          Ranks.world(job).send(Data.of(new byte[8]), 0, 0); // that one goes on
          assertEquals(8, Ranks.world(job).recv(Data.of(new byte[8]), 0, 0).bytes());
        });
  }

  private void secondThreadIsRefusedDuring(Job.Body firstCall) throws Exception {
    CountDownLatch refused = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            Ranks.await(refused);
            world.send(Data.of(Contents.of(8, 1)), 0, 0);
            assertEquals(0, world.recv(Data.of(new byte[8]), 0, 1).source());
            return;
          }
          Thread first = Thread.currentThread();
          FutureTask<?> task =
              new FutureTask<>(
                  () -> {
                    awaitInside(first);
                    callEverything(job, first.getName());
                    refused.countDown();
                    return null;
                  });
          start("second", task);
          firstCall.run(job);
          task.get();
          world.send(Data.of(new byte[8]), 1, 1);
        });
  }

  @Test
  void isRefusedWhileTheFirstReceives() throws Exception {
    secondThreadIsRefusedDuring(
        job -> {
          byte[] received = new byte[8];
          Ranks.world(job).recv(Data.of(received, 0, 8), 1, 0);
          Contents.check(8, 1, received);
        });
  }

  @Test
  void isRefusedWhileTheFirstAwaitsARequest() throws Exception {
    secondThreadIsRefusedDuring(
        job -> {
          byte[] received = new byte[8];
          Ranks.world(job).irecv(Data.of(received, 0, 8), 1, 0).await();
          Contents.check(8, 1, received);
        });
  }

  @Test
  void isRefusedWhileTheFirstProbes() throws Exception {
    secondThreadIsRefusedDuring(
        job -> {
          assertEquals(8, Ranks.world(job).probe(1, 0).bytes());
          Ranks.world(job).recv(Data.of(new byte[8]), 1, 0);
        });
  }

  @Test
  void isRefusedWhileTheFirstReceivesInPlace() throws Exception {
    secondThreadIsRefusedDuring(
        job -> {
          byte[] received = new byte[8];
          Ranks.world(job).recv(1, 0, message -> message.copyTo(0, Data.of(received, 0, 8)));
          Contents.check(8, 1, received);
        });
  }

  @Test
  void isWelcomeWhenTheFirstIsOutside() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          world.send(Data.of(Contents.of(8, 1)), 0, 0);
          FutureTask<?> task =
              new FutureTask<>(
                  () -> {
                    byte[] received = new byte[8];
                    world.recv(Data.of(received, 0, 8), 0, 0);
                    Contents.check(8, 1, received);
                    world.send(Data.of(Contents.of(8, 2)), 0, 0);
                    return null;
                  });
          start("second", task);
          task.get();
          byte[] received = new byte[8];
          world.recv(Data.of(received, 0, 8), 0, 0);
          Contents.check(8, 2, received);
        });
  }

  @Test
  void isLeftInItsCallWhenTheRankEnds() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    FutureTask<?>[] left = new FutureTask<?>[1];
    assertThrows(
        ConcurrentUseException.class,
        () -> Ranks.run(
            cores,
            2,
            job -> {
              Communicator world = Ranks.world(job);
              if (world.rank() == 1) {
                Ranks.await(ended);
                return;
              }
              left[0] = new FutureTask<>(() -> world.recv(Data.of(new byte[8]), 1, 0));
              awaitInside(start("left", left[0]));
              try {
                job.close();
              } finally {
                ended.countDown();
              }
            }));
    Throwable failure =
        assertThrows(java.util.concurrent.ExecutionException.class, left[0]::get).getCause();
    assertTrue(failure instanceof RuntimeException, failure::toString);
  }
}
