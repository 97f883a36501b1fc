package io.adrastea.spread;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Each algorithm among up to 1,024 simulated members: rounds, messages and bytes against the formulas of [Thakur 2005],
 * [Bruck 1997] and of the barrier of [MPICH2 2007, 3.4]. What is counted is printed; up to some number of messages they
 * are exchanged, too.
 */
class RoundCountsTest {
  private static final int[] SIZES = {2, 3, 4, 5, 7, 8, 13, 16, 33, 100, 256, 1000, 1024};
  /** Messages of all members, up to which they are exchanged, too. */
  private static final int MOST_RUN = 70_000;

  private static final int UNIT = Operation.ELEMENT;

  /** What one member has at most, and all have together; below zero: no formula says it. */
  private record Counts(long rounds, long messages, long bytes, long allMessages, long allBytes) {
    static Counts of(Simulation run) {
      return new Counts(run.mostRounds, run.mostMessages, run.mostSent, run.messages, run.bytes);
    }

    /** Has what a formula says, and what was counted where none says anything. */
    Counts orElse(Counts counted) {
      return new Counts(
          rounds < 0 ? counted.rounds : rounds, messages < 0 ? counted.messages : messages,
          bytes < 0 ? counted.bytes : bytes, allMessages < 0 ? counted.allMessages : allMessages,
          allBytes < 0 ? counted.allBytes : allBytes);
    }
  }

  /** The number of members in one collective, with the sides of each and what formulas say. */
  private record Trial(
      int size, IntFunction<Long> input, IntFunction<Long> output, Members.Filler filler, Counts expected) {}

  private interface Trials {
    Trial of(int size);
  }

  private static DynamicTest test(String name, Trials trials) {
    return test(name, SIZES, trials);
  }

  private static DynamicTest test(String name, int[] sizes, Trials trials) {
    return DynamicTest.dynamicTest(name, () -> {
      for (int size : sizes) {
        Trial trial = trials.of(size);
        Members members = new Members(size, size, trial.input(), trial.output());
        Counts counted = Counts.of(members.count(Operation.SUM, trial.filler()));
        if (counted.allMessages <= MOST_RUN) {
          members.run(Operation.SUM, trial.filler());
        }
        Counts expected = trial.expected().orElse(counted);
        System.out.printf(
            "%s of %d members: %d rounds, %d messages and %d bytes of one, %d messages and %d bytes of all%n", name,
            size, counted.rounds, counted.messages, counted.bytes, counted.allMessages, counted.allBytes);
        assertEquals(expected, counted, name + " of " + size);
      }
    });
  }

  private static int[] powersOfTwo() {
    return IntStream.of(SIZES).filter(size -> Integer.bitCount(size) == 1).toArray();
  }

  /** The binary logarithm, rounded up. */
  private static int up(int size) {
    return 32 - Integer.numberOfLeadingZeros(size - 1);
  }

  /** The binary logarithm, rounded down. */
  private static int down(int size) {
    return 31 - Integer.numberOfLeadingZeros(size);
  }

  /** Members beyond a power of two, each of which has another one take its part. */
  private static int beyond(int size) {
    return size - (1 << down(size));
  }

  /** Rounds before and behind those of a power of two. */
  private static int besides(int size) {
    return beyond(size) == 0 ? 0 : 2;
  }

  /** Blocks that travel in a binomial tree to member 0: of each member as many as it relays. */
  private static long relayed(int size) {
    return IntStream.range(1, size).mapToLong(rank -> Math.min(Integer.lowestOneBit(rank), size - rank)).sum();
  }

  private static IntFunction<Long> bytes(long bytes) {
    return rank -> bytes;
  }

  private static IntFunction<Long> ofRoot(long bytes) {
    return rank -> rank == 0 ? bytes : 0L;
  }

  @TestFactory
  List<DynamicTest> barrierAndBcast() {
    long data = 3000;
    long segment = 1000;
    return List.of(
        test("barrier by dissemination", p -> new Trial(p, bytes(0), bytes(0),
            (s, rank) -> BarrierRounds.fill(s, rank, p), new Counts(up(p), up(p), 0, (long) p * up(p), 0))),
        test("bcast by a binomial tree", p -> bcast(Algorithm.BINOMIAL, p, 40, 0,
            new Counts(-1, up(p), up(p) * 40L, p - 1, (p - 1) * 40L))),
        test("bcast by scatter and allgather", p -> bcast(Algorithm.SCATTER_ALLGATHER, p, 12L * (p - 1), 0,
            new Counts(p == 2 ? 1 : 1 + up(p - 1), -1, p == 2 ? 12 : -1, -1, (p - 1) * 12L * (p - 1)))),
        test("bcast by a chain", p -> bcast(Algorithm.CHAIN, p, data, segment,
            new Counts(p == 2 ? 3 : 4, 3, data, 3L * (p - 1), (p - 1) * data))));
  }

  private static Trial bcast(Algorithm algorithm, int size, long bytes, long segment, Counts expected) {
    return new Trial(size, bytes(0), bytes(bytes),
        (s, rank) -> BcastRounds.fill(s, algorithm, 0, rank, size, bytes, segment), expected);
  }

  @TestFactory
  List<DynamicTest> reduce() {
    return List.of(
        test("reduce by a binomial tree", p -> reduce(Algorithm.BINOMIAL, p, 40,
            new Counts(-1, 1, 40, p - 1, (p - 1) * 40L))),
        test("reduce by parts of all but the root", p -> reduce(Algorithm.SCATTER_ALLGATHER, p, UNIT * (p - 1L),
            new Counts(p == 2 ? 1 : 1 + up(p - 1), -1, UNIT * (p - 1L), -1, (p - 1) * UNIT * (p - 1L)))),
        test("reduce by parts, from the left", p -> reduce(Algorithm.DIRECT, p, UNIT * (long) p,
            new Counts(-1, p, UNIT * (long) p, (long) p * (p - 1) + p - 1, (p - 1) * UNIT * (p + 1L)))),
        test("reduce of operands, from the left", p -> reduce(Algorithm.OPERANDS, p, 8,
            new Counts(-1, 1, -1, p - 1, relayed(p) * 8))));
  }

  private static Trial reduce(Algorithm algorithm, int size, long bytes, Counts expected) {
    return new Trial(size, bytes(bytes), ofRoot(bytes),
        (s, rank) -> ReduceRounds.fill(s, algorithm, 0, rank, size, bytes, UNIT), expected);
  }

  @TestFactory
  List<DynamicTest> allreduce() {
    return List.of(
        test("allreduce by recursive doubling", p -> {
          long messages = ((long) down(p) << down(p)) + 2L * beyond(p);
          int most = down(p) + besides(p) / 2;
          return allreduce(Algorithm.RECURSIVE_DOUBLING, p, 40,
              new Counts(down(p) + besides(p), most, most * 40L, messages, messages * 40));
        }),
        test("allreduce by halving and doubling", p -> {
          int f = 1 << down(p);
          long data = (long) UNIT * f;
          long all = 2L * (data - UNIT) * f + 2L * beyond(p) * data;
          return allreduce(Algorithm.HALVING_DOUBLING, p, data,
              new Counts(2L * down(p) + besides(p), 2L * down(p) + besides(p) / 2,
                  2 * (data - UNIT) + besides(p) / 2 * data, 2L * down(p) * f + 2L * beyond(p), all));
        }),
        test("allreduce by circulant graphs", p -> allreduce(Algorithm.CIRCULANT, p, (long) UNIT * p,
            new Counts(2L * up(p), -1, 2L * UNIT * (p - 1), -1, 2L * UNIT * (p - 1) * p))),
        test("allreduce around a ring", p -> allreduce(Algorithm.RING, p, (long) UNIT * p,
            new Counts(2L * (p - 1), 2L * (p - 1), 2L * UNIT * (p - 1), 2L * (p - 1) * p, 2L * UNIT * (p - 1) * p))),
        test("allreduce by parts, from the left", p -> allreduce(Algorithm.DIRECT, p, (long) UNIT * p,
            new Counts((p - 1 + 7) / 8 + up(p), -1, 2L * UNIT * (p - 1), -1, 2L * UNIT * (p - 1) * p))),
        test("allreduce of operands, from the left", p -> allreduce(Algorithm.OPERANDS, p, 8,
            new Counts(up(p), up(p), 8L * (p - 1), (long) up(p) * p, 8L * (p - 1) * p))));
  }

  private static Trial allreduce(Algorithm algorithm, int size, long bytes, Counts expected) {
    return new Trial(size, bytes(bytes), bytes(bytes),
        (s, rank) -> AllreduceRounds.fill(s, algorithm, rank, size, bytes, UNIT), expected);
  }

  @TestFactory
  List<DynamicTest> reduceScatterAndScan() {
    return List.of(
        test("reduce_scatter by circulant graphs", p -> reduceScatter(Algorithm.CIRCULANT, p,
            new Counts(up(p), -1, (long) UNIT * (p - 1), -1, (long) UNIT * (p - 1) * p))),
        test("reduce_scatter around a ring", p -> reduceScatter(Algorithm.RING, p,
            new Counts(p - 1, p - 1, (long) UNIT * (p - 1), (long) (p - 1) * p, (long) UNIT * (p - 1) * p))),
        test("reduce_scatter by parts, from the left", p -> reduceScatter(Algorithm.DIRECT, p,
            new Counts((p - 1 + 7) / 8, p - 1, (long) UNIT * (p - 1), (long) (p - 1) * p,
                (long) UNIT * (p - 1) * p))),
        test("reduce_scatter by recursive doubling", p -> {
          long messages = ((long) down(p) << down(p)) + 2L * beyond(p);
          return reduceScatter(Algorithm.RECURSIVE_DOUBLING, p,
              new Counts(down(p) + besides(p), down(p) + besides(p) / 2, -1, messages, messages * UNIT * p));
        }),
        test("scan by recursive doubling", p -> scan(Algorithm.RECURSIVE_DOUBLING, p, 40, 0,
            new Counts(up(p), up(p), up(p) * 40L, inScan(p), inScan(p) * 40))),
        test("scan by a chain", p -> scan(Algorithm.CHAIN, p, 1200, 400,
            new Counts(p == 2 ? 3 : 4, 3, 1200, 3L * (p - 1), 1200L * (p - 1)))),
        test("scan of operands, from the left", p -> scan(Algorithm.OPERANDS, p, 8, 0,
            new Counts(up(p), up(p), 8L * (p - 1), (long) up(p) * p, 8L * (p - 1) * p))));
  }

  /** Messages of a scan: in each round of all members that have one at that distance. */
  private static long inScan(int size) {
    return IntStream.range(0, up(size)).mapToLong(round -> size - (1L << round)).sum();
  }

  private static Trial reduceScatter(Algorithm algorithm, int size, Counts expected) {
    return new Trial(size, bytes((long) UNIT * size), bytes(UNIT),
        (s, rank) -> ReduceScatterRounds.fill(s, algorithm, rank, size, UNIT), expected);
  }

  private static Trial scan(Algorithm algorithm, int size, long bytes, long segment, Counts expected) {
    return new Trial(size, bytes(bytes), bytes(bytes),
        (s, rank) -> ScanRounds.fill(s, algorithm, false, rank, size, bytes, segment), expected);
  }

  @TestFactory
  List<DynamicTest> blocks() {
    List<DynamicTest> tests = new ArrayList<>();
    tests.add(test("allgather by Bruck's algorithm", p -> allgather(Algorithm.BRUCK, p,
        new Counts(up(p), up(p), 4L * (p - 1), (long) up(p) * p, 4L * (p - 1) * p))));
    tests.add(test("allgather by recursive doubling", powersOfTwo(), p -> allgather(Algorithm.RECURSIVE_DOUBLING, p,
        new Counts(up(p), up(p), 4L * (p - 1), (long) up(p) * p, 4L * (p - 1) * p))));
    tests.add(test("allgather by circulant graphs", p -> allgather(Algorithm.CIRCULANT, p,
        new Counts(up(p), -1, 4L * (p - 1), -1, 4L * (p - 1) * p))));
    tests.add(test("allgather around a ring", p -> allgather(Algorithm.RING, p,
        new Counts(p - 1, p - 1, 4L * (p - 1), (long) (p - 1) * p, 4L * (p - 1) * p))));
    tests.add(test("gather straight to the root", p -> new Trial(p, bytes(4), ofRoot(4L * p),
        (s, rank) -> GatherRounds.fill(s, 0, rank, p, 4), new Counts(1, 1, 4, p - 1, 4L * (p - 1)))));
    tests.add(test("scatter straight from the root", p -> new Trial(p, ofRoot(4L * p), bytes(4),
        (s, rank) -> ScatterRounds.fill(s, 0, rank, p, 4),
        new Counts(1, p - 1, 4L * (p - 1), p - 1, 4L * (p - 1)))));
    tests.add(test("alltoall by pairs", p -> alltoall(p,
        new Counts((p - 1 + 7) / 8, p - 1, 4L * (p - 1), (long) (p - 1) * p, 4L * (p - 1) * p))));
    return tests;
  }

  private static Trial allgather(Algorithm algorithm, int size, Counts expected) {
    return new Trial(size, bytes(4), bytes(4L * size),
        (s, rank) -> AllgatherRounds.fill(s, algorithm, rank, size, 4), expected);
  }

  private static Trial alltoall(int size, Counts expected) {
    return new Trial(size, bytes(4L * size), bytes(4L * size),
        (s, rank) -> AlltoallRounds.fill(s, rank, size, 4), expected);
  }
}
