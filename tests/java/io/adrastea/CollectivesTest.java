package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.collective.NaiveCollectives.Arithmetic;
import io.adrastea.collective.NaiveCollectives;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Collectives do what naive ones over messages do, whatever the data, its type and size, the operator and the root.
 */
@Tag("spins")
@EverySharedCoreList
class CollectivesTest {
  private static final int ROUNDS = 60;

  static final List<Datatype> TYPES =
      List.of(
          Datatype.BYTE, Datatype.SHORT, Datatype.CHAR, Datatype.INT, Datatype.LONG, Datatype.FLOAT, Datatype.DOUBLE);

  static final List<Arithmetic> NUMBERS =
      List.of(
          new Arithmetic(Op.SUM, Long::sum, Double::sum),
          new Arithmetic(Op.PROD, (a, b) -> a * b, (a, b) -> a * b),
          new Arithmetic(Op.MIN, Math::min, Math::min),
          new Arithmetic(Op.MAX, Math::max, Math::max));

  static final List<Arithmetic> INTEGERS =
      List.of(
          new Arithmetic(Op.BAND, (a, b) -> a & b, null),
          new Arithmetic(Op.BOR, (a, b) -> a | b, null),
          new Arithmetic(Op.BXOR, (a, b) -> a ^ b, null),
          new Arithmetic(Op.LAND, (a, b) -> a != 0 && b != 0 ? 1 : 0, null),
          new Arithmetic(Op.LOR, (a, b) -> a != 0 || b != 0 ? 1 : 0, null),
          new Arithmetic(Op.LXOR, (a, b) -> a != 0 ^ b != 0 ? 1 : 0, null),
          new Arithmetic(Op.ofLongs((a, b) -> 3 * a - b, false), (a, b) -> 3 * a - b, null));

  static final List<Arithmetic> FLOATING =
      List.of(new Arithmetic(Op.ofDoubles((a, b) -> a / 2 - b, false), null, (a, b) -> a / 2 - b));

  @Parameter
  String cores;

  /** Where data lies, and how. */
  enum Place {
    ARRAY, NATIVE, SPREAD, VECTOR, SHARED;

    /** Memory for so many bytes, of a type. */
    Data make(Job job, Datatype type, byte[] contents) {
      int bytes = contents.length;
      long count = bytes / type.size();
      Data data = switch (this) {
        case ARRAY -> Data.of(new byte[bytes + 3], 3, count, type);
        case NATIVE -> Data.of(Arena.ofAuto().allocate(bytes + 1), 0, count, type);
        case SHARED -> Data.of(job.allocate(bytes + 1, 64), 0, count, type);
        case SPREAD -> Data.of(Arena.ofAuto().allocate(3L * bytes + 1), 0, count,
            type.resized(0, 3 * type.size()));
        case VECTOR -> {
          IoVector vector = new IoVector();
          vector.add(Arena.ofAuto().allocate(bytes / 3 + 1), 0, bytes / 3);
          vector.add(MemorySegment.ofArray(new byte[bytes]), 0, bytes - bytes / 3);
          yield Data.of(vector);
        }
      };
      data.placement().copyFrom(job.world().engine().spaces(), MemorySegment.ofArray(contents), 0, bytes);
      return data;
    }
  }

  static byte[] contents(Job job, Data data) {
    byte[] copy = new byte[(int) data.bytes()];
    data.placement().copyTo(job.world().engine().spaces(), MemorySegment.ofArray(copy), 0);
    return copy;
  }

  /** Many small ones, some of a line, of several, of a stage and of many. */
  static int size(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextInt(9);
      case 1, 2, 3 -> random.nextInt(65);
      case 4, 5 -> random.nextInt(5_000);
      case 6 -> random.nextInt(140_000);
      default -> 65_536 + 8 * random.nextInt(3);
    };
  }

  /** Half of the time memory that all can reach, so that large data goes straight from there. */
  static List<Place> places(SplittableRandom same, List<Place> all) {
    return same.nextBoolean() ? List.of(Place.NATIVE, Place.SHARED) : all;
  }

  static <T> T any(SplittableRandom random, List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 9})
  void areWhatNaiveOnesAre(int ranks) throws Exception {
    int rounds = ranks > 5 ? ROUNDS / 3 : ROUNDS;
    Ranks.run(
        cores,
        ranks,
        job -> {
          SplittableRandom same = new SplittableRandom(ranks); // at all ranks
          SplittableRandom own = new SplittableRandom(100 + job.world().rank());
          for (int round = 0; round < rounds; round++) {
            any(job, job.world(), same, own);
          }
        });
  }

  private static void any(Job job, Communicator world, SplittableRandom same, SplittableRandom own) {
    switch (same.nextInt(4)) {
      case 0 -> bcast(job, world, same, own);
      case 1 -> allgather(job, world, same, own);
      case 2 -> allreduce(job, world, same, own);
      default -> world.barrier();
    }
  }

  /** Composes maps x -> a x + b, and counts them: elements of 12 bytes, which no stage holds a whole number of. */
  static void compose(MemorySegment left, MemorySegment right, long count, Datatype type) {
    ValueLayout.OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    for (long at = 0; at < count * type.size(); at += type.size()) {
      int a = left.get(layout, at);
      left.set(layout, at + 4, a * right.get(layout, at + 4) + left.get(layout, at + 4));
      left.set(layout, at, a * right.get(layout, at));
      left.set(layout, at + 8, left.get(layout, at + 8) + right.get(layout, at + 8));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 5, 1000, 30_000})
  void anOperatorOfTheProgramGetsWholeElements(int count) throws Exception {
    Datatype map = Datatype.contiguous(3, Datatype.INT);
    Op op = Op.of(CollectivesTest::compose, false);
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = job.world();
          byte[] mine = bytes(new SplittableRandom(world.rank()), 12 * count);
          MemorySegment expected = MemorySegment.ofArray(new byte[12 * count]);
          expected.copyFrom(MemorySegment.ofArray(bytes(new SplittableRandom(0), 12 * count)));
          for (int rank = 1; rank < 3; rank++) {
            compose(expected, MemorySegment.ofArray(bytes(new SplittableRandom(rank), 12 * count)), count, map);
          }
          Data data = Data.of(mine, 0, count, map);
          world.allreduce(data, op);
          assertArrayEquals(expected.toArray(ValueLayout.JAVA_BYTE), mine);
        });
  }

  @Test
  void soTheyAreInGroupsInAnyOrder() throws Exception {
    Ranks.inGroups(cores, 10, 8, (job, half, same, own) -> any(job, half, same, own));
  }

  @Test
  void threadsOfARankUseACommunicatorEachAtATime() throws Exception {
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          List<FutureTask<Void>> tasks = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            Communicator one = job.world().dup();
            long seed = i;
            tasks.add(new FutureTask<>(() -> {
              SplittableRandom same = new SplittableRandom(seed);
              for (int round = 0; round < 150; round++) {
                int count = 1 + same.nextInt(same.nextInt(10) == 0 ? 10_000 : 6);
                long[] data = new long[count];
                Arrays.fill(data, seed + round + one.rank());
                one.allreduce(Data.of(data), Op.SUM);
                assertEquals(2 * (seed + round) + 1, data[count - 1]);
                assertEquals(round, one.allreduce(one.rank() * (long) round, Op.MAX));
              }
            }, null));
          }
          tasks.forEach(task -> new Thread(task).start());
          for (FutureTask<Void> task : tasks) {
            task.get();
          }
        });
  }

  static byte[] bytes(SplittableRandom random, int count) {
    byte[] made = new byte[count];
    random.nextBytes(made);
    return made;
  }

  private static void bcast(Job job, Communicator world, SplittableRandom same, SplittableRandom own) {
    byte[] mine = bytes(own, size(same));
    int root = same.nextInt(world.size());
    Data data = any(own, places(same, List.of(Place.values()))).make(job, Datatype.BYTE, mine);
    world.bcast(data, root);
    assertArrayEquals(new NaiveCollectives(world).bcast(mine, root), contents(job, data),
        () -> "bcast of %d bytes from %d in %s".formatted(mine.length, root, data));
  }

  private static void allgather(Job job, Communicator world, SplittableRandom same, SplittableRandom own) {
    byte[] mine = bytes(own, size(same));
    byte[] expected = new NaiveCollectives(world).allgather(mine);
    List<Place> places = places(same, List.of(Place.values()));
    Place place = any(own, places);
    boolean inPlace = own.nextInt(4) == 0 && place != Place.VECTOR;
    byte[] before = new byte[expected.length];
    if (inPlace) {
      System.arraycopy(mine, 0, before, world.rank() * mine.length, mine.length);
    }
    Data out = place.make(job, Datatype.BYTE, before);
    Data in = inPlace ? Data.IN_PLACE : any(own, places).make(job, Datatype.BYTE, mine);
    world.allgather(in, out);
    assertArrayEquals(expected, contents(job, out),
        () -> "allgather of %d bytes, of %s in %s".formatted(mine.length, in, out));
  }

  private static void allreduce(Job job, Communicator world, SplittableRandom same, SplittableRandom own) {
    Datatype type = any(same, TYPES);
    boolean floating = type == Datatype.FLOAT || type == Datatype.DOUBLE;
    List<Arithmetic> special = floating ? FLOATING : INTEGERS;
    Arithmetic arithmetic = any(same, same.nextBoolean() ? NUMBERS : special);
    byte[] mine = numbers(own, type, (int) (size(same) / type.size()));
    byte[] expected = new NaiveCollectives(world).allreduce(mine, type, arithmetic);
    List<Place> places = places(same, List.of(Place.ARRAY, Place.NATIVE, Place.SPREAD, Place.SHARED));
    Data out;
    String from;
    if (own.nextInt(3) == 0) {
      from = "in place";
      out = any(own, places).make(job, type, mine);
      world.allreduce(out, arithmetic.op());
    } else {
      Data in = any(own, places).make(job, type, mine);
      from = in.toString();
      out = any(own, places).make(job, type, new byte[mine.length]);
      world.allreduce(in, out, arithmetic.op());
      assertArrayEquals(mine, contents(job, in), "the input stays");
    }
    assertArrayEquals(expected, contents(job, out),
        () -> "%s of %d bytes of %s, %s".formatted(arithmetic.op(), mine.length, out, from));
  }

  /** Elements whose sums and products are numbers. */
  static byte[] numbers(SplittableRandom random, Datatype type, int count) {
    if (type == Datatype.DOUBLE) {
      double[] made = random.doubles(count, -100, 100).toArray();
      return MemorySegment.ofArray(made).toArray(ValueLayout.JAVA_BYTE);
    }
    if (type == Datatype.FLOAT) {
      float[] made = new float[count];
      for (int i = 0; i < count; i++) {
        made[i] = (float) random.nextDouble(-100, 100);
      }
      return MemorySegment.ofArray(made).toArray(ValueLayout.JAVA_BYTE);
    }
    return bytes(random, (int) (count * type.size()));
  }

  @Test
  void scalarsAreCombinedWithoutABuffer() throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          int rank = world.rank();
          for (int round = 0; round < 1000; round++) {
            assertEquals(0.5 * 3 + 3.0 * round, world.allreduce(0.5 * rank + round, Op.SUM));
            assertEquals(round + 2, world.allreduce((long) rank + round, Op.MAX));
            assertEquals(6, world.allreduce(rank + 1, Op.PROD));
            assertEquals(-4, world.allreduce(rank, Op.ofLongs((a, b) -> 2 * a - b, false)), "(0 * 2 - 1) * 2 - 2");
          }
        });
  }
}
