package io.adrastea.communicator;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Intercommunicator;
import io.adrastea.LongMessages;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.ThreadLevel;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.RevokedException;
import io.adrastea.failure.FailingRanks;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Communicators that are given up while something is under way on them. */
@EverySharedCoreList
class ReleasedCommunicatorTest {
  private static final Class<IllegalStateException> STATE = IllegalStateException.class;
  private static final int TAG = 6;
  private static final int MORE_THAN_NUMBERS = 1_100; // of which 1,024 are there at first, that come in turn
  private static final int LIVENESS_MILLIS = 250; // in which a call that tests looks who is there
  private static final int LOOKS = 300; // at all of them, which take longer than some looks at who is there

  @Parameter
  String cores;

  /** Makes and closes communicators; whether one of them had a number again. */
  private static boolean comesAgain(Communicator world, String name) {
    boolean found = false;
    for (int i = 0; i < MORE_THAN_NUMBERS; i++) {
      try (Communicator one = world.dup()) {
        found |= one.name().equals(name);
      }
    }
    return found;
  }

  @Test
  void aReceiveGoesOnAndKeepsTheNumberUntilItIsComplete() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = job.world();
      Communicator mine = world.dup();
      int[] got = new int[1];
      Request receive = world.rank() == 0 ? mine.irecv(Data.of(got), 1, TAG) : null;
      if (world.rank() == 0) {
        mine.release();
        assertTrue(mine.toString().endsWith(", closed"), mine::toString);
      }
      assertFalse(comesAgain(world, mine.name()), "a receive is posted on it");
      if (world.rank() == 0) {
        assertFalse(receive.test());
        world.send(Data.EMPTY, 1, TAG);
        assertEquals(new Status(1, TAG, Integer.BYTES, false), receive.await());
        assertEquals(9, got[0]);
      } else {
        world.recv(Data.EMPTY, 0, TAG);
        mine.send(Data.of(new int[] {9}), 0, TAG);
        mine.close();
      }
      world.barrier();
      assertTrue(comesAgain(world, mine.name()), "both are done with it");
    });
  }

  @Test
  void anIdleOneIsClosedAtOnce() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator mine = job.world().dup();
      mine.release();
      job.world().barrier();
      assertTrue(comesAgain(job.world(), mine.name()));
    });
  }

  @Test
  void whatWasSentGoesOn() throws Exception {
    for (LongMessages way : LongMessages.values()) {
      way.run(cores, 2, job -> {
        Communicator world = job.world();
        Communicator mine = world.dup();
        int other = 1 - world.rank();
        byte[] received = new byte[3 * Ranks.ALL_CELLS];
        Request receive = mine.irecv(Data.of(received), other, TAG);
        Request send = mine.isend(Data.of(Contents.of(received.length, world.rank())), other, TAG);
        mine.release();
        Request.waitAll(send, receive);
        Contents.check(received.length, other, received);
      });
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSendFailsOnlyIfItsOwnCommunicatorWasRevoked(boolean revoked) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    LongMessages.BY_RENDEZVOUS.run(cores, 3, job -> {
      Communicator world = job.world();
      int rank = world.rank();
      Communicator mine = world.split(rank == 2 ? 1 : 0, 0);
      Communicator other = world.split(rank == 1 ? 1 : 0, 0); // of as many ranks
      if (rank == 1) { // it takes nothing in meanwhile
        mine.close();
        world.send(Data.EMPTY, 0, TAG);
        Ranks.await(asked);
        world.barrier();
        return;
      }
      if (rank == 2) {
        makeSome(other, !revoked);
        world.barrier();
        return;
      }
      Request send = mine.isend(Data.of(new byte[Ranks.ALL_CELLS]), 1, TAG);
      if (revoked) {
        mine.revoke();
      }
      mine.close();
      world.recv(Data.EMPTY, 1, TAG);
      makeSome(other, !revoked);
      try {
        if (revoked) {
          assertThrows(RevokedException.class, send::await);
        } else {
          assertFalse(send.test());
          Thread.sleep(LIVENESS_MILLIS);
          assertFalse(send.test());
        }
      } finally {
        asked.countDown();
      }
      if (!revoked) {
        String refused = assertThrows(AdrasteaException.class, send::await).getMessage();
        assertTrue(refused.contains("it has closed the communicator"), refused);
      }
      world.barrier();
    });
  }

  /** Makes communicators that have slots which are free now, and keeps them. */
  private static void makeSome(Communicator parent, boolean revoked) {
    for (int i = 0; i < 20; i++) {
      Communicator one = parent.dup();
      if (revoked) {
        one.revoke();
      }
    }
  }

  @Test
  void startedCollectivesGoOn() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      Communicator mine = world.dup();
      for (int round = 0; round < 2; round++) {
        int count = round == 0 ? 1 : 100_000;
        Communicator one = round == 0 ? mine.dup() : mine;
        Request[] requests = new Request[6]; // more than can be under way
        long[][] sums = new long[requests.length][count];
        if (world.rank() == 2) { // the others wait for it
          world.recv(Data.EMPTY, 0, TAG);
          world.recv(Data.EMPTY, 1, TAG);
        }
        for (int i = 0; i < requests.length; i++) {
          long[] own = new long[count];
          own[count - 1] = world.rank() + i;
          requests[i] = one.iallreduce(Data.of(own), Data.of(sums[i]), Op.SUM);
        }
        one.release();
        refuses(STATE, "the communicator is closed", one::barrier);
        refuses(STATE, "the communicator is closed", () -> one.ibarrier());
        refuses(STATE, "the communicator is closed", () -> one.bcast(1L, 0));
        refuses(STATE, "the communicator is closed", () -> one.barrierInit());
        if (world.rank() != 2) {
          world.send(Data.EMPTY, 2, TAG);
        }
        Request.waitAll(requests);
        for (int i = 0; i < requests.length; i++) {
          assertEquals(3 + 3 * i, sums[i][count - 1]);
        }
      }
      world.barrier();
      assertTrue(comesAgain(world, mine.name()));
    });
  }

  @Test
  void requestsMayBeReleasedBeforeIt() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = job.world();
      Communicator mine = world.dup();
      int[] got = {0};
      if (world.rank() == 0) {
        mine.irecv(Data.of(got), 1, TAG).release();
        mine.release();
        world.send(Data.EMPTY, 1, TAG);
        world.recv(Data.EMPTY, 1, TAG);
        assertEquals(7, got[0]);
      } else {
        world.recv(Data.EMPTY, 0, TAG);
        mine.send(Data.of(new int[] {7}), 0, TAG);
        world.send(Data.EMPTY, 0, TAG);
        mine.release();
      }
      world.barrier();
      assertTrue(comesAgain(world, mine.name()));
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWaitsForARankThatFailedFailsThoughNobodyAsks(boolean receives) {
    FailingRanks.run(cores, 2, (job, cause) -> {
      Communicator mine = job.world().dup();
      Communicator alone = job.world().split(job.world().rank(), 0);
      if (job.world().rank() == FailingRanks.GONE) {
        throw cause;
      }
      Data word = Data.of(new long[1]);
      Request request = receives ? mine.irecv(word, 1, TAG) : mine.iallreduce(word, word, Op.SUM);
      request.release();
      mine.release();
      FailingRanks.awaitFailed(job, FailingRanks.GONE);
      boolean found = false;
      for (int i = 0; i < LOOKS && !found; i++) {
        found = comesAgain(alone, mine.name());
      }
      assertTrue(found, "nothing is under way on it any more");
      alone.close();
      job.close();
    });
  }

  /** Whether a thread waits in a call. */
  private static boolean waits(Thread thread) {
    return Stream.of(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().endsWith(".wait.Waits") && frame.getMethodName().equals("await"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aThreadThatWaitsOnItComesBack(boolean agrees) throws Exception {
    Ranks.run(cores, ThreadLevel.MULTIPLE, 2, job -> {
      Communicator world = job.world();
      Communicator mine = world.dup();
      Communicator alone = world.split(world.rank(), 0);
      if (world.rank() == 0) {
        FutureTask<Long> waits =
            new FutureTask<>(() -> agrees ? mine.agree(6) : mine.probe(1, TAG).bytes());
        Thread thread = Thread.ofPlatform().start(waits);
        while (!waits(thread)) {
          Thread.sleep(1);
        }
        refuses(STATE, "to come back before the communicator is closed", mine::close);
        mine.release();
        refuses(STATE, "the communicator is closed", () -> mine.agree(1));
        refuses(STATE, "the communicator is closed", () -> mine.probe(1, TAG));
        assertFalse(comesAgain(alone, mine.name()), "a thread waits on it");
        world.send(Data.EMPTY, 1, TAG);
        assertEquals(agrees ? 2L : Long.BYTES, waits.get());
      } else {
        world.recv(Data.EMPTY, 0, TAG);
        if (agrees) {
          assertEquals(2, mine.agree(3));
        } else {
          mine.send(Data.of(new long[1]), 0, TAG);
        }
        mine.release();
      }
      alone.close();
      world.barrier();
      assertTrue(comesAgain(world, mine.name()));
    });
  }

  @Test
  void aReceiveThatIsTakenBackEndsIt() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator mine = job.world().dup();
      Request receive = mine.irecv(Data.of(new int[1]), 0, TAG);
      mine.release();
      assertFalse(comesAgain(job.world(), mine.name()), "a receive is posted on it");
      assertTrue(receive.cancel());
      assertTrue(receive.await().isCancelled());
      assertTrue(comesAgain(job.world(), mine.name()));
    });
  }

  @Test
  void anIntercommunicatorIsGivenUpLikewise() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = job.world();
      int other = 1 - world.rank();
      try (Communicator self = world.split(world.rank(), 0)) {
        Intercommunicator inter = Intercommunicator.create(self, 0, world, other, TAG);
        int[] got = new int[1];
        int[] all = new int[1];
        Request receive = inter.irecv(Data.of(got), 0, TAG);
        Request gathers = inter.iallgather(Data.of(new int[] {10 + world.rank()}), Data.of(all));
        Request send = inter.isend(Data.of(new int[] {world.rank()}), 0, TAG);
        inter.release();
        Request.waitAll(receive, gathers, send);
        assertArrayEquals(new int[] {other}, got);
        assertArrayEquals(new int[] {10 + other}, all);
        refuses(STATE, "the communicator is closed", inter::release);
        refuses(STATE, "the communicator is closed", () -> inter.send(Data.EMPTY, 0, TAG));
      }
    });
  }

  @Test
  void whatIsOverCannotBeGivenUp() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator mine = job.world().dup();
      mine.release();
      refuses(STATE, "release of rank 0 in", mine::release);
      refuses(STATE, "close of rank 0 in", mine::close);
      refuses(STATE, "the communicator is closed", () -> mine.irecv(Data.of(new int[1]), 0, TAG));
      refuses(STATE, "the communicator is closed", () -> mine.probe(0, TAG));
      refuses(STATE, "the communicator is closed", mine::dup);
      refuses(STATE, "the communicator is closed", () -> mine.agree(1));
      Communicator closed = job.world().dup();
      closed.close();
      refuses(STATE, "the communicator is closed", closed::release);
      refuses(STATE, "the communicator of all ranks ends with the job", job.world()::release);
    });
  }

  @Test
  void whatNeverCompletesIsNamedWhenTheJobIsLeft() throws Exception {
    IllegalStateException e = assertThrows(STATE, () -> Ranks.run(cores, 1, job -> {
      Communicator mine = job.world().dup();
      mine.irecv(Data.of(new int[1]), 0, TAG);
      mine.release();
      job.close();
    }));
    assertTrue(e.getMessage().contains("receive from rank 0 with tag 6"), e::getMessage);
  }
}
