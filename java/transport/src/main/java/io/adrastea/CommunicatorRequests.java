package io.adrastea;

import io.adrastea.comm.CollectiveCalls;
import io.adrastea.engine.collective.Form;

/** The collectives of a {@link Communicator} as calls that return a request. */
public sealed class CommunicatorRequests extends CollectiveRequests permits TopologyRequests {
  CommunicatorRequests(Object of, Communicator owner, CollectiveCalls calls, Form form, Request mine) {
    super(of, owner, calls, form, mine);
  }

  /**
   * A {@link Communicator#scan(Data, Data, Op)}, started or prepared.
   *
   * @param in as there
   * @param out as there
   * @param op as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request scan(Data in, Data out, Op op) {
    requireFree();
    return request(owner().collectives("scan").scan(form(), placement(in), placement(out), Op.map(op)));
  }

  /**
   * An {@link Communicator#exscan(Data, Data, Op)}, started or prepared.
   *
   * @param in as there
   * @param out as there
   * @param op as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request exscan(Data in, Data out, Op op) {
    requireFree();
    return request(owner().collectives("exscan").exscan(form(), placement(in), placement(out), Op.map(op)));
  }
}
