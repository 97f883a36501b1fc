package io.adrastea;

import java.util.List;

/** A kind of collective, as a test calls it in each form. */
public enum CollectiveKind {
  // @formatter:off
  BARRIER(
      call -> call.on().barrier(),
      (call, mine) -> call.on().ibarrier(mine),
      call -> call.on().barrierInit()),
  BCAST(
      call -> call.on().bcast(call.in(), call.root()),
      (call, mine) -> call.on().ibcast(call.in(), call.root(), mine),
      call -> call.on().bcastInit(call.in(), call.root())),
  ALLREDUCE(
      call -> call.on().allreduce(call.in(), call.out(), call.op()),
      (call, mine) -> call.on().iallreduce(call.in(), call.out(), call.op(), mine),
      call -> call.on().allreduceInit(call.in(), call.out(), call.op())),
  ALLGATHER(
      call -> call.on().allgather(call.in(), call.out()),
      (call, mine) -> call.on().iallgather(call.in(), call.out(), mine),
      call -> call.on().allgatherInit(call.in(), call.out())),
  REDUCE(
      call -> call.on().reduce(call.in(), call.out(), call.op(), call.root()),
      (call, mine) -> call.on().ireduce(call.in(), call.out(), call.op(), call.root(), mine),
      call -> call.on().reduceInit(call.in(), call.out(), call.op(), call.root())),
  SCAN(
      call -> call.on().scan(call.in(), call.out(), call.op()),
      (call, mine) -> call.on().iscan(call.in(), call.out(), call.op(), mine),
      call -> call.on().scanInit(call.in(), call.out(), call.op())),
  EXSCAN(
      call -> call.on().exscan(call.in(), call.out(), call.op()),
      (call, mine) -> call.on().iexscan(call.in(), call.out(), call.op(), mine),
      call -> call.on().exscanInit(call.in(), call.out(), call.op())),
  REDUCE_SCATTER_BLOCK(
      call -> call.on().reduceScatterBlock(call.in(), call.out(), call.op()),
      (call, mine) -> call.on().ireduceScatterBlock(call.in(), call.out(), call.op(), mine),
      call -> call.on().reduceScatterBlockInit(call.in(), call.out(), call.op())),
  REDUCE_SCATTER(
      call -> call.on().reduceScatter(call.in(), call.out(), call.op()),
      (call, mine) -> call.on().ireduceScatter(call.in(), call.out(), call.op(), mine),
      call -> call.on().reduceScatterInit(call.in(), call.out(), call.op())),
  GATHER(
      call -> call.on().gather(call.in(), call.out(), call.root()),
      (call, mine) -> call.on().igather(call.in(), call.out(), call.root(), mine),
      call -> call.on().gatherInit(call.in(), call.out(), call.root())),
  SCATTER(
      call -> call.on().scatter(call.in(), call.out(), call.root()),
      (call, mine) -> call.on().iscatter(call.in(), call.out(), call.root(), mine),
      call -> call.on().scatterInit(call.in(), call.out(), call.root())),
  ALLTOALL(
      call -> call.on().alltoall(call.in(), call.out()),
      (call, mine) -> call.on().ialltoall(call.in(), call.out(), mine),
      call -> call.on().alltoallInit(call.in(), call.out())),
  ALLGATHER_BY_PARTS(ALLGATHER),
  GATHER_BY_PARTS(GATHER),
  SCATTER_BY_PARTS(SCATTER),
  ALLTOALL_BY_PARTS(ALLTOALL);
  // @formatter:on

  public static final List<CollectiveKind> ALL = List.of(values());

  /** What a call is made with. */
  public record Arguments(Communicator on, Data in, Data out, Op op, int root) {}

  interface Blocking {
    void run(Arguments call);
  }

  interface Started {
    Request start(Arguments call, Request mine);
  }

  interface Prepared {
    Request prepare(Arguments call);
  }

  final Blocking blocking;
  final Started started;
  final Prepared prepared;

  /** Makes the kind that has the same calls with parts that differ in length. */
  CollectiveKind(CollectiveKind equal) {
    this(equal.blocking, equal.started, equal.prepared);
  }

  CollectiveKind(Blocking blocking, Started started, Prepared prepared) {
    this.blocking = blocking;
    this.started = started;
    this.prepared = prepared;
  }
}
