package io.adrastea.collective;

import static io.adrastea.Garbage.each;
import static io.adrastea.Garbage.memory;

import io.adrastea.CartesianTopology;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Garbage;
import io.adrastea.IoVector;
import io.adrastea.Op;
import io.adrastea.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No garbage per collective once warm. */
@Tag("spins")
@EverySharedCoreList
class CollectiveAllocationTest {
  private static final int COLLECTIVES = Garbage.MESSAGES;
  private static final int LARGE_COLLECTIVES = Garbage.LARGE_MESSAGES;
  private static final int LARGE = 20_000;

  @Parameter
  String cores;

  private void check(int collectives, Function<Communicator, Runnable> part) throws Exception {
    Garbage.check(cores, collectives, part, part);
  }

  @Test
  void isMadeByNoBarrierNorSmallCollective() throws Exception {
    check(COLLECTIVES, world -> {
      Data data = Data.of(memory(8));
      Data number = Data.of(new double[1]);
      Data all = Data.of(memory(16));
      return each(i -> {
        switch (i % 6) {
          case 0 -> world.barrier();
          case 1 -> world.bcast(data, i % 2);
          case 2 -> world.allgather(data, all);
          case 3 -> world.allreduce(number, Op.SUM);
          case 4 -> world.allreduce(1.0, Op.MAX);
          default -> world.allreduce(1L, Op.SUM);
        }
      });
    });
  }

  @Test
  void isMadeByNoCollectiveOfManyBytes() throws Exception {
    check(LARGE_COLLECTIVES, world -> {
      Data data = Data.of(memory(LARGE));
      Data array = Data.of(new double[LARGE / Double.BYTES]);
      Data all = Data.of(new byte[2 * LARGE]);
      return each(i -> {
        switch (i % 3) {
          case 0 -> world.bcast(data, i % 2);
          case 1 -> world.allgather(data, all);
          default -> world.allreduce(array, Op.SUM);
        }
      });
    });
  }

  @Test
  void isMadeByNoOperatorOfTheProgramsOwn() throws Exception {
    Op numbers = Op.ofDoubles(Double::sum, true);
    Op words = Op.ofLongs((left, right) -> left ^ right, true);
    check(COLLECTIVES, world -> {
      Data number = Data.of(new double[1]);
      return each(i -> {
        switch (i % 3) {
          case 0 -> world.allreduce(number, numbers);
          case 1 -> world.allreduce(1.0, numbers);
          default -> world.allreduce(1L, words);
        }
      });
    });
  }

  @Test
  void isMadeByNoScatteredData() throws Exception {
    check(LARGE_COLLECTIVES, world -> {
      Data data = Data.of(memory(2 * LARGE), 0, LARGE / Double.BYTES, Datatype.DOUBLE.resized(0, 16));
      Data vector = Data.of(new IoVector().add(memory(LARGE)).add(memory(LARGE)));
      Request mine = new Request();
      return each(i -> {
        switch (i % 5) {
          case 0 -> world.bcast(data, i / 5 % 2);
          case 1 -> world.allreduce(data, Op.SUM);
          case 2 -> world.allgather(Data.IN_PLACE, data);
          case 3 -> world.started(mine).allgather(Data.IN_PLACE, data).await();
          default -> world.started(mine).allgather(Data.IN_PLACE, vector).await();
        }
      });
    });
  }

  @Test
  void isMadeByNoReduction() throws Exception {
    Op own = Op.ofLongs((left, right) -> 2 * left - right, false);
    check(LARGE_COLLECTIVES, world -> {
      Data three = Data.of(new long[3]);
      Data one = Data.of(new long[1]);
      Data parts = Data.parts(three, new int[] {2, 1}, new int[] {0, 2});
      Data part = Data.of(new long[2 - world.rank()]);
      Data two = Data.of(new long[2]);
      return each(i -> {
        switch (i % 12) {
          case 0 -> world.reduce(three, three, Op.MAX, i / 12 % 2);
          case 1 -> world.scan(three, three, own);
          case 2 -> world.exscan(three, three, Op.SUM);
          case 3 -> world.reduceScatterBlock(two, one, own);
          case 4 -> world.reduceScatter(parts, part, Op.BXOR);
          case 5 -> world.bcast(1.5, i / 12 % 2);
          case 6 -> world.reduce(1L, own, i / 12 % 2);
          case 7 -> world.scan(1.5, Op.PROD);
          case 8 -> world.exscan(1L, Op.SUM);
          case 9 -> world.reduceScatterBlock(Data.IN_PLACE, two, Op.MAX);
          case 10 -> world.reduceScatter(Data.IN_PLACE, parts, Op.BXOR);
          default -> world.allgather(Data.IN_PLACE, two);
        }
      });
    });
  }

  /** Some of each kind, more than the core has under way at once. */
  private static List<SomeCollective> some(Communicator world, int longs) {
    SplittableRandom same = new SplittableRandom(longs);
    SplittableRandom own = new SplittableRandom(world.rank());
    List<SomeCollective> all = new ArrayList<>();
    for (int i = 0; i < 2 * CollectiveKind.ALL.size(); i++) {
      List<CollectiveKind> kind = List.of(CollectiveKind.ALL.get(i % CollectiveKind.ALL.size()));
      all.add(new SomeCollective(world, kind, longs, same, own));
    }
    return all;
  }

  /** Each is outstanding until it is to be started again, and at the end of a batch none is. */
  private static Runnable eachOf(Request[] requests, IntConsumer start) {
    Runnable batch = each(i -> {
      requests[i % requests.length].await();
      start.accept(i % requests.length);
    });
    return () -> {
      batch.run();
      for (Request request : requests) {
        request.await();
      }
    };
  }

  @Test
  void isMadeByNoNeighborCollective() throws Exception {
    check(COLLECTIVES, world -> {
      CartesianTopology line = CartesianTopology.of(world, new int[] {2}, new boolean[1], false);
      CartesianTopology ring = CartesianTopology.of(world, new int[] {2}, new boolean[] {true}, false);
      Data in = Data.of(memory(16));
      Data out = Data.of(new long[2]);
      Data parts = Data.parts(Data.of(memory(80)), new int[] {40, 40}, new int[2]);
      Data taken = Data.parts(Data.of(new byte[80]), new int[] {40, 40}, new int[] {40, 0});
      Data own = Data.of(new long[1]);
      Request mine = new Request();
      Data vector = Data.of(new IoVector().add(memory(8)).add(memory(8)));
      Data others = Data.of(new IoVector().add(memory(12)).add(memory(4)));
      Request prepared = line.neighborAlltoallInit(parts, taken);
      return each(i -> {
        switch (i % 8) {
          case 0 -> line.neighborAlltoall(in, out);
          case 1 -> line.neighborAllgather(own, out);
          case 2 -> line.started(mine).neighborAlltoall(parts, taken).await();
          case 3 -> ring.started(mine).neighborAlltoall(in, out).await(); // both blocks are of the same neighbour
          case 4 -> ring.started(mine).neighborAllgather(own, out).await();
          case 5 -> ring.started(mine).neighborAlltoall(vector, others).await();
          case 6 -> ring.neighborAlltoall(others, vector);
          default -> prepared.start().await();
        }
      });
    });
  }

  @ParameterizedTest
  @CsvSource({"700, 300", "50000, 20"})
  void isMadeByNoneThatIsStartedWithARequestHandedIn(int longs, int times) throws Exception {
    check(2 * CollectiveKind.ALL.size() * times, world -> {
      List<SomeCollective> all = some(world, longs);
      Request[] requests = Stream.generate(Request::new).limit(all.size()).toArray(Request[]::new);
      return eachOf(requests, i -> all.get(i).start(requests[i]));
    });
  }

  @ParameterizedTest
  @CsvSource({"700, 1000", "50000, 20"})
  void isMadeByNoPersistentOneThatIsStarted(int longs, int times) throws Exception {
    check(2 * CollectiveKind.ALL.size() * times, world -> {
      Request[] requests = some(world, longs).stream().map(SomeCollective::prepare).toArray(Request[]::new);
      return eachOf(requests, i -> requests[i].start());
    });
  }
}
