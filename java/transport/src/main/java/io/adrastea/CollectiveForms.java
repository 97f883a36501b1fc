package io.adrastea;

import io.adrastea.engine.collective.Call;
import io.adrastea.engine.collective.Form;

/**
 * The collectives that both kinds of communicators have, in each of their forms. Each returns the engine's call, for a
 * request; null: it has ended.
 */
sealed interface CollectiveForms permits CollectiveCalls, IntercommunicatorCalls {
  Call barrier(Form form);

  Call bcast(Form form, Data data, int root);

  Call gather(Form form, Data in, Data out, int root);

  Call scatter(Form form, Data in, Data out, int root);

  Call allgather(Form form, Data in, Data out);

  Call alltoall(Form form, Data in, Data out);

  Call reduce(Form form, Data in, Data out, Op op, int root);

  Call allreduce(Form form, Data in, Data out, Op op);

  Call reduceScatterBlock(Form form, Data in, Data out, Op op);

  Call reduceScatter(Form form, Data in, Data out, Op op);
}
