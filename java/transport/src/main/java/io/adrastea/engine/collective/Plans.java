package io.adrastea.engine.collective;

import static io.adrastea.spread.Algorithm.BINOMIAL;
import static io.adrastea.spread.Algorithm.BRUCK;
import static io.adrastea.spread.Algorithm.CHAIN;
import static io.adrastea.spread.Algorithm.DIRECT;
import static io.adrastea.spread.Algorithm.RECURSIVE_DOUBLING;
import static io.adrastea.spread.Algorithm.RING;
import static io.adrastea.spread.Algorithm.SCATTER_ALLGATHER;

import io.adrastea.core.SlotMember;
import io.adrastea.spread.AllgatherRounds;
import io.adrastea.spread.AllreduceRounds;
import io.adrastea.spread.AlltoallRounds;
import io.adrastea.spread.BarrierRounds;
import io.adrastea.spread.BcastRounds;
import io.adrastea.spread.GatherRounds;
import io.adrastea.spread.ReduceRounds;
import io.adrastea.spread.ReduceScatterRounds;
import io.adrastea.spread.ScanRounds;
import io.adrastea.spread.ScatterRounds;
import io.adrastea.spread.Schedule;

/**
 * Which schedule a call takes by messages. All members choose by what all of them know: not by the lengths of the
 * blocks of an exchange, nor by whether these are told in parts. All schedules chosen combine in rank order.
 */
final class Plans {
  /** Bytes of all members up to which the number of messages counts, and from where on their bytes do. */
  private static final long FEW = 32_768;

  private Plans() {}

  /** Fills the schedule of one member. */
  static void fill(Schedule schedule, Call call, int rank, int size) {
    long bytes = call.bytes();
    boolean few = bytes <= FEW;
    boolean own = call.folding() != null; // an operator of the program's own may depend on brackets: from the left
    int root = call.root();
    switch (call.kind()) {
      case SlotMember.BARRIER -> BarrierRounds.fill(schedule, rank, size);
      case SlotMember.BCAST ->
        BcastRounds.fill(schedule, few ? BINOMIAL : SCATTER_ALLGATHER, root, rank, size, bytes, FEW);
      case SlotMember.ALLREDUCE ->
        AllreduceRounds.fill(schedule, few && !own ? RECURSIVE_DOUBLING : DIRECT, rank, size, bytes, call.unit());
      case SlotMember.REDUCE ->
        ReduceRounds.fill(schedule, few && !own ? BINOMIAL : DIRECT, root, rank, size, bytes, call.unit());
      case SlotMember.SCAN, SlotMember.EXSCAN ->
        ScanRounds.fill(
            schedule, own ? CHAIN : RECURSIVE_DOUBLING, call.kind() == SlotMember.EXSCAN, rank, size, bytes,
            Math.max(1, bytes));
      case SlotMember.REDUCE_SCATTER -> fillReduceScatter(schedule, call, rank, size);
      case SlotMember.ALLGATHER ->
        AllgatherRounds.fill(schedule, size * bytes <= FEW ? BRUCK : RING, rank, size, bytes);
      case SlotMember.ALLGATHERV -> fillAllgather(schedule, call, rank, size);
      case SlotMember.GATHER -> fillGather(schedule, call, rank, size);
      case SlotMember.SCATTER -> fillScatter(schedule, call, rank, size);
      case SlotMember.ALLTOALL -> fillAlltoall(schedule, call, rank, size);
      default -> throw new IllegalStateException(call.name());
    }
  }

  private static void fillReduceScatter(Schedule schedule, Call call, int rank, int size) {
    var algorithm = call.bytes() <= FEW && call.folding() == null ? RECURSIVE_DOUBLING : DIRECT;
    if (call.isByParts()) {
      ReduceScatterRounds.fill(schedule, algorithm, rank, call.rows().row(SlotMember.GIVE_BYTES));
    } else {
      ReduceScatterRounds.fill(schedule, algorithm, rank, size, call.bytes() / size);
    }
  }

  /** By parts; between groups a member gives its block to those of the other group, each of which may expect none. */
  private static void fillAllgather(Schedule schedule, Call call, int rank, int size) {
    PartRows rows = call.rows();
    if (call.element() >= SlotMember.FOR_GROUPS) {
      boolean isFirst = rank < call.root();
      rows.giveToAll(isFirst ? call.root() : 0, isFirst ? size : call.root());
      fillByRows(schedule, rows, rank);
    } else {
      long[] lengths = rows.row(SlotMember.TAKE_BYTES);
      long all = 0;
      for (long length : lengths) {
        all += length;
      }
      AllgatherRounds.fill(schedule, all <= FEW ? BRUCK : RING, rank, lengths, rows.row(SlotMember.TAKE_AT));
    }
  }

  private static void fillGather(Schedule schedule, Call call, int rank, int size) {
    if (call.isByParts() && rank == call.root()) {
      GatherRounds.fill(
          schedule, rank, call.rows().row(SlotMember.TAKE_BYTES), call.rows().row(SlotMember.TAKE_AT));
    } else {
      GatherRounds.fill(schedule, DIRECT, call.root(), rank, size, call.bytes());
    }
  }

  private static void fillScatter(Schedule schedule, Call call, int rank, int size) {
    if (call.isByParts() && rank == call.root()) {
      ScatterRounds.fill(
          schedule, rank, call.rows().row(SlotMember.GIVE_BYTES), call.rows().row(SlotMember.GIVE_AT));
    } else {
      ScatterRounds.fill(schedule, DIRECT, call.root(), rank, size, call.bytes());
    }
  }

  private static void fillAlltoall(Schedule schedule, Call call, int rank, int size) {
    if (call.isByParts()) {
      fillByRows(schedule, call.rows(), rank);
    } else {
      AlltoallRounds.fill(schedule, DIRECT, rank, size, call.bytes());
    }
  }

  private static void fillByRows(Schedule schedule, PartRows rows, int rank) {
    AlltoallRounds.fill(
        schedule, rank, rows.row(SlotMember.GIVE_BYTES), rows.row(SlotMember.GIVE_AT), rows.row(SlotMember.TAKE_BYTES),
        rows.row(SlotMember.TAKE_AT));
  }
}
