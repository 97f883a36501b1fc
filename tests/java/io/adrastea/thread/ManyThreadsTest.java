package io.adrastea.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.ThreadLevel;
import io.adrastea.message.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several threads of one rank at a time, with {@link ThreadLevel#MULTIPLE}. */
@EveryCoreList
class ManyThreadsTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 200;

  @Parameter
  String cores;

  private static void inThreads(IntFunction<Callable<Void>> body) throws Exception {
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      FutureTask<Void> task = new FutureTask<>(body.apply(i));
      tasks.add(task);
      new Thread(task, "worker-" + i).start();
    }
    for (FutureTask<Void> task : tasks) {
      task.get();
    }
  }

  private static int size(int round) {
    return round % 20 == 0 ? 2 * Ranks.CELL_BYTES + round : round;
  }

  private static long seed(int rank, int thread, int round) {
    return (rank * 100L + thread) * 10_000 + round;
  }

  private static Void exchange(Communicator world, LongMessages way, int thread) {
    int peer = 1 - world.rank();
    for (int round = 0; round < ROUNDS; round++) {
      int size = size(round);
      byte[] received = new byte[size];
      byte[] sent = Contents.of(size, seed(world.rank(), thread, round));
      Status status;
      if (round % 3 == 0) {
        Request receive = world.irecv(Data.of(received, 0, size), peer, thread);
        Request send = world.isend(Data.of(sent, 0, size), peer, thread);
        status = receive.await();
        send.await();
      } else if (round % 3 == 1) {
        boolean waitsForReceive = way == LongMessages.BY_RENDEZVOUS && size > Ranks.CELL_BYTES;
        Request send = waitsForReceive ? world.isend(Data.of(sent, 0, size), peer, thread) : null;
        if (send == null) {
          world.send(Data.of(sent, 0, size), peer, thread);
        }
        status = world.probe(Communicator.ANY_SOURCE, thread);
        status = world.recv(Data.of(received, 0, size), status.source(), thread);
        if (send != null) {
          send.await();
        }
      } else {
        status = world.sendrecv(Data.of(sent, 0, size), peer, thread, Data.of(received, 0, size), peer, thread);
      }
      assertEquals(peer, status.source());
      assertEquals(thread, status.tag());
      assertEquals(size, status.bytes());
      Contents.check(size, seed(peer, thread, round), received);
    }
    return null;
  }

  @ParameterizedTest
  @EnumSource
  void exchangesMessagesOnATagOfItsOwnEach(LongMessages way) throws Exception {
    way.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> inThreads(thread -> () -> exchange(Ranks.world(job), way, thread)));
  }

  @Test
  void letsOneThreadSendWhileAnotherWaits() throws Exception {
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] received = new byte[8];
          FutureTask<Status> waiting = new FutureTask<>(() -> world.recv(Data.of(received, 0, 8), 0, 0));
          Thread thread = new Thread(waiting, "waiting");
          thread.start();
          world.send(Data.of(Contents.of(8, 1)), 0, 0);
          assertEquals(8, waiting.get().bytes());
          Contents.check(8, 1, received);
        });
  }

  @Test
  void theStatusOfARequestIsNotTouchedByLaterOnesWhichMayBeOtherThreads() throws Exception {
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        1,
        job -> {
          Status first = echo(Ranks.world(job), 1);
          Status second = echo(Ranks.world(job), 2);
          assertEquals(1, first.tag());
          assertEquals(2, second.tag());
        });
  }

  private static Status echo(Communicator world, int tag) {
    Request receive = world.irecv(Data.of(new byte[8]), 0, tag);
    world.send(Data.of(new byte[8]), 0, tag);
    return receive.await();
  }

  @Test
  void endsTheWaitOfAThreadWhoseJobIsClosed() throws Exception {
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            assertThrows(RuntimeException.class, () -> world.recv(Data.of(new byte[8]), 0, 1));
            return;
          }
          CountDownLatch posted = new CountDownLatch(1);
          FutureTask<?> waiting =
              new FutureTask<>(
                  () -> {
                    Request receive = world.irecv(Data.of(new byte[8]), 1, 0);
                    posted.countDown();
                    return receive.await();
                  });
          new Thread(waiting, "waiting").start();
          Ranks.await(posted);
          String said = assertThrows(IllegalStateException.class, job::close).getMessage();
          assertTrue(Ranks.byRank(said).contains("receive from rank 1 with tag 0"), said);
          Throwable failure = assertThrows(ExecutionException.class, waiting::get).getCause();
          assertEquals(IllegalStateException.class, failure.getClass(), failure::toString);
          assertTrue(failure.getMessage().contains("rank %d has closed its job".formatted(job.world().rank())),
              failure::toString);
        });
  }

  @Test
  void refusesMemoryThatOnlyOneThreadMayTouch() throws Exception {
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        1,
        job -> {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment confined = arena.allocate(8);
            Calls.sends(Ranks.world(job)).forEach((name, call) -> refused(name, call, confined));
            Calls.receives(Ranks.world(job)).forEach((name, call) -> refused(name, call, confined));
          }
        });
  }

  private static void refused(String name, Calls.OnMemory call, MemorySegment confined) {
    WrongThreadException failure =
        assertThrows(WrongThreadException.class, () -> call.with(confined, 0, 0), name);
    assertTrue(failure.getMessage().contains("Arena.ofShared"), failure::toString);
  }
}
