package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any number of started and persistent collectives, completed in any order, beside blocking ones and messages, does
 * what as many blocking ones do.
 */
@Tag("spins")
@EverySharedCoreList
class StartedCollectivesTest {
  private static final int ROUNDS = 40;
  private static final int MOST = 14; // outstanding: more than the core has under way

  @Parameter
  String cores;

  /** One collective of one rank: its buffers, and what they are to hold. */
  private static final class Started {
    private final Communicator communicator;
    private final int kind;
    private final int root;
    private final int count;
    private final int seed;
    private final long[] in;
    private final long[] out;
    private final Data from;
    private final Data to;

    Started(Communicator communicator, SplittableRandom random, boolean isNative) {
      this.communicator = communicator;
      this.kind = random.nextInt(4);
      this.root = random.nextInt(communicator.size());
      this.count = switch (random.nextInt(6)) {
        case 0 -> random.nextInt(20_000);
        case 1 -> random.nextInt(700);
        default -> random.nextInt(7);
      };
      this.seed = random.nextInt(1000);
      this.in = values(communicator.rank());
      this.out = new long[kind == 3 ? count * communicator.size() : count];
      this.from = data(in, isNative);
      this.to = kind == 1 ? from : data(out, isNative);
    }

    private static Data data(long[] values, boolean isNative) {
      return isNative
          ? Data.of(Arena.ofAuto().allocate(8L * values.length + 1, 8).asSlice(0, 8L * values.length)
              .copyFrom(MemorySegment.ofArray(values)), 0, values.length, Datatype.LONG)
          : Data.of(values);
    }

    private long[] values(int rank) {
      return LongStream.range(0, count).map(i -> rank * 1_000_003L + seed * 77L + i).toArray();
    }

    Request start() {
      return switch (kind) {
        case 0 -> communicator.ibarrier();
        case 1 -> communicator.ibcast(from, root);
        case 2 -> communicator.iallreduce(from, to, Op.SUM);
        default -> communicator.iallgather(from, to);
      };
    }

    Request prepare() {
      return switch (kind) {
        case 0 -> communicator.barrierInit();
        case 1 -> communicator.bcastInit(from, root);
        case 2 -> communicator.allreduceInit(from, to, Op.SUM);
        default -> communicator.allgatherInit(from, to);
      };
    }

    void run() {
      switch (kind) {
        case 0 -> communicator.barrier();
        case 1 -> communicator.bcast(from, root);
        case 2 -> communicator.allreduce(from, to, Op.SUM);
        default -> communicator.allgather(from, to);
      }
    }

    /** What came is what was to come. */
    void check(Job job) {
      int size = communicator.size();
      long[] expected = switch (kind) {
        case 0 -> new long[0];
        case 1 -> values(root);
        case 2 -> {
          long[] sum = new long[count];
          for (int rank = 0; rank < size; rank++) {
            long[] theirs = values(rank);
            for (int i = 0; i < count; i++) {
              sum[i] += theirs[i];
            }
          }
          yield sum;
        }
        default -> {
          long[] gathered = new long[size * count];
          for (int rank = 0; rank < size; rank++) {
            System.arraycopy(values(rank), 0, gathered, rank * count, count);
          }
          yield gathered;
        }
      };
      long[] got = new long[expected.length];
      if (kind > 0) {
        to.copyTo(job.world().engine().spaces(), MemorySegment.ofArray(got), 0);
      }
      assertArrayEquals(expected, got, () -> "kind %d, root %d, %d longs".formatted(kind, root, count));
    }
  }

  /** Completes requests in an order of chance, by every call that does. */
  private static void complete(Request[] requests, SplittableRandom random) {
    int left = requests.length;
    while (left > 0) {
      int index = random.nextInt(requests.length);
      switch (random.nextInt(5)) {
        case 0 -> left -= Request.waitAny(requests) == Request.NONE ? 0 : 1;
        case 1 -> left -= Request.testAny(requests) >= 0 ? 1 : 0;
        case 2 -> {
          Request.waitAll(requests);
          left = 0;
        }
        case 3 -> {
          if (requests[index] != null) {
            requests[index].await();
            requests[index] = null;
            left--;
          }
        }
        default -> {
          if (requests[index] != null && requests[index].test()) {
            requests[index] = null;
            left--;
          }
        }
      }
    }
  }

  @Test
  void endInAnyOrderBesideBlockingOnesAndMessages() throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          SplittableRandom order = new SplittableRandom(world.rank()); // of completion: each rank has its own
          try (Communicator other = world.dup()) {
            for (int round = 0; round < ROUNDS; round++) {
              round(job, new SplittableRandom(round), order, world, other);
            }
          }
        });
  }

  private static void round(Job job, SplittableRandom same, SplittableRandom order, Communicator... communicators) {
    Communicator world = communicators[0];
    int rank = world.rank();
    int next = (rank + 1) % 3;
    int before = (rank + 2) % 3;
    List<Started> all = new ArrayList<>();
    List<Request> requests = new ArrayList<>();
    byte[] sent = Contents.of(9, rank);
    byte[] received = new byte[9];
    requests.add(world.irecv(Data.of(received), before, 5));
    int count = same.nextInt(1, MOST);
    for (int i = 0; i < count; i++) {
      Started one = new Started(communicators[same.nextInt(2)], same, order.nextBoolean());
      all.add(one);
      if (same.nextInt(8) == 0) {
        one.run();
        one.check(job);
      } else {
        requests.add(one.start());
      }
    }
    requests.add(world.isend(Data.of(sent), next, 5));
    complete(requests.toArray(Request[]::new), order);
    for (Started one : all) {
      one.check(job);
    }
    Contents.check(9, before, received);
  }

  @Test
  void persistentOnesAreStartedAgainAndAgain() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          SplittableRandom same = new SplittableRandom(7);
          SplittableRandom order = new SplittableRandom(world.rank());
          List<Started> all = new ArrayList<>();
          for (int i = 0; i < 9; i++) {
            all.add(new Started(world, same, i % 2 == 0));
          }
          Request[] requests = all.stream().map(Started::prepare).toArray(Request[]::new);
          for (int round = 0; round < 20; round++) {
            Request.startAll(requests);
            if (order.nextBoolean()) {
              Request.waitAll(requests);
            } else {
              for (int i = requests.length - 1; i >= 0; i--) {
                requests[i].await();
              }
            }
            for (Started one : all) {
              one.check(job);
            }
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
            assertEquals(mine, world.ibcast(Data.of(number), i % 2, mine));
            assertTrue(mine.isActive());
            mine.await();
            assertEquals(i, number[0]);
            world.ibarrier(mine).await();
            assertFalse(mine.isActive());
          }
        });
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
          List<Started> all = new ArrayList<>();
          List<Request> requests = new ArrayList<>();
          SplittableRandom same = new SplittableRandom(3);
          for (int i = 0; i < 100; i++) {
            Started one = new Started(communicators.get(same.nextInt(20)), same, false);
            all.add(one);
            requests.add(one.start());
          }
          complete(requests.toArray(Request[]::new), new SplittableRandom(world.rank()));
          all.forEach(one -> one.check(job));
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
}
