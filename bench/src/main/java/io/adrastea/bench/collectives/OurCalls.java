package io.adrastea.bench.collectives;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Op;
import io.adrastea.Request;

/** The collectives of a communicator as this bench calls them: sums, where something is combined. */
record OurCalls(Communicator world) {
  /** Calls one, and returns when this rank has done its part. */
  void run(Collective collective, Data in, Data out, int root) {
    switch (collective) {
      case BARRIER -> world.barrier();
      case BCAST -> world.bcast(in, root);
      case ALLREDUCE -> world.allreduce(in, out, Op.SUM);
      case ALLGATHER, ALLGATHERV -> world.allgather(in, out);
      case REDUCE -> world.reduce(in, out, Op.SUM, root);
      case REDUCE_SCATTER_BLOCK -> world.reduceScatterBlock(in, out, Op.SUM);
      case REDUCE_SCATTER -> world.reduceScatter(in, out, Op.SUM);
      case SCAN -> world.scan(in, out, Op.SUM);
      case EXSCAN -> world.exscan(in, out, Op.SUM);
      case GATHER, GATHERV -> world.gather(in, out, root);
      case SCATTER, SCATTERV -> world.scatter(in, out, root);
      case ALLTOALL, ALLTOALLV -> world.alltoall(in, out);
    }
  }

  /** Starts one with a request that is free. */
  Request start(Collective collective, Data in, Data out, int root, Request request) {
    return switch (collective) {
      case BARRIER -> world.started(request).barrier();
      case BCAST -> world.started(request).bcast(in, root);
      case ALLREDUCE -> world.started(request).allreduce(in, out, Op.SUM);
      case ALLGATHER, ALLGATHERV -> world.started(request).allgather(in, out);
      case REDUCE -> world.started(request).reduce(in, out, Op.SUM, root);
      case REDUCE_SCATTER_BLOCK -> world.started(request).reduceScatterBlock(in, out, Op.SUM);
      case REDUCE_SCATTER -> world.started(request).reduceScatter(in, out, Op.SUM);
      case SCAN -> world.started(request).scan(in, out, Op.SUM);
      case EXSCAN -> world.started(request).exscan(in, out, Op.SUM);
      case GATHER, GATHERV -> world.started(request).gather(in, out, root);
      case SCATTER, SCATTERV -> world.started(request).scatter(in, out, root);
      case ALLTOALL, ALLTOALLV -> world.started(request).alltoall(in, out);
    };
  }

  /** Prepares one. */
  Request prepare(Collective collective, Data in, Data out, int root) {
    return switch (collective) {
      case BARRIER -> world.barrierInit();
      case BCAST -> world.bcastInit(in, root);
      case ALLREDUCE -> world.allreduceInit(in, out, Op.SUM);
      case ALLGATHER, ALLGATHERV -> world.allgatherInit(in, out);
      case REDUCE -> world.reduceInit(in, out, Op.SUM, root);
      case REDUCE_SCATTER_BLOCK -> world.reduceScatterBlockInit(in, out, Op.SUM);
      case REDUCE_SCATTER -> world.reduceScatterInit(in, out, Op.SUM);
      case SCAN -> world.scanInit(in, out, Op.SUM);
      case EXSCAN -> world.exscanInit(in, out, Op.SUM);
      case GATHER, GATHERV -> world.gatherInit(in, out, root);
      case SCATTER, SCATTERV -> world.scatterInit(in, out, root);
      case ALLTOALL, ALLTOALLV -> world.alltoallInit(in, out);
    };
  }
}
