package io.adrastea;

import io.adrastea.comm.NeighborCalls;
import io.adrastea.comm.NeighborEdges;
import io.adrastea.engine.collective.Form;
import io.adrastea.error.CollectiveException;

/**
 * Ranks that know their neighbours: a grid ({@link CartesianTopology}) or a graph ({@link GraphTopology}). It has a
 * communicator of its own, and collectives in which each rank exchanges data with its neighbours alone.
 *
 * <p>
 * <b>Neighbour collectives</b> are collectives of that communicator, see {@link Communicator#bcast}: all of its ranks
 * call them, in the same order among all of its collectives, ranks without a neighbour too. A rank gives to its
 * destinations and takes from its sources; in a grid both are {@link CartesianTopology#neighbors}. It waits for none
 * but these. Data has a part for each of them, in their order: equal parts, one behind the other, or
 * {@link Data#parts(Data, long[], long[])}, the v and the w forms of MPI. Ends without a neighbour, beyond the border
 * of a grid, have their part too, which is neither sent nor written.
 *
 * <p>
 * Where the same rank is a neighbour several times, in the order of MPI 4.1, section 8.6: what a rank of a grid gives
 * to the smaller coordinate is what the other one takes from the larger; in a graph the first part for a destination is
 * the first part from that source. Input and output do not overlap, and neither do the parts of the output.
 */
public abstract sealed class RankTopology implements AutoCloseable permits CartesianTopology, GraphTopology {
  private final Communicator communicator;
  private final NeighborCalls neighbors;
  private final TopologyRequests started;
  private final TopologyRequests persistent;

  RankTopology(Communicator communicator, NeighborEdges sources, NeighborEdges destinations) {
    this.communicator = communicator;
    this.neighbors = communicator.neighborCalls(sources, destinations);
    this.started = new TopologyRequests(this, neighbors, Form.STARTED, null);
    this.persistent = new TopologyRequests(this, neighbors, Form.PREPARED, null);
  }

  /**
   * The communicator of the ranks of this topology.
   *
   * @return always the same; {@link #close} closes it
   */
  public Communicator communicator() {
    return communicator;
  }

  /**
   * Makes the same topology of another communicator of the same ranks, as {@link Communicator#dup} makes that one: for
   * a library that exchanges with the neighbours of its caller, apart from the messages of this one. All ranks of the
   * communicator call this.
   *
   * @return the topology, to be closed
   * @throws RuntimeException as {@link Communicator#dup}
   */
  public abstract RankTopology dup();

  /**
   * Brings the data of each rank to all of its destinations (MPI_Neighbor_allgather).
   *
   * @param in this rank's data, for all destinations the same
   * @param out where the data of the sources goes: a part for each, of as many bytes as that source gives
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when an argument is {@link Data#IN_PLACE}, the input has parts, the output has not
   * one for each source, its parts overlap, or it is read-only
   * @throws CollectiveException when a source gives another number of bytes, too
   * @throws RuntimeException as {@link Communicator#bcast}
   */
  public void neighborAllgather(Data in, Data out) {
    neighbors.allgather(Form.BLOCKING, communicator.placement(in), communicator.placement(out));
  }

  /**
   * Brings data of each rank to each of its destinations, to each another part (MPI_Neighbor_alltoall): the exchange of
   * a halo.
   *
   * @param in what this rank gives, a part for each destination
   * @param out what it takes, a part for each source, of as many bytes as that source gives. The sums of several edges
   * between the same two ranks are compared
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when an argument is {@link Data#IN_PLACE} or has not a part for each neighbour,
   * the parts of the output overlap, it is read-only, or this rank expects another number of bytes from itself than it
   * gives
   * @throws CollectiveException when a source gives another number of bytes, too
   * @throws RuntimeException as {@link Communicator#bcast}
   */
  public void neighborAlltoall(Data in, Data out) {
    neighbors.alltoall(Form.BLOCKING, communicator.placement(in), communicator.placement(out));
  }

  /**
   * The collectives of this topology and of its communicator as calls that start them, and return a request that tells
   * of the end, see {@link Communicator#started()}.
   *
   * @return the calls, each of which makes a request; always the same object
   */
  public TopologyRequests started() {
    return started;
  }

  /**
   * The collectives as calls that start them with a request of the caller's, see {@link Communicator#started(Request)}.
   *
   * @param mine the request, which is inactive, and not persistent, when a collective is started
   * @return the calls, which return that request
   * @throws NullPointerException when the request is null
   */
  public TopologyRequests started(Request mine) {
    CollectiveRequests kept = Request.requireNonNull(mine).callsOf(this);
    return kept == null
        ? mine.keep(new TopologyRequests(this, neighbors, Form.STARTED, mine)) : (TopologyRequests) kept;
  }

  /**
   * The collectives as calls that prepare them for a persistent request, see {@link Communicator#persistent()}.
   *
   * @return the calls, each of which makes a request; always the same object
   */
  public TopologyRequests persistent() {
    return persistent;
  }

  /**
   * {@code started().neighborAllgather(in, out)}.
   *
   * @param in as of {@link #neighborAllgather}
   * @param out as of {@link #neighborAllgather}
   * @return its request, active
   * @throws RuntimeException as {@link TopologyRequests#neighborAllgather}
   */
  public Request ineighborAllgather(Data in, Data out) {
    return started().neighborAllgather(in, out);
  }

  /**
   * {@code persistent().neighborAllgather(in, out)}.
   *
   * @param in as of {@link #neighborAllgather}
   * @param out as of {@link #neighborAllgather}
   * @return its request, inactive
   * @throws RuntimeException as {@link TopologyRequests#neighborAllgather}
   */
  public Request neighborAllgatherInit(Data in, Data out) {
    return persistent().neighborAllgather(in, out);
  }

  /**
   * {@code started().neighborAlltoall(in, out)}.
   *
   * @param in as of {@link #neighborAlltoall}
   * @param out as of {@link #neighborAlltoall}
   * @return its request, active
   * @throws RuntimeException as {@link TopologyRequests#neighborAlltoall}
   */
  public Request ineighborAlltoall(Data in, Data out) {
    return started().neighborAlltoall(in, out);
  }

  /**
   * {@code persistent().neighborAlltoall(in, out)}.
   *
   * @param in as of {@link #neighborAlltoall}
   * @param out as of {@link #neighborAlltoall}
   * @return its request, inactive
   * @throws RuntimeException as {@link TopologyRequests#neighborAlltoall}
   */
  public Request neighborAlltoallInit(Data in, Data out) {
    return persistent().neighborAlltoall(in, out);
  }

  /**
   * Gives the communicator up while something may be under way on it, see {@link Communicator#release}: neighbour
   * collectives that were started go on.
   *
   * @throws IllegalStateException when it is closed or was given up before
   */
  public void release() {
    communicator.release();
  }

  /**
   * Closes the communicator, see {@link Communicator#close}.
   *
   * @throws IllegalStateException when it is closed, receives that were started on it are not complete, or collectives
   * are not
   */
  @Override
  public void close() {
    communicator.close();
  }
}
