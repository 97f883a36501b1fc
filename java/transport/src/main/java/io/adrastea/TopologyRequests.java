package io.adrastea;

import io.adrastea.comm.NeighborCalls;
import io.adrastea.engine.collective.Form;

/**
 * The collectives of the communicator of a {@link RankTopology}, and those with neighbours, as calls that return a
 * request.
 */
public final class TopologyRequests extends CommunicatorRequests {
  private final NeighborCalls neighbors;

  TopologyRequests(RankTopology of, NeighborCalls neighbors, Form form, Request mine) {
    super(of, of.communicator(), of.communicator().collectives("a topology"), form, mine);
    this.neighbors = neighbors;
  }

  /**
   * A {@link RankTopology#neighborAllgather}, started or prepared.
   *
   * @param in as there
   * @param out as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request neighborAllgather(Data in, Data out) {
    requireFree();
    return request(neighbors.allgather(form(), placement(in), placement(out)));
  }

  /**
   * A {@link RankTopology#neighborAlltoall}, started or prepared.
   *
   * @param in as there
   * @param out as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request neighborAlltoall(Data in, Data out) {
    requireFree();
    return request(neighbors.alltoall(form(), placement(in), placement(out)));
  }
}
