package io.adrastea.collective;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Settings;
import io.adrastea.StartedDup;
import io.adrastea.error.CollectiveException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reductions of floating-point numbers over several nodes: in which order they are combined shows in their bits. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReductionOrderTest {
  private static final int[] COUNTS = {1, 48, 30_000};

  private static double[] operand(int rank, int count) {
    return new Random(rank).doubles(count, -1e9, 1e9).toArray();
  }

  /** Operands of ranks from one on, combined from the left. */
  private static double[] folded(DoubleBinaryOperator operator, int end, int count) {
    double[] left = operand(0, count);
    for (int rank = 1; rank < end; rank++) {
      double[] right = operand(rank, count);
      for (int i = 0; i < count; i++) {
        left[i] = operator.applyAsDouble(left[i], right[i]);
      }
    }
    return left;
  }

  private static void fromTheLeft(String cores, int ranks, Op op, DoubleBinaryOperator operator) throws Exception {
    Ranks.run(cores, ranks, job -> {
      Communicator world = job.world();
      int rank = world.rank();
      for (int count : COUNTS) {
        double[] own = operand(rank, count);
        double[] all = folded(operator, ranks, count);
        double[] result = new double[count];
        world.allreduce(Data.of(own), Data.of(result), op);
        assertArrayEquals(all, result, 0, "allreduce");
        for (int root = 0; root < ranks; root++) {
          Arrays.fill(result, 0);
          world.reduce(Data.of(own), Data.of(result), op, root);
          assertArrayEquals(rank == root ? all : new double[count], result, 0, "reduce");
        }
        world.scan(Data.of(own), Data.of(result), op);
        assertArrayEquals(folded(operator, rank + 1, count), result, 0, "scan");
        Arrays.fill(result, 0);
        world.exscan(Data.of(own), Data.of(result), op);
        assertArrayEquals(rank == 0 ? new double[count] : folded(operator, rank, count), result, 0, "exscan");
        double[] parts = operand(rank, count * ranks);
        world.reduceScatterBlock(Data.of(parts), Data.of(result), op);
        double[] part = Arrays.copyOfRange(
            folded(operator, ranks, count * ranks), rank * count, (rank + 1) * count);
        assertArrayEquals(part, result, 0, "reduceScatterBlock");
      }
    });
  }

  @ParameterizedTest
  @CsvSource({"java+2nodes, 4", "'ffm,java+3nodes', 7", "java+2nodes.round, 5"})
  void sumsAreThoseOfOneNodeWhereThatIsSet(String cores, int ranks) throws Exception {
    Settings.with(Map.of("adrastea.reduce", "exact"), () -> {
      fromTheLeft(cores, ranks, Op.SUM, Double::sum);
      return null;
    });
  }

  @ParameterizedTest
  @CsvSource({"java+2nodes.round, 5", "ffm+3nodes.random, 7"})
  void sumsAreThoseOfOneNodeWhereRanksOfANodeAreNotConsecutive(String cores, int ranks) throws Exception {
    fromTheLeft(cores, ranks, Op.SUM, Double::sum);
  }

  @ParameterizedTest
  @CsvSource({"java+2nodes, 4", "'ffm,java+3nodes', 7", "java+2nodes.round, 5"})
  void operatorsOfTheProgramsOwnCombineFromTheLeft(String cores, int ranks) throws Exception {
    DoubleBinaryOperator operator = (left, right) -> left / 3 - right;
    fromTheLeft(cores, ranks, Op.ofDoubles(operator, false), operator);
  }

  /** They may have other bits than on one node, but all ranks have the same, in each run. */
  @ParameterizedTest
  @CsvSource({"java+2nodes, 4", "'ffm,java+3nodes', 7"})
  void sumsAreEqualAtAllRanksAndFromRunToRun(String cores, int ranks) throws Exception {
    double[][][] results = new double[2][ranks][];
    for (double[][] ofRun : results) {
      Ranks.run(cores, ranks, job -> {
        Communicator world = job.world();
        double[] sums = {};
        for (int count : COUNTS) {
          double[] sum = new double[count];
          world.allreduce(Data.of(operand(world.rank(), count)), Data.of(sum), Op.SUM);
          int end = sums.length;
          sums = Arrays.copyOf(sums, end + count);
          System.arraycopy(sum, 0, sums, end, count);
        }
        ofRun[world.rank()] = sums;
      });
    }
    for (double[][] ofRun : results) {
      for (double[] ofRank : ofRun) {
        assertArrayEquals(results[0][0], ofRank, 0);
      }
    }
    double[] exact = folded(Double::sum, ranks, 1);
    assertArrayEquals(exact, new double[] {results[0][0][0]}, Math.abs(exact[0]) * 1e-9 + 1e-3);
  }

  /** As are those whose versions choose otherwise. */
  @Test
  void ranksWithOtherSettingsAreToldInTheirFirstCollective() throws Exception {
    CountDownLatch made = new CountDownLatch(1);
    Ranks.run("java+2nodes", 2, job -> {
      StartedDup<Communicator> dup = job.world().idup();
      if (job.world().rank() == 0) {
        dup.request().await();
        made.countDown();
      } else {
        Ranks.await(made);
        Settings.with(Map.of("adrastea.reduce", "exact"), () -> dup.request().await());
      }
      try (Communicator twin = dup.communicator()) {
        CollectiveException failure = assertThrows(CollectiveException.class, () -> twin.allreduce(1.0, Op.SUM));
        assertEquals(1 - twin.rank(), failure.rank());
        assertTrue(failure.getMessage().contains("has other settings or another version"), failure::getMessage);
        job.world().barrier(); // else the other may hear first that this rank has closed it
      }
    });
  }
}
