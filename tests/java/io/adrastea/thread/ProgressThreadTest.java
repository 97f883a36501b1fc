package io.adrastea.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Job;
import io.adrastea.ProgressThread;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.ThreadLevel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Messages that move on while their rank is not in the library: it waits for the other rank by other means. */
@EverySharedCoreList
class ProgressThreadTest {
  private static final int LARGE = 4 << 20;
  private static final int MANY = 3 * Ranks.CELLS;

  @Parameter
  String cores;

  private void inTwoRanks(Job.Body body) throws Exception {
    Ranks.run(cores, ThreadLevel.MULTIPLE, 2, body);
  }

  /** One of each kind that the ways differ by. */
  private static List<MemorySegment> buffers(Job job, int bytes) {
    return List.of(
        Arena.ofAuto().allocate(bytes), job.allocate(bytes, 64), MemorySegment.ofArray(new byte[bytes]));
  }

  private static boolean runs(int rank) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("adrastea-progress-" + rank) && thread.isDaemon());
  }

  private static CountDownLatch[] latches(int count) {
    CountDownLatch[] latches = new CountDownLatch[count];
    for (int i = 0; i < count; i++) {
      latches[i] = new CountDownLatch(1);
    }
    return latches;
  }

  @Test
  void largeMessagesAreReceivedWhileTheReceiverComputes() throws Exception {
    CountDownLatch[] sent = latches(9);
    inTwoRanks(
        job -> {
          Communicator world = Ranks.world(job);
          int turn = 0;
          for (MemorySegment outer : buffers(job, LARGE)) {
            for (MemorySegment inner : buffers(job, LARGE)) {
              if (world.rank() == 0) {
                outer.copyFrom(MemorySegment.ofArray(Contents.of(LARGE, turn)));
                world.send(outer, 1, turn); // returns once it is received
                sent[turn].countDown();
              } else {
                ProgressThread thread = job.progressThread();
                Request receive = world.irecv(inner, 0, turn);
                Ranks.await(sent[turn]);
                assertEquals(LARGE, receive.await().bytes());
                thread.close();
                Contents.check(LARGE, turn, inner);
              }
              turn++;
            }
          }
        });
  }

  @Test
  void largeMessagesAreSentWhileTheSenderComputes() throws Exception {
    CountDownLatch[] received = latches(9);
    inTwoRanks(
        job -> {
          Communicator world = Ranks.world(job);
          int turn = 0;
          for (MemorySegment outer : buffers(job, LARGE)) {
            for (MemorySegment inner : buffers(job, LARGE)) {
              if (world.rank() == 1) {
                world.recv(outer, 0, turn);
                Contents.check(LARGE, turn, outer);
                received[turn].countDown();
              } else {
                inner.copyFrom(MemorySegment.ofArray(Contents.of(LARGE, turn)));
                ProgressThread thread = job.progressThread();
                Request send = world.isend(inner, 1, turn);
                Ranks.await(received[turn]);
                send.await();
                thread.close();
              }
              turn++;
            }
          }
        });
  }

  @Test
  void largeMessagesMoveWhileBothCompute() throws Exception {
    CountDownLatch[] there = latches(2);
    Settings.with(
        Map.of("adrastea.core", Ranks.cores(cores)),
        () -> {
          Job.builder()
              .progressThread()
              .runThreads(
                  2,
                  job -> {
                    int rank = Ranks.world(job).rank();
                    byte[] received = new byte[LARGE];
                    byte last = Contents.of(LARGE, 1 - rank)[LARGE - 1];
                    assertNotEquals(0, last);
                    Request receive = Ranks.world(job).irecv(Data.of(received, 0, LARGE), 1 - rank, 0);
                    Request send = Ranks.world(job).isend(Data.of(Contents.of(LARGE, rank)), 1 - rank, 0);
                    while (received[LARGE - 1] != last) {
                      Thread.sleep(1); // the class has a deadline
                    }
                    there[rank].countDown();
                    Ranks.await(there[1 - rank]);
                    Request.waitAll(receive, send);
                    Contents.check(LARGE, 1 - rank, received);
                  });
          return null;
        });
  }

  @Test
  void moreMessagesThanThereIsRoomForAreSentWhileTheSenderComputes() throws Exception {
    CountDownLatch received = new CountDownLatch(1);
    inTwoRanks(
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            byte[] array = new byte[Ranks.CELL_BYTES];
            for (int i = 0; i < MANY; i++) {
              world.recv(Data.of(array), 0, 0);
              Contents.check(array.length, i, array);
            }
            received.countDown();
            return;
          }
          job.progressThread();
          List<Request> sends = new ArrayList<>();
          for (int i = 0; i < MANY; i++) {
            sends.add(world.isend(Data.of(Contents.of(Ranks.CELL_BYTES, i)), 1, 0));
          }
          Ranks.await(received);
          sends.forEach(Request::await);
        });
  }

  @Test
  void callsOfTheRankGoOnBesideIt() throws Exception {
    inTwoRanks(
        job -> {
          Communicator world = Ranks.world(job);
          int peer = 1 - world.rank();
          byte[] received = new byte[10 * Ranks.CELL_BYTES];
          job.progressThread();
          for (int i = 0; i < 100; i++) {
            int size = i % 2 == 0 ? 10 : received.length;
            world.sendrecv(Data.of(Contents.of(size, i)), peer, 1, Data.of(received, 0, size), peer, 1);
            Contents.check(size, i, received);
            world.barrier();
          }
        });
  }

  @Test
  void itNeedsAJobForManyThreads() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          String said = assertThrows(IllegalStateException.class, job::progressThread).getMessage();
          assertTrue(said.contains("Job.builder().progressThread()"), said);
          assertTrue(said.contains("threads(ThreadLevel.MULTIPLE)"), said);
          assertFalse(runs(0));
        });
  }

  @Test
  void thereIsOneAtATimeAndItEndsWithItsJob() throws Exception {
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        1,
        job -> {
          ProgressThread thread = job.progressThread();
          assertTrue(runs(0));
          String said = assertThrows(IllegalStateException.class, job::progressThread).getMessage();
          assertTrue(said.contains("rank %d has a progress thread".formatted(job.world().rank())), said);
          thread.close();
          assertFalse(runs(0));
          thread.close();
          job.progressThread();
          assertTrue(runs(0));
          job.close();
          assertFalse(runs(0));
          said = assertThrows(IllegalStateException.class, job::progressThread).getMessage();
          assertTrue(said.contains("closed its job"), said);
        });
  }

  @Test
  void itEndsWithARankThatFails() throws Exception {
    assertThrows(
        ArithmeticException.class,
        () -> Ranks.run(
            cores,
            ThreadLevel.MULTIPLE,
            1,
            job -> {
              job.progressThread();
              throw new ArithmeticException("of the rank");
            }));
    assertFalse(runs(0));
  }

  @Test
  void theBuildersIsThereFromTheStart() throws Exception {
    Settings.with(
        Map.of("adrastea.core", Ranks.cores(cores)),
        () -> {
          Job.builder()
              .threads(ThreadLevel.SINGLE) // which it overrules
              .progressThread()
              .runThreads(
                  1,
                  job -> {
                    assertTrue(runs(0));
                    assertThrows(IllegalStateException.class, job::progressThread);
                  });
          return null;
        });
    assertFalse(runs(0));
  }
}
