package io.adrastea.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.AnyCommunicator;
import io.adrastea.CollectiveRequests;
import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Intercommunicator;
import io.adrastea.Op;
import io.adrastea.ProgressThread;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.ThreadLevel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any number of started and persistent collectives, completed in any order, beside blocking ones and messages, does
 * what as many blocking ones do.
 */
@Tag("spins")
@EverySharedCoreList
class StartedCollectivesTest {
  private static final int ROUNDS = 40;
  private static final int LONGS = 20_000; // at most, of a rank
  private static final int MOST = 14; // outstanding: more than the core has under way

  @Parameter
  String cores;

  /** Completes requests in an order of chance, by every call that does. */
  private static void complete(Request[] requests, SplittableRandom random) {
    int[] indices = new int[requests.length];
    while (Stream.of(requests).anyMatch(request -> request != null && request.isActive())) {
      Request one = requests[random.nextInt(requests.length)];
      switch (random.nextInt(7)) {
        case 0 -> Request.waitAny(requests);
        case 1 -> Request.testAny(requests);
        case 2 -> Request.waitSome(requests, indices);
        case 3 -> Request.testSome(requests, indices);
        case 4 -> Request.waitAll(requests);
        case 5 -> {
          if (one != null) {
            one.await();
          }
        }
        default -> {
          if (one != null) {
            one.test();
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void endInAnyOrderBesideBlockingOnesAndMessages(boolean withProgressThread) throws Exception {
    Ranks.run(
        cores,
        withProgressThread ? ThreadLevel.MULTIPLE : ThreadLevel.SERIALIZED,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          SplittableRandom own = new SplittableRandom(world.rank()); // of the order of completion, and of places
          ProgressThread thread = withProgressThread ? job.progressThread() : null;
          try (Communicator other = world.dup(); Communicator turned = world.split(0, -world.rank())) {
            for (int round = 0; round < ROUNDS; round++) {
              round(new SplittableRandom(round), own, world, other, turned);
            }
          }
          if (thread != null) {
            thread.close();
          }
        });
  }

  private static void round(SplittableRandom same, SplittableRandom own, Communicator... communicators) {
    Communicator world = communicators[0];
    int rank = world.rank();
    int next = (rank + 1) % 3;
    int before = (rank + 2) % 3;
    List<SomeCollective> all = new ArrayList<>();
    List<Request> requests = new ArrayList<>();
    byte[] sent = Contents.of(9, rank);
    byte[] received = new byte[9];
    requests.add(world.irecv(Data.of(received), before, 5));
    int count = same.nextInt(1, MOST);
    for (int i = 0; i < count; i++) {
      Communicator on = communicators[same.nextInt(communicators.length)];
      SomeCollective one = new SomeCollective(on, CollectiveKind.ALL, LONGS, same, own);
      all.add(one);
      switch (same.nextInt(8)) {
        case 0 -> {
          one.run();
          one.check();
        }
        case 1 -> requests.add(one.prepare().start());
        default -> requests.add(one.start(new Request()));
      }
    }
    requests.add(world.isend(Data.of(sent), next, 5));
    complete(requests.toArray(Request[]::new), own);
    all.forEach(SomeCollective::check);
    Contents.check(9, before, received);
  }

  /** More of a kind than the core has under way; each rank waits for them in an order of its own. */
  @ParameterizedTest
  @EnumSource(CollectiveKind.class)
  void eachKindEndsInEachOrder(CollectiveKind kind) throws Exception {
    int[][] orders = {{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {2, 5, 0, 3, 1, 4}};
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          SplittableRandom same = new SplittableRandom(kind.ordinal());
          SplittableRandom own = new SplittableRandom(world.rank());
          for (int round = 0; round < 6; round++) {
            SomeCollective[] all = new SomeCollective[6];
            Request[] requests = new Request[6];
            for (int i = 0; i < 6; i++) {
              all[i] = new SomeCollective(world, List.of(kind), LONGS, same, own);
              requests[i] = all[i].start(new Request());
            }
            for (int i : orders[(round + world.rank()) % 3]) {
              requests[i].await();
              all[i].check();
            }
          }
        });
  }

  @Test
  void persistentOnesAreStartedAgainAndAgain() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          SplittableRandom same = new SplittableRandom(7);
          SplittableRandom own = new SplittableRandom(world.rank());
          List<SomeCollective> all = new ArrayList<>();
          for (int i = 0; i < 2 * CollectiveKind.ALL.size() + 1; i++) {
            List<CollectiveKind> kind = List.of(CollectiveKind.ALL.get(i % CollectiveKind.ALL.size()));
            all.add(new SomeCollective(world, kind, LONGS, same, own));
          }
          Request[] requests = all.stream().map(SomeCollective::prepare).toArray(Request[]::new);
          for (int round = 0; round < 20; round++) {
            all.forEach(SomeCollective::renew);
            Request.startAll(requests);
            if (own.nextBoolean()) {
              Request.waitAll(requests);
            } else {
              for (int i = requests.length - 1; i >= 0; i--) {
                requests[i].await();
              }
            }
            all.forEach(SomeCollective::check);
          }
        });
  }

  @Test
  void aRequestOfTheCallersIsUsedForOneAfterTheOther() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Request mine = new Request();
          for (int i = 0; i < 100; i++) {
            long[] number = {world.rank() == i % 2 ? i : -1};
            assertEquals(mine, world.started(mine).bcast(Data.of(number), i % 2));
            assertTrue(mine.isActive());
            mine.await();
            assertEquals(i, number[0]);
            world.started(mine).barrier().await();
            assertFalse(mine.isActive());
          }
        });
  }

  @Test
  void theCallsOfACommunicatorForARequestAreMadeOnce() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Request mine = new Request();
          try (Communicator other = world.dup()) {
            CollectiveRequests ofWorld = world.started(mine);
            assertSame(ofWorld, world.started(mine));
            CollectiveRequests ofOther = other.started(mine);
            assertSame(ofOther, other.started(mine));
            assertSame(ofWorld, world.started(mine));
            ofOther.barrier().await();
            ofWorld.barrier().await();
            assertSame(mine, other.started(mine).allreduce(Data.IN_PLACE, Data.of(new long[1]), Op.SUM));
            assertThrows(IllegalStateException.class, ofWorld::barrier, "it is active");
            mine.await();
          }
        });
  }

  @Test
  void callsThatMakeRequestsAreMadeOnce() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          assertSame(world.started(), world.started());
          assertSame(world.persistent(), world.persistent());
          Request[] requests = {world.started().barrier(), world.started().barrier()};
          assertNotSame(requests[0], requests[1]);
          Request.waitAll(requests);
          Request prepared = world.persistent().barrier();
          assertThrows(IllegalArgumentException.class, () -> world.started(prepared).barrier());
          assertThrows(NullPointerException.class, () -> world.started(null));
          prepared.start().await();
        });
  }

  @Test
  void oneProgramIsOfBothKindsOfCommunicators() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          try (Communicator self = world.split(world.rank(), 0);
              Intercommunicator inter = Intercommunicator.create(self, 0, world, 1 - world.rank(), 7)) {
            Request mine = new Request();
            for (AnyCommunicator any : List.of(self, inter)) {
              Data in = Data.of(new long[] {world.rank() + 1});
              long expected = any == self ? world.rank() + 1 : 2 - world.rank();
              checkSum(expected, out -> any.allreduce(in, out, Op.SUM));
              checkSum(expected, out -> any.started().allreduce(in, out, Op.SUM).await());
              checkSum(expected, out -> any.started(mine).allreduce(in, out, Op.SUM).await());
              checkSum(expected, out -> any.persistent().allreduce(in, out, Op.SUM).start().await());
              checkSum(expected, out -> any.iallreduce(in, out, Op.SUM).await());
              checkSum(expected, out -> any.allreduceInit(in, out, Op.SUM).start().await());
              assertSame(any.started(mine), any.started(mine));
            }
            world.barrier();
          }
        });
  }

  private static void checkSum(long expected, Consumer<Data> call) {
    long[] sum = new long[1];
    call.accept(Data.of(sum));
    assertEquals(expected, sum[0]);
  }

  @Test
  void manyCommunicatorsHaveThemOutstandingAtOnce() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          List<Communicator> communicators = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            communicators.add(world.dup());
          }
          List<SomeCollective> all = new ArrayList<>();
          List<Request> requests = new ArrayList<>();
          SplittableRandom same = new SplittableRandom(3);
          SplittableRandom own = new SplittableRandom(world.rank());
          for (int i = 0; i < 100; i++) {
            SomeCollective one =
                new SomeCollective(communicators.get(same.nextInt(20)), CollectiveKind.ALL, LONGS, same, own);
            all.add(one);
            requests.add(one.start(new Request()));
          }
          complete(requests.toArray(Request[]::new), own);
          all.forEach(SomeCollective::check);
          communicators.forEach(Communicator::close);
        });
  }

  /** They move on while the program waits for something else. */
  @Test
  void endDuringAWaitForAMessage() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          double[] sum = {1};
          double[] long1 = new double[20_000];
          Request small = world.iallreduce(Data.IN_PLACE, Data.of(sum), Op.SUM);
          Request large = world.iallreduce(Data.IN_PLACE, Data.of(long1), Op.SUM);
          byte[] word = new byte[1];
          if (world.rank() == 0) {
            Request.waitAll(small, large);
            world.send(Data.of(word), 1, 0);
          } else {
            world.recv(Data.of(word), 0, 0); // comes once rank 0 has both
            Request.waitAll(small, large);
          }
          assertEquals(2, sum[0]);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 6_000, 200_000})
  void aProgressThreadEndsThemWhileTheRankComputes(int count) throws Exception {
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          MemorySegment memory = Arena.ofAuto().allocate(8L * count, 64);
          memory.setAtIndex(ValueLayout.JAVA_LONG, count - 1, world.rank() == 0 ? 77 : 0);
          world.barrier();
          if (world.rank() == 1) {
            ProgressThread thread = job.progressThread();
            Request request = world.ibcast(Data.of(memory), 0);
            world.send(Data.of(new byte[1]), 0, 1);
            while ((long) ValueLayout.JAVA_LONG.varHandle().getAcquire(memory, 8L * (count - 1)) != 77) {
              Thread.onSpinWait(); // no call
            }
            request.await();
            thread.close();
          } else {
            world.recv(Data.of(new byte[1]), 1, 1);
            world.bcast(Data.of(memory), 0);
          }
          world.barrier();
        });
  }

  /** Rank 0 ends its last barrier once rank 1, which calls nothing, has ended all before. */
  @Test
  void soItEndsMoreThanAreUnderWayOfAllKinds() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          SplittableRandom same = new SplittableRandom(5);
          SplittableRandom own = new SplittableRandom(world.rank());
          List<SomeCollective> all = new ArrayList<>();
          for (int i = 0; i < 3 * CollectiveKind.ALL.size(); i++) {
            List<CollectiveKind> kind = List.of(CollectiveKind.ALL.get(i % CollectiveKind.ALL.size()));
            all.add(new SomeCollective(world, kind, LONGS, same, own));
          }
          if (world.rank() == 0) {
            all.forEach(SomeCollective::run);
            world.barrier();
            ended.countDown();
          } else {
            ProgressThread thread = job.progressThread();
            List<Request> requests = new ArrayList<>();
            all.forEach(one -> requests.add(one.start(new Request())));
            requests.add(world.ibarrier());
            Ranks.await(ended);
            Request.waitAll(requests.toArray(Request[]::new));
            thread.close();
          }
          all.forEach(SomeCollective::check);
        });
  }
}
