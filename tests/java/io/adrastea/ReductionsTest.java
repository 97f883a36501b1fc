package io.adrastea;

import static io.adrastea.CollectivesTest.any;
import static io.adrastea.CollectivesTest.bytes;
import static io.adrastea.CollectivesTest.compose;
import static io.adrastea.CollectivesTest.contents;
import static io.adrastea.CollectivesTest.numbers;
import static io.adrastea.CollectivesTest.places;
import static io.adrastea.CollectivesTest.size;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.CollectivesTest.Place;
import io.adrastea.collective.NaiveCollectives.Arithmetic;
import io.adrastea.collective.NaiveCollectives;
import io.adrastea.error.CollectiveException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A reduce, a scan, an exscan and a reduceScatter do what naive ones over messages do, in all forms, whatever the data,
 * its type and size, the operator and the root.
 */
@Tag("spins")
@EverySharedCoreList
class ReductionsTest {
  private static final int ROUNDS = 16;

  private static final List<Arithmetic> ANY_NUMBERS =
      List.of(
          new Arithmetic(Op.SUM, Long::sum, Double::sum),
          new Arithmetic(Op.MAX, Math::max, Math::max),
          new Arithmetic(Op.REPLACE, (a, b) -> b, (a, b) -> b));

  private static final List<Place> TYPED = List.of(Place.ARRAY, Place.NATIVE, Place.SPREAD, Place.SHARED);

  @Parameter
  String cores;

  private enum Kind {
    REDUCE, SCAN, EXSCAN, REDUCE_SCATTER_BLOCK, REDUCE_SCATTER;

    /** Whether each rank gets a part. */
    boolean scatters() {
      return this == REDUCE_SCATTER_BLOCK || this == REDUCE_SCATTER;
    }
  }

  private enum Form {
    BLOCKING, STARTED, WITH_REQUEST, PREPARED
  }

  /** One call as a rank makes it. */
  private record Call(Communicator world, Kind kind, Form form, Op op, int root) {
    void run(Data in, Data out) {
      Request request = new Request();
      switch (form) {
        case BLOCKING -> block(in, out);
        case STARTED -> start(in, out).await();
        case WITH_REQUEST -> start(in, out, request).await();
        default -> {
          Request prepared = prepare(in, out);
          prepared.start();
          prepared.await();
        }
      }
    }

    private void block(Data in, Data out) {
      switch (kind) {
        case REDUCE -> world.reduce(in, out, op, root);
        case SCAN -> world.scan(in, out, op);
        case EXSCAN -> world.exscan(in, out, op);
        case REDUCE_SCATTER_BLOCK -> world.reduceScatterBlock(in, out, op);
        default -> world.reduceScatter(in, out, op);
      }
    }

    private Request start(Data in, Data out) {
      return switch (kind) {
        case REDUCE -> world.ireduce(in, out, op, root);
        case SCAN -> world.iscan(in, out, op);
        case EXSCAN -> world.iexscan(in, out, op);
        case REDUCE_SCATTER_BLOCK -> world.ireduceScatterBlock(in, out, op);
        default -> world.ireduceScatter(in, out, op);
      };
    }

    private Request start(Data in, Data out, Request request) {
      return switch (kind) {
        case REDUCE -> world.started(request).reduce(in, out, op, root);
        case SCAN -> world.started(request).scan(in, out, op);
        case EXSCAN -> world.started(request).exscan(in, out, op);
        case REDUCE_SCATTER_BLOCK -> world.started(request).reduceScatterBlock(in, out, op);
        default -> world.started(request).reduceScatter(in, out, op);
      };
    }

    private Request prepare(Data in, Data out) {
      return switch (kind) {
        case REDUCE -> world.reduceInit(in, out, op, root);
        case SCAN -> world.scanInit(in, out, op);
        case EXSCAN -> world.exscanInit(in, out, op);
        case REDUCE_SCATTER_BLOCK -> world.reduceScatterBlockInit(in, out, op);
        default -> world.reduceScatterInit(in, out, op);
      };
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 9})
  void areWhatNaiveOnesAre(int ranks) throws Exception {
    int rounds = ranks > 3 ? ROUNDS / 2 : ROUNDS;
    Ranks.run(
        cores,
        ranks,
        job -> {
          SplittableRandom same = new SplittableRandom(31L * ranks + cores.hashCode()); // at all ranks
          SplittableRandom own = new SplittableRandom(100 + job.world().rank());
          for (int round = 0; round < rounds; round++) {
            compare(job, job.world(), same, own);
          }
        });
  }

  @Test
  void soTheyAreInGroupsInAnyOrder() throws Exception {
    Ranks.inGroups(cores, 2, 4, (job, half, same, own) -> compare(job, half, same, own));
  }

  private static void compare(Job job, Communicator world, SplittableRandom same, SplittableRandom own) {
    Kind kind = any(same, List.of(Kind.values()));
    Form form = any(own, List.of(Form.values()));
    int root = same.nextInt(world.size());
    Datatype type = any(same, CollectivesTest.TYPES);
    boolean floating = type == Datatype.FLOAT || type == Datatype.DOUBLE;
    List<Arithmetic> special = floating ? CollectivesTest.FLOATING : CollectivesTest.INTEGERS;
    Arithmetic arithmetic = any(same, same.nextBoolean() ? ANY_NUMBERS : special);
    int elements = (int) (size(same) / type.size());
    long[] counts = counts(kind, elements, world.size(), same);
    byte[] mine = numbers(own, type, (int) LongStream.of(counts).sum());
    List<Place> places = places(same, TYPED);
    int parts = kind.scatters() ? counts.length : 1; // of which each rank has one
    int length = (int) (kind.scatters() ? counts[world.rank()] * type.size() : mine.length);
    byte[] all = expected(world, kind, root, mine, type, arithmetic);
    boolean inPlace = own.nextInt(3) == 0 && (kind != Kind.REDUCE || world.rank() == root);
    byte[] before = inPlace ? mine : bytes(own, length);
    Data out = any(own, places).make(job, type, before);
    Data in = any(own, places).make(job, type, mine);
    if (kind == Kind.REDUCE_SCATTER) {
      Data whole = inPlace ? out : in;
      Data cut = inPlace || own.nextBoolean() ? Data.parts(whole, counts, starts(counts, parts))
          : displaced(job, in, type, mine, counts, own);
      new Call(world, kind, form, arithmetic.op(), root).run(inPlace ? Data.IN_PLACE : cut, inPlace ? cut : out);
    } else {
      new Call(world, kind, form, arithmetic.op(), root).run(inPlace ? Data.IN_PLACE : in, out);
    }
    int from = (int) (kind.scatters() ? starts(counts, world.rank() + 1)[world.rank()] * type.size() : 0);
    byte[] expected = all == null ? before : Arrays.copyOfRange(all, from, from + length);
    assertArrayEquals(expected, Arrays.copyOf(contents(job, out), length),
        () -> "%s %s, %s of %s %s%s, of %s in %s, root %d of %d".formatted(form, kind, arithmetic.op(),
            Arrays.toString(counts), type, inPlace ? " in place" : "", in, out, root, world.size()));
    assertArrayEquals(mine, contents(job, in), "the input stays");
  }

  /** Elements of each part, or of all. */
  private static long[] counts(Kind kind, int elements, int ranks, SplittableRandom same) {
    return switch (kind) {
      case REDUCE_SCATTER_BLOCK -> LongStream.generate(() -> elements / ranks).limit(ranks).toArray();
      case REDUCE_SCATTER -> same.longs(ranks, 0, 2L * elements / ranks + 2).map(i -> i % 5 == 0 ? 0 : i).toArray();
      default -> new long[] {elements};
    };
  }

  /** Where parts begin that lie one behind the other. */
  private static long[] starts(long[] counts, int parts) {
    return IntStream.range(0, parts).mapToLong(i -> LongStream.of(counts).limit(i).sum()).toArray();
  }

  /** Places the same parts from the last to the first one with gaps between them, or each on its own. */
  private static Data displaced(
      Job job, Data in, Datatype type, byte[] mine, long[] counts, SplittableRandom own) {
    long[] starts = starts(counts, counts.length);
    if (own.nextBoolean()) {
      return Data.parts(
          IntStream.range(0, counts.length).mapToObj(i -> in.part(starts[i], counts[i])).toArray(Data[]::new));
    }
    int size = (int) type.size();
    byte[] spread = new byte[mine.length + 2 * size * counts.length];
    long[] at = new long[counts.length];
    int next = spread.length / size;
    for (int i = 0; i < counts.length; i++) {
      next -= (int) counts[i] + 1;
      at[i] = next;
      System.arraycopy(mine, (int) starts[i] * size, spread, next * size, (int) counts[i] * size);
    }
    return Data.parts(Place.NATIVE.make(job, type, spread), counts, at);
  }

  /** The result at this rank, or all parts of it; null: it has none. */
  private static byte[] expected(
      Communicator world, Kind kind, int root, byte[] mine, Datatype type, Arithmetic arithmetic) {
    int rank = world.rank();
    NaiveCollectives naive = new NaiveCollectives(world);
    return switch (kind) {
      case REDUCE -> {
        byte[] all = naive.allreduce(mine, type, arithmetic);
        yield rank == root ? all : null;
      }
      case SCAN -> naive.combine(mine, type, arithmetic, rank + 1);
      case EXSCAN -> {
        byte[] before = naive.combine(mine, type, arithmetic, rank);
        yield rank == 0 ? null : before;
      }
      default -> naive.allreduce(mine, type, arithmetic);
    };
  }

  /** Elements of 12 bytes, and an operator that does not commute. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 1000, 5000})
  void anOperatorOfTheProgramGetsWholeElements(int count) throws Exception {
    Datatype map = Datatype.contiguous(3, Datatype.INT);
    Op op = Op.of(CollectivesTest::compose, false);
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = job.world();
          int rank = world.rank();
          byte[] mine = bytes(new SplittableRandom(rank), 12 * 3 * count);
          Data in = Data.of(mine, 0, 3 * count, map);
          byte[] out = new byte[mine.length];
          Data to = Data.of(out, 0, 3 * count, map);
          world.scan(in, to, op);
          assertArrayEquals(composed(rank + 1, count), out);
          world.exscan(in, to, op);
          assertArrayEquals(composed(Math.max(rank, 1), count), out, "rank 0 still has what its scan gave");
          world.reduce(in, to, op, 1);
          assertArrayEquals(composed(rank == 1 ? 3 : Math.max(rank, 1), count), out);
          world.reduceScatterBlock(in, Data.of(out, 0, count, map), op);
          assertArrayEquals(
              Arrays.copyOfRange(composed(3, count), 12 * count * rank, 12 * count * (rank + 1)),
              Arrays.copyOf(out, 12 * count));
          long[] counts = {0, 3L * count, 0};
          world.reduceScatter(Data.parts(in, counts, new long[3]), to.part(0, counts[rank]), op);
          if (rank == 1) {
            assertArrayEquals(composed(3, count), out);
          }
        });
  }

  private static byte[] composed(int ranks, int count) {
    byte[] all = bytes(new SplittableRandom(0), 12 * 3 * count);
    for (int rank = 1; rank < ranks; rank++) {
      compose(MemorySegment.ofArray(all), MemorySegment.ofArray(bytes(new SplittableRandom(rank), all.length)),
          3L * count, Datatype.contiguous(3, Datatype.INT));
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 3000})
  void placesOfTheLeastAndTheGreatestAreFound(int count) throws Exception {
    Ranks.run(
        cores,
        4,
        job -> {
          Communicator world = job.world();
          int rank = world.rank();
          int[] out = new int[2 * count];
          Data to = pairs(out, count);
          world.scan(pairs(operand(rank, count), count), to, Op.MINLOC);
          assertArrayEquals(found(rank + 1, count, -1), out);
          world.exscan(pairs(operand(rank, count), count), to, Op.MINLOC);
          assertArrayEquals(found(Math.max(rank, 1), count, -1), out);
          world.reduce(pairs(operand(rank, count), count), to, Op.MAXLOC, 3);
          assertArrayEquals(rank == 3 ? found(4, count, 1) : found(Math.max(rank, 1), count, -1), out);
          world.reduceScatterBlock(pairs(operand(rank, count), count), to.part(0, count / 4), Op.MAXLOC);
          assertArrayEquals(
              Arrays.copyOfRange(found(4, count, 1), rank * (count / 2), (rank + 1) * (count / 2)),
              Arrays.copyOf(out, count / 2));
        });
  }

  /**
   * The numbers are those of arrays, of native memory and with gaps; an odd count, so that parts of elements are cut
   * nowhere.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 2001})
  void complexNumbersAreMultipliedAsSuch(int count) throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = job.world();
          int rank = world.rank();
          double[] out = new double[2 * 3 * count];
          Data in = complex(factors(rank, 3 * count));
          Data to = complex(out);
          world.allreduce(in, to, Op.PROD);
          assertArrayEquals(products(3, 3 * count), out);
          world.scan(in, to, Op.PROD);
          assertArrayEquals(products(rank + 1, 3 * count), out);
          world.allreduce(in, to, Op.SUM);
          double[][] given = {factors(0, 3 * count), factors(1, 3 * count), factors(2, 3 * count)};
          for (int i = 0; i < out.length; i++) {
            assertEquals(given[0][i] + given[1][i] + given[2][i], out[i]);
          }
          world.reduce(in, to, Op.REPLACE, 1);
          if (rank == 1) {
            assertArrayEquals(factors(2, 3 * count), out);
          }
          world.reduceScatterBlock(in, complex(out).part(0, count), Op.PROD);
          assertArrayEquals(
              Arrays.copyOfRange(products(3, 3 * count), 2 * count * rank, 2 * count * (rank + 1)),
              Arrays.copyOf(out, 2 * count));
          try (Arena arena = Arena.ofConfined()) {
            Datatype spread = Datatype.DOUBLE_COMPLEX.resized(0, 40);
            MemorySegment memory = arena.allocate(40L * 3 * count);
            for (int i = 0; i < 3 * count; i++) {
              MemorySegment.copy(given[rank], 2 * i, memory, ValueLayout.JAVA_DOUBLE, 40L * i, 2);
            }
            world.allreduce(Data.of(memory, 0, 3 * count, spread), to, Op.PROD);
            assertArrayEquals(products(3, 3 * count), out);
          }
          world.allreduce(in, to, Op.of(ReductionsTest::multiply, true));
          assertArrayEquals(products(3, 3 * count), out);
          refused("the same number of elements of the same basic type",
              () -> world.allreduce(in, Data.of(out), Op.PROD));
        });
  }

  private static Data complex(double[] numbers) {
    return Data.of(numbers, 0, numbers.length / 2, Datatype.DOUBLE_COMPLEX);
  }

  /** Small whole numbers, of which all products are exact, the real part of each first. */
  private static double[] factors(int rank, int count) {
    return IntStream.range(0, 2 * count).mapToDouble(i -> (i * 7 + rank * 11) % 13 - 6).toArray();
  }

  /** Returns the products of the factors of the first ranks. */
  private static double[] products(int ranks, int count) {
    double[] all = factors(0, count);
    for (int rank = 1; rank < ranks; rank++) {
      multiply(
          MemorySegment.ofArray(all), MemorySegment.ofArray(factors(rank, count)), count, Datatype.DOUBLE_COMPLEX);
    }
    return all;
  }

  private static void multiply(MemorySegment left, MemorySegment right, long count, Datatype type) {
    for (long i = 0; i < 2 * count; i += 2) {
      double a = left.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * i);
      double b = left.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * i + 8);
      double c = right.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * i);
      double d = right.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * i + 8);
      left.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * i, a * c - b * d);
      left.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * i + 8, a * d + b * c);
    }
  }

  private static Data pairs(int[] memory, int count) {
    return Data.of(MemorySegment.ofArray(memory), 0, count, Datatype.INT_INT);
  }

  /** Values, of which some ranks have the same, and the rank as the index of each. */
  private static int[] operand(int rank, int count) {
    return IntStream.range(0, 2 * count).map(i -> i % 2 == 1 ? rank : (i * 5 + rank * 7) % 3).toArray();
  }

  /** The least, or the greatest, of the first ranks. */
  private static int[] found(int ranks, int count, int sign) {
    int[] best = operand(0, count);
    for (int rank = 1; rank < ranks; rank++) {
      int[] other = operand(rank, count);
      for (int i = 0; i < best.length; i += 2) {
        if (sign * Integer.compare(other[i], best[i]) > 0) {
          best[i] = other[i];
          best[i + 1] = rank;
        }
      }
    }
    return best;
  }

  @Test
  void scalarsNeedNoBuffer() throws Exception {
    Op own = Op.ofLongs((a, b) -> 2 * a - b, false);
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          int rank = world.rank();
          for (int round = 0; round < 100; round++) {
            int root = round % 3;
            assertEquals(10.5 + root, world.bcast(rank + 10.5, root));
            assertEquals(root + (1L << 40), world.bcast(rank + (1L << 40), root));
            assertEquals(rank == root ? 4.5 : rank + 0.5, world.reduce(rank + 0.5, Op.SUM, root));
            assertEquals(rank == root ? -4 : rank, world.reduce(rank, own, root));
            assertEquals(rank * (rank + 1) / 2 + round, world.scan(rank == 0 ? round : rank, Op.SUM));
            assertEquals(0.5 * (rank + 1), world.scan(0.5, Op.SUM));
            assertEquals(List.of(0L, -1L, -4L).get(rank), world.scan(rank, own));
            assertEquals(5 * rank, world.exscan(5, Op.SUM));
            assertEquals(List.of(1.0, 3.0, 9.0).get(rank), world.exscan(3.0, Op.PROD));
            assertEquals(rank == 0 ? Long.MAX_VALUE : 7, world.exscan(7, Op.MIN));
            assertEquals(rank == 0 ? Double.NEGATIVE_INFINITY : 7, world.exscan(7.0, Op.MAX));
            assertEquals(rank == 0 ? -1 : 6, world.exscan(6, Op.BAND));
            assertEquals(List.of(4L, 4L, 5L).get(rank), world.exscan(rank + 4, Op.REPLACE), "rank 0 gets its own");
          }
        });
  }

  @Test
  void wrongArgumentsAreRefusedAndHarmNothing() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int other = 1 - world.rank();
          refused("root 2 of a reduce; this communicator has ranks 0 to 1",
              () -> world.reduce(longs(1), longs(1), Op.SUM, 2));
          refused("root -1", () -> world.reduce(1, Op.SUM, -1));
          refused("root 3 of a bcast", () -> world.bcast(1L, 3));
          refused("reduce in place at rank %d; the result goes to root %d alone".formatted(world.rank(), other),
              () -> world.reduce(Data.IN_PLACE, longs(1), Op.SUM, other));
          refused("reduce of 2 long elements from 0 into 3 long elements from 0; both are to have the same number",
              () -> world.reduce(longs(2), longs(3), Op.SUM, world.rank()));
          refused("scan of", () -> world.scan(longs(2), longs(3), Op.SUM));
          refused("same basic type", () -> world.exscan(Data.of(new double[2]), longs(2), Op.SUM));
          refused("BAND has no meaning for elements of DOUBLE", () -> world.exscan(1.0, Op.BAND));
          refused("NO_OP combines nothing", () -> world.reduce(longs(1), longs(1), Op.NO_OP, other));
          refused("the input is to have 2 times as many elements",
              () -> world.reduceScatterBlock(longs(3), longs(2), Op.SUM));
          refused("reduceScatterBlock in place in 3 long elements from 0, of 2 ranks",
              () -> world.reduceScatterBlock(Data.IN_PLACE, longs(3), Op.SUM));
          long[] counts = {1, 2};
          Data parts = Data.parts(longs(3), counts, new long[] {0, 1});
          refused("name each rank's part by Data.parts", () -> world.reduceScatter(longs(2), longs(1), Op.SUM));
          refused("reduceScatter with 3 parts, and 2 ranks",
              () -> world.reduceScatter(Data.parts(longs(1), longs(1), longs(1)), longs(1), Op.SUM));
          refused("the output is to be as long as part", () -> world.reduceScatter(parts, longs(3), Op.SUM));
          refused("same basic type",
              () -> world.reduceScatter(parts, Data.of(new double[1 + world.rank()]), Op.SUM));
          refused("there the parts are to lie one behind the other",
              () -> world.reduceScatter(Data.IN_PLACE, Data.parts(longs(3), counts, new long[] {2, 0}), Op.SUM));
          refused("Data.parts is not one piece of data", () -> world.reduceScatterBlock(parts, longs(1), Op.SUM));
          refused("Data.IN_PLACE is no memory", () -> world.scan(longs(1), Data.IN_PLACE, Op.SUM));
          assertThrows(NullPointerException.class, () -> world.reduce(longs(1), null, Op.SUM, world.rank()));
          assertThrows(NullPointerException.class, () -> world.reduce(null, longs(1), Op.SUM, other));
          assertThrows(NullPointerException.class, () -> world.scan(longs(1), longs(1), null));
          world.reduce(longs(1), world.rank() == 1 ? longs(1) : null, Op.SUM, 1);
          assertEquals(1, world.allreduce(world.rank(), Op.SUM));
        });
  }

  /** What another rank calls is told in words. */
  @Test
  void ranksThatCallSomethingElseAreTold() throws Exception {
    Datatype three = Datatype.contiguous(3, Datatype.INT);
    Op own = Op.of((left, right, count, type) -> {}, true);
    mismatch(
        world -> world.scan(longs(3), longs(3), Op.SUM), world -> world.exscan(longs(3), longs(3), Op.SUM),
        "exscan of 24 bytes, SUM of elements of type long");
    mismatch(
        world -> world.reduceScatterBlock(longs(20), longs(10), Op.SUM),
        world -> world.reduceScatterBlock(Data.of(new int[6], 0, 2, three), Data.of(new int[3], 0, 1, three), own),
        "reduceScatter of 24 bytes, an operator of its own on elements of 12 bytes");
    mismatch(
        world -> world.reduceScatter(Data.parts(longs(1), longs(2)), longs(1), Op.SUM),
        world -> world.reduceScatter(Data.parts(longs(2), longs(1)), longs(1), Op.SUM),
        "that too, but with parts of other lengths");
    mismatch(
        world -> world.allreduce(longs(1), Op.SUM), world -> world.reduce(longs(1), longs(1), Op.MAX, 1),
        "reduce of 8 bytes to root 1, MAX of elements of type long");
  }

  private interface Calls {
    void run(Communicator world);
  }

  private void mismatch(Calls one, Calls another, String told) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          CollectiveException failure = assertThrows(CollectiveException.class, () -> {
            (world.rank() == 0 ? one : another).run(world);
            world.barrier();
            world.barrier();
          });
          if (world.rank() == 0) {
            assertTrue(failure.getMessage().contains("rank 1 calls " + told)
                || failure.getMessage().contains("rank 1 cannot go on"), failure::getMessage);
          }
        });
  }

  private static Data longs(int count) {
    return Data.of(new long[count]);
  }

  private static void refused(String words, Runnable call) {
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, call::run);
    assertTrue(refusal.getMessage().contains(words), refusal::getMessage);
  }
}
