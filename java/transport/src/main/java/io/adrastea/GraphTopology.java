package io.adrastea;

import io.adrastea.comm.GraphEdges;
import io.adrastea.comm.NeighborEdges;
import io.adrastea.comm.TopologyMaking;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.CollectiveException;
import io.adrastea.mapping.Graph;
import io.adrastea.mapping.GraphOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * A graph of ranks (MPI's distributed graph topology): each has ranks that it sends to, its destinations, and ranks
 * that it receives from, its sources. It has a communicator of its own.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "graph"}
 *
 * <p>
 * An edge may occur several times, and may lead from a rank to itself. A topology does not change, and any thread may
 * ask it, also after {@link #close}, which closes its communicator.
 */
public final class GraphTopology extends RankTopology {
  private static final String ADJACENT = "GraphTopology.adjacent";
  private static final String WHOLE = "GraphTopology.whole";
  private static final String MAP = "GraphTopology.map";
  private static final String DISTRIBUTED = "GraphTopology.distributed";

  private final int[] sources;
  private final int[] sourceWeights;
  private final int[] destinations;
  private final int[] destinationWeights;
  private final int[][] neighbors; // of each rank, as all have named them; null: each has named some

  private GraphTopology(Communicator communicator, GraphEdges edges, int[]... neighbors) {
    this(
        communicator, edges.sources(communicator.rank()), edges.sourceWeights(communicator.rank()),
        edges.destinations(communicator.rank()), edges.destinationWeights(communicator.rank()), neighbors);
  }

  private GraphTopology(
      Communicator communicator, int[] sources, int[] sourceWeights, int[] destinations, int[] destinationWeights,
      int[]... neighbors) {
    super(
        communicator, NeighborEdges.inOrder("sources", sources), NeighborEdges.inOrder("destinations", destinations));
    this.sources = sources;
    this.sourceWeights = sourceWeights;
    this.destinations = destinations;
    this.destinationWeights = destinationWeights;
    this.neighbors = neighbors;
  }

  /**
   * Makes a graph of which each rank names the edges that begin or end at itself, all of weight 1; the order of the
   * ranks stays.
   *
   * @param parent whose ranks it has
   * @param sources the ranks that this one receives from
   * @param destinations the ranks that this one sends to
   * @return the topology, to be closed
   * @throws RuntimeException as {@link #adjacent(Communicator, int[], int[], int[], int[], boolean)}
   */
  public static GraphTopology adjacent(Communicator parent, int[] sources, int[] destinations) {
    return adjacent(
        parent, sources, weightless(sources, "sources"), destinations, weightless(destinations, "destinations"), false);
  }

  /**
   * Makes a graph of which each rank names the edges that begin or end at itself (MPI_Dist_graph_create_adjacent). All
   * ranks of the parent call this. An edge is named at both of its ends, as often at the one as at the other.
   *
   * @param parent whose ranks it has
   * @param sources the ranks that this one receives from, in an order that is kept
   * @param sourceWeights how much this rank receives from each, 0 or more, in any unit; a hint for the order
   * @param destinations the ranks that this one sends to, in an order that is kept
   * @param destinationWeights how much this rank sends to each
   * @param reorder whether ranks may get other numbers than they have in the parent: those with heavy edges between
   * them share a cache, a NUMA node or a node ({@link Job#cpus}) then, where an order is found that makes the weight
   * between others less. What a rank of the parent has named holds for the rank of the same number here
   * @return the topology, to be closed
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the parent has no such rank, a weight is below 0, or there is not one for
   * each edge; nothing was begun
   * @throws CollectiveException on all ranks, when an edge is not named at both ends, or a rank calls this with another
   * order
   * @throws CapabilityException as {@link Communicator#split}
   * @throws RuntimeException as {@link Communicator#split}
   */
  public static GraphTopology adjacent(
      Communicator parent, int[] sources, int[] sourceWeights, int[] destinations, int[] destinationWeights,
      boolean reorder) {
    int size = requireParent(parent);
    requireEdges(size, sources, "source", sourceWeights, "source weights");
    requireEdges(size, destinations, "destination", destinationWeights, "destination weights");
    TopologyMaking making = new TopologyMaking(parent.state(), ADJACENT);
    making.agree(Objects.hash(ADJACENT, reorder), reorder, sources.length, destinations.length);
    GraphEdges edges = GraphEdges.adjacent(making, size, sources, sourceWeights, destinations, destinationWeights);
    return make(parent, making, edges, size, reorder, (int[][]) null);
  }

  /**
   * Makes a graph of which any rank names any edges (MPI_Dist_graph_create): each edge is named by one rank, wherever
   * it begins and ends. All ranks of the parent call this, those that name no edge too. Sources and destinations of a
   * rank are in the order in which the edges were named, those of rank 0 first.
   *
   * @param parent whose ranks it has
   * @param sources the ranks at which the edges begin that this rank names
   * @param degrees how many edges are named from each of these
   * @param destinations where they end: as many as all degrees together, those from the first source first
   * @param weights how much goes over each edge, 0 or more, in any unit; a hint for the order; all 1 where nothing is
   * known
   * @param reorder as of {@link #adjacent(Communicator, int[], int[], int[], int[], boolean)}
   * @return the topology, to be closed
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the parent has no such rank, a weight or a degree is below 0, or there is not
   * one for each; nothing was begun
   * @throws CollectiveException on all ranks, when a rank calls this with another order
   * @throws CapabilityException as {@link Communicator#split}
   * @throws RuntimeException as {@link Communicator#split}
   */
  public static GraphTopology distributed(
      Communicator parent, int[] sources, int[] degrees, int[] destinations, int[] weights, boolean reorder) {
    int size = requireParent(parent);
    requireEdges(size, sources, "source", degrees, "degrees");
    requireEdges(size, destinations, "destination", weights, "weights");
    if (Arrays.stream(degrees).asLongStream().sum() != destinations.length) {
      throw new ArgumentException(Reason.TOPOLOGY,
          "degrees of %d edges, and %d destinations; there is to be one for each edge"
              .formatted(Arrays.stream(degrees).asLongStream().sum(), destinations.length));
    }
    TopologyMaking making = new TopologyMaking(parent.state(), DISTRIBUTED);
    making.agree(Objects.hash(DISTRIBUTED, reorder), reorder, destinations.length, 0);
    GraphEdges edges = GraphEdges.distributed(making, size, sources, degrees, destinations, weights);
    return make(parent, making, edges, size, reorder, (int[][]) null);
  }

  private static GraphTopology make(
      Communicator parent, TopologyMaking making, GraphEdges edges, int size, boolean reorder, int[]... neighbors) {
    int[] order = order(making, edges, size, reorder);
    Communicator ordered = parent.face(making.ordered(order));
    return ordered == null ? null : new GraphTopology(ordered, edges, neighbors);
  }

  /**
   * Makes a graph of which all ranks name all edges (MPI_Graph_create). All ranks of the parent call this, with the
   * same arguments. Where the graph has fewer ranks, the last ranks of the parent are left out.
   *
   * <p>
   * An edge leads from the rank that names it to a neighbour, which need not name the other one. Where two ranks name
   * each other as often, as MPI wants it for neighbour collectives, {@link #sources} and {@link #destinations} are both
   * the neighbours as they are named. Other sources follow, the lowest first.
   *
   * @param parent whose ranks it has
   * @param index for each rank of the graph, how many neighbours it and those before it have together
   * @param edges the neighbours of rank 0, then those of rank 1 and so on
   * @param reorder as of {@link #adjacent(Communicator, int[], int[], int[], int[], boolean)}
   * @return the topology, to be closed; null: this rank is left out
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the parent has fewer ranks than the graph, an entry of the index is below the
   * one before it, the last is not the number of the edges, or the graph has no such rank; nothing was begun
   * @throws CollectiveException on all ranks, when one calls this with other arguments
   * @throws CapabilityException as {@link Communicator#split}
   * @throws RuntimeException as {@link Communicator#split}
   */
  public static GraphTopology whole(Communicator parent, int[] index, int[] edges, boolean reorder) {
    requireWhole(requireParent(parent), index, edges);
    TopologyMaking making = new TopologyMaking(parent.state(), WHOLE);
    making.agree(Objects.hash(WHOLE, Arrays.hashCode(index), Arrays.hashCode(edges), reorder), reorder, 0, 0);
    GraphEdges all = GraphEdges.whole(index, edges);
    return make(parent, making, all, index.length, reorder, all.destinations());
  }

  /**
   * Tells the number that {@link #whole} with {@code reorder} would give this rank, without making the graph
   * (MPI_Graph_map). All ranks of the parent call this, with the same arguments.
   *
   * @param parent the ranks to be numbered
   * @param index as of {@link #whole}
   * @param edges likewise
   * @return from 0; {@link Communicator#UNDEFINED}: the graph leaves this rank out
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException as {@link #whole}; nothing was begun
   * @throws CollectiveException on all ranks, when one calls this with other arguments
   * @throws RuntimeException as {@link Communicator#split}
   */
  public static int map(Communicator parent, int[] index, int... edges) {
    requireWhole(requireParent(parent), index, edges);
    TopologyMaking making = new TopologyMaking(parent.state(), MAP);
    making.agree(Objects.hash(MAP, Arrays.hashCode(index), Arrays.hashCode(edges)), true, 0, 0);
    return making.place(order(making, GraphEdges.whole(index, edges), index.length, true));
  }

  private static int[] order(TopologyMaking making, GraphEdges edges, int size, boolean reorder) {
    return reorder && size > 0
        ? GraphOrder.of(making.places(size), edges.graph())
        : TopologyMaking.sameOrder(size);
  }

  private static void requireWhole(int size, int[] index, int... edges) {
    Objects.requireNonNull(index, "the index is null");
    Objects.requireNonNull(edges, "the edges are null");
    if (index.length > size) {
      throw new ArgumentException(Reason.TOPOLOGY,
          "a graph of %d ranks, and this communicator has %d; name as many or fewer".formatted(index.length, size));
    }
    int before = 0;
    for (int rank = 0; rank < index.length; rank++) {
      if (index[rank] < before) {
        throw new ArgumentException(Reason.TOPOLOGY,
            "%d neighbours of ranks 0 to %d of a graph, and %d of those before; it is to be no less".formatted(
                index[rank], rank, before));
      }
      before = index[rank];
    }
    if (before != edges.length) {
      throw new ArgumentException(Reason.TOPOLOGY,
          "%d neighbours of all ranks of a graph, and %d edges; there is to be one for each".formatted(before,
              edges.length));
    }
    for (int neighbor : edges) {
      if (neighbor < 0 || neighbor >= index.length) {
        throw new ArgumentException(Reason.RANK,
            "neighbour %d; this graph has ranks 0 to %d".formatted(neighbor, index.length - 1));
      }
    }
  }

  @Override
  public GraphTopology dup() {
    return new GraphTopology(communicator().dup(), sources, sourceWeights, destinations, destinationWeights,
        neighbors);
  }

  private static int requireParent(Communicator parent) {
    return Objects.requireNonNull(parent, "the communicator is null").numbering().size();
  }

  private static int[] weightless(int[] ranks, String what) {
    return Graph.ones(Objects.requireNonNull(ranks, () -> "the " + what + " are null").length);
  }

  /** Refuses ranks of edges that there are not, and anything but a number, 0 or more, for each. */
  private static void requireEdges(int size, int[] ranks, String what, int[] numbers, String called) {
    Objects.requireNonNull(ranks, () -> "the %ss are null".formatted(what));
    Objects.requireNonNull(numbers, () -> "the %s are null; name one for each %s".formatted(called, what));
    if (ranks.length != numbers.length) {
      throw new ArgumentException(Reason.TOPOLOGY,
          "%d %ss, and %d %s; name one for each".formatted(ranks.length, what, numbers.length, called));
    }
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] < 0 || ranks[i] >= size) {
        throw new ArgumentException(Reason.RANK,
            "%s %d of an edge; this communicator has ranks 0 to %d".formatted(what, ranks[i], size - 1));
      }
      if (numbers[i] < 0) {
        throw new ArgumentException(Reason.TOPOLOGY,
            "%d for %s %d of an edge; allowed are 0 or more".formatted(numbers[i], what, ranks[i]));
      }
    }
  }

  /**
   * The ranks that this one receives from, in the order of the neighbour collectives.
   *
   * @return ranks of the communicator, each as often as there are edges from it; an array of the caller's own
   */
  public int[] sources() {
    return sources.clone();
  }

  /**
   * The weights of the edges from {@link #sources}.
   *
   * @return in the same order; 1 where no weights were named; an array of the caller's own
   */
  public int[] sourceWeights() {
    return sourceWeights.clone();
  }

  /**
   * The ranks that this one sends to, in the order of the neighbour collectives.
   *
   * @return ranks of the communicator, each as often as there are edges to it; an array of the caller's own
   */
  public int[] destinations() {
    return destinations.clone();
  }

  /**
   * The weights of the edges to {@link #destinations}.
   *
   * @return in the same order; 1 where no weights were named; an array of the caller's own
   */
  public int[] destinationWeights() {
    return destinationWeights.clone();
  }

  /**
   * The neighbours of any rank of a graph that was named as a {@link #whole} (MPI_Graph_neighbors): the ranks that it
   * sends to. Those of this rank are its {@link #destinations}.
   *
   * @param rank of the communicator
   * @return ranks of the communicator, as all have named them; an array of the caller's own, whose length is their
   *   number (MPI_Graph_neighbors_count)
   * @throws IllegalArgumentException when there is no such rank
   * @throws UnsupportedOperationException when each rank has named edges of its own: it knows its own alone
   */
  public int[] neighbors(int rank) {
    if (neighbors == null) {
      throw new UnsupportedOperationException(
          "neighbours of rank %d in a graph of which each rank has named some edges, and knows those at itself; "
              .formatted(
                  rank)
              + "sources() and destinations() tell them, and GraphTopology.whole makes a graph that all know");
    }
    if (rank < 0 || rank >= neighbors.length) {
      throw new ArgumentException(Reason.RANK,
          "neighbours of rank %d; this graph has ranks 0 to %d".formatted(rank, neighbors.length - 1));
    }
    return neighbors[rank].clone();
  }

  @Override
  public String toString() {
    return "graph, from %s, to %s in %s"
        .formatted(Arrays.toString(sources), Arrays.toString(destinations), communicator());
  }
}
