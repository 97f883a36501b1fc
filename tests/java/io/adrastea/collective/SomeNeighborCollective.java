package io.adrastea.collective;

import io.adrastea.CartesianTopology;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.GraphTopology;
import io.adrastea.RankTopology;
import io.adrastea.Request;
import io.adrastea.datatype.DrawnLongs;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * One neighbour collective of one rank on a grid or a graph, drawn by chance, of which each rank knows what all others
 * give.
 */
public final class SomeNeighborCollective implements DrawnCollective {
  private static final long STEP = 1_000_003;
  private static final int FEW = 7; // longs, of which some fit a line

  /** A topology of one rank, and what it knows of the edges of the others. */
  public abstract static sealed class Neighborhood implements AutoCloseable {
    private final RankTopology topology;
    private final int[] sources;
    private final int[] destinations;

    private Neighborhood(RankTopology topology, int[] sources, int[] destinations) {
      this.topology = topology;
      this.sources = sources;
      this.destinations = destinations;
    }

    /** Which edge of that source, in its order, one to this rank is. */
    abstract int atSource(int edge);

    public Communicator communicator() {
      return topology.communicator();
    }

    @Override
    public void close() {
      topology.close();
    }
  }

  /** A grid of two dimensions, one of which goes on at its other end. */
  public static final class OnGrid extends Neighborhood {
    private OnGrid(CartesianTopology grid) {
      super(grid, grid.neighbors(), grid.neighbors());
    }

    /** Makes one of all ranks of a communicator, which all call this. */
    public static OnGrid of(Communicator parent) {
      int[] dims = CartesianTopology.balancedDims(parent.size(), 0, 0);
      return new OnGrid(CartesianTopology.of(parent, dims, new boolean[] {true, false}, false));
    }

    @Override
    int atSource(int edge) {
      return edge ^ 1; // where it went up there, it comes from below here
    }
  }

  /**
   * A graph whose edges were drawn by chance, of which some are there more than once, and some end where they begin.
   */
  public static final class OnGraph extends Neighborhood {
    private final List<int[]> edges;

    private OnGraph(GraphTopology graph, List<int[]> edges) {
      super(graph, graph.sources(), graph.destinations());
      this.edges = edges;
    }

    /** Makes one of all ranks of a communicator, which all call this. */
    public static OnGraph of(Communicator parent, SplittableRandom same) {
      int size = parent.size();
      int self = parent.rank();
      List<int[]> edges =
          IntStream.range(0, 2 * size).mapToObj(i -> new int[] {same.nextInt(size), same.nextInt(size)}).toList();
      int[] from = edges.stream().filter(edge -> edge[1] == self).mapToInt(edge -> edge[0]).toArray();
      int[] to = edges.stream().filter(edge -> edge[0] == self).mapToInt(edge -> edge[1]).toArray();
      return new OnGraph(GraphTopology.adjacent(parent, from, to), edges);
    }

    @Override
    int atSource(int edge) {
      int from = super.sources[edge];
      int self = communicator().rank();
      long before = Arrays.stream(super.sources).limit(edge).filter(source -> source == from).count();
      int[] theirs = edges.stream().filter(one -> one[0] == from).mapToInt(one -> one[1]).toArray();
      return IntStream.range(0, theirs.length).filter(i -> theirs[i] == self).skip(before).findFirst().getAsInt();
    }
  }

  private final Neighborhood on;
  private final boolean isAllgather;
  private final boolean isByParts;
  private final int count;
  private final int seed;
  private final int rank;
  private final DrawnLongs in;
  private final DrawnLongs out;
  private final Data from;
  private final Data to;

  /** One of at most so many longs for each neighbour. */
  public SomeNeighborCollective(Neighborhood on, int most, SplittableRandom same, SplittableRandom own) {
    this.on = on;
    this.isAllgather = same.nextBoolean();
    this.isByParts = same.nextBoolean();
    this.count = same.nextInt(4) == 0 ? same.nextInt(most) : same.nextInt(FEW);
    this.seed = same.nextInt(1000);
    this.rank = on.communicator().rank();
    boolean isReachable = same.nextBoolean();
    long[] given = given();
    long[] expected = expected();
    this.in = DrawnLongs.of(isReachable, own, given.length);
    this.out = DrawnLongs.of(isReachable, own, expected.length);
    in.fill(given);
    out.fill(DrawnLongs.untouched(expected.length));
    int[] gives = IntStream.range(0, on.destinations.length).map(edge -> length(rank, edge)).toArray();
    int[] takes = IntStream.range(0, on.sources.length).map(this::lengthFrom).toArray();
    this.from = isByParts && !isAllgather ? in.inParts(gives) : in.data();
    this.to = isByParts ? out.inParts(takes) : out.data();
  }

  /** How many longs a rank gives along an edge. */
  private int length(int giver, int edge) {
    return !isByParts ? count : switch ((giver + (isAllgather ? 0 : 2 * edge) + seed) % 4) {
      case 0 -> 0;
      case 1 -> 1;
      case 2 -> count;
      default -> count / 2;
    };
  }

  private int lengthFrom(int edge) {
    int source = on.sources[edge];
    return source == Communicator.NO_RANK ? count : length(source, on.atSource(edge));
  }

  private long[] given(int giver, int edge) {
    long[] values = new long[length(giver, edge)];
    Arrays.setAll(values, i -> giver * STEP + (isAllgather ? 0 : edge * 100_000L) + seed * 77L + i);
    return values;
  }

  /** What this rank gives. */
  private long[] given() {
    return isAllgather ? given(rank, 0)
        : IntStream.range(0, on.destinations.length).mapToObj(edge -> given(rank, edge)).flatMapToLong(Arrays::stream)
            .toArray();
  }

  /** What its output holds in the end: of a neighbour that is not there what it held before. */
  private long[] expected() {
    return IntStream.range(0, on.sources.length)
        .mapToObj(
            edge -> on.sources[edge] == Communicator.NO_RANK
                ? DrawnLongs.untouched(count)
                : given(on.sources[edge], on.atSource(edge)))
        .flatMapToLong(Arrays::stream).toArray();
  }

  @Override
  public void run() {
    if (isAllgather) {
      on.topology.neighborAllgather(from, to);
    } else {
      on.topology.neighborAlltoall(from, to);
    }
  }

  @Override
  public Request start(Request mine) {
    return isAllgather
        ? on.topology.started(mine).neighborAllgather(from, to)
        : on.topology.started(mine).neighborAlltoall(from, to);
  }

  @Override
  public Request prepare() {
    return isAllgather ? on.topology.neighborAllgatherInit(from, to) : on.topology.neighborAlltoallInit(from, to);
  }

  @Override
  public void check() {
    in.check("input of " + this, rank, given());
    out.check("output of " + this, rank, expected());
  }

  @Override
  public String toString() {
    return "%s of %d longs%s, %s".formatted(
        isAllgather ? "neighborAllgather" : "neighborAlltoall", count, isByParts ? " by parts" : "",
        on.getClass().getSimpleName());
  }
}
