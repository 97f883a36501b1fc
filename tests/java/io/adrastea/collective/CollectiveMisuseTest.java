package io.adrastea.collective;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Settings;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.failure.FailingRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Wrong collectives: each is refused, or fails on every rank that it concerns, in words; nothing hangs. */
@Tag("spins")
@EverySharedCoreList
class CollectiveMisuseTest {
  @Parameter
  String cores;

  /** Two calls that do not belong together, of ranks 0 and 1. */
  enum Mismatch {
    BARRIER_AND_ALLREDUCE(Communicator::barrier, world -> world.allreduce(1.0, Op.SUM)), ALLREDUCE_AND_ALLGATHER(
        world -> world.allreduce(1.0, Op.SUM), world -> world.allgather(longs(1), longs(world.size()))), OPERATORS(
            world -> world.allreduce(1.0, Op.SUM), world -> world.allreduce(1.0, Op.MAX)), TYPES(
                world -> world.allreduce(1.0, Op.SUM), world -> world.allreduce(1, Op.SUM)), SIZES(
                    world -> world.allreduce(longs(2), Op.SUM), world -> world.allreduce(longs(3), Op.SUM)), LONG_SIZES(
                        world -> world.allreduce(longs(2000), Op.SUM),
                        world -> world.allreduce(longs(3000), Op.SUM)), SHORT_AND_LONG(
                            world -> world.allreduce(longs(2), Op.SUM),
                            world -> world.allreduce(longs(3000), Op.SUM)), BCAST_SIZES(
                                world -> world.bcast(longs(3), 0),
                                world -> world.bcast(longs(2), 0)), BCAST_AND_BARRIER(
                                    world -> world.bcast(longs(3), 1), Communicator::barrier), ROOTS(
                                        world -> world.bcast(longs(1), 1),
                                        world -> world.bcast(longs(1), 0)), ROOTS_THEMSELVES(
                                            world -> world.bcast(longs(1), 0),
                                            world -> world.bcast(longs(1), 1)), DUP_AND_SPLIT(
                                                Communicator::dup, world -> world.split(0, 0)), DUP_AND_ITS_BCAST(
                                                    Communicator::dup, world -> world.bcast(longs(2), 0));

    private final Consumer<Communicator> first;
    private final Consumer<Communicator> second;

    Mismatch(Consumer<Communicator> first, Consumer<Communicator> second) {
      this.first = first;
      this.second = second;
    }
  }

  private static Data longs(int count) {
    return Data.of(new long[count]);
  }

  @ParameterizedTest
  @EnumSource
  void callsThatDoNotBelongTogetherFailOnBoth(Mismatch mismatch) throws Exception {
    Settings.with(Map.of("adrastea.check", "collectives"), () -> {
      mismatch(mismatch);
      return null;
    });
  }

  @ParameterizedTest
  @EnumSource
  void soTheyDoWithoutTheCheckWhereARankWaits(Mismatch mismatch) throws Exception {
    mismatch(mismatch);
  }

  private void mismatch(Mismatch mismatch) throws Exception {
    CountDownLatch failed = new CountDownLatch(2);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          world.barrier();
          CollectiveException failure =
              assertThrows(CollectiveException.class, () -> {
                (world.rank() == 0 ? mismatch.first : mismatch.second).accept(world);
                world.barrier(); // a root need not wait for anybody
              });
          int other = 1 - world.rank();
          assertEquals(other, failure.rank());
          assertTrue(failure.getMessage().contains("rank " + other), failure::getMessage);
          CollectiveException again = assertThrows(CollectiveException.class, world::barrier);
          assertTrue(again.getMessage().contains("takes no more collectives"), again::getMessage);
          byte[] received = new byte[8];
          world.sendrecv(Data.of(Contents.of(8, other)), other, 0, Data.of(received), other, 0);
          Contents.check(8, world.rank(), received);
          failed.countDown();
          Ranks.await(failed);
        });
  }

  @Test
  void aMismatchNamesBothCalls() throws Exception {
    BlockingQueue<String> said = new LinkedBlockingQueue<>();
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          CollectiveException failure =
              assertThrows(CollectiveException.class,
                  world.rank() == 0 ? world::barrier : () -> world.allreduce(longs(2), Op.MAX));
          said.add(failure.getMessage());
          world.sendrecv(Data.of(new byte[1]), 1 - world.rank(), 0, Data.of(new byte[1]), 1 - world.rank(), 0);
        });
    String all = String.join("; ", said);
    assertTrue(
        all.contains("barrier of rank 0 cannot be completed: rank 1 calls allreduce of 16 bytes, MAX of elements of "
            + "type long")
            || all.contains("allreduce of 16 bytes, MAX of elements of type long of rank 1 cannot be completed: rank 0 "
                + "calls barrier"),
        all);
  }

  @Test
  void whatMakesACommunicatorIsNamed() throws Exception {
    BlockingQueue<String> said = new LinkedBlockingQueue<>();
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Runnable call = world.rank() == 0 ? () -> world.split(0, 0) : world::dup;
          CollectiveException failure = assertThrows(CollectiveException.class, call::run);
          said.add(failure.getMessage());
          CollectiveException again = assertThrows(CollectiveException.class, world::dup);
          assertTrue(again.getMessage().startsWith("dup of rank " + world.rank()), again::getMessage);
          world.sendrecv(Data.of(new byte[1]), 1 - world.rank(), 0, Data.of(new byte[1]), 1 - world.rank(), 0);
        });
    String all = String.join("; ", said);
    assertTrue(
        all.contains("dup of rank 1 cannot be completed: rank 0 calls split")
            || all.contains("split of rank 0 cannot be completed: rank 1 calls dup"),
        all);
  }

  @Test
  void anotherRootOfABcastBeforeIsNamed() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          world.bcast(longs(1), world.rank()); // each takes itself for the root, and need not wait
          String said =
              assertThrows(CollectiveException.class, () -> world.allreduce(1, Op.SUM)).getMessage();
          assertTrue(said.contains("calls that too, but named another root before"), said);
        });
  }

  /** What is refused before anything is begun: the communicator can be used afterwards. */
  @Test
  void wrongArgumentsAreRefusedAndHarmNothing() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          refused("root 2 of a bcast; this communicator has ranks 0 to 1", () -> world.bcast(longs(1), 2));
          refused("root -1", () -> world.bcast(longs(1), -1));
          refused("SUM has no meaning for bytes without a type", () -> world.allreduce(bytes(8), bytes(8), Op.SUM));
          refused("Datatype", () -> world.allreduce(bytes(8), Op.MAX));
          refused("BAND has no meaning for elements of DOUBLE", () -> world.allreduce(1.0, Op.BAND));
          refused("same number of elements", () -> world.allreduce(longs(2), longs(3), Op.SUM));
          refused("same basic type", () -> world.allreduce(Data.of(new double[2]), longs(2), Op.SUM));
          refused("2 times as long", () -> world.allgather(longs(2), longs(5)));
          refused("multiple", () -> world.allgather(Data.IN_PLACE, longs(5)));
          Data most = Data.of(MemorySegment.ofAddress(4096).reinterpret((1L << 40) + 8), 0, (1L << 37) + 1,
              Datatype.LONG); // nothing is there: it is refused before
          refused("bcast of 1099511627784 bytes of rank %d; allowed are 0 to 1099511627776".formatted(world.rank()),
              () -> world.bcast(most, 0));
          refused("allreduce of 1099511627784 bytes", () -> world.allreduce(most, Op.SUM));
          Data wraps = Data.of(MemorySegment.ofAddress(4096).reinterpret(1L << 62));
          refused("allgather of 4611686018427387904 bytes", () -> world.allgather(wraps, bytes(0)));
          Datatype long8K = Datatype.contiguous(1025, Datatype.LONG);
          Op own = Op.of((left, right, count, type) -> {}, true);
          refused("elements of 8200 bytes", () -> world.allreduce(Data.of(new byte[8200], 0, 1, long8K), own));
          assertEquals("Data.IN_PLACE", Data.IN_PLACE.toString());
          refused("Data.IN_PLACE is no memory", () -> world.bcast(Data.IN_PLACE, 0));
          refused("Data.IN_PLACE is no memory", () -> world.send(Data.IN_PLACE, 0, 0));
          refused("Data.IN_PLACE is no memory", () -> world.allreduce(longs(1), Data.IN_PLACE, Op.SUM));
          MemorySegment constant = MemorySegment.ofArray(new byte[8]).asReadOnly();
          refused("read-only", () -> world.bcast(Data.of(constant), 1 - world.rank()));
          refused("read-only", () -> world.allgather(bytes(4), Data.of(constant)));
          refuses(NullPointerException.class, "the data is null", () -> world.bcast(null, 0));
          refuses(NullPointerException.class, "the input is null", () -> world.allreduce(null, longs(1), Op.SUM));
          refuses(NullPointerException.class, "the output is null",
              () -> world.reduce(longs(1), null, Op.SUM, world.rank()));
          refuses(NullPointerException.class, "the operator is null", () -> world.allreduce(longs(1), null));
          refuses(NullPointerException.class, "the input is null", () -> world.allgather(null, longs(1)));
          Arena arena = Arena.ofShared();
          Data closed = Data.of(arena.allocate(8));
          arena.close();
          assertThrows(IllegalStateException.class, () -> world.bcast(closed, 0));
          assertEquals(1, world.allreduce(world.rank(), Op.SUM));
        });
  }

  private static Data bytes(int count) {
    return Data.of(MemorySegment.ofArray(new byte[count]));
  }

  private static void refused(String words, Runnable call) {
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, call::run);
    assertTrue(refusal.getMessage().contains(words), refusal::getMessage);
  }

  @Test
  void anOperatorThatThrowsOnOneRankFailsOnAll() throws Exception {
    ArithmeticException cause = new ArithmeticException("on purpose");
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          Op op =
              Op.ofLongs((a, b) -> {
                if (world.rank() == 1) {
                  throw cause;
                }
                return a + b;
              }, true);
          Data data = longs(20_000);
          if (world.rank() == 1) {
            assertSame(cause, assertThrows(ArithmeticException.class, () -> world.allreduce(data, op)));
          } else {
            CollectiveException failure =
                assertThrows(CollectiveException.class, () -> {
                  world.allreduce(data, op);
                  world.barrier();
                });
            assertEquals(1, failure.rank());
          }
          CollectiveException again = assertThrows(CollectiveException.class, () -> world.bcast(longs(1), 0));
          assertTrue(again.getMessage().contains("takes no more collectives"), again::getMessage);
        });
  }

  @Test
  void anInterruptInTheMiddleIsTheEndForAll() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedWaitException.class, () -> world.allreduce(1.0, Op.SUM));
            assertTrue(Thread.interrupted(), "the interrupt stays");
            interrupted.countDown();
          } else {
            Ranks.await(interrupted);
            CollectiveException failure =
                assertThrows(CollectiveException.class, () -> {
                  world.allreduce(1.0, Op.SUM); // rank 0 had given its number
                  world.barrier();
                });
            assertTrue(failure.getMessage().contains("rank 0 cannot go on"), failure::getMessage);
          }
          CollectiveException again = assertThrows(CollectiveException.class, world::barrier);
          assertTrue(again.getMessage().contains("takes no more collectives"), again::getMessage);
        });
  }

  @Test
  void aBarrierThatWasInterruptedComesBeforeAnyOther() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedWaitException.class, world::barrier);
            assertTrue(Thread.interrupted());
            IllegalStateException refusal =
                assertThrows(IllegalStateException.class, () -> world.allreduce(1.0, Op.SUM));
            assertTrue(refusal.getMessage().contains("at a barrier that was interrupted"), refusal::getMessage);
            interrupted.countDown();
          } else {
            Ranks.await(interrupted);
          }
          world.barrier();
          assertEquals(2, world.allreduce(1.0, Op.SUM));
        });
  }

  @Test
  void oneThreadIsInACollectiveAtATime() throws Exception {
    TwoThreads.oneIsRefused(cores, "allreduce", 3L, world -> world.allreduce(2L - world.rank(), Op.SUM));
  }

  @Test
  void aRankThatHasFailedIsNamedByAll() throws Exception {
    FailingRanks.run(
        cores,
        3,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          world.allreduce(longs(10), Op.SUM);
          if (world.rank() == 1) {
            throw cause;
          }
          for (int call = 0; call < 2; call++) {
            RankFailedException failure =
                assertThrows(RankFailedException.class, () -> world.allreduce(longs(10), Op.SUM));
            assertEquals(1, failure.rank());
            assertTrue(failure.getMessage().contains("an allreduce cannot complete"), failure::getMessage);
          }
        });
  }

  @Test
  void aClosedJobHasNone() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          assertEquals(4, job.world().allreduce(4, Op.SUM));
          job.close();
          assertThrows(IllegalStateException.class, () -> job.world().allreduce(4, Op.SUM));
        });
  }
}
