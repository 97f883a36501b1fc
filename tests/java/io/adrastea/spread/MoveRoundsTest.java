package io.adrastea.spread;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Collectives by messages that move data: their schedules against what each member has to have in the end. */
class MoveRoundsTest {
  private static final long[] BYTES = {0, 1, 7, 64, 1000};

  private static int[] roots(int size) {
    return size <= 17 ? IntStream.range(0, size).toArray() : new int[] {0, 1, size / 2, size - 1};
  }

  private static byte[] part(byte[] data, long at, long length) {
    return Arrays.copyOfRange(data, (int) at, (int) (at + length));
  }

  /** Lengths of blocks by chance, of which some are empty. */
  private static long[] lengths(Random random, int count) {
    return random.longs(count, -20, 50).map(length -> Math.max(0, length)).toArray();
  }

  /** Places of blocks one behind the other in an order of chance, with gaps. */
  private static long[] offsets(Random random, long[] lengths) {
    long[] offsets = new long[lengths.length];
    List<Integer> order = new ArrayList<>(IntStream.range(0, lengths.length).boxed().toList());
    Collections.shuffle(order, random);
    long at = 0;
    for (int block : order) {
      at += random.nextInt(3);
      offsets[block] = at;
      at += lengths[block];
    }
    return offsets;
  }

  private static long end(long[] lengths, long[] offsets) {
    return IntStream.range(0, lengths.length).mapToLong(block -> lengths[block] + offsets[block]).max().orElse(0);
  }

  @Test
  void aBarrierEndsNowhereBeforeAllHaveBegun() {
    for (int size : Members.SIZES) {
      boolean[][] heard = new boolean[size][size];
      for (int rank = 0; rank < size; rank++) {
        heard[rank][rank] = true;
      }
      Schedule schedule = new Schedule();
      int rounds = 32 - Integer.numberOfLeadingZeros(size - 1);
      for (int round = 0; round < rounds; round++) {
        boolean[][] next = new boolean[size][];
        for (int rank = 0; rank < size; rank++) {
          BarrierRounds.fill(schedule, rank, size);
          assertEquals(rounds, schedule.rounds());
          next[rank] = heard[rank].clone();
          for (int step = schedule.firstMessage(round); step < schedule.firstLocal(round); step++) {
            for (int of = 0; schedule.kind(step) == Schedule.RECEIVE && of < size; of++) {
              next[rank][of] |= heard[schedule.peer(step)][of];
            }
          }
        }
        heard = next;
      }
      for (boolean[] ofAll : heard) {
        for (boolean one : ofAll) {
          assertTrue(one);
        }
      }
      new Members(size, size, rank -> 0L, rank -> 0L)
          .run(Operation.SUM, (filled, rank) -> BarrierRounds.fill(filled, rank, size));
    }
  }

  @Test
  void aBcastGivesAllTheDataOfTheRoot() {
    for (Algorithm algorithm : List.of(Algorithm.BINOMIAL, Algorithm.SCATTER_ALLGATHER, Algorithm.CHAIN)) {
      for (int size : Members.SIZES) {
        for (int root : roots(size)) {
          for (long bytes : BYTES) {
            Members members = new Members(root, size, rank -> 0L, rank -> bytes);
            long segment = 1 + root * 50L;
            members.run(
                Operation.SUM, (s, rank) -> BcastRounds.fill(s, algorithm, root, rank, size, bytes, segment));
            for (int rank = 0; rank < size; rank++) {
              assertArrayEquals(members.before[root], members.output(rank), algorithm + " of " + size);
            }
          }
        }
      }
    }
  }

  @Test
  void aGatherGivesTheRootTheBlocksOfAll() {
    for (int size : Members.SIZES) {
      for (int root : roots(size)) {
        for (long bytes : BYTES) {
          Members members = new Members(root, size, rank -> bytes, rank -> rank == root ? size * bytes : 0);
          if (root % 2 == 1) {
            members.place(root, true, root * bytes);
          }
          members.run(Operation.SUM, (s, rank) -> GatherRounds.fill(s, root, rank, size, bytes));
          for (int rank = 0; rank < size; rank++) {
            assertArrayEquals(members.given[rank], part(members.output(root), rank * bytes, bytes));
          }
        }
      }
    }
  }

  @Test
  void aScatterGivesEachItsBlockOfTheRoot() {
    for (int size : Members.SIZES) {
      for (int root : roots(size)) {
        for (long bytes : BYTES) {
          Members members = new Members(root, size, rank -> rank == root ? size * bytes : 0, rank -> bytes);
          if (root % 2 == 1) {
            members.place(root, false, root * bytes);
          }
          members.run(Operation.SUM, (s, rank) -> ScatterRounds.fill(s, root, rank, size, bytes));
          for (int rank = 0; rank < size; rank++) {
            assertArrayEquals(part(members.given[root], rank * bytes, bytes), members.output(rank));
          }
        }
      }
    }
  }

  @Test
  void blocksOfAnyLengthAreGatheredAndScattered() {
    for (int size : Members.SIZES) {
      for (int root : roots(size)) {
        Random random = new Random(root);
        long[] lengths = lengths(random, size);
        long[] offsets = offsets(random, lengths);
        long end = end(lengths, offsets);
        Members gathers = new Members(root, size, rank -> lengths[rank], rank -> rank == root ? end : 0);
        gathers.run(
            Operation.SUM,
            (s, rank) -> {
              if (rank == root) {
                GatherRounds.fill(s, root, lengths, offsets);
              } else {
                GatherRounds.fill(s, root, lengths[rank]);
              }
            });
        Members scatters = new Members(root, size, rank -> rank == root ? end : 0, rank -> lengths[rank]);
        scatters.run(
            Operation.SUM,
            (s, rank) -> {
              if (rank == root) {
                ScatterRounds.fill(s, root, lengths, offsets);
              } else {
                ScatterRounds.fill(s, root, lengths[rank]);
              }
            });
        for (int rank = 0; rank < size; rank++) {
          assertArrayEquals(gathers.given[rank], part(gathers.output(root), offsets[rank], lengths[rank]));
          assertArrayEquals(part(scatters.given[root], offsets[rank], lengths[rank]), scatters.output(rank));
        }
      }
    }
  }

  @Test
  void anAllgatherGivesAllTheBlocksOfAll() {
    for (Algorithm algorithm : List.of(
        Algorithm.BRUCK, Algorithm.RECURSIVE_DOUBLING, Algorithm.CIRCULANT, Algorithm.RING)) {
      for (int size : Members.SIZES) {
        if (algorithm == Algorithm.RECURSIVE_DOUBLING && Integer.bitCount(size) != 1) {
          assertThrows(
              IllegalArgumentException.class, () -> AllgatherRounds.fill(new Schedule(), algorithm, 0, size, 1));
          continue;
        }
        for (long bytes : BYTES) {
          Members members = new Members(size, size, rank -> bytes, rank -> size * bytes);
          for (int rank = size % 2; rank < size; rank += 2) {
            members.place(rank, true, rank * bytes);
          }
          members.run(Operation.SUM, (s, rank) -> AllgatherRounds.fill(s, algorithm, rank, size, bytes));
          for (int rank = 0; rank < size; rank++) {
            for (int of = 0; of < size; of++) {
              assertArrayEquals(members.given[of], part(members.output(rank), of * bytes, bytes));
            }
          }
        }
      }
    }
  }

  @Test
  void anAllgatherGivesAllBlocksOfAnyLength() {
    for (Algorithm algorithm : List.of(Algorithm.BRUCK, Algorithm.RING)) {
      for (int size : Members.SIZES) {
        Random random = new Random(size);
        long[] lengths = lengths(random, size);
        long[] offsets = offsets(random, lengths);
        Members members = new Members(size, size, rank -> lengths[rank], rank -> end(lengths, offsets));
        members.run(Operation.SUM, (s, rank) -> AllgatherRounds.fill(s, algorithm, rank, lengths, offsets));
        for (int rank = 0; rank < size; rank++) {
          for (int of = 0; of < size; of++) {
            assertArrayEquals(members.given[of], part(members.output(rank), offsets[of], lengths[of]));
          }
        }
      }
    }
  }

  @Test
  void anAlltoallGivesEachTheBlockForIt() {
    for (int size : Members.SIZES) {
      for (long bytes : new long[] {0, 1, 7, 100}) {
        Members members = new Members(size, size, rank -> size * bytes, rank -> size * bytes);
        members.run(Operation.SUM, (s, rank) -> AlltoallRounds.fill(s, rank, size, bytes));
        for (int rank = 0; rank < size; rank++) {
          for (int of = 0; of < size; of++) {
            assertArrayEquals(
                part(members.given[of], rank * bytes, bytes), part(members.output(rank), of * bytes, bytes));
          }
        }
      }
    }
  }

  @Test
  void anAlltoallGivesEachABlockOfAnyLength() {
    for (int size : Members.SIZES) {
      Random random = new Random(size);
      long[][] gives = new long[size][];
      long[][] giveAt = new long[size][];
      long[][] takes = new long[size][size];
      long[][] takeAt = new long[size][];
      for (int rank = 0; rank < size; rank++) {
        gives[rank] = lengths(random, size);
        giveAt[rank] = offsets(random, gives[rank]);
        for (int to = 0; to < size; to++) {
          takes[to][rank] = gives[rank][to];
        }
      }
      for (int rank = 0; rank < size; rank++) {
        takeAt[rank] = offsets(random, takes[rank]);
      }
      Members members =
          new Members(size, size, rank -> end(gives[rank], giveAt[rank]), rank -> end(takes[rank], takeAt[rank]));
      members.run(
          Operation.SUM,
          (s, rank) -> AlltoallRounds.fill(s, rank, gives[rank], giveAt[rank], takes[rank], takeAt[rank]));
      for (int rank = 0; rank < size; rank++) {
        for (int of = 0; of < size; of++) {
          assertArrayEquals(
              part(members.given[of], giveAt[of][rank], gives[of][rank]),
              part(members.output(rank), takeAt[rank][of], takes[rank][of]));
        }
      }
    }
  }

  /** Edges by chance, of which some are there several times, and some of a member to itself. */
  @Test
  void neighborsGetTheirBlocksInTheOrderOfTheirEdges() {
    for (int size : Members.SIZES) {
      Random random = new Random(size);
      int edges = 3 * size;
      int[] sources = random.ints(edges, 0, size).toArray();
      int[] targets = random.ints(edges, 0, size).toArray();
      long[] lengths = lengths(random, edges);
      int[][] outs = new int[size][];
      int[][] ins = new int[size][];
      for (int rank = 0; rank < size; rank++) {
        int of = rank;
        outs[rank] = IntStream.range(0, edges).filter(edge -> sources[edge] == of).toArray();
        ins[rank] = IntStream.range(0, edges).filter(edge -> targets[edge] == of).toArray();
      }
      long room = edges * 50L;
      Members members = new Members(size, size, rank -> room, rank -> room);
      members.run(
          Operation.SUM,
          (s, rank) -> NeighborRounds.fill(
              s, rank, IntStream.of(outs[rank]).map(edge -> targets[edge]).toArray(),
              IntStream.of(outs[rank]).mapToLong(edge -> lengths[edge]).toArray(),
              IntStream.of(outs[rank]).mapToLong(edge -> edge * 50L).toArray(),
              IntStream.of(ins[rank]).map(edge -> sources[edge]).toArray(),
              IntStream.of(ins[rank]).mapToLong(edge -> lengths[edge]).toArray(),
              IntStream.of(ins[rank]).mapToLong(edge -> edge * 50L).toArray()));
      for (int edge = 0; edge < edges; edge++) {
        assertArrayEquals(
            part(members.given[sources[edge]], edge * 50L, lengths[edge]),
            part(members.output(targets[edge]), edge * 50L, lengths[edge]));
      }
    }
  }

  @Test
  void anAlgorithmOfAnotherCollectiveIsRefused() {
    Schedule schedule = new Schedule();
    for (Algorithm algorithm : List.of(Algorithm.DISSEMINATION, Algorithm.OPERANDS)) {
      assertThrows(
          IllegalArgumentException.class, () -> BcastRounds.fill(schedule, algorithm, 0, 0, 2, 8, 8));
    }
  }

  @Test
  void aPartIsTheScheduleOfSomeMembersInTheirOwnNumberingAndBuffers() {
    Schedule schedule = new Schedule();
    schedule.begin();
    schedule.scratch(100);
    schedule.part(new int[] {9, 4, 300_000}, Schedule.SCRATCH, 10, Schedule.OUTPUT, 20);
    AllgatherRounds.fill(schedule, Algorithm.RING, 1, 3, 8);
    schedule.whole();
    schedule.send(1, Schedule.INPUT, 3, 5);
    assertEquals(Schedule.SCRATCH, schedule.from(0)); // its own block
    assertEquals(10, schedule.fromOffset(0));
    assertEquals(28, schedule.toOffset(0));
    int first = schedule.firstMessage(1);
    assertEquals(300_000, schedule.peer(first));
    assertEquals(28, schedule.fromOffset(first));
    assertEquals(9, schedule.peer(first + 1));
    assertEquals(20, schedule.toOffset(first + 1));
    int last = schedule.firstMessage(3);
    assertEquals(1, schedule.peer(last));
    assertEquals(Schedule.INPUT, schedule.from(last));
    assertEquals(3, schedule.fromOffset(last));
    assertEquals(4, schedule.rounds());
  }
}
