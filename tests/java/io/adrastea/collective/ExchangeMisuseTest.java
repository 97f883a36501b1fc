package io.adrastea.collective;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Refusals;
import io.adrastea.Settings;
import io.adrastea.ThreadLevel;
import io.adrastea.error.CollectiveException;
import io.adrastea.message.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong exchanges: each is refused, or fails on every rank that it concerns, in words; nothing hangs. */
@Tag("spins")
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java,jni"})
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExchangeMisuseTest {
  private static final Class<IllegalArgumentException> ILLEGAL = IllegalArgumentException.class;

  @Parameter
  String cores;

  private static Data longs(int count) {
    return Data.of(new long[count]);
  }

  private static Data parts(int... counts) {
    int[] displacements = new int[counts.length];
    int all = 0;
    for (int i = 0; i < counts.length; i++) {
      displacements[i] = all;
      all += counts[i];
    }
    return Data.parts(longs(all), counts, displacements);
  }

  /** What is refused before anything is begun: the communicator can be used afterwards. */
  @Test
  void wrongArgumentsAreRefusedAndHarmNothing() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      int rank = world.rank();
      refuses(ILLEGAL, "root 2 of a gather; this communicator has ranks 0 to 1",
          () -> world.gather(longs(1), longs(2), 2));
      refuses(ILLEGAL, "root -1 of a scatter", () -> world.scatter(longs(2), longs(1), -1));
      refuses(ILLEGAL, "gather of 8 bytes of each of 2 ranks into 24 bytes; the output is to be 2 times as long",
          () -> world.gather(longs(1), longs(3), rank));
      refuses(ILLEGAL, "gather with 3 parts, and 2 ranks", () -> world.gather(longs(1), parts(1, 1, 1), rank));
      refuses(ILLEGAL, "allgather with 1 parts, and 2 ranks", () -> world.allgather(longs(1), parts(1)));
      refuses(ILLEGAL, "scatter of 3 long elements from 0, of 2 ranks; each rank has the same number",
          () -> world.scatter(longs(3), longs(1), rank));
      refuses(ILLEGAL, "alltoall of 3 long elements from 0, of 2 ranks", () -> world.alltoall(longs(3), longs(4)));
      refuses(ILLEGAL, "alltoall of 8 bytes of rank %d for itself, which expects 16".formatted(rank),
          () -> world.alltoall(longs(2), longs(4)));
      refuses(ILLEGAL, "for itself, which expects 24", () -> world.alltoall(longs(2), parts(3, 3)));
      refuses(ILLEGAL, "gather of 16 bytes of rank %d for itself, which expects 8".formatted(rank),
          () -> world.gather(longs(2), parts(1, 1), rank));
      refuses(ILLEGAL, "scatter of 8 bytes of rank %d for itself, which expects 16".formatted(rank),
          () -> world.scatter(longs(2), longs(2), rank));
      Data overlapping = Data.parts(longs(3), new int[] {2, 2}, new int[] {0, 1});
      refuses(ILLEGAL, "gather into parts of which part 1 overlaps", () -> world.gather(longs(2), overlapping, rank));
      refuses(ILLEGAL, "allgather into parts of which", () -> world.allgather(longs(2), overlapping));
      refuses(ILLEGAL, "alltoall into parts of which", () -> world.alltoall(longs(4), overlapping));
      Data huge = Data.of(MemorySegment.ofAddress(4096).reinterpret(1L << 41)); // nothing is there
      Data own = Data.parts(huge, new long[] {1L - rank << 40, (long) rank << 40}, new long[2]);
      refuses(ILLEGAL, "alltoall of %d bytes of rank %d; allowed are 0 to %d".formatted(1L << 41, rank, 1L << 40),
          () -> world.alltoall(huge, own));
      Data constant = Data.of(MemorySegment.ofArray(new byte[16]).asReadOnly());
      refuses(ILLEGAL, "read-only", () -> world.gather(longs(1), constant, rank));
      refuses(ILLEGAL, "read-only", () -> world.scatter(longs(2), constant, 1 - rank));
      refuses(ILLEGAL, "read-only", () -> world.alltoall(longs(2), constant));
      refuses(ILLEGAL, "Data.IN_PLACE is no memory", () -> world.gather(Data.IN_PLACE, longs(2), 1 - rank));
      refuses(ILLEGAL, "Data.IN_PLACE is no memory", () -> world.scatter(longs(2), Data.IN_PLACE, 1 - rank));
      refuses(ILLEGAL, "Data.IN_PLACE is no memory", () -> world.alltoall(longs(2), Data.IN_PLACE));
      refuses(ILLEGAL, "Data.parts is not one piece of data", () -> world.gather(parts(1, 1), longs(2), rank));
      Data most = Data.of(MemorySegment.ofAddress(4096).reinterpret((1L << 40) + 8)); // nothing is there
      refuses(ILLEGAL, "gather of 1099511627784 bytes of rank %d; allowed are 0 to".formatted(rank),
          () -> world.gather(most, null, 1 - rank));
      refuses(ILLEGAL, "alltoall of 1099511627784 bytes",
          () -> world.alltoall(Data.parts(most, new long[] {1L << 40, 8}, new long[] {0, 1L << 40}), longs(2)));
      refuses(NullPointerException.class, "the input is null", () -> world.gather(null, longs(2), 0));
      refuses(NullPointerException.class, "the output is null", () -> world.gather(longs(1), null, rank));
      refuses(NullPointerException.class, "the input is null", () -> world.scatter(null, longs(1), rank));
      refuses(NullPointerException.class, "the output is null", () -> world.scatter(longs(2), null, 1 - rank));
      refuses(NullPointerException.class, "the output is null", () -> world.alltoall(longs(2), null));
      assertEquals(1, world.allreduce(rank, Op.SUM));
      world.gather(longs(1), rank == 1 ? longs(2) : null, 1);
    });
  }

  /** With several threads any of them may move a collective on, so that each has to reach the memory. */
  @Test
  void partsInMemoryOfOneThreadAreRefusedAmongMany() throws Exception {
    Ranks.run(cores, ThreadLevel.MULTIPLE, 2, job -> {
      Communicator world = Ranks.world(job);
      try (Arena arena = Arena.ofConfined()) {
        Data confined = Data.parts(Data.of(arena.allocate(16)), new int[] {8, 8}, new int[] {0, 8});
        Data each = Data.parts(Data.of(arena.allocate(8)), longs(1));
        for (Data parts : new Data[] {confined, each}) {
          assertThrows(WrongThreadException.class, () -> world.gather(longs(1), parts, world.rank()));
          assertThrows(WrongThreadException.class, () -> world.alltoall(parts, longs(2)));
          assertThrows(WrongThreadException.class, () -> world.allgather(longs(1), parts));
        }
      }
      world.barrier();
    });
  }

  /** Calls of rank 1 and of rank 2 that do not belong together; the other ranks call what rank 1 does. */
  private enum Wrong {
    GATHER("gather at root 1 of rank 1"), GATHER_BY_PARTS("gather at root 1 of rank 1"), ALLTOALL(
        "alltoall of rank 1"), ALLTOALL_BY_PARTS(
            "alltoall of rank 1"), ALLGATHER("allgather by parts of rank 1"), SCATTER("scatter from root 2 of rank 1");

    private final String call;

    Wrong(String call) {
      this.call = call;
    }

    void call(Communicator world, int given, int expected) {
      boolean gives = world.rank() == 2;
      int count = gives ? given : expected;
      switch (this) {
        case GATHER -> world.gather(longs(count), longs(3 * expected), 1);
        case GATHER_BY_PARTS -> world.gather(longs(count), parts(expected, expected, expected), 1);
        case ALLTOALL -> world.alltoall(longs(3 * count), longs(3 * count));
        case ALLTOALL_BY_PARTS -> world.alltoall(
            gives ? parts(expected, given, expected) : longs(3 * expected), longs(3 * expected));
        case ALLGATHER -> world.allgather(
            longs(count), gives ? parts(expected, expected, given) : parts(expected, expected, expected));
        default -> world.scatter(gives ? parts(expected, given, expected) : null, longs(expected), 2);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0", "500, 1", "1, 500", "9000, 8000"})
  void whoExpectsAnotherLengthTellsBothAndTheRank(int given, int expected) throws Exception {
    for (Wrong wrong : given < expected ? Wrong.values() : new Wrong[] {Wrong.GATHER, Wrong.ALLTOALL_BY_PARTS}) {
      CountDownLatch failed = new CountDownLatch(3);
      Ranks.run(cores, 3, job -> {
        Communicator world = Ranks.world(job);
        CollectiveException failure = assertThrows(CollectiveException.class, () -> {
          wrong.call(world, given, expected);
          world.barrier(); // a rank that only gives need not wait for anybody
        });
        if (world.rank() == 1) {
          String said = "rank 2 gives %d bytes to rank 1, which expects %d".formatted(8 * given, 8 * expected);
          assertTrue(failure.getMessage().contains(wrong.call) && failure.getMessage().contains(said),
              () -> wrong + ": " + failure.getMessage());
          assertEquals(2, failure.rank());
        }
        CollectiveException again = assertThrows(CollectiveException.class, world::barrier);
        assertTrue(again.getMessage().contains("takes no more collectives"), again::getMessage);
        failed.countDown();
        Ranks.await(failed);
      });
    }
  }

  /** Two calls that do not belong together, of ranks 0 and 1. */
  private enum Mismatch {
    GATHER_AND_SCATTER(world -> world.gather(longs(1), longs(2), 0),
        world -> world.scatter(longs(2), longs(1), 1)), ROOTS_OF_GATHERS(world -> world.gather(longs(1), longs(2), 0),
            world -> world.gather(longs(1), longs(2), 1)), ROOTS_OF_SCATTERS(
                world -> world.scatter(longs(2), longs(1), 0),
                world -> world.scatter(longs(2), longs(1), 1)), ALLGATHER_BY_PARTS_AND_NOT(
                    world -> world.allgather(longs(1), parts(1, 1)),
                    world -> world.allgather(longs(1), longs(2))), ALLTOALL_AND_BARRIER(
                        world -> world.alltoall(longs(2), longs(2)),
                        Communicator::barrier), LONG_ONES(world -> world.alltoall(longs(4000), longs(4000)),
                            world -> world.gather(longs(2000), longs(4000), 1));

    private final Consumer<Communicator> first;
    private final Consumer<Communicator> second;

    Mismatch(Consumer<Communicator> first, Consumer<Communicator> second) {
      this.first = first;
      this.second = second;
    }
  }

  @ParameterizedTest
  @CsvSource({"''", "collectives"})
  void callsThatDoNotBelongTogetherFailOnBoth(String check) throws Exception {
    Settings.with(check.isEmpty() ? Map.of() : Map.of("adrastea.check", check), () -> {
      for (Mismatch mismatch : Mismatch.values()) {
        mismatch(mismatch);
      }
      return null;
    });
  }

  private void mismatch(Mismatch mismatch) throws Exception {
    CountDownLatch failed = new CountDownLatch(2);
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      world.barrier();
      CollectiveException failure = assertThrows(CollectiveException.class, () -> {
        (world.rank() == 0 ? mismatch.first : mismatch.second).accept(world);
        world.barrier(); // a root need not wait for anybody
      }, mismatch::toString);
      assertEquals(1 - world.rank(), failure.rank(), failure::getMessage);
      failed.countDown();
      Ranks.await(failed);
    });
  }
}
