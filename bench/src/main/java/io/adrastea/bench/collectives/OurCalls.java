package io.adrastea.bench.collectives;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Op;
import io.adrastea.Request;

/** The collectives of a communicator as this bench calls them: sums, where something is combined. */
record OurCalls(Communicator world) {
  /** Whether a communicator has such a call. */
  static boolean has(Call call) {
    return switch (call.collective()) {
      case BARRIER, BCAST, ALLREDUCE, ALLGATHER -> true;
      default -> false;
    };
  }

  /** Calls one, and returns when this rank has done its part. */
  void run(Collective collective, Data in, Data out, int root) {
    switch (collective) {
      case BARRIER -> world.barrier();
      case BCAST -> world.bcast(in, root);
      case ALLREDUCE -> world.allreduce(in, out, Op.SUM);
      case ALLGATHER -> world.allgather(in, out);
      default -> throw new IllegalArgumentException("a communicator has no " + collective.word());
    }
  }

  /** Starts one with a request that is free. */
  Request start(Collective collective, Data in, Data out, int root, Request request) {
    return switch (collective) {
      case BARRIER -> world.ibarrier(request);
      case BCAST -> world.ibcast(in, root, request);
      case ALLREDUCE -> world.iallreduce(in, out, Op.SUM, request);
      case ALLGATHER -> world.iallgather(in, out, request);
      default -> throw new IllegalArgumentException("a communicator starts no " + collective.word());
    };
  }

  /** Prepares one. */
  Request prepare(Collective collective, Data in, Data out, int root) {
    return switch (collective) {
      case BARRIER -> world.barrierInit();
      case BCAST -> world.bcastInit(in, root);
      case ALLREDUCE -> world.allreduceInit(in, out, Op.SUM);
      case ALLGATHER -> world.allgatherInit(in, out);
      default -> throw new IllegalArgumentException("a communicator prepares no " + collective.word());
    };
  }
}
