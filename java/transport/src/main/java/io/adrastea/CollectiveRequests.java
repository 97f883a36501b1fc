package io.adrastea;

import io.adrastea.comm.CollectiveForms;
import io.adrastea.comm.Placement;
import io.adrastea.engine.collective.Call;
import io.adrastea.engine.collective.Form;

/**
 * The collectives of a communicator as calls that return a request: those that {@link AnyCommunicator#started()
 * started} starts, and those that {@link AnyCommunicator#persistent() persistent} prepares. The blocking calls of the
 * same names tell what each does, takes and throws. The object does not change; any thread may use it, but for one
 * whose request was handed in, which one thread at a time may use.
 */
public sealed class CollectiveRequests permits CommunicatorRequests {
  private final Object of; // the communicator or topology that has these calls
  private final Communicator owner; // of the requests; of an intercommunicator that of the ranks of both groups
  private final CollectiveForms calls; // null: not all ranks share memory, which the owner refuses in words
  private final Form form;
  private final Request mine; // that was handed in; null: each call makes one

  CollectiveRequests(Object of, Communicator owner, CollectiveForms calls, Form form, Request mine) {
    this.of = of;
    this.owner = owner;
    this.calls = calls;
    this.form = form;
    this.mine = mine;
  }

  /**
   * A {@link AnyCommunicator#barrier()}, started or prepared.
   *
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request barrier() {
    return request(calls("barrier").barrier(form));
  }

  /**
   * A {@link AnyCommunicator#bcast(Data, int)}, started or prepared.
   *
   * @param data as there
   * @param root as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request bcast(Data data, int root) {
    return request(calls("bcast").bcast(form, placement(data), root));
  }

  /**
   * A {@link AnyCommunicator#gather}, started or prepared.
   *
   * @param in as there
   * @param out as there
   * @param root as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request gather(Data in, Data out, int root) {
    return request(calls("gather").gather(form, placement(in), placement(out), root));
  }

  /**
   * A {@link AnyCommunicator#scatter}, started or prepared.
   *
   * @param in as there
   * @param out as there
   * @param root as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request scatter(Data in, Data out, int root) {
    return request(calls("scatter").scatter(form, placement(in), placement(out), root));
  }

  /**
   * An {@link AnyCommunicator#allgather}, started or prepared.
   *
   * @param in as there
   * @param out as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request allgather(Data in, Data out) {
    return request(calls("allgather").allgather(form, placement(in), placement(out)));
  }

  /**
   * An {@link AnyCommunicator#alltoall}, started or prepared.
   *
   * @param in as there
   * @param out as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request alltoall(Data in, Data out) {
    return request(calls("alltoall").alltoall(form, placement(in), placement(out)));
  }

  /**
   * A {@link AnyCommunicator#reduce(Data, Data, Op, int)}, started or prepared.
   *
   * @param in as there
   * @param out as there
   * @param op as there
   * @param root as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request reduce(Data in, Data out, Op op, int root) {
    return request(calls("reduce").reduce(form, placement(in), placement(out), Op.map(op), root));
  }

  /**
   * An {@link AnyCommunicator#allreduce(Data, Data, Op)}, started or prepared.
   *
   * @param in as there
   * @param out as there
   * @param op as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request allreduce(Data in, Data out, Op op) {
    return request(calls("allreduce").allreduce(form, placement(in), placement(out), Op.map(op)));
  }

  /**
   * A {@link AnyCommunicator#reduceScatterBlock}, started or prepared.
   *
   * @param in as there
   * @param out as there
   * @param op as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request reduceScatterBlock(Data in, Data out, Op op) {
    return request(
        calls("reduceScatterBlock").reduceScatterBlock(form, placement(in), placement(out), Op.map(op)));
  }

  /**
   * A {@link AnyCommunicator#reduceScatter}, started or prepared.
   *
   * @param in as there
   * @param out as there
   * @param op as there
   * @return its request
   * @throws RuntimeException as there, before anything is begun, and when the request that was handed in is not free
   */
  public Request reduceScatter(Data in, Data out, Op op) {
    return request(calls("reduceScatter").reduceScatter(form, placement(in), placement(out), Op.map(op)));
  }

  final Placement placement(Data data) {
    return owner.placement(data);
  }

  private CollectiveForms calls(String call) {
    requireFree();
    return calls == null ? owner.collectives(call) : calls;
  }

  /** Refuses a request that was handed in, and cannot be used for a new call. */
  final void requireFree() {
    if (mine != null) {
      Request.requireFree(mine);
    }
  }

  /** Makes the request of a call that was started or prepared; null: it has ended. */
  final Request request(Call call) {
    if (form == Form.PREPARED) {
      return new Request(owner, call);
    }
    return (mine == null ? new Request() : mine).begin(owner, call);
  }

  final Communicator owner() {
    return owner;
  }

  final Form form() {
    return form;
  }

  /** What has these calls. */
  final Object of() {
    return of;
  }
}
