package io.adrastea.collective;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Op;
import io.adrastea.Request;
import java.util.List;

/** A kind of collective, as a test calls it in each form. */
public enum CollectiveKind {
  // @formatter:off
  BARRIER(
      call -> call.on().barrier(),
      (call, mine) -> call.on().started(mine).barrier(),
      call -> call.on().barrierInit()),
  BCAST(
      call -> call.on().bcast(call.in(), call.root()),
      (call, mine) -> call.on().started(mine).bcast(call.in(), call.root()),
      call -> call.on().bcastInit(call.in(), call.root())),
  ALLREDUCE(
      call -> call.on().allreduce(call.in(), call.out(), call.op()),
      (call, mine) -> call.on().started(mine).allreduce(call.in(), call.out(), call.op()),
      call -> call.on().allreduceInit(call.in(), call.out(), call.op())),
  ALLGATHER(
      call -> call.on().allgather(call.in(), call.out()),
      (call, mine) -> call.on().started(mine).allgather(call.in(), call.out()),
      call -> call.on().allgatherInit(call.in(), call.out())),
  REDUCE(
      call -> call.on().reduce(call.in(), call.out(), call.op(), call.root()),
      (call, mine) -> call.on().started(mine).reduce(call.in(), call.out(), call.op(), call.root()),
      call -> call.on().reduceInit(call.in(), call.out(), call.op(), call.root())),
  SCAN(
      call -> call.on().scan(call.in(), call.out(), call.op()),
      (call, mine) -> call.on().started(mine).scan(call.in(), call.out(), call.op()),
      call -> call.on().scanInit(call.in(), call.out(), call.op())),
  EXSCAN(
      call -> call.on().exscan(call.in(), call.out(), call.op()),
      (call, mine) -> call.on().started(mine).exscan(call.in(), call.out(), call.op()),
      call -> call.on().exscanInit(call.in(), call.out(), call.op())),
  REDUCE_SCATTER_BLOCK(
      call -> call.on().reduceScatterBlock(call.in(), call.out(), call.op()),
      (call, mine) -> call.on().started(mine).reduceScatterBlock(call.in(), call.out(), call.op()),
      call -> call.on().reduceScatterBlockInit(call.in(), call.out(), call.op())),
  REDUCE_SCATTER(
      call -> call.on().reduceScatter(call.in(), call.out(), call.op()),
      (call, mine) -> call.on().started(mine).reduceScatter(call.in(), call.out(), call.op()),
      call -> call.on().reduceScatterInit(call.in(), call.out(), call.op())),
  GATHER(
      call -> call.on().gather(call.in(), call.out(), call.root()),
      (call, mine) -> call.on().started(mine).gather(call.in(), call.out(), call.root()),
      call -> call.on().gatherInit(call.in(), call.out(), call.root())),
  SCATTER(
      call -> call.on().scatter(call.in(), call.out(), call.root()),
      (call, mine) -> call.on().started(mine).scatter(call.in(), call.out(), call.root()),
      call -> call.on().scatterInit(call.in(), call.out(), call.root())),
  ALLTOALL(
      call -> call.on().alltoall(call.in(), call.out()),
      (call, mine) -> call.on().started(mine).alltoall(call.in(), call.out()),
      call -> call.on().alltoallInit(call.in(), call.out())),
  ALLGATHER_BY_PARTS(ALLGATHER),
  GATHER_BY_PARTS(GATHER),
  SCATTER_BY_PARTS(SCATTER),
  ALLTOALL_BY_PARTS(ALLTOALL);
  // @formatter:on

  public static final List<CollectiveKind> ALL = List.of(values());

  /** What a call is made with. */
  public record Arguments(Communicator on, Data in, Data out, Op op, int root) {}

  public interface Blocking {
    void run(Arguments call);
  }

  public interface Started {
    Request start(Arguments call, Request mine);
  }

  public interface Prepared {
    Request prepare(Arguments call);
  }

  public final Blocking blocking;
  public final Started started;
  public final Prepared prepared;

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
