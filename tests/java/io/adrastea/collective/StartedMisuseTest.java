package io.adrastea.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.ThreadLevel;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RevokedException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.failure.FailingRanks;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Wrong uses of started and persistent collectives, and what ends them before their time: in words; nothing hangs. */
@Tag("spins")
@EverySharedCoreList
class StartedMisuseTest {
  private static final int LONG = 100_000; // longs: more than a stage holds

  @Parameter
  String cores;

  private static Data longs(int count) {
    return Data.of(new long[count]);
  }

  @Test
  void oneLeftAtCloseIsNamedAndTheCommunicatorStays() throws Exception {
    CountDownLatch refused = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Communicator same = world.dup();
          if (world.rank() == 0) {
            Request request = same.iallreduce(longs(3), longs(3), Op.SUM);
            String said = assertThrows(IllegalStateException.class, same::close).getMessage();
            assertTrue(said.contains("started collectives outstanding at rank 0: a started allreduce of 24 bytes"),
                said);
            refused.countDown();
            request.await();
          } else {
            Ranks.await(refused);
            same.allreduce(longs(3), Op.SUM);
          }
          same.close();
        });
  }

  @Test
  void aPersistentOneIsNotStartedTwice() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Request request = world.barrierInit();
          request.start();
          String said = assertThrows(IllegalStateException.class, request::start).getMessage();
          assertTrue(said.contains("started already"), said);
          request.await();
          request.start().await();
          assertThrows(IllegalArgumentException.class, () -> world.started(request).barrier());
        });
  }

  @Test
  void noneIsCancelled() throws Exception {
    CountDownLatch refused = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request request = world.ibarrier();
            String said = assertThrows(UnsupportedOperationException.class, request::cancel).getMessage();
            assertTrue(said.contains("cannot be cancelled"), said);
            refused.countDown();
            request.await();
            assertFalse(request.cancel(), "inactive");
          } else {
            Ranks.await(refused);
            world.ibarrier().await();
          }
        });
  }

  @Test
  void anotherOrderOnAnotherRankIsTold() throws Exception {
    BlockingQueue<String> said = new LinkedBlockingQueue<>();
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int other = 1 - world.rank();
          Supplier<Request> reduces = () -> world.iallreduce(longs(1), longs(1), Op.SUM);
          Supplier<Request> gathers = () -> world.iallgather(longs(1), longs(2));
          Request first = (world.rank() == 0 ? reduces : gathers).get();
          CollectiveException failure =
              assertThrows(CollectiveException.class, () -> {
                Request second = (world.rank() == 0 ? gathers : reduces).get(); // refused where the first has failed
                Request.waitAll(first, second);
              });
          assertEquals(other, failure.rank());
          said.add(assertThrows(CollectiveException.class, first::await).getMessage());
          assertThrows(CollectiveException.class, world::ibarrier);
          world.sendrecv(Data.of(new byte[1]), other, 0, Data.of(new byte[1]), other, 0);
        });
    String all = String.join("; ", said);
    assertTrue(
        all.contains("allreduce of 8 bytes, SUM of elements of type long of rank 0 cannot be completed: rank 1 calls "
            + "allgather of 8 bytes")
            || all.contains("allgather of 8 bytes of rank 1 cannot be completed: rank 0 calls allreduce of 8 bytes"),
        all);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BARRIER")
  void memoryThatIsClosedMeanwhileFailsItOnAll(CollectiveKind kind) throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Arena arena = Arena.ofShared();
            Request request = new SomeCollective(world, kind, LONG, arena).start(new Request());
            Request behind = world.ibarrier();
            arena.close();
            closed.countDown();
            AdrasteaException failure = assertThrows(AdrasteaException.class, request::await);
            String name = kind.name().toLowerCase(Locale.ROOT).replaceAll("_.*", "");
            assertTrue(failure.getMessage().startsWith(name), failure::getMessage);
            assertTrue(
                failure instanceof CollectiveException // the other rank was faster
                    || failure.getMessage().contains("rank 0, which was started, ended in the middle: the arena of its "
                        + "memory was closed, which is to stay open until the collective is complete"),
                failure::getMessage);
            CollectiveException next = assertThrows(CollectiveException.class, behind::await);
            assertTrue(!next.getMessage().contains("Already closed"), next::getMessage); // the JVM's words
          } else {
            Ranks.await(closed);
            Request request = new SomeCollective(world, kind, LONG, Arena.ofAuto()).start(new Request());
            assertThrows(CollectiveException.class, () -> {
              request.await();
              world.barrier();
            });
          }
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"SERIALIZED", "MULTIPLE"})
  void anOperatorThatCallsInFailsItOnAll(ThreadLevel level) throws Exception {
    Ranks.run(
        cores,
        level,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Communicator other = world.dup();
          Op op = Op.ofLongs((a, b) -> {
            other.barrier();
            return a + b;
          }, true);
          Request request = world.iallreduce(longs(20_000), longs(20_000), op);
          RuntimeException failure = assertThrows(RuntimeException.class, request::await);
          assertTrue(
              failure instanceof CollectiveException // the other rank was faster
                  || failure.getMessage().contains("in the middle of a call of its own"),
              failure::toString);
        });
  }

  @Test
  void memoryOfOneThreadIsRefusedWhereOthersMoveItOn() throws Exception {
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          try (Arena arena = Arena.ofConfined()) {
            for (CollectiveKind kind : CollectiveKind.ALL) {
              if (kind != CollectiveKind.BARRIER) {
                SomeCollective one = new SomeCollective(world, kind, 3, arena);
                assertThrows(WrongThreadException.class, one::run, kind::name);
                assertThrows(WrongThreadException.class, () -> one.start(new Request()), kind::name);
                assertThrows(WrongThreadException.class, one::prepare, kind::name);
              }
            }
          }
          assertEquals(2, world.allreduce(1, Op.SUM));
        });
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptAndALimitEndTheWaitAlone(CollectiveKind kind) throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          SomeCollective one = new SomeCollective(world, kind, LONG, Arena.ofAuto());
          if (world.rank() == 0) {
            Request request = one.start(new Request());
            assertThrows(TimeLimitException.class, () -> request.await(Duration.ofMillis(1)));
            Thread.currentThread().interrupt();
            assertThrows(InterruptedWaitException.class, request::await);
            assertTrue(Thread.interrupted());
            ended.countDown();
            request.await();
          } else {
            Ranks.await(ended);
            one.start(new Request()).await();
          }
          one.check();
          assertEquals(2, world.allreduce(1, Op.SUM));
        });
  }

  @Test
  void aRankThatHasFailedEndsAllThatAreOutstanding() throws Exception {
    CountDownLatch started = new CountDownLatch(2); // else a start may be refused
    FailingRanks.run(
        cores,
        3,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          world.allreduce(longs(10), Op.SUM);
          if (world.rank() == 1) {
            Ranks.await(started);
            throw cause;
          }
          Request[] requests = new Request[7];
          for (int i = 0; i < requests.length; i++) {
            requests[i] = world.iallreduce(longs(10), longs(10), Op.SUM);
          }
          started.countDown();
          Status[] statuses = new Status[requests.length];
          assertThrows(RankFailedException.class, () -> Request.waitAll(requests, statuses));
          for (Status status : statuses) {
            assertNotNull(status.failure());
            assertEquals(RankFailedException.class, status.failure().getClass());
          }
          assertThrows(RankFailedException.class, world::ibarrier);
        });
  }

  @Test
  void revokingEndsAllThatAreOutstanding() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator same = Ranks.world(job).dup();
          if (same.rank() == 0) {
            Request[] requests = new Request[6];
            for (int i = 0; i < requests.length; i++) {
              requests[i] = same.ibarrier();
            }
            started.countDown();
            for (Request request : requests) {
              assertThrows(RevokedException.class, request::await);
            }
            assertThrows(RevokedException.class, same::ibarrier);
          } else {
            Ranks.await(started);
            same.revoke();
          }
          same.close();
        });
  }

  @Test
  void leavingWithOnesOutstandingIsToldAndEndsThemOnTheOther() throws Exception {
    IllegalStateException told = assertThrows(IllegalStateException.class, () -> Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          world.allreduce(longs(10), Op.SUM);
          if (world.rank() == 0) {
            startSeven(world);
          } else { // the other one leaves, which a start may find out too
            AdrasteaException failure =
                assertThrows(AdrasteaException.class, () -> Request.waitAll(startSeven(world)));
            assertTrue(failure instanceof RankFailedException || failure instanceof CollectiveException,
                failure::toString);
            assertThrows(AdrasteaException.class, () -> world.iallreduce(longs(1), longs(1), Op.SUM));
          }
        }));
    assertTrue(told.getMessage().contains(
        "left its job with operations outstanding: a started allreduce of 800000 bytes"), told::getMessage);
    assertEquals(0, told.getSuppressed().length);
  }

  private static Request[] startSeven(Communicator world) {
    Request[] requests = new Request[7];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = world.iallreduce(longs(LONG), longs(LONG), Op.SUM);
    }
    return requests;
  }
}
