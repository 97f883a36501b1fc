package io.adrastea;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static io.adrastea.failure.FailingRanks.GONE;
import static io.adrastea.failure.FailingRanks.TAG;
import static io.adrastea.failure.FailingRanks.assertFails;
import static io.adrastea.failure.FailingRanks.awaitFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.engine.group.Numbering;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.failure.FailingRanks;
import io.adrastea.wait.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures are those of a communicator: of its members, by its numbers, and acknowledged by it alone. */
@Tag("sleeps")
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java"})
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommunicatorFailuresTest {
  private static final int RANKS = 4;

  @Parameter
  String cores;

  private static Data bytes(int length) {
    return Data.of(new byte[length]);
  }

  /** A communicator without the rank that fails: job ranks 3, 0, 2. */
  private static Communicator living(Job job) {
    return Communicator.of(job, Numbering.of(RANKS, 3, 0, 2), 1, 0);
  }

  /** A communicator with that rank, as rank 3. */
  private static Communicator turned(Job job, int number) {
    return Communicator.of(job, Numbering.of(RANKS, 2, 3, 0, GONE), number, 0);
  }

  private void run(Job.Body others) {
    FailingRanks.runOthers(cores, RANKS, others);
  }

  @Test
  void ofARankThatIsNoMemberDoNotDisturb() {
    CountDownLatch looked = new CountDownLatch(1);
    run(job -> {
      Communicator one = living(job);
      if (one.rank() == 0) {
        Ranks.await(looked);
        one.send(bytes(8), 1, TAG);
      } else if (one.rank() == 1) {
        awaitFailed(job, GONE);
        assertFails(GONE, () -> job.world().recv(bytes(8), ANY_SOURCE, ANY_TAG));
        assertEquals(List.of(), one.failedRanks());
        assertEquals(List.of(), one.acknowledgeFailedRanks());
        Looks.count(job, looked);
        assertEquals(0, one.recv(bytes(8), ANY_SOURCE, ANY_TAG).source());
        assertFails(GONE, () -> job.world().probe(ANY_SOURCE, ANY_TAG));
      }
      one.barrier();
    });
  }

  @Test
  void areToldByTheNumbersOfTheCommunicator() {
    run(job -> {
      Communicator one = turned(job, 1);
      if (one.rank() == 2) {
        RankFailedException failure =
            assertThrows(RankFailedException.class, () -> one.recv(bytes(8), 3, TAG));
        assertEquals(3, failure.rank());
        assertEquals(GONE, failure.jobRank());
        String said = failure.getMessage();
        assertTrue(said.startsWith("rank 3 (job rank 1, process "), said);
        assertTrue(said.contains("a receive from rank 3 (job rank 1) with tag 7"), said);
        assertEquals(List.of(3), one.failedRanks());
        assertEquals(List.of(GONE), job.failedRanks());
        RankFailedException ofSend = assertThrows(RankFailedException.class, () -> one.send(bytes(8), 3, TAG));
        assertEquals(3, ofSend.rank());
        assertTrue(ofSend.getMessage().contains("a send to rank 3 (job rank 1) with tag 7"), ofSend.getMessage());
        RankFailedException ofAny = assertThrows(RankFailedException.class, () -> one.probe(ANY_SOURCE, TAG));
        assertEquals(3, ofAny.rank());
        assertEquals(GONE, ofAny.jobRank());
      }
    });
  }

  @Test
  void areAcknowledgedByOneCommunicatorAlone() {
    CountDownLatch looked = new CountDownLatch(1);
    run(job -> {
      Communicator one = turned(job, 1);
      Communicator two = turned(job, 2);
      if (one.rank() == 0) {
        Ranks.await(looked);
        one.send(bytes(8), 2, TAG);
      } else if (one.rank() == 2) {
        awaitFailed(job, GONE);
        assertFails(3, () -> one.recv(bytes(8), ANY_SOURCE, TAG));
        assertEquals(List.of(3), one.acknowledgeFailedRanks());
        assertFails(3, () -> two.recv(bytes(8), ANY_SOURCE, TAG));
        assertFails(GONE, () -> job.world().recv(bytes(8), ANY_SOURCE, TAG));
        Looks.count(job, looked);
        assertEquals(0, one.recv(bytes(8), ANY_SOURCE, TAG).source());
        assertFails(3, () -> two.probe(ANY_SOURCE, TAG));
      } else {
        Ranks.await(looked);
      }
    });
  }

  @Test
  void endTheBarrierOfAllMembersAtEachCall() {
    run(job -> {
      Communicator one = turned(job, 1);
      for (int i = 0; i < 2; i++) {
        RankFailedException failure = assertThrows(RankFailedException.class, one::barrier);
        assertEquals(3, failure.rank());
        assertTrue(failure.getMessage().contains("a barrier cannot complete"), failure.getMessage());
      }
    });
  }

  @Test
  void aRankThatHasLeftEndsTheBarrierOfAllWhoComeToIt() throws Exception {
    Ranks.run(cores, 5, job -> {
      Communicator one = Communicator.of(job, Numbering.of(5, 4, 2, 0, 1, 3), 1, 0);
      one.barrier();
      if (one.rank() != 0) {
        RankFailedException failure = assertThrows(RankFailedException.class, one::barrier);
        assertEquals(0, failure.rank());
        assertEquals(4, failure.jobRank());
        assertTrue(failure.getMessage().contains("has left the job"), failure.getMessage());
      }
    });
  }

  @Test
  void whoWaitsForLongIsToldToWaitForARankOfTheCommunicator() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    CountDownLatch first = new CountDownLatch(1);
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord line) {
        told.add(line.getMessage());
        first.countDown();
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    Logger logger = Logger.getLogger(Waits.class.getName());
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      Settings.with(Map.of("adrastea.hang.report", "1"), () -> {
        Ranks.run(cores, 2, job -> {
          Communicator one = Communicator.of(job, Numbering.of(2, 1, 0), 1, 0);
          if (one.rank() == 0) {
            one.recv(bytes(8), 1, TAG);
          } else {
            Ranks.await(first);
            one.send(bytes(8), 0, TAG);
          }
        });
        return null;
      });
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }
    assertTrue(told.get(0).startsWith(
        "rank 1 has been waiting for 1 s in a receive from rank 1 (job rank 0) with tag 7"), told::toString);
  }

  @Test
  void aWaitThatIsOverdueSaysWhomOfTheCommunicatorItWaitedFor() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator one = Communicator.of(job, Numbering.of(2, 1, 0), 1, 0);
      String said = assertThrows(TimeLimitException.class,
          () -> one.recv(bytes(8), 1 - one.rank(), TAG, Duration.ofMillis(1))).getMessage();
      assertTrue(said.contains("receive from rank %s with tag 7".formatted(Ranks.name(one, 1 - one.rank()))), said);
      job.world().barrier();
    });
  }
}
