package io.adrastea.comm;

import io.adrastea.engine.collective.Call;
import io.adrastea.engine.collective.Form;

/**
 * The collectives that both kinds of communicators have, in each of their forms. Each returns the engine's call, for a
 * request; null: it has ended.
 */
public interface CollectiveForms {
  /** Waits until all ranks call it. */
  Call barrier(Form form);

  /** Gives the root's data to all ranks. */
  Call bcast(Form form, Placement data, int root);

  /** Gives each rank's data to the root. */
  Call gather(Form form, Placement in, Placement out, int root);

  /** Gives each rank a part of the data of the root. */
  Call scatter(Form form, Placement in, Placement out, int root);

  /** Gives each rank's data to all ranks. */
  Call allgather(Form form, Placement in, Placement out);

  /** Gives each rank a part of the data of each rank. */
  Call alltoall(Form form, Placement in, Placement out);

  /** Combines the data of all ranks, for the root. */
  Call reduce(Form form, Placement in, Placement out, OperatorMap op, int root);

  /** Combines the data of all ranks, for all. */
  Call allreduce(Form form, Placement in, Placement out, OperatorMap op);

  /** Combines the data of all ranks, and gives each an equal block of the result. */
  Call reduceScatterBlock(Form form, Placement in, Placement out, OperatorMap op);

  /** Combines the data of all ranks, and gives each its part of the result. */
  Call reduceScatter(Form form, Placement in, Placement out, OperatorMap op);
}
