package io.adrastea.communicator;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.EveryCoreListOfWorld;
import io.adrastea.GraphTopology;
import io.adrastea.Ranks;
import io.adrastea.Refusals;
import io.adrastea.error.CollectiveException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Graphs of ranks, however their edges are named. */
@EveryCoreListOfWorld
class GraphTopologyTest {
  private static final Class<IllegalArgumentException> ILLEGAL = IllegalArgumentException.class;
  private static final int[] NONE = {};

  @Parameter
  String cores;

  /** An edge of weight {@code weight}, which is named by a rank. */
  private record Edge(int namedBy, int from, int to, int weight) {}

  private static List<Edge> edges(SplittableRandom random, int ranks) {
    List<Edge> edges = new ArrayList<>();
    for (int i = random.nextInt(40); i > 0; i--) {
      edges.add(new Edge(random.nextInt(ranks), random.nextInt(ranks), random.nextInt(ranks), random.nextInt(9)));
    }
    edges.sort((one, other) -> Integer.compare(one.namedBy, other.namedBy));
    return edges;
  }

  @Test
  void ofEdgesThatAnyRankNames() throws Exception {
    Ranks.assumeOneNode(cores); // else ranks change places
    Ranks.run(cores, 4, job -> {
      int self = job.world().rank();
      for (int round = 0; round < 30; round++) {
        List<Edge> edges = edges(new SplittableRandom(round), 4);
        List<Edge> mine = edges.stream().filter(edge -> edge.namedBy == self).toList();
        int[] degrees = new int[mine.size()];
        Arrays.fill(degrees, 1);
        boolean reorder = round % 2 == 0; // which changes nothing: all run on the same CPUs
        try (GraphTopology graph = GraphTopology.distributed(
            job.world(), mine.stream().mapToInt(Edge::from).toArray(), degrees,
            mine.stream().mapToInt(Edge::to).toArray(), mine.stream().mapToInt(Edge::weight).toArray(), reorder)) {
          isIn(graph, self, edges);
        }
      }
    });
  }

  private static void isIn(GraphTopology graph, int self, List<Edge> edges) {
    assertEquals(self, graph.communicator().rank());
    List<Edge> in = edges.stream().filter(edge -> edge.to == self).toList();
    List<Edge> out = edges.stream().filter(edge -> edge.from == self).toList();
    assertArrayEquals(in.stream().mapToInt(Edge::from).toArray(), graph.sources());
    assertArrayEquals(in.stream().mapToInt(Edge::weight).toArray(), graph.sourceWeights());
    assertArrayEquals(out.stream().mapToInt(Edge::to).toArray(), graph.destinations());
    assertArrayEquals(out.stream().mapToInt(Edge::weight).toArray(), graph.destinationWeights());
  }

  @Test
  void ofEdgesThatBothEndsName() throws Exception {
    Ranks.assumeOneNode(cores); // else ranks change places
    Ranks.run(cores, 4, job -> {
      int self = job.world().rank();
      for (int round = 0; round < 30; round++) {
        List<Edge> edges = edges(new SplittableRandom(round), 4);
        List<Edge> in = edges.stream().filter(edge -> edge.to == self).toList();
        List<Edge> out = edges.stream().filter(edge -> edge.from == self).toList();
        try (GraphTopology graph = GraphTopology.adjacent(
            job.world(), in.stream().mapToInt(Edge::from).toArray(), in.stream().mapToInt(Edge::weight).toArray(),
            out.stream().mapToInt(Edge::to).toArray(), out.stream().mapToInt(Edge::weight).toArray(),
            round % 2 == 0)) {
          isIn(graph, self, edges);
        }
      }
    });
  }

  @Test
  void oneRankNamesAllEdgesOfALargeGraph() throws Exception {
    Ranks.assumeOneNode(cores); // else ranks change places
    int ranks = 3;
    Ranks.run(cores, ranks, job -> {
      int self = job.world().rank();
      int count = 50_000; // of each pair, so that they go through stages
      int[] ends = new int[ranks * ranks * count];
      Arrays.setAll(ends, i -> i / count % ranks);
      try (GraphTopology graph = self == 1
          ? GraphTopology.distributed(job.world(), new int[] {0, 1, 2},
              new int[] {ranks * count, ranks * count, ranks * count}, ends, ends, true)
          : GraphTopology.distributed(job.world(), NONE, NONE, NONE, NONE, true)) {
        int[] expected = new int[ranks * count];
        Arrays.setAll(expected, i -> i / count);
        assertArrayEquals(expected, graph.sources());
        assertArrayEquals(expected, graph.destinations());
        assertArrayEquals(expected, graph.destinationWeights());
        int[] weights = new int[ranks * count];
        Arrays.fill(weights, self);
        assertArrayEquals(weights, graph.sourceWeights());
      }
    });
  }

  @Test
  void ofAPlainRingAndOfNoEdgesAtAll() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      int self = world.rank();
      int[] behind = {(self + 2) % 3};
      int[] ahead = {(self + 1) % 3};
      try (GraphTopology ring = GraphTopology.adjacent(world, behind, ahead);
          GraphTopology none = GraphTopology.adjacent(world, NONE, NONE)) {
        assertEquals("graph, from [%d], to [%d] in %s".formatted(behind[0], ahead[0], ring.communicator()),
            ring.toString());
        assertArrayEquals(new int[] {1}, ring.sourceWeights());
        ring.sources()[0] = 9;
        assertArrayEquals(behind, ring.sources());
        assertEquals(0, none.sources().length + none.destinations().length);
        none.communicator().barrier();
      }
    });
  }

  @Test
  void whatCannotBeIsRefused() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = job.world();
      int[] one = {1};
      int[] two = {1, 1};
      refuses(NullPointerException.class, "the communicator is null", () -> GraphTopology.adjacent(null, one, one));
      refuses(NullPointerException.class, "the sources are null", () -> GraphTopology.adjacent(world, null, one));
      refuses(NullPointerException.class, "the weights are null; name one for each destination",
          () -> GraphTopology.distributed(world, one, one, one, null, false));
      refuses(ILLEGAL, "source 2 of an edge; this communicator has ranks 0 to 1",
          () -> GraphTopology.adjacent(world, new int[] {2}, NONE));
      refuses(ILLEGAL, "destination -2 of an edge; this communicator has ranks 0 to 1",
          () -> GraphTopology.adjacent(world, NONE, new int[] {Communicator.NO_RANK}));
      refuses(ILLEGAL, "-1 for destination 1 of an edge; allowed are 0 or more",
          () -> GraphTopology.adjacent(world, one, one, one, new int[] {-1}, false));
      refuses(ILLEGAL, "2 sources, and 1 source weights; name one for each",
          () -> GraphTopology.adjacent(world, two, one, NONE, NONE, false));
      refuses(ILLEGAL, "degrees of 2 edges, and 1 destinations; there is to be one for each edge",
          () -> GraphTopology.distributed(world, one, new int[] {2}, one, one, false));
      GraphTopology graph = GraphTopology.adjacent(world, NONE, NONE);
      graph.close();
      refuses(IllegalStateException.class, "the communicator is closed", graph::close);
      refuses(IllegalStateException.class, "the communicator is closed",
          () -> GraphTopology.adjacent(graph.communicator(), NONE, NONE));
    });
  }

  /** All are told the same, and go on. */
  @Test
  void edgesThatOneEndAloneNamesAreTold() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      int self = world.rank();
      refuses(CollectiveException.class,
          "rank 2 names rank 1 as a source 1 times, and rank 1 names it as a destination 2 times",
          () -> GraphTopology.adjacent(world, self == 2 ? new int[] {1, 0} : NONE,
              self == 0 ? new int[] {2} : self == 1 ? new int[] {2, 2} : NONE));
      refuses(CollectiveException.class,
          "rank 0 names rank 0 as a source 1 times, and rank 0 names it as a destination 0 times",
          () -> GraphTopology.adjacent(world, self == 0 ? new int[] {0} : NONE, NONE));
      refuses(CollectiveException.class, "makes another topology",
          () -> GraphTopology.adjacent(world, NONE, NONE, NONE, NONE, self == 0));
      refuses(CollectiveException.class, "makes another topology", () -> {
        if (self == 0) {
          GraphTopology.adjacent(world, NONE, NONE);
        } else {
          GraphTopology.distributed(world, NONE, NONE, NONE, NONE, false);
        }
      });
      GraphTopology.adjacent(world, NONE, NONE).close();
    });
  }

  @Test
  void wholeGraphsAreNamedByAllRanksAlike() throws Exception {
    int[] index = {2, 3, 6, 7};
    int[] edges = {2, 1, 0, 3, 0, 3, 2}; // 0: 2 1; 1: 0; 2: 3 0 3; 3: 2
    int[][] neighbors = {{2, 1}, {0}, {3, 0, 3}, {2}};
    int[][] sources = {{2, 1}, {0}, {3, 0}, {2, 2}};
    Ranks.run(cores, 5, job -> {
      int self = job.world().rank();
      try (GraphTopology graph = GraphTopology.whole(job.world(), index, edges, false)) {
        assertEquals(self == 4, graph == null, "the last rank is left out");
        if (graph != null) {
          assertEquals(4, graph.communicator().size());
          assertArrayEquals(neighbors[self], graph.destinations());
          assertArrayEquals(sources[self], graph.sources());
          assertEquals(neighbors[self].length, Arrays.stream(graph.destinationWeights()).sum());
          int[] got = new int[sources[self].length];
          graph.neighborAllgather(Data.of(new int[] {self}), Data.of(got));
          assertArrayEquals(sources[self], got);
          try (GraphTopology same = graph.dup()) {
            for (int rank = 0; rank < 4; rank++) {
              assertArrayEquals(neighbors[rank], graph.neighbors(rank));
              assertArrayEquals(neighbors[rank], same.neighbors(rank));
            }
          }
          graph.neighbors(0)[0] = 9;
          assertArrayEquals(neighbors[0], graph.neighbors(0));
          refuses(ILLEGAL, "neighbours of rank 4; this graph has ranks 0 to 3", () -> graph.neighbors(4));
          refuses(ILLEGAL, "neighbours of rank -1; this graph has ranks 0 to 3", () -> graph.neighbors(-1));
        }
      }
      int place = GraphTopology.map(job.world(), index, edges);
      if (!cores.contains("nodes")) { // else neighbours come to the same node
        assertEquals(self == 4 ? Communicator.UNDEFINED : self, place); // all run on the same CPUs
      }
      assertEquals(Communicator.UNDEFINED, GraphTopology.map(job.world(), NONE));
      assertNull(GraphTopology.whole(job.world(), NONE, NONE, true));
    });
  }

  @Test
  void sourcesOfAnAsymmetricWholeGraphAreTheRanksThatNameThisOne() throws Exception {
    Ranks.run(cores, 3, job -> {
      int self = job.world().rank();
      try (GraphTopology graph = GraphTopology.whole(job.world(), new int[] {0, 2, 4}, new int[] {0, 2, 2, 0}, true)) {
        int[][] sources = {{1, 2}, {}, {2, 1}};
        int[][] destinations = {{}, {0, 2}, {2, 0}};
        assertArrayEquals(sources[self], graph.sources());
        assertArrayEquals(destinations[self], graph.destinations());
      }
    });
  }

  @Test
  void aDuplicateHasTheSameEdgesAndMessagesOfItsOwn() throws Exception {
    Ranks.run(cores, 3, job -> {
      int self = job.world().rank();
      int[] right = {(self + 1) % 3};
      int[] left = {(self + 2) % 3};
      try (GraphTopology ring = GraphTopology.adjacent(job.world(), left, new int[] {5}, right, new int[] {5}, false);
          GraphTopology same = ring.dup()) {
        assertArrayEquals(left, same.sources());
        assertArrayEquals(right, same.destinations());
        assertArrayEquals(new int[] {5}, same.sourceWeights());
        assertArrayEquals(new int[] {5}, same.destinationWeights());
        refuses(UnsupportedOperationException.class,
            "neighbours of rank 0 in a graph of which each rank has named some",
            () -> same.neighbors(0));
        ring.communicator().send(Data.of(new int[] {1}), right[0], 1);
        assertNull(same.communicator().iprobe(Communicator.ANY_SOURCE, Communicator.ANY_TAG));
        ring.communicator().recv(Data.of(new int[1]), left[0], 1);
        int[] got = new int[1];
        same.neighborAlltoall(Data.of(new int[] {self}), Data.of(got));
        assertArrayEquals(left, got);
      }
    });
  }

  @Test
  void wholeGraphsThatCannotBeAreRefused() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = job.world();
      refuses(NullPointerException.class, "the communicator is null",
          () -> GraphTopology.whole(null, NONE, NONE, true));
      refuses(NullPointerException.class, "the index is null", () -> GraphTopology.whole(world, null, NONE, true));
      refuses(NullPointerException.class, "the edges are null", () -> GraphTopology.map(world, NONE, (int[]) null));
      refuses(ILLEGAL, "a graph of 3 ranks, and this communicator has 2",
          () -> GraphTopology.whole(world, new int[3], NONE, true));
      refuses(ILLEGAL, "1 neighbours of ranks 0 to 1 of a graph, and 2 of those before",
          () -> GraphTopology.map(world, new int[] {2, 1}, 0, 1));
      refuses(ILLEGAL, "2 neighbours of all ranks of a graph, and 1 edges",
          () -> GraphTopology.map(world, new int[] {1, 2}, 0));
      refuses(ILLEGAL, "neighbour 1; this graph has ranks 0 to 0", () -> GraphTopology.map(world, new int[] {1}, 1));
      refuses(CollectiveException.class, "makes another topology",
          () -> GraphTopology.whole(world, new int[] {1, 1}, new int[] {world.rank()}, false));
    });
  }
}
