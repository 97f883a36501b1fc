package io.adrastea;

import io.adrastea.comm.NeighborEdges;
import io.adrastea.comm.TopologyMaking;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.CollectiveException;
import io.adrastea.mapping.BalancedDims;
import io.adrastea.mapping.Grid;
import io.adrastea.mapping.GridOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * A grid of ranks (MPI's Cartesian topology): each has coordinates, and neighbours in every dimension. It has a
 * communicator of its own, whose ranks are numbered by their coordinates, the last of which runs fastest.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "cartesian"}
 *
 * <p>
 * A dimension is open, so that beyond both of its ends there is nobody ({@link Communicator#NO_RANK}), or periodic: it
 * goes on at its other end. A topology does not change, and any thread may ask it, also after {@link #close}, which
 * closes its communicator. Data goes between neighbours by {@link #neighborAlltoall} and {@link #neighborAllgather}.
 */
public final class CartesianTopology extends RankTopology {
  private static final String OF = "CartesianTopology.of";
  private static final String MAP = "CartesianTopology.map";
  private static final String SUB = "CartesianTopology.sub";

  private final Grid grid;
  private final int[] neighbors; // of this rank
  private final int[] coordinates;

  private CartesianTopology(Communicator communicator, Grid grid) {
    this(communicator, grid, neighbors(grid, communicator.rank()));
  }

  private CartesianTopology(Communicator communicator, Grid grid, int... neighbors) {
    super(
        communicator, NeighborEdges.mirrored("neighbours", neighbors), NeighborEdges.inOrder("neighbours", neighbors));
    this.grid = grid;
    this.neighbors = neighbors;
    this.coordinates = grid.coordinates(communicator.rank());
  }

  private static int[] neighbors(Grid grid, int rank) {
    int[] places = grid.neighbors(rank);
    Arrays.setAll(places, i -> rankOf(places[i]));
    return places;
  }

  /**
   * Ranks at the two ends of a {@link #shift}.
   *
   * @param source the rank that this one receives from, or {@link Communicator#NO_RANK}
   * @param destination the rank that this one sends to, or {@link Communicator#NO_RANK}
   */
  public record Shift(int source, int destination) {}

  /**
   * Makes a grid of ranks of a communicator; all of its ranks call this, with the same arguments. Where the grid has
   * fewer places, the last ranks are left out.
   *
   * @param parent whose ranks it has
   * @param dims how many ranks there are in each dimension, at least 1; no dimensions at all: one rank
   * @param periodic of each dimension, whether it goes on at its other end
   * @param reorder whether ranks may get other numbers than they have in the parent: those that share a cache, a NUMA
   * node or a node ({@link Job#cpus}) become neighbours then, where that makes fewer neighbours apart. Else they are in
   * the grid in the order that they have in the parent
   * @return the topology, to be closed; null: this rank is left out
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when a dimension is below 1, the parent has fewer ranks than the grid has places,
   * or periodic is not as long as dims; nothing was begun
   * @throws CollectiveException on all ranks, when one calls this with other arguments
   * @throws CapabilityException as {@link Communicator#split}
   * @throws RuntimeException as {@link Communicator#split}
   */
  public static CartesianTopology of(Communicator parent, int[] dims, boolean[] periodic, boolean reorder) {
    Grid grid = requireGrid(Objects.requireNonNull(parent, "the communicator is null"), dims, periodic);
    TopologyMaking making = new TopologyMaking(parent.state(), OF);
    making.agree(Objects.hash(OF, Arrays.hashCode(dims), Arrays.hashCode(periodic), reorder), reorder, 0, 0);
    int[] order =
        reorder ? GridOrder.of(making.places(grid.size()), grid) : TopologyMaking.sameOrder(grid.size());
    Communicator ordered = parent.face(making.ordered(order));
    return ordered == null ? null : new CartesianTopology(ordered, grid);
  }

  /**
   * Tells the number that {@link #of} with {@code reorder} would give this rank, without making the grid
   * (MPI_Cart_map). All ranks of the parent call this, with the same arguments.
   *
   * @param parent the ranks to be numbered
   * @param dims how many ranks there are in each dimension, at least 1
   * @param periodic of each dimension, whether it goes on at its other end
   * @return from 0; {@link Communicator#UNDEFINED}: the grid leaves this rank out
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException as {@link #of}; nothing was begun
   * @throws CollectiveException on all ranks, when one calls this with other arguments
   * @throws RuntimeException as {@link Communicator#split}
   */
  public static int map(Communicator parent, int[] dims, boolean... periodic) {
    Grid grid = requireGrid(Objects.requireNonNull(parent, "the communicator is null"), dims, periodic);
    TopologyMaking making = new TopologyMaking(parent.state(), MAP);
    making.agree(Objects.hash(MAP, Arrays.hashCode(dims), Arrays.hashCode(periodic)), true, 0, 0);
    return making.place(GridOrder.of(making.places(grid.size()), grid));
  }

  private static Grid requireGrid(Communicator parent, int[] dims, boolean... periodic) {
    Objects.requireNonNull(dims, "the dimensions are null");
    Objects.requireNonNull(periodic, "the periodicity is null");
    if (dims.length != periodic.length) {
      throw new ArgumentException(Reason.TOPOLOGY,
          "%d dimensions, and the periodicity of %d; name that of each".formatted(dims.length, periodic.length));
    }
    long places = 1;
    for (int dim : dims) {
      if (dim < 1) {
        throw new ArgumentException(Reason.TOPOLOGY,
            "%d ranks in a dimension of a grid (%s); there is to be at least 1".formatted(dim, Arrays.toString(dims)));
      }
      places *= dim;
      if (places > parent.numbering().size()) {
        throw new ArgumentException(Reason.TOPOLOGY,
            "a grid of %s has more places than this communicator has ranks: %d; make it smaller, or let balancedDims "
                .formatted(Arrays.toString(dims), parent.numbering().size()) + "choose");
      }
    }
    return new Grid(dims, periodic);
  }

  /**
   * Shares ranks out among dimensions (MPI_Dims_create): as evenly as can be, that is with the least difference between
   * the largest and the smallest. {@code balancedDims(12, 0, 0)} is {@code {4, 3}}, {@code balancedDims(6, 0, 3, 0)} is
   * {@code {2, 3, 1}}.
   *
   * @param ranks how many, at least 1
   * @param dims for each dimension how many ranks it is to have; 0: this call chooses
   * @return the dimensions, whose product is {@code ranks}; those that were chosen do not increase from one to the next
   * @throws NullPointerException when the dimensions are null
   * @throws IllegalArgumentException when there are no ranks, a dimension is below 0, or the given ones do not divide
   * the ranks, or are all given and their product is another number
   */
  public static int[] balancedDims(int ranks, int... dims) {
    int[] filled = Objects.requireNonNull(dims, "the dimensions are null").clone();
    if (ranks < 1) {
      throw new ArgumentException(Reason.TOPOLOGY,
          "%d ranks to be shared out; there is to be at least 1".formatted(ranks));
    }
    long given = 1;
    int free = 0;
    for (int dim : filled) {
      if (dim < 0) {
        throw new ArgumentException(Reason.TOPOLOGY,
            "%d ranks in a dimension; allowed are 1 or more, and 0 for a dimension to be chosen".formatted(dim));
      }
      free += dim == 0 ? 1 : 0;
      given = Math.min(given * Math.max(1, dim), Integer.MAX_VALUE + 1L);
    }
    if (ranks % given != 0 || free == 0 && given != ranks) {
      throw new ArgumentException(Reason.TOPOLOGY,
          "%d ranks cannot be shared out to %s; the product of the given dimensions is to %s %d"
              .formatted(ranks, Arrays.toString(dims), free == 0 ? "be" : "divide", ranks));
    }
    if (free > 0) {
      int[] chosen = BalancedDims.of((int) (ranks / given), free);
      int next = 0;
      for (int d = 0; d < filled.length; d++) {
        if (filled[d] == 0) {
          filled[d] = chosen[next++];
        }
      }
    }
    return filled;
  }

  /**
   * Ranks in each dimension.
   *
   * @return an array of the caller's own
   */
  public int[] dims() {
    return grid.dims();
  }

  /**
   * Which dimensions go on at their other ends.
   *
   * @return an array of the caller's own
   */
  public boolean[] periodic() {
    return grid.periodic();
  }

  /**
   * The coordinates of this rank.
   *
   * @return one for each dimension, from 0; an array of the caller's own
   */
  public int[] coordinates() {
    return coordinates.clone();
  }

  /**
   * The coordinates of a rank.
   *
   * @param rank its number in the communicator
   * @return one for each dimension, from 0; an array of the caller's own
   * @throws IllegalArgumentException when there is no such rank
   */
  public int[] coordinates(int rank) {
    if (rank < 0 || rank >= grid.size()) {
      throw new ArgumentException(Reason.RANK, "rank %d; this grid has ranks 0 to %d".formatted(rank, grid.size() - 1));
    }
    return grid.coordinates(rank);
  }

  /**
   * The rank at coordinates.
   *
   * @param at one for each dimension; those of a periodic one may be any numbers, and wrap
   * @return its number in the communicator; {@link Communicator#NO_RANK}: they are beyond the end of an open dimension
   * @throws NullPointerException when the coordinates are null
   * @throws IllegalArgumentException when there is not one for each dimension
   */
  public int rank(int... at) {
    requireLength(Objects.requireNonNull(at, "the coordinates are null").length, "coordinates");
    return rankOf(grid.place(at));
  }

  /**
   * The ranks that this rank sends to and receives from when all ranks hand something on along a dimension
   * (MPI_Cart_shift).
   *
   * @param dimension from 0
   * @param displacement how far, in the direction of larger coordinates or, below 0, of smaller ones
   * @return the rank that is so far behind, and the one that is so far ahead
   * @throws IllegalArgumentException when there is no such dimension
   */
  public Shift shift(int dimension, int displacement) {
    if (dimension < 0 || dimension >= grid.dimensions()) {
      throw new ArgumentException(Reason.TOPOLOGY, grid.dimensions() == 0
          ? "dimension %d of a grid that has no dimensions".formatted(dimension)
          : "dimension %d; this grid has dimensions 0 to %d".formatted(dimension, grid.dimensions() - 1));
    }
    int self = communicator().rank();
    return new Shift(
        rankOf(grid.beside(self, dimension, -(long) displacement)), rankOf(grid.beside(self, dimension, displacement)));
  }

  /**
   * The neighbours of this rank, in the order of the neighbour collectives: in each dimension the one at the smaller
   * coordinate, then the one at the larger.
   *
   * @return ranks of the communicator, two for each dimension; {@link Communicator#NO_RANK} beyond the end of an open
   *   one. In a periodic dimension of two ranks both are the same, in one of a single rank this rank itself. An array
   *   of the caller's own
   */
  public int[] neighbors() {
    return neighbors.clone();
  }

  private static int rankOf(int place) {
    return place == Grid.NONE ? Communicator.NO_RANK : place;
  }

  /**
   * Makes grids of fewer dimensions (MPI_Cart_sub): the rows, the columns, the planes of this one. All ranks of the
   * communicator call this, with the same arguments.
   *
   * @param keep of each dimension, whether it is kept; the ranks that differ in no other coordinate are a grid together
   * @return the topology that this rank is in, to be closed
   * @throws NullPointerException when the argument is null
   * @throws IllegalArgumentException when there is not one for each dimension; nothing was begun
   * @throws CollectiveException on all ranks, when one calls this with other arguments
   * @throws RuntimeException as {@link Communicator#split}
   */
  public CartesianTopology sub(boolean... keep) {
    requireLength(Objects.requireNonNull(keep, "the dimensions are null").length, "dimensions to keep or not");
    TopologyMaking making = new TopologyMaking(communicator().state(), SUB);
    making.agree(Objects.hash(SUB, Arrays.hashCode(keep)), false, 0, 0);
    int self = communicator().rank();
    Communicator made = communicator().face(making.split(grid.numberOfSub(self, keep), self));
    return new CartesianTopology(made, grid.sub(keep));
  }

  @Override
  public CartesianTopology dup() {
    return new CartesianTopology(communicator().dup(), grid);
  }

  private void requireLength(int length, String what) {
    if (length != grid.dimensions()) {
      throw new ArgumentException(Reason.TOPOLOGY,
          "%d %s; this grid (%s) has %d dimensions, name one for each".formatted(length, what, grid,
              grid.dimensions()));
    }
  }

  @Override
  public String toString() {
    return "grid of %s, at %s in %s".formatted(grid, Arrays.toString(coordinates), communicator());
  }
}
