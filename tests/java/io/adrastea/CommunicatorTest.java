package io.adrastea;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.engine.group.Numbering;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.TruncationException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Several communicators of one job: their messages do not mix, and each tells of ranks by its own numbers. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java", "jni,jna"})
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommunicatorTest {
  private static final int TAG = 7;
  private static final int LARGE = 1 << 20;

  @Parameter
  String cores;

  /** Job ranks 2, 0, 1 as ranks 0, 1, 2. */
  private static Communicator turned(Job job, int number) {
    return Communicator.of(job, Numbering.of(3, 2, 0, 1), number, 0);
  }

  /** Job ranks 1, 2, 0 as ranks 0, 1, 2. */
  private static Communicator turnedBack(Job job, int number) {
    return Communicator.of(job, Numbering.of(3, 1, 2, 0), number, 0);
  }

  private static Data bytes(int length) {
    return Data.of(new byte[length]);
  }

  private static void send(Communicator on, int value, int to) {
    on.send(Data.of(new int[] {value}), to, TAG);
  }

  /** Receives a number from anybody, and tells what came. */
  private static Status receive(Communicator on, int value) {
    int[] received = new int[1];
    Status status = on.recv(Data.of(received), ANY_SOURCE, ANY_TAG);
    assertEquals(value, received[0]);
    return status;
  }

  @Test
  void numbersOfRanksAreTranslatedInBothDirections() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator one = turned(job, 1);
      assertEquals(3, one.size());
      assertEquals(job.world().rank(), one.jobRank(one.rank()));
      for (int rank = 0; rank < 3; rank++) {
        assertEquals((rank + 2) % 3, one.jobRank(rank));
        assertEquals(rank, one.rankOf(one.jobRank(rank)));
        assertEquals(rank, job.world().jobRank(rank));
      }
      refuses(IllegalArgumentException.class, "rank 3; this communicator has ranks 0 to 2", () -> one.jobRank(3));
      refuses(IllegalArgumentException.class, "rank -1", () -> one.jobRank(-1));
      assertEquals(Communicator.UNDEFINED, one.rankOf(3));
      assertEquals(Communicator.UNDEFINED, one.rankOf(-1));
      if (job.world().rank() != 1) {
        Communicator pair = Communicator.of(job, Numbering.of(3, 2, 0), 2, 0);
        assertEquals(Communicator.UNDEFINED, pair.rankOf(1), "not a member");
        refuses(IllegalArgumentException.class, "destination " + Communicator.UNDEFINED, () -> send(pair, 1,
            pair.rankOf(1)));
      }
    });
  }

  @Test
  void messagesOfOneTagDoNotMix() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      Communicator one = turned(job, 1);
      Communicator two = turnedBack(job, 2);
      int before = (world.rank() + 2) % 3;
      int next = (world.rank() + 1) % 3;
      send(world, 100 + world.rank(), next);
      send(one, 200 + world.rank(), one.rankOf(next));
      send(two, 300 + world.rank(), two.rankOf(next));
      assertEquals(two.rankOf(before), receive(two, 300 + before).source());
      assertEquals(one.rankOf(before), receive(one, 200 + before).source());
      assertEquals(before, receive(world, 100 + before).source());
      assertNull(world.iprobe(ANY_SOURCE, ANY_TAG));
      assertNull(one.iprobe(ANY_SOURCE, ANY_TAG));
      assertNull(two.iprobe(ANY_SOURCE, ANY_TAG));
    });
  }

  @Test
  void aPostedWildcardTakesNothingOfAnotherCommunicator() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator one = turned(job, 1);
      Request posted = one.irecv(bytes(8), ANY_SOURCE, ANY_TAG);
      int next = (job.world().rank() + 1) % 3;
      for (int i = 0; i < 100; i++) {
        send(job.world(), i, next);
        receive(job.world(), i);
      }
      assertFalse(posted.test());
      job.world().barrier();
      send(one, 1, one.rankOf(next));
      assertEquals(one.rankOf((next + 1) % 3), posted.await().source());
    });
  }

  @Test
  void eachListHasItsOwnOrder() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator one = Communicator.of(job, Numbering.of(2, 1, 0), 1, 0);
      if (job.world().rank() == 0) {
        for (int i = 0; i < 10; i++) {
          send(job.world(), i, 1);
          send(one, 100 + i, 0);
        }
      } else {
        job.world().probe(0, TAG);
        for (int i = 0; i < 10; i++) {
          receive(one, 100 + i);
        }
        for (int i = 0; i < 10; i++) {
          receive(job.world(), i);
        }
      }
    });
  }

  @Test
  void whateverNamesARankNamesItByItsNumberHere() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator one = turned(job, 1);
      int from = 2; // job rank 1
      int to = 0; // job rank 2
      if (one.rank() == from) {
        for (int i = 0; i < 6; i++) {
          one.send(bytes(8), to, TAG);
        }
        one.send(bytes(LARGE), to, TAG);
        one.send(bytes(16), to, TAG);
        try (Claim claim = one.claim(to, TAG, 8)) {
          assertEquals(to, claim.destination());
          assertEquals("claim of 8 bytes for rank 0 (job rank 2)", claim.toString());
          refuses(IllegalStateException.class, "a claim to rank 0 (job rank 2) with tag 7",
              () -> job.world().send(bytes(8),
                  2, TAG));
          claim.commit();
        }
        try (Burst burst = one.burst(to)) {
          assertEquals(to, burst.destination());
          assertEquals("burst to rank 0", burst.toString());
          refuses(IllegalStateException.class, "a burst to rank 2 is open", () -> job.world().burst(2));
          burst.send(bytes(8), TAG);
        }
      } else if (one.rank() == to) {
        assertEquals(from, one.recv(bytes(8), ANY_SOURCE, ANY_TAG).source());
        assertEquals(from, one.probe(ANY_SOURCE, ANY_TAG).source());
        assertEquals(from, one.iprobe(from, TAG).source());
        assertEquals(from, one.irecv(bytes(8), ANY_SOURCE, TAG).await().source());
        assertEquals(from, one.recvInit(bytes(8), ANY_SOURCE, TAG).start().await().source());
        assertEquals(from, one.recv(bytes(8), ANY_SOURCE, TAG).source());
        Request any = one.irecv(bytes(8), ANY_SOURCE, TAG);
        Request.waitAny(any, null);
        try (Message message = one.recvMessage(ANY_SOURCE, TAG)) {
          assertEquals(from, message.source());
          assertEquals("8 bytes from rank 2 (job rank 1) with tag 7", message.toString());
        }
        assertEquals(from, one.recv(bytes(LARGE), from, TAG).source());
        TruncationException truncated =
            assertThrows(TruncationException.class, () -> one.recv(bytes(8), ANY_SOURCE, TAG));
        assertEquals(from, truncated.rank());
        assertEquals(1, truncated.jobRank());
        assertTrue(truncated.getMessage().startsWith("message of 16 bytes from rank 2 (job rank 1) with tag 7"),
            truncated.getMessage());
        assertEquals(from, one.recv(bytes(8), ANY_SOURCE, TAG).source());
        assertEquals(from, one.recv(bytes(8), ANY_SOURCE, TAG).source());
      }
      assertEquals(one.rank(), one.sendrecv(bytes(1), one.rank(), 1, bytes(1), ANY_SOURCE, 1).source(), "itself");
    });
  }

  @Test
  void aJobThatIsClosedNamesWhatIsOutstandingByTheNumbersOfItsCommunicator() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    Ranks.run(cores, 2, job -> {
      Communicator one = Communicator.of(job, Numbering.of(2, 1, 0), 1, 0);
      if (job.world().rank() == 0) {
        one.irecv(bytes(8), 0, TAG);
        one.burst(0);
        String said = assertThrows(IllegalStateException.class, job::close).getMessage();
        assertTrue(said.contains("receive from rank 0 (job rank 1) with tag 7"), said);
        assertTrue(said.contains("burst to rank 0 (job rank 1), not ended"), said);
        closed.countDown();
      } else {
        Ranks.await(closed);
      }
    });
  }

  @Test
  void aMessageForACommunicatorThatIsNotMadeYetIsKept() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    Ranks.run(cores, 2, job -> {
      Numbering group = Numbering.of(2, 1, 0);
      if (job.world().rank() == 0) {
        Communicator one = Communicator.of(job, group, 300, 5);
        Request large = one.isend(bytes(LARGE), 0, TAG + 1);
        send(one, 42, 0);
        send(job.world(), 1, 1);
        sent.countDown();
        large.await();
      } else {
        Ranks.await(sent);
        receive(job.world(), 1); // takes in what came before
        Communicator one = Communicator.of(job, group, 300, 5);
        assertEquals(LARGE, one.recv(bytes(LARGE), ANY_SOURCE, TAG + 1).bytes());
        assertEquals(1, receive(one, 42).source());
      }
    });
  }

  @Test
  void whatNobodyReceivesOfAClosedCommunicatorIsDroppedOrRefused() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    Ranks.run(cores, 2, job -> {
      Numbering group = Numbering.of(2, 1, 0);
      Communicator first = Communicator.of(job, group, 1, 0);
      if (job.world().rank() == 0) {
        send(first, 1, 0); // is there when it is closed
        Request offered = first.isend(bytes(LARGE), 0, TAG);
        send(job.world(), 2, 1);
        refusedThere(offered);
        Ranks.await(closed);
        send(first, 3, 0); // comes when it is closed
        refusedThere(first.isend(bytes(LARGE), 0, TAG));
        first.close();
        Communicator second = Communicator.of(job, group, 1, 1);
        send(second, 4, 0);
        receive(second, 5);
      } else {
        receive(job.world(), 2);
        assertNotNull(first.iprobe(ANY_SOURCE, ANY_TAG));
        first.close();
        closed.countDown();
        Communicator second = Communicator.of(job, group, 1, 1);
        receive(second, 4);
        assertNull(second.iprobe(ANY_SOURCE, ANY_TAG));
        send(second, 5, 1);
      }
    });
  }

  private static void refusedThere(Request send) {
    String said = assertThrows(AdrasteaException.class, send::await).getMessage();
    assertTrue(said.contains("rank 0 (job rank 1) gave up its end of a send to rank 0 (job rank 1) with tag 7"), said);
    assertTrue(said.contains("it has closed the communicator"), said);
  }

  @Test
  void aClosedCommunicatorIsRefused() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator one = Communicator.of(job, Numbering.of(2, 1, 0), 1, 0);
      Request posted = one.irecv(bytes(8), ANY_SOURCE, TAG);
      Request persistent = one.sendInit(bytes(8), 0, TAG);
      refuses(IllegalStateException.class, "receives outstanding: receive from any rank with tag 7", one::close);
      posted.cancel();
      posted.await();
      one.close();
      String closed = "the communicator is closed";
      refuses(IllegalStateException.class, closed, () -> one.send(bytes(8), 0, TAG));
      refuses(IllegalStateException.class, closed, () -> one.recv(bytes(8), ANY_SOURCE, TAG));
      refuses(IllegalStateException.class, closed, () -> one.iprobe(0, TAG));
      refuses(IllegalStateException.class, closed, () -> one.burst(0));
      refuses(IllegalStateException.class, closed, one::barrier);
      refuses(IllegalStateException.class, closed, one::close);
      refuses(IllegalStateException.class, closed, persistent::start);
      assertEquals(2, one.size());
      job.world().barrier();
    });
  }

  @Test
  void aCommunicatorWhoseBarrierWasInterruptedIsClosedAfterThatBarrierOrNotAtAll() throws Exception {
    CountDownLatch refused = new CountDownLatch(1);
    Ranks.run(cores, 2, job -> {
      Communicator one = Communicator.of(job, Numbering.of(2, 1, 0), 1, 0);
      if (job.world().rank() == 0) {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedWaitException.class, one::barrier);
        assertTrue(Thread.interrupted());
        refuses(IllegalStateException.class, "the communicator has receives outstanding", one::close);
        refused.countDown();
      } else {
        Ranks.await(refused);
      }
      send(one, 1, 1 - one.rank());
      receive(one, 1);
      one.barrier();
      one.close();
    });
  }

  @Test
  void groupsAndNumbersThatCannotBeAreRefused() throws Exception {
    Class<IllegalArgumentException> illegal = IllegalArgumentException.class;
    refuses(illegal, "rank 2 in a group; this job has ranks 0 to 1", () -> Numbering.of(2, 0, 2));
    refuses(illegal, "rank -1 in a group", () -> Numbering.of(2, -1));
    refuses(illegal, "rank 1 comes twice in a group", () -> Numbering.of(2, 1, 0, 1));
    refuses(illegal, "a group of no ranks", () -> Numbering.of(2));
    Ranks.run(cores, 2, job -> {
      Numbering group = Numbering.of(2, 1, 0);
      refuses(illegal, "a group of a job of 3 ranks; this job has 2",
          () -> Communicator.of(job, Numbering.of(3, 0, 1), 1,
              0));
      refuses(illegal, "only members make a communicator",
          () -> Communicator.of(job, Numbering.of(2, 1 - job.world().rank()), 1, 0));
      for (int number : new int[] {-1, 0, 65536}) {
        refuses(illegal, "allowed are numbers 1 to 65535", () -> Communicator.of(job, group, number, 0));
      }
      refuses(illegal, "generations 0 to 16383", () -> Communicator.of(job, group, 1, 16384));
      Communicator last = Communicator.of(job, group, 65535, 16383);
      refuses(IllegalStateException.class, "a communicator with this number is open",
          () -> Communicator.of(job, group, 65535, 0));
      last.close();
      refuses(IllegalStateException.class, "take the next generation", () -> Communicator.of(job, group, 65535, 16383));
      Communicator again = Communicator.of(job, group, 65535, 0);
      send(again, 1, 1 - again.rank());
      assertEquals(1 - again.rank(), receive(again, 1).source());
    });
  }

  @Test
  void barriersOfTwoCommunicatorsDoNotMeet() throws Exception {
    int ranks = 5;
    int[] now = new int[ranks];
    Ranks.run(cores, ranks, job -> {
      int self = job.world().rank();
      Communicator all = Communicator.of(job, Numbering.of(ranks, 3, 0, 4, 2, 1), 1, 0);
      for (int round = 1; round <= 50; round++) {
        now[self] = round;
        all.barrier();
        int least = round;
        IntStream.of(now).forEach(one -> assertTrue(one >= least, "a rank has not arrived"));
        if (self < 3) {
          Communicator some = Communicator.of(job, Numbering.of(ranks, 2, 0, 1), 2, round);
          some.barrier();
          some.close();
        }
        all.barrier();
      }
    });
  }
}
