package io.adrastea.spread;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Reductions by messages against operands combined from the left; where the algorithm sets other brackets, all members
 * and all runs have the same result.
 */
class ReductionRoundsTest {
  private static final long[] BYTES = {0, 4, 12, 64, 1000};

  /** Algorithms that combine in no order of ranks. */
  private static final Set<Algorithm> AROUND = EnumSet.of(
      Algorithm.CIRCULANT, Algorithm.RING, Algorithm.SCATTER_ALLGATHER);

  /** Algorithms that combine from the left. */
  private static final Set<Algorithm> FROM_LEFT = EnumSet.of(Algorithm.DIRECT, Algorithm.OPERANDS, Algorithm.CHAIN);

  private static int[] roots(int size) {
    return size <= 17 ? IntStream.range(0, size).toArray() : new int[] {0, 1, size / 2, size - 1};
  }

  private static boolean mayTake(Algorithm algorithm, Operation operation) {
    return operation.commutes() || !AROUND.contains(algorithm);
  }

  private static boolean isFromLeft(Algorithm algorithm, Operation operation) {
    return operation.associates() || FROM_LEFT.contains(algorithm);
  }

  @Test
  void anAllreduceGivesAllTheSame() {
    for (Algorithm algorithm : EnumSet.of(
        Algorithm.RECURSIVE_DOUBLING, Algorithm.HALVING_DOUBLING, Algorithm.CIRCULANT, Algorithm.RING,
        Algorithm.DIRECT, Algorithm.OPERANDS)) {
      for (Operation operation : Operation.values()) {
        for (int size : Members.SIZES) {
          for (long bytes : BYTES) {
            if (mayTake(algorithm, operation)) {
              allreduce(algorithm, operation, size, bytes);
            }
          }
        }
      }
    }
  }

  private static void allreduce(Algorithm algorithm, Operation operation, int size, long bytes) {
    Members members = new Members(size, size, rank -> bytes, rank -> bytes);
    for (int rank = 0; rank < size; rank += 3) {
      members.place(rank, true, 0);
    }
    members.run(
        operation, (s, rank) -> AllreduceRounds.fill(s, algorithm, rank, size, bytes, Operation.ELEMENT));
    String what = algorithm + " " + operation + " of " + size + " with " + bytes;
    byte[] result = isFromLeft(algorithm, operation) ? members.fold(operation, 0, size) : members.output(0);
    for (int rank = 0; rank < size; rank++) {
      assertArrayEquals(result, members.output(rank), what);
    }
  }

  @Test
  void aReduceGivesTheRootTheCombinedOperands() {
    for (Algorithm algorithm : EnumSet.of(
        Algorithm.BINOMIAL, Algorithm.SCATTER_ALLGATHER, Algorithm.DIRECT, Algorithm.OPERANDS)) {
      for (Operation operation : Operation.values()) {
        for (int size : Members.SIZES) {
          for (long bytes : BYTES) {
            if (mayTake(algorithm, operation)) {
              reduce(algorithm, operation, size, bytes);
            }
          }
        }
      }
    }
  }

  private static void reduce(Algorithm algorithm, Operation operation, int size, long bytes) {
    byte[] ofFirst = null;
    for (int root : roots(size)) {
      Members members = new Members(size, size, rank -> bytes, rank -> bytes);
      if (root % 2 == 1) {
        members.place(root, false, 0);
      }
      members.run(
          operation, (s, rank) -> ReduceRounds.fill(s, algorithm, root, rank, size, bytes, Operation.ELEMENT));
      byte[] result = members.output(root);
      String what = algorithm + " " + operation + " of " + size + " with " + bytes;
      if (isFromLeft(algorithm, operation)) {
        assertArrayEquals(members.fold(operation, 0, size), result, what);
      } else if (algorithm == Algorithm.BINOMIAL) {
        ofFirst = ofFirst == null ? result : ofFirst;
        assertArrayEquals(ofFirst, result, what); // of whichever root
      }
      for (int rank = 0; rank < size; rank++) {
        if (rank != root) {
          assertArrayEquals(members.before[rank], members.output(rank), what);
        }
      }
    }
  }

  @Test
  void aReduceScatterGivesEachItsBlock() {
    for (Algorithm algorithm : EnumSet.of(
        Algorithm.CIRCULANT, Algorithm.RING, Algorithm.DIRECT, Algorithm.RECURSIVE_DOUBLING)) {
      for (Operation operation : Operation.values()) {
        for (int size : Members.SIZES) {
          if (mayTake(algorithm, operation)) {
            long[] equal = new long[size];
            Arrays.fill(equal, 20);
            reduceScatter(algorithm, operation, equal, true);
            Random random = new Random(size);
            reduceScatter(
                algorithm, operation,
                random.longs(size, -3, 9).map(count -> Math.max(0, count) * Operation.ELEMENT).toArray(), false);
          }
        }
      }
    }
  }

  private static void reduceScatter(Algorithm algorithm, Operation operation, long[] lengths, boolean equal) {
    int size = lengths.length;
    long all = LongStream.of(lengths).sum();
    byte[][] results = new byte[size][];
    for (int run = 0; run < 2; run++) {
      Members members = new Members(size, size, rank -> all, rank -> lengths[rank]);
      for (int rank = run; rank < size; rank += 2) {
        members.place(rank, false, 0);
      }
      members.run(
          operation,
          (s, rank) -> {
            if (equal) {
              ReduceScatterRounds.fill(s, algorithm, rank, size, lengths[rank]);
            } else {
              ReduceScatterRounds.fill(s, algorithm, rank, lengths);
            }
          });
      byte[] result = members.fold(operation, 0, size);
      long at = 0;
      for (int rank = 0; rank < size; rank++) {
        if (isFromLeft(algorithm, operation)) {
          results[rank] = Arrays.copyOfRange(result, (int) at, (int) (at + lengths[rank]));
        } else if (run == 0) {
          results[rank] = members.output(rank);
        }
        assertArrayEquals(results[rank], members.output(rank), algorithm + " " + operation + " of " + size);
        at += lengths[rank];
      }
    }
  }

  @Test
  void aScanGivesEachTheOperandsUpToItself() {
    for (Algorithm algorithm : EnumSet.of(Algorithm.RECURSIVE_DOUBLING, Algorithm.CHAIN, Algorithm.OPERANDS)) {
      for (Operation operation : Operation.values()) {
        for (int size : Members.SIZES) {
          for (long bytes : BYTES) {
            scan(algorithm, operation, size, bytes, false);
            scan(algorithm, operation, size, bytes, true);
          }
        }
      }
    }
  }

  private static void scan(Algorithm algorithm, Operation operation, int size, long bytes, boolean exclusive) {
    byte[][] results = new byte[size][];
    for (int run = 0; run < 2; run++) {
      Members members = new Members(size, size, rank -> bytes, rank -> bytes);
      if (isFromLeft(algorithm, operation)) {
        for (int rank = run; rank < size; rank += 2) {
          members.place(rank, true, 0);
        }
      }
      members.run(
          operation, (s, rank) -> ScanRounds.fill(s, algorithm, exclusive, rank, size, bytes, 4L * size));
      for (int rank = 0; rank < size; rank++) {
        int end = exclusive ? rank : rank + 1;
        if (end == 0) {
          results[rank] = members.before[rank];
        } else if (isFromLeft(algorithm, operation)) {
          results[rank] = members.fold(operation, 0, end);
        } else if (run == 0) {
          results[rank] = members.output(rank);
        }
        assertArrayEquals(
            results[rank], members.output(rank), algorithm + " " + operation + " of " + size + " with " + bytes);
      }
    }
  }
}
