package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.CollectivesTest.Place;
import io.adrastea.collective.NaiveCollectives;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gather, scatter, alltoall and allgather by parts do what naive ones over messages do, whatever the data and where it
 * lies, the lengths of its parts, the root and the form of the call.
 */
@Tag("spins")
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "jni,jna", "java", "java,ffm,jni"})
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExchangesTest {
  private static final int ROUNDS = 16;
  private static final List<Datatype> TYPES = List.of(Datatype.BYTE, Datatype.SHORT, Datatype.INT, Datatype.DOUBLE);
  private static final List<Place> PLACES = List.of(Place.values());
  private static final List<Place> NATIVE = List.of(Place.NATIVE, Place.SHARED);

  @Parameter
  String cores;

  private enum Kind {
    GATHER, SCATTER, ALLTOALL, ALLGATHER;

    boolean gives(int giver, int taker, int root) {
      return switch (this) {
        case GATHER -> taker == root;
        case SCATTER -> giver == root;
        default -> true;
      };
    }
  }

  /** One exchange: what all ranks know of it, and what this one does. */
  private static final class Exchange {
    private final Job job;
    private final Communicator world;
    private final SplittableRandom own;
    private final Kind kind;
    private final int root;
    private final int rank;
    private final int size;
    private final int[][] lengths; // of the block of each rank for each
    private final boolean areEqual;
    private final boolean isSymmetric; // as many bytes go to a rank as come from it
    private final List<Place> places; // half of the time memory that all can reach
    private final Datatype type;

    Exchange(Job job, Communicator world, SplittableRandom same, SplittableRandom own) {
      this.job = job;
      this.world = world;
      this.own = own;
      this.rank = world.rank();
      this.size = world.size();
      this.kind = Kind.values()[same.nextInt(4)];
      this.root = same.nextInt(size);
      int unit = same.nextBoolean() ? 1 : 8;
      this.places = same.nextBoolean() ? NATIVE : PLACES;
      this.areEqual = kind != Kind.ALLGATHER && same.nextBoolean();
      this.isSymmetric = areEqual || same.nextInt(3) == 0;
      this.lengths = lengths(same, unit);
      this.type = unit == 1 ? Datatype.BYTE : any(TYPES);
    }

    private <T> T any(List<T> values) {
      return values.get(own.nextInt(values.size()));
    }

    private int[][] lengths(SplittableRandom same, int unit) {
      int[][] made = new int[size][size];
      int most = most(same) / unit;
      int common = same.nextInt(most);
      for (int giver = 0; giver < size; giver++) {
        int one = length(same, most); // that a rank gives to all
        for (int taker = 0; taker < size; taker++) {
          int length = areEqual ? common
              : kind == Kind.GATHER || kind == Kind.ALLGATHER ? one
                  : isSymmetric && taker < giver ? made[taker][giver] / unit : length(same, most);
          made[giver][taker] = length * unit;
        }
      }
      return made;
    }

    /** Draws bytes for a line, for several, for a stage, for many, or for one copy. */
    private static int most(SplittableRandom same) {
      return switch (same.nextInt(8)) {
        case 0, 1 -> 9;
        case 2, 3 -> 65;
        case 4, 5 -> 5_000;
        case 6 -> 40_000;
        default -> same.nextBoolean() ? 100_000 : 400_000;
      };
    }

    private static int length(SplittableRandom same, int most) {
      return same.nextInt(5) < 2 ? same.nextInt(2) : same.nextInt(most);
    }

    void runAndCheck() {
      byte[][] given = new byte[size][];
      int[] taken = new int[size];
      for (int other = 0; other < size; other++) {
        boolean isSame = other > 0 && (kind == Kind.GATHER || kind == Kind.ALLGATHER); // one block for all
        given[other] = new byte[lengths[rank][other]];
        if (isSame) {
          given[other] = given[0];
        } else {
          own.nextBytes(given[other]);
        }
        taken[other] = kind.gives(other, rank, root) ? lengths[other][rank] : -1;
      }
      byte[][] sent = given.clone();
      for (int other = 0; other < size; other++) {
        sent[other] = kind.gives(rank, other, root) ? given[other] : null;
      }
      byte[][] expected = new NaiveCollectives(world).exchange(sent, taken);
      switch (kind) {
        case GATHER -> gather(given[0], expected);
        case SCATTER -> scatter(given, expected[root]);
        case ALLTOALL -> alltoall(given, expected);
        default -> allgather(given[0], expected);
      }
    }

    private void gather(byte[] mine, byte[][] expected) {
      if (rank != root) {
        Data in = any(places).make(job, type, mine);
        Data out = own.nextBoolean() ? null : Data.of(new byte[1]);
        call(() -> world.gather(in, out, root), request -> world.started(request).gather(in, out, root),
            () -> world.igather(in, out, root), () -> world.gatherInit(in, out, root));
        return;
      }
      boolean inPlace = own.nextInt(4) == 0;
      PlacedBlocks to = output(expected, inPlace ? mine : null);
      Data in = inPlace ? Data.IN_PLACE : any(places).make(job, type, mine);
      call(() -> world.gather(in, to.data(), root), request -> world.started(request).gather(in, to.data(), root),
          () -> world.igather(in, to.data(), root), () -> world.gatherInit(in, to.data(), root));
      to.check(expected, this::toString);
    }

    private void scatter(byte[][] given, byte[] expected) {
      boolean inPlace = rank == root && own.nextInt(4) == 0;
      PlacedBlocks from = rank == root ? blocks(given) : null;
      Data in = from == null ? null : from.data();
      Data out = inPlace ? Data.IN_PLACE : any(places).make(job, type, new byte[expected.length]);
      call(() -> world.scatter(in, out, root), request -> world.started(request).scatter(in, out, root),
          () -> world.iscatter(in, out, root), () -> world.scatterInit(in, out, root));
      if (!inPlace) {
        assertArrayEquals(expected, CollectivesTest.contents(job, out), this::toString);
      }
      if (from != null) {
        from.check(given, this::toString);
      }
    }

    private void alltoall(byte[][] given, byte[][] expected) {
      boolean inPlace = isSymmetric && own.nextInt(3) == 0;
      PlacedBlocks from = inPlace ? null : blocks(given);
      PlacedBlocks to = inPlace ? blocks(given) : output(expected, null);
      Data in = inPlace ? Data.IN_PLACE : from.data();
      call(() -> world.alltoall(in, to.data()), request -> world.started(request).alltoall(in, to.data()),
          () -> world.ialltoall(in, to.data()), () -> world.alltoallInit(in, to.data()));
      to.check(expected, this::toString);
      if (from != null) {
        from.check(given, this::toString);
      }
    }

    private void allgather(byte[] mine, byte[][] expected) {
      boolean inPlace = own.nextInt(4) == 0;
      byte[][] before = before(expected, inPlace ? mine : null);
      PlacedBlocks to = PlacedBlocks.parts(job, places, type, before, own);
      Data in = inPlace ? Data.IN_PLACE : any(places).make(job, type, mine);
      call(() -> world.allgather(in, to.data()), request -> world.started(request).allgather(in, to.data()),
          () -> world.iallgather(in, to.data()), () -> world.allgatherInit(in, to.data()));
      to.check(expected, this::toString);
    }

    /** Where blocks go, with this rank's own in it when it is there before. */
    private PlacedBlocks output(byte[][] expected, byte[] mine) {
      return blocks(before(expected, mine));
    }

    private byte[][] before(byte[][] expected, byte[] mine) {
      byte[][] before = Arrays.stream(expected).map(block -> new byte[block.length]).toArray(byte[][]::new);
      if (mine != null) {
        before[rank] = mine;
      }
      return before;
    }

    private PlacedBlocks blocks(byte[][] contents) {
      return areEqual && own.nextBoolean()
          ? PlacedBlocks.equal(job, any(places), type, contents)
          : PlacedBlocks.parts(job, places, type, contents, own);
    }

    /** Each rank calls in a form of its own. */
    private void call(
        Runnable blocking, Function<Request, Request> reusing, Supplier<Request> started, Supplier<Request> prepared) {
      switch (own.nextInt(5)) {
        case 0 -> reusing.apply(new Request()).await();
        case 1 -> started.get().await();
        case 2 -> prepared.get().start().await();
        default -> blocking.run();
      }
    }

    @Override
    public String toString() {
      return "%s of rank %d, root %d, lengths %s, type %s".formatted(kind, rank, root, Arrays.deepToString(lengths),
          type);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void areWhatNaiveOnesAre(int ranks) throws Exception {
    Ranks.run(
        cores,
        ranks,
        job -> {
          SplittableRandom same = new SplittableRandom(ranks + cores.hashCode()); // at all ranks
          SplittableRandom own = new SplittableRandom(100 + job.world().rank());
          for (int round = 0; round < ROUNDS; round++) {
            new Exchange(job, job.world(), same, own).runAndCheck();
          }
        });
  }

  @Test
  void soTheyAreInGroupsInAnyOrder() throws Exception {
    Ranks.inGroups(cores, 3, 5, (job, half, same, own) -> new Exchange(job, half, same, own).runAndCheck());
  }

  private static byte of(int giver, int taker, long at) {
    return (byte) (giver * 31 + taker * 7 + at % 251);
  }

  /** Equal blocks of native memory, which the giver writes to where they go, also in place and started. */
  @ParameterizedTest
  @CsvSource({"2, 131072", "2, 700001", "3, 200000"})
  void largeBlocksOfNativeMemory(int ranks, int bytes) throws Exception {
    Ranks.run(cores, ranks, job -> {
      Communicator world = job.world();
      int rank = world.rank();
      MemorySegment given = Arena.ofAuto().allocate((long) ranks * bytes, 64);
      MemorySegment taken = Arena.ofAuto().allocate((long) ranks * bytes, 64);
      for (long at = 0; at < given.byteSize(); at++) {
        given.set(ValueLayout.JAVA_BYTE, at, of(rank, (int) (at / bytes), at % bytes));
      }
      for (int round = 0; round < 3 * ranks; round++) {
        int root = round % ranks;
        taken.fill((byte) 0);
        if (round < ranks) {
          world.gather(Data.of(given.asSlice((long) root * bytes, bytes)), rank == root ? Data.of(taken) : null, root);
        } else if (round < 2 * ranks) {
          MemorySegment.copy(given, (long) root * bytes, taken, (long) rank * bytes, bytes);
          world.igather(rank == root ? Data.IN_PLACE : Data.of(taken.asSlice((long) rank * bytes, bytes)),
              rank == root ? Data.of(taken) : null, root).await();
        } else {
          world.alltoall(Data.of(given), Data.of(taken));
        }
        boolean isTaker = round >= 2 * ranks || rank == root;
        for (long at = 0; isTaker && at < taken.byteSize(); at++) {
          int giver = (int) (at / bytes);
          byte expected = of(giver, rank, at % bytes);
          byte found = taken.get(ValueLayout.JAVA_BYTE, at);
          assertTrue(expected == found, () -> "round of root %d: a byte of rank %d".formatted(root, giver));
        }
      }
    });
  }

  /** A persistent one is started again with what its buffers have then, and keeps the parts that it was made with. */
  @ParameterizedTest
  @ValueSource(ints = {1, 40, 9_000})
  void persistentOnesAreStartedAgainAndAgain(int most) throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = job.world();
          int rank = world.rank();
          long[] counts = {most, 0, 1};
          long[] displacements = {2, 0, 0};
          long[] given = new long[3 * most];
          long[] taken = new long[3 * most + 3];
          long[] gathered = new long[most + 3];
          long count = counts[rank];
          Request[] requests = {
            world.alltoallInit(
                Data.parts(Data.of(given), new long[] {count, count, count}, new long[3]),
                Data.parts(Data.of(taken), counts, displacements)),
            world.allgatherInit(Data.of(given, 0, (int) count), Data.parts(Data.of(gathered), counts, displacements)),
            world.ibarrier()};
          requests[2].await();
          for (int round = 0; round < 12; round++) {
            Arrays.fill(given, 10L * round + rank);
            Request.startAll(requests[0], requests[1]);
            Request.waitAll(requests[0], requests[1]);
            for (long[] found : new long[][] {taken, gathered}) {
              assertArrayEquals(new long[] {10L * round + 2, 0, 10L * round, 10L * round},
                  new long[] {found[0], found[1], found[2], found[most + 1]});
            }
          }
        });
  }
}
