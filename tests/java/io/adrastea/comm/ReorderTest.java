package io.adrastea.comm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.mapping.Graph;
import io.adrastea.mapping.GraphOrder;
import io.adrastea.mapping.Grid;
import io.adrastea.mapping.GridOrder;
import io.adrastea.mapping.Places;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.FakeMachine;
import io.adrastea.topology.Topology;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which rank takes which place of a grid or graph, on machines that are not this one. */
class ReorderTest {
  @TempDir
  Path sys;

  /** What ranks tell that run on these CPUs of a node each. */
  private static int[][] told(int node, Topology topology, Cpus... cpus) {
    return Arrays.stream(cpus).map(own -> LocalRanks.place(node, topology, own)).toArray(int[][]::new);
  }

  private static int[][] told(Topology topology, int... cpus) {
    return told(0, topology, Arrays.stream(cpus).mapToObj(Cpus::of).toArray(Cpus[]::new));
  }

  /** Number of neighbours in a grid that do not share a thing, of a kind told. */
  private static int apart(Grid grid, int[] order, int kind, int[]... told) {
    int apart = 0;
    for (int place = 0; place < grid.size(); place++) {
      int[] neighbors = grid.neighbors(place);
      for (int i = 1; i < neighbors.length; i += 2) {
        if (neighbors[i] != Grid.NONE && told[order[place]][kind] != told[order[neighbors[i]]][kind]) {
          apart++;
        }
      }
    }
    return apart;
  }

  private static void isPermutation(int... order) {
    assertArrayEquals(
        IntStream.range(0, order.length).toArray(), Arrays.stream(order).sorted().toArray());
  }

  @Test
  void ranksOfAChipletAreABlockOfTheGrid() {
    Topology chiplets = FakeMachine.chiplets(sys).topology("0-31");
    int[] dealt = IntStream.range(0, 16).map(rank -> rank % 4 * 4 + rank / 4).toArray(); // one chiplet after the other
    int[][] told = told(chiplets, dealt);
    Grid grid = new Grid(new int[] {4, 4}, false, false);
    int[] order = GridOrder.of(Places.of(told), grid);
    isPermutation(order);
    assertEquals(8, apart(grid, order, 2, told), "four blocks of 2 x 2");
    assertEquals(12, apart(grid, IntStream.range(0, 16).toArray(), 2, told), "as they are");
    Grid torus = new Grid(new int[] {4, 4}, true, true);
    assertEquals(16, apart(torus, GridOrder.of(Places.of(told), torus), 2, told));
    Grid cube = new Grid(new int[] {2, 2, 4}, false, false, false);
    assertEquals(4 * 3, apart(cube, GridOrder.of(Places.of(told), cube), 2, told), "a plane of 2 x 2 each");
  }

  /** NUMA nodes inside packages, whose caches all cores of a package share. */
  @Test
  void blocksLieInBlocks() {
    Topology server = FakeMachine.server(sys).topology("0-31");
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 20; round++) {
      int[] cpus = IntStream.range(0, 16).toArray();
      for (int i = 15; i > 0; i--) {
        int other = random.nextInt(i + 1);
        int swap = cpus[i];
        cpus[i] = cpus[other];
        cpus[other] = swap;
      }
      int[][] told = told(server, cpus);
      Grid grid = new Grid(new int[] {4, 4}, false, false);
      int[] order = GridOrder.of(Places.of(told), grid);
      isPermutation(order);
      assertEquals(4, apart(grid, order, 2, told), "two halves");
      assertEquals(8, apart(grid, order, 1, told), "and quarters");
    }
  }

  @Test
  void groupsOfDifferentSizesAreConnected() {
    Topology laptop = FakeMachine.laptop(sys).topology("0-17");
    int[] cpus = {16, 0, 2, 8, 4, 17, 9, 6, 12}; // two of them away from the others' cache
    int[][] told = told(laptop, cpus);
    Grid grid = new Grid(new int[] {3, 3}, false, false);
    int[] order = GridOrder.of(Places.of(told), grid);
    isPermutation(order);
    assertEquals(3, apart(grid, order, 2, told), "a corner and a place beside it");
  }

  @Test
  void theOrderStaysWhereNothingIsGained() {
    Topology chiplets = FakeMachine.chiplets(sys).topology("0-31");
    int[] same = IntStream.range(0, 12).toArray();
    Grid grid = new Grid(new int[] {4, 3}, false, true);
    assertArrayEquals(same, GridOrder.of(Places.of(told(chiplets, new int[12])), grid), "all on one CPU");
    Cpus[] all = new Cpus[12];
    Arrays.fill(all, Cpus.parse("0-31"));
    assertArrayEquals(same, GridOrder.of(Places.of(told(0, chiplets, all)), grid), "not bound");
    Grid rows = new Grid(new int[] {4, 4}, false, true);
    int[] inRows = IntStream.range(0, 16).toArray();
    assertArrayEquals(inRows, GridOrder.of(Places.of(told(chiplets, inRows)), new Grid(new int[] {16}, false)));
    assertEquals(12, apart(rows, GridOrder.of(Places.of(told(chiplets, inRows)), rows), 2,
        told(chiplets, inRows)), "rows that close, with three lines between them, are better than blocks");
  }

  /** What NUMA nodes and caches are called on one node says nothing of another one. */
  @Test
  void thingsOfDifferentNodesAreDifferent() {
    Topology server = FakeMachine.server(sys).topology("0-31");
    int[][] told = new int[16][];
    for (int rank = 0; rank < 16; rank++) {
      told[rank] = told(rank % 4, server, Cpus.of(rank / 4 % 2 * 4))[0]; // four nodes, two NUMA nodes of each
    }
    Grid grid = new Grid(new int[] {4, 4}, false, false);
    int[] order = GridOrder.of(Places.of(told), grid);
    isPermutation(order);
    assertEquals(8, apart(grid, order, 0, told), "a node's ranks are a block of 2 x 2");
    int inside = 0;
    for (int place = 0; place < 16; place++) {
      int next = grid.beside(place, 1, 1);
      int below = grid.beside(place, 0, 1);
      for (int other : new int[] {next, below}) {
        if (other != Grid.NONE && told[order[place]][0] == told[order[other]][0]
            && told[order[place]][1] != told[order[other]][1]) {
          inside++;
        }
      }
    }
    assertEquals(8, inside, "two edges in each block");
  }

  @Test
  void heavyEdgesOfAGraphAreInsideACache() {
    Topology chiplets = FakeMachine.chiplets(sys).topology("0-31");
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 20; round++) {
      int[] dealt = IntStream.range(0, 16).map(rank -> rank % 4 * 4 + rank / 4).toArray();
      int[] clique = IntStream.range(0, 16).map(vertex -> vertex / 4).toArray();
      int[] from = new int[64 + 40];
      int[] to = new int[from.length];
      int[] weights = new int[from.length];
      for (int edge = 0; edge < 64; edge++) { // all pairs inside each clique
        from[edge] = edge / 4;
        to[edge] = edge / 16 * 4 + edge % 4;
        weights[edge] = 100;
      }
      for (int edge = 64; edge < from.length; edge++) {
        from[edge] = random.nextInt(16);
        to[edge] = random.nextInt(16);
        weights[edge] = 1;
      }
      int[][] told = told(chiplets, dealt);
      int[] order = GraphOrder.of(Places.of(told), new Graph(16, from, to, weights));
      isPermutation(order);
      for (int one = 0; one < 16; one++) {
        for (int other = 0; other < 16; other++) {
          assertTrue(clique[one] != clique[other] || told[order[one]][2] == told[order[other]][2],
              () -> Arrays.toString(order));
        }
      }
    }
  }

  @Test
  void aGraphWithoutEdgesStaysAsItIs() {
    Topology chiplets = FakeMachine.chiplets(sys).topology("0-31");
    int[] order = GraphOrder.of(Places.of(told(chiplets, 0, 8, 1, 9)), new Graph(4, new int[0], new int[0]));
    assertArrayEquals(new int[] {0, 1, 2, 3}, order);
  }
}
