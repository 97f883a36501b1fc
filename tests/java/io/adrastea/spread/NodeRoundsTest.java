package io.adrastea.spread;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.spread.Spread.Reach;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Collectives by leaders and in stripes of simulated members on several nodes: results, and how many messages and bytes
 * go between nodes.
 */
class NodeRoundsTest {
  private static final int UNIT = Operation.ELEMENT;
  private static final List<Hierarchy> IN_ORDER = List.of(
      nodes(2, 2), nodes(4, 4), nodes(1, 3), nodes(3, 1, 4), nodes(2, 2, 2), nodes(5, 2, 3, 2), nodes(1, 1, 1, 1, 2),
      nodes(3, 3, 3, 3, 3, 3, 3), nodes(8, 8, 8, 8));
  private static final List<Hierarchy> MIXED = List.of(
      Hierarchy.of(0, 1, 0, 1), Hierarchy.of(0, 1, 1, 0, 2, 0), Hierarchy.of(2, 1, 0, 2, 1, 0, 2, 1, 0),
      Hierarchy.of(IntStream.range(0, 32).map(member -> member % 5).toArray()));

  private static Hierarchy nodes(int... counts) {
    return Hierarchy.of(
        IntStream.range(0, counts.length).flatMap(node -> IntStream.generate(() -> node).limit(counts[node]))
            .toArray());
  }

  private static Hierarchy equal(int nodes, int ranks) {
    int[] counts = new int[nodes];
    Arrays.fill(counts, ranks);
    return nodes(counts);
  }

  /** Fills the schedule of one member. */
  private interface Filler {
    void fill(NodeRounds rounds, Schedule schedule, int rank);
  }

  private static Members.Filler of(Hierarchy hierarchy, Filler filler) {
    NodeRounds[] rounds = IntStream.range(0, hierarchy.size())
        .mapToObj(rank -> new NodeRounds(hierarchy, LinkClass.SOCKETS, rank)).toArray(NodeRounds[]::new);
    return (schedule, rank) -> filler.fill(rounds[rank], schedule, rank);
  }

  /** What goes from each node to others. */
  private record Crossing(long mostMessages, long allMessages, long mostBytes, long allBytes) {
    static Crossing of(Hierarchy hierarchy, Filler filler) {
      return of(hierarchy, NodeRoundsTest.of(hierarchy, filler));
    }

    /** The bytes of streams of blocks are not known before they are sent, and are not counted. */
    static Crossing of(Hierarchy hierarchy, Members.Filler each) {
      Schedule schedule = new Schedule();
      long[] messages = new long[hierarchy.size()];
      long[] bytes = new long[hierarchy.count()];
      for (int rank = 0; rank < hierarchy.size(); rank++) {
        each.fill(schedule, rank);
        for (int step = 0; schedule.rounds() > 0 && step < schedule.end(schedule.rounds() - 1); step++) {
          if (schedule.kind(step) == Schedule.SEND
              && hierarchy.node(schedule.peer(step)) != hierarchy.node(rank)) {
            messages[rank]++;
            bytes[hierarchy.node(rank)] += schedule.from(step) == Schedule.STREAM ? 0 : schedule.length(step);
          }
        }
      }
      return new Crossing(
          Arrays.stream(messages).max().orElse(0), Arrays.stream(messages).sum(),
          Arrays.stream(bytes).max().orElse(0), Arrays.stream(bytes).sum());
    }
  }

  private static List<Hierarchy> all() {
    return Stream.concat(IN_ORDER.stream(), MIXED.stream()).toList();
  }

  private static byte[] part(byte[] data, long at, long length) {
    return Arrays.copyOfRange(data, (int) at, (int) (at + length));
  }

  private static int levels(int nodes) {
    return 32 - Integer.numberOfLeadingZeros(nodes - 1);
  }

  @Test
  void aBarrierEndsNowhereBeforeAllHaveBegun() {
    for (Hierarchy hierarchy : all()) {
      int size = hierarchy.size();
      boolean[][] heard = new boolean[size][size];
      new Members(size, size, rank -> 0L, rank -> 0L)
          .run(Operation.SUM, of(hierarchy, (rounds, s, rank) -> rounds.barrier(s)));
      Members.Filler filler = of(hierarchy, (rounds, s, rank) -> rounds.barrier(s));
      Schedule[] schedules = new Schedule[size];
      for (int rank = 0; rank < size; rank++) {
        heard[rank][rank] = true;
        schedules[rank] = new Schedule();
        filler.fill(schedules[rank], rank);
      }
      Heard.run(schedules, heard);
      for (boolean[] ofAll : heard) {
        for (boolean one : ofAll) {
          assertTrue(one);
        }
      }
    }
  }

  /** Runs messages of no bytes in the order in which they can come, and keeps of whom each has heard. */
  private static final class Heard {
    private Heard() {}

    static void run(Schedule[] schedules, boolean[][] heard) {
      int size = schedules.length;
      int[] round = new int[size];
      boolean[] hasSent = new boolean[size];
      Map<Integer, ArrayDeque<boolean[]>> sent = new HashMap<>();
      boolean moved = true;
      while (moved) {
        moved = false;
        for (int rank = 0; rank < size; rank++) {
          Schedule schedule = schedules[rank];
          if (round[rank] == schedule.rounds()) {
            continue;
          }
          int first = schedule.firstMessage(round[rank]);
          int end = schedule.firstLocal(round[rank]);
          for (int step = first; step < end && !hasSent[rank]; step++) {
            if (schedule.kind(step) == Schedule.SEND) {
              sent.computeIfAbsent(rank * size + schedule.peer(step), key -> new ArrayDeque<>())
                  .add(heard[rank].clone());
            }
          }
          moved |= !hasSent[rank];
          hasSent[rank] = true;
          int of = rank;
          boolean comes = IntStream.range(first, end).filter(step -> schedule.kind(step) == Schedule.RECEIVE)
              .allMatch(step -> {
                var from = sent.get(schedule.peer(step) * size + of);
                return from != null && !from.isEmpty();
              });
          if (comes) {
            for (int step = first; step < end; step++) {
              if (schedule.kind(step) == Schedule.RECEIVE) {
                boolean[] told = sent.get(schedule.peer(step) * size + rank).remove();
                for (int other = 0; other < size; other++) {
                  heard[rank][other] |= told[other];
                }
              }
            }
            round[rank]++;
            hasSent[rank] = false;
            moved = true;
          }
        }
      }
      for (int rank = 0; rank < size; rank++) {
        assertEquals(schedules[rank].rounds(), round[rank]);
      }
    }
  }

  @Test
  void aBcastGivesAllTheDataOfTheRoot() {
    for (Hierarchy hierarchy : all()) {
      for (Reach reach : List.of(Reach.LEADERS, Reach.STRIPES)) {
        for (int root = 0; root < hierarchy.size(); root++) {
          for (long bytes : new long[] {0, 1, 7, 1000}) {
            int size = hierarchy.size();
            int from = root;
            Members members = new Members(root, size, rank -> 0L, rank -> bytes);
            members.run(Operation.SUM, of(hierarchy, (rounds, s, rank) -> rounds.bcast(s, reach, from, bytes)));
            for (int rank = 0; rank < size; rank++) {
              assertArrayEquals(members.before[root], members.output(rank), reach + " of " + size);
            }
            Crossing crossing =
                Crossing.of(hierarchy, (rounds, s, rank) -> rounds.bcast(s, reach, from, bytes));
            assertEquals((hierarchy.count() - 1) * bytes, crossing.allBytes());
          }
        }
      }
    }
  }

  private static boolean mayTake(Hierarchy hierarchy, boolean anyBrackets) {
    return !anyBrackets || hierarchy.isConsecutive();
  }

  @Test
  void reductionsGiveTheCombinedOperands() {
    for (Hierarchy hierarchy : all()) {
      for (Operation operation : Operation.values()) {
        for (boolean any : new boolean[] {false, true}) {
          if (mayTake(hierarchy, any)) {
            for (long bytes : new long[] {0, 4, 12, 1000}) {
              for (Reach reach : any ? List.of(Reach.LEADERS, Reach.STRIPES) : List.of(Reach.LEADERS)) {
                allreduce(hierarchy, operation, any, bytes, reach);
                reduce(hierarchy, operation, any, bytes, reach);
              }
              scan(hierarchy, operation, any, bytes, false);
              scan(hierarchy, operation, any, bytes, true);
            }
          }
        }
      }
    }
  }

  private static void allreduce(Hierarchy hierarchy, Operation operation, boolean any, long bytes, Reach reach) {
    int size = hierarchy.size();
    byte[] first = null;
    for (int run = 0; run < 2; run++) {
      Members members = new Members(size, size, rank -> bytes, rank -> bytes);
      for (int rank = run; rank < size; rank += 2) {
        members.place(rank, true, 0);
      }
      for (int rank = 0; rank < size; rank++) {
        members.inputs[rank].copyFrom(MemorySegment.ofArray(given(size, rank, bytes)));
      }
      members.run(
          operation, of(hierarchy, (rounds, s, rank) -> rounds.allreduce(s, reach, any, bytes, UNIT)));
      byte[] result = any && !operation.associates() ? members.output(0) : members.fold(operation, 0, size);
      first = first == null ? result : first;
      for (int rank = 0; rank < size; rank++) {
        assertArrayEquals(first, members.output(rank), reach + " " + operation + " of " + size + " with " + bytes);
      }
    }
  }

  /** The operand of a member, in each run. */
  private static byte[] given(int size, int rank, long bytes) {
    byte[] data = new byte[(int) bytes];
    new Random(size * 1000L + rank).nextBytes(data);
    return data;
  }

  private static void reduce(Hierarchy hierarchy, Operation operation, boolean any, long bytes, Reach reach) {
    int size = hierarchy.size();
    for (int root = 0; root < size; root += size > 16 ? 7 : 1) {
      int to = root;
      Members members = new Members(root, size, rank -> bytes, rank -> bytes);
      if (root % 2 == 1) {
        members.place(root, false, 0);
      }
      members.run(
          operation, of(hierarchy, (rounds, s, rank) -> rounds.reduce(s, reach, any, to, bytes, UNIT)));
      if (!any || operation.associates()) {
        assertArrayEquals(
            members.fold(operation, 0, size), members.output(root), reach + " " + operation + " of " + size);
      }
      for (int rank = 0; rank < size; rank++) {
        if (rank != root) {
          assertArrayEquals(members.before[rank], members.output(rank));
        }
      }
    }
  }

  private static void scan(Hierarchy hierarchy, Operation operation, boolean any, long bytes, boolean exclusive) {
    int size = hierarchy.size();
    Members members = new Members(size, size, rank -> bytes, rank -> bytes);
    for (int rank = 0; rank < size; rank += 2) {
      members.place(rank, true, 0);
    }
    members.run(
        operation, of(hierarchy, (rounds, s, rank) -> rounds.scan(s, any, exclusive, bytes, UNIT)));
    for (int rank = 0; rank < size; rank++) {
      int end = exclusive ? rank : rank + 1;
      if (end == 0) {
        assertArrayEquals(members.before[rank], members.output(rank));
      } else if (!any || operation.associates()) {
        assertArrayEquals(
            members.fold(operation, 0, end), members.output(rank), operation + " of " + size + " with " + bytes);
      }
    }
  }

  @Test
  void aReduceScatterGivesEachItsBlock() {
    for (Hierarchy hierarchy : IN_ORDER) {
      for (Operation operation : List.of(Operation.SUM, Operation.MATRIX)) {
        int size = hierarchy.size();
        long[] equal = new long[size];
        Arrays.fill(equal, 20);
        long[] any = new Random(size).longs(size, -3, 9).map(count -> Math.max(0, count) * UNIT).toArray();
        for (long[] lengths : List.of(equal, any)) {
          long sum = Arrays.stream(lengths).sum();
          Members members = new Members(size, size, rank -> sum, rank -> lengths[rank]);
          for (int rank = 0; rank < size; rank += 2) {
            members.place(rank, false, 0);
          }
          members.run(operation, of(hierarchy, (rounds, s, rank) -> {
            if (lengths == equal) {
              rounds.reduceScatter(s, 20, UNIT);
            } else {
              rounds.reduceScatter(s, lengths, UNIT);
            }
          }));
          byte[] result = members.fold(operation, 0, size);
          long at = 0;
          for (int rank = 0; rank < size; rank++) {
            assertArrayEquals(part(result, at, lengths[rank]), members.output(rank));
            at += lengths[rank];
          }
        }
      }
    }
  }

  @Test
  void anAllgatherGivesAllTheBlocksOfAll() {
    for (Hierarchy hierarchy : all()) {
      int size = hierarchy.size();
      for (Reach reach : List.of(Reach.LEADERS, Reach.STRIPES)) {
        if (reach == Reach.STRIPES && hierarchy.most() != hierarchy.least()) {
          continue;
        }
        for (long bytes : new long[] {0, 1, 7, 1000}) {
          Members members = new Members(size, size, rank -> bytes, rank -> size * bytes);
          for (int rank = 0; rank < size; rank += 2) {
            members.place(rank, true, rank * bytes);
          }
          members.run(Operation.SUM, of(hierarchy, (rounds, s, rank) -> rounds.allgather(s, reach, bytes)));
          for (int rank = 0; rank < size; rank++) {
            for (int of = 0; of < size; of++) {
              assertArrayEquals(members.given[of], part(members.output(rank), of * bytes, bytes));
            }
          }
          Crossing crossing = Crossing.of(hierarchy, (rounds, s, rank) -> rounds.allgather(s, reach, bytes));
          assertEquals((hierarchy.count() - 1) * size * bytes, crossing.allBytes());
        }
      }
      long[] lengths = new Random(size).longs(size, -20, 50).map(length -> Math.max(0, length)).toArray();
      long[] offsets = IntStream.range(0, size).mapToLong(rank -> (size - rank) * 60L).toArray();
      Members members = new Members(size, size, rank -> lengths[rank], rank -> size * 60L + 60);
      members.run(Operation.SUM, of(hierarchy, (rounds, s, rank) -> rounds.allgather(s, lengths, offsets)));
      for (int rank = 0; rank < size; rank++) {
        byte[] expected = members.before[rank].clone();
        for (int of = 0; of < size; of++) {
          System.arraycopy(members.given[of], 0, expected, (int) offsets[of], (int) lengths[of]);
        }
        assertArrayEquals(expected, members.output(rank));
      }
    }
  }

  /** Fills the schedule of one member. */
  private interface Exchange {
    void fill(ExchangeRounds rounds, Schedule schedule, int rank);
  }

  private static Spread spread(Hierarchy hierarchy) {
    return new Spread(hierarchy, LinkClass.SOCKETS);
  }

  private static Members.Filler exchanged(Hierarchy hierarchy, Exchange exchange) {
    Spread spread = spread(hierarchy);
    return (schedule, rank) -> exchange.fill(new ExchangeRounds(hierarchy, spread, rank), schedule, rank);
  }

  /** Lengths of which some go by way of leaders, and others straight. */
  private static long[] lengths(long seed, int size, long longest) {
    return new Random(seed).longs(size, -2, 5)
        .map(length -> length < 3 ? Math.max(0, length) * 9 : longest + length - 3).toArray();
  }

  private static List<Hierarchy> goingByLeaders(Spread.Kind kind) {
    return Stream.concat(all().stream(), Stream.of(equal(33, 1), equal(21, 2)))
        .filter(hierarchy -> spread(hierarchy).longest(kind) >= 0).toList();
  }

  @Test
  void aGatherAndAScatterMoveBlocksOfAnyLengthsToAndFromTheRoot() {
    List<Hierarchy> hierarchies = goingByLeaders(Spread.Kind.GATHER);
    assertTrue(hierarchies.size() > 4, hierarchies::toString);
    for (Hierarchy hierarchy : hierarchies) {
      int size = hierarchy.size();
      long longest = spread(hierarchy).longest(Spread.Kind.GATHER);
      for (int root = 0; root < size; root += size > 16 ? 7 : 1) {
        int at = root;
        long[] equal = new long[size];
        Arrays.fill(equal, 9);
        long[] lengths = lengths(root, size, longest);
        long[] offsets = IntStream.range(0, size).mapToLong(rank -> (size - rank) * (longest + 3)).toArray();
        long end = (size + 1) * (longest + 3);
        Members members = new Members(root, size, rank -> lengths[rank], rank -> rank == at ? end : 0L);
        if (root % 2 == 1) {
          members.place(root, true, offsets[root]);
        }
        members.run(Operation.SUM, exchanged(hierarchy, (rounds, s, rank) -> rounds.gather(
            s, at, lengths[rank], rank == at ? lengths : null, rank == at ? offsets : null)));
        Members scattered = new Members(root, size, rank -> rank == at ? end : 0L, rank -> lengths[rank]);
        scattered.run(Operation.SUM, exchanged(hierarchy, (rounds, s, rank) -> rounds.scatter(
            s, at, lengths[rank], rank == at ? lengths : null, rank == at ? offsets : null)));
        for (int rank = 0; rank < size; rank++) {
          assertArrayEquals(members.given[rank], part(members.output(root), offsets[rank], lengths[rank]));
          assertArrayEquals(part(scattered.given[root], offsets[rank], lengths[rank]), scattered.output(rank));
        }
        Members alike = new Members(root, size, rank -> 9L, rank -> rank == at ? size * 9L : 0L);
        alike.run(
            Operation.SUM, exchanged(hierarchy, (rounds, s, rank) -> rounds.gather(s, at, 9, null, null)));
        Members dealt = new Members(root, size, rank -> rank == at ? size * 9L : 0L, rank -> 9L);
        dealt.run(
            Operation.SUM, exchanged(hierarchy, (rounds, s, rank) -> rounds.scatter(s, at, 9, null, null)));
        for (int rank = 0; rank < size; rank++) {
          assertArrayEquals(alike.given[rank], part(alike.output(root), rank * 9L, 9));
          assertArrayEquals(part(dealt.given[root], rank * 9L, 9), dealt.output(rank));
        }
      }
    }
  }

  @Test
  void anAlltoallMovesBlocksOfAnyLengthsBetweenAll() {
    List<Hierarchy> hierarchies = goingByLeaders(Spread.Kind.ALLTOALL);
    assertTrue(hierarchies.size() > 3, hierarchies::toString);
    for (Hierarchy hierarchy : hierarchies) {
      int size = hierarchy.size();
      long longest = spread(hierarchy).longest(Spread.Kind.ALLTOALL);
      long[][] lengths = new long[size][];
      Arrays.setAll(lengths, rank -> lengths(rank, size, longest));
      long step = longest + 3;
      long[] offsets = IntStream.range(0, size).mapToLong(rank -> (size - 1 - rank) * step).toArray();
      Members members = new Members(size, size, rank -> size * step, rank -> size * step);
      members.run(Operation.SUM, exchanged(hierarchy, (rounds, s, rank) -> rounds.alltoall(
          s, lengths[rank], offsets, Arrays.stream(lengths).mapToLong(of -> of[rank]).toArray(), offsets)));
      Members alike = new Members(size, size, rank -> size * 5L, rank -> size * 5L);
      alike.run(Operation.SUM, exchanged(hierarchy, (rounds, s, rank) -> rounds.alltoall(s, 5)));
      for (int rank = 0; rank < size; rank++) {
        for (int of = 0; of < size; of++) {
          long length = lengths[of][rank];
          assertArrayEquals(
              part(members.given[of], offsets[rank], length), part(members.output(rank), offsets[of], length));
          assertArrayEquals(part(alike.given[of], rank * 5L, 5), part(alike.output(rank), of * 5L, 5));
        }
      }
    }
  }

  /** Up to 1,024 nodes, and 16,384 members. */
  @Test
  void betweenNodesGoAsFewMessagesAndBytesAsCanBe() {
    for (int[] shape : new int[][] {
      {2, 2}, {2, 8}, {3, 4}, {5, 3}, {8, 4}, {16, 16}, {100, 4}, {128, 8}, {1000, 2}, {1024, 1}, {1024, 2}, {1024, 16}
    }) {
      int nodes = shape[0];
      Hierarchy hierarchy = equal(nodes, shape[1]);
      int levels = levels(nodes);
      Crossing barrier = Crossing.of(hierarchy, (rounds, s, rank) -> rounds.barrier(s));
      say("barrier", shape, barrier);
      assertEquals(new Crossing(levels, (long) nodes * levels, 0, 0), barrier);
      Crossing small =
          Crossing.of(hierarchy, (rounds, s, rank) -> rounds.allreduce(s, Reach.LEADERS, true, 8, 8));
      say("allreduce of 8 bytes", shape, small);
      assertEquals(levels, small.mostMessages());
      assertEquals(levels * 8L, small.mostBytes());
      Crossing exact =
          Crossing.of(hierarchy, (rounds, s, rank) -> rounds.allreduce(s, Reach.LEADERS, false, 8, 8));
      say("allreduce of 8 bytes from the left", shape, exact);
      assertEquals(levels, exact.mostMessages());
      if (nodes <= 128) {
        long bytes = 1L << 23;
        Crossing large =
            Crossing.of(hierarchy, (rounds, s, rank) -> rounds.allreduce(s, Reach.STRIPES, true, bytes, 8));
        say("allreduce of 8 MiB", shape, large);
        long least = 2 * bytes / nodes * (nodes - 1);
        assertTrue(large.allBytes() <= 1.05 * least * nodes, shape[0] + " nodes: " + large);
        assertTrue(large.mostBytes() <= 1.05 * least, shape[0] + " nodes: " + large);
      }
    }
  }

  /** As no correct member sends it: it ends in a length or in a block, or has a block where there is to be none. */
  @Test
  void aStreamThatEndsTooEarlyHasNoBlock() {
    MemorySegment memory = MemorySegment.ofArray(new long[16]);
    MemorySegment block = MemorySegment.ofArray(new byte[] {1, 2, 3});
    long other = 64;
    for (long bytes : new long[] {0, 3, 6}) {
      BlockStream.clear(memory, 0);
      BlockStream.clear(memory, other);
      BlockStream.put(memory, 0, block, 0, 3);
      assertEquals(7, BlockStream.bytes(memory, 0));
      BlockStream.received(memory, 0, bytes);
      assertEquals(-1, BlockStream.take(memory, 0, true, block, 0, 3));
      assertFalse(BlockStream.pass(memory, 0, other, 1));
    }
    BlockStream.received(memory, 0, 7);
    assertEquals(-1, BlockStream.take(memory, 0, false, block, 0, 3));
    BlockStream.received(memory, 0, 7);
    assertEquals(3, BlockStream.take(memory, 0, true, block, 0, 4), "the length that is told");
  }

  /** Of blocks of 8 bytes; by a tree where there are many nodes. */
  @Test
  void smallBlocksTakeOneMessageOfEachNode() {
    for (int[] shape : new int[][] {
      {2, 2}, {2, 8}, {3, 4}, {5, 3}, {8, 4}, {16, 16}, {100, 4}, {128, 8}, {1000, 2}, {1024, 1}, {1024, 2}, {1024, 16}
    }) {
      int nodes = shape[0];
      Hierarchy hierarchy = equal(nodes, shape[1]);
      boolean isTree = spread(hierarchy).leadersAlgorithm(Spread.Kind.SCATTER) == Algorithm.BINOMIAL;
      Crossing gather =
          Crossing.of(hierarchy, exchanged(hierarchy, (rounds, s, rank) -> rounds.gather(s, 0, 8, null, null)));
      sayMessages("gather of 8 bytes", shape, gather);
      assertEquals(new Crossing(1, nodes - 1, 0, 0), gather);
      Crossing scatter =
          Crossing.of(hierarchy, exchanged(hierarchy, (rounds, s, rank) -> rounds.scatter(s, 0, 8, null, null)));
      sayMessages("scatter of 8 bytes", shape, scatter);
      assertEquals(new Crossing(isTree ? levels(nodes) : nodes - 1, nodes - 1, 0, 0), scatter);
      if (spread(hierarchy).longest(Spread.Kind.ALLTOALL) >= 8) {
        Crossing alltoall =
            Crossing.of(hierarchy, exchanged(hierarchy, (rounds, s, rank) -> rounds.alltoall(s, 8)));
        sayMessages("alltoall of 8 bytes", shape, alltoall);
        assertEquals(new Crossing(nodes - 1, (long) nodes * (nodes - 1), 0, 0), alltoall);
      }
    }
  }

  private static void sayMessages(String name, int[] shape, Crossing crossing) {
    System.out.printf(
        "%s among %d nodes of %d: %d messages of one member, %d of all%n", name, shape[0], shape[1],
        crossing.mostMessages(), crossing.allMessages());
  }

  private static void say(String name, int[] shape, Crossing crossing) {
    System.out.printf(
        "%s among %d nodes of %d: %d messages of one member, %d of all, %d bytes of one node, %d of all%n", name,
        shape[0], shape[1], crossing.mostMessages(), crossing.allMessages(), crossing.mostBytes(),
        crossing.allBytes());
  }
}
