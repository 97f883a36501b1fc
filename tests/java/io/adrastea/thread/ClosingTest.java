package io.adrastea.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Job;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.message.Calls;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leaving a job. */
@EveryCoreList
class ClosingTest {
  private static final int BIG = 3 * Ranks.ALL_CELLS;

  @Parameter
  String cores;

  private static String closingSays(Job job) {
    return assertThrows(IllegalStateException.class, job::close).getMessage();
  }

  @ParameterizedTest
  @EnumSource
  void namesReceivesAndSendsThatAreOutstanding(LongMessages way) throws Exception {
    if (way == LongMessages.BY_RENDEZVOUS) {
      Ranks.assumeShared(cores);
    }
    CountDownLatch closed = new CountDownLatch(1);
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            world.irecv(Data.of(new byte[7]), 1, 5);
            world.irecv(Data.of(new byte[8]), Communicator.ANY_SOURCE, Communicator.ANY_TAG);
            world.isend(Data.of(new byte[BIG]), 1, 6);
            world.isend(Data.of(new byte[9]), 1, 7);
            String said = closingSays(job);
            assertTrue(Ranks.byRank(said).contains("receive from rank 1 with tag 5, 0 of 7 bytes"), said);
            assertTrue(said.contains("receive from any rank with any tag, 0 of 8 bytes"), said);
            assertTrue(Ranks.byRank(said).contains("send to rank 1 with tag 6, "), said);
            // behind the pieces of the one before, but not behind its offer
            assertEquals(way == LongMessages.IN_PIECES,
                Ranks.byRank(said).contains("send to rank 1 with tag 7, 0 of 9 bytes"), said);
            closed.countDown();
          } else {
            Ranks.await(closed);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void namesAReceiveWhoseMessageIsPartlyThere(LongMessages way) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            world.isend(Data.of(new byte[BIG]), 1, 6);
            begun.countDown();
            Ranks.await(closed); // meanwhile nothing moves the rest on
            assertTrue(Ranks.byRank(closingSays(job)).contains("send to rank 1 with tag 6"));
          } else {
            Ranks.await(begun);
            world.probe(0, 6);
            world.irecv(Data.of(new byte[BIG]), 0, 6);
            String said = closingSays(job);
            closed.countDown();
            assertTrue(Ranks.byRank(said).contains("receive from rank 0 with tag 6, "), said);
          }
        });
  }

  @Test
  void leavesMessagesThatWereSentToBeReceived() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    LongMessages.IN_PIECES.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            world.send(Data.of(Contents.of(Ranks.CELL_BYTES + 1, 1), 0, Ranks.CELL_BYTES + 1), 1, 0);
            job.close();
            closed.countDown();
          } else {
            Ranks.await(closed);
            byte[] received = new byte[Ranks.CELL_BYTES + 1];
            world.recv(Data.of(received), 0, 0);
            Contents.check(received.length, 1, received);
          }
        });
  }

  @Test
  void refusesEveryCallAfterwards() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Request send = world.sendInit(Data.of(new byte[8]), 0, 0);
          job.close();
          MemorySegment memory = MemorySegment.ofArray(new byte[8]);
          Calls.sends(world)
              .forEach((name, call) -> refused(name, () -> call.with(memory, 0, 0)));
          Calls.receives(world)
              .forEach((name, call) -> refused(name, () -> call.with(memory, 0, 0)));
          Calls.probes(world, 0, 0).forEach(call -> refused("probe", call));
          refused("start", send::start);
          job.close(); // once more does nothing
          assertEquals(0, world.rank());
          assertEquals(1, world.size());
        });
  }

  private void refused(String call, Runnable action) {
    String message = assertThrows(IllegalStateException.class, action::run, call).getMessage();
    assertTrue(message.contains("rank %d has closed its job".formatted(Ranks.inJob(cores, 1, 0))),
        () -> call + " said: " + message);
  }

  @Test
  void refusesToCompleteWhatWasOutstanding() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Request receive = Ranks.world(job).irecv(Data.of(new byte[8]), 0, 0);
          assertFalse(receive.test());
          closingSays(job);
          refused("await", receive::await);
          refused("test", receive::test);
          refused("cancel", receive::cancel);
          refused("waitAny", () -> Request.waitAny(receive));
        });
  }
}
