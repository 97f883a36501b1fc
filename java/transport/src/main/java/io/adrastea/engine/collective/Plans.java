package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.spread.Algorithm;
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
import io.adrastea.spread.Spread;
import io.adrastea.spread.Spread.Kind;

/**
 * The schedules of the calls of one member. Which algorithm they follow says {@link Spread}, by what all members know:
 * not by the lengths of the blocks of an exchange, nor by whether these are told in parts.
 */
final class Plans {
  private final Spread spread;
  private final int rank; // in the communicator
  private final int size;

  Plans(Spread spread, int rank, int size) {
    this.spread = spread;
    this.rank = rank;
    this.size = size;
  }

  /** Fills the schedule of a call. */
  void fill(Schedule schedule, Call call) {
    long bytes = call.bytes();
    int root = call.root();
    switch (call.kind()) {
      case SlotMember.BARRIER -> BarrierRounds.fill(schedule, rank, size);
      case SlotMember.BCAST ->
        BcastRounds.fill(
            schedule, spread.algorithm(Kind.BCAST, bytes, true), root, rank, size, bytes, Spread.SEGMENT);
      case SlotMember.ALLREDUCE ->
        AllreduceRounds.fill(schedule, algorithm(Kind.ALLREDUCE, call), rank, size, bytes, call.unit());
      case SlotMember.REDUCE ->
        ReduceRounds.fill(schedule, algorithm(Kind.REDUCE, call), root, rank, size, bytes, call.unit());
      case SlotMember.SCAN, SlotMember.EXSCAN ->
        ScanRounds.fill(
            schedule, algorithm(Kind.SCAN, call), call.kind() == SlotMember.EXSCAN, rank, size, bytes,
            Math.max(1, Spread.SEGMENT / call.unit()) * call.unit());
      case SlotMember.REDUCE_SCATTER -> fillReduceScatter(schedule, call);
      case SlotMember.ALLGATHER ->
        AllgatherRounds.fill(schedule, spread.algorithm(Kind.ALLGATHER, bytes, true), rank, size, bytes);
      case SlotMember.ALLGATHERV -> fillAllgather(schedule, call);
      case SlotMember.GATHER -> fillGather(schedule, call);
      case SlotMember.SCATTER -> fillScatter(schedule, call);
      case SlotMember.ALLTOALL -> fillAlltoall(schedule, call);
      default -> throw new IllegalStateException(call.name());
    }
  }

  /** The algorithm of a reduction: operators of the program's own need not associate, and combine from the left. */
  private Algorithm algorithm(Kind kind, Call call) {
    return spread.algorithm(kind, call.bytes(), call.folding() == null);
  }

  private void fillReduceScatter(Schedule schedule, Call call) {
    Algorithm algorithm = algorithm(Kind.REDUCE_SCATTER, call);
    if (call.isByParts()) {
      ReduceScatterRounds.fill(schedule, algorithm, rank, call.rows().row(SlotMember.GIVE_BYTES));
    } else {
      ReduceScatterRounds.fill(schedule, algorithm, rank, size, call.bytes() / size);
    }
  }

  /** By parts; between groups a member gives its block to those of the other group, each of which may expect none. */
  private void fillAllgather(Schedule schedule, Call call) {
    PartRows rows = call.rows();
    if (call.element() >= SlotMember.FOR_GROUPS) {
      boolean isFirst = rank < call.root();
      rows.giveToAll(isFirst ? call.root() : 0, isFirst ? size : call.root());
      fillByRows(schedule, rows);
    } else {
      long[] lengths = rows.row(SlotMember.TAKE_BYTES);
      long all = 0;
      for (long length : lengths) {
        all += length;
      }
      AllgatherRounds.fill(
          schedule, spread.algorithm(Kind.ALLGATHER_BY_PARTS, all, true), rank, lengths, rows.row(SlotMember.TAKE_AT));
    }
  }

  private void fillGather(Schedule schedule, Call call) {
    if (call.isByParts() && rank == call.root()) {
      GatherRounds.fill(
          schedule, rank, call.rows().row(SlotMember.TAKE_BYTES), call.rows().row(SlotMember.TAKE_AT));
    } else {
      GatherRounds.fill(schedule, Algorithm.DIRECT, call.root(), rank, size, call.bytes());
    }
  }

  private void fillScatter(Schedule schedule, Call call) {
    if (call.isByParts() && rank == call.root()) {
      ScatterRounds.fill(
          schedule, rank, call.rows().row(SlotMember.GIVE_BYTES), call.rows().row(SlotMember.GIVE_AT));
    } else {
      ScatterRounds.fill(schedule, Algorithm.DIRECT, call.root(), rank, size, call.bytes());
    }
  }

  private void fillAlltoall(Schedule schedule, Call call) {
    if (call.isByParts()) {
      fillByRows(schedule, call.rows());
    } else {
      AlltoallRounds.fill(schedule, Algorithm.DIRECT, rank, size, call.bytes());
    }
  }

  private void fillByRows(Schedule schedule, PartRows rows) {
    AlltoallRounds.fill(
        schedule, rank, rows.row(SlotMember.GIVE_BYTES), rows.row(SlotMember.GIVE_AT), rows.row(SlotMember.TAKE_BYTES),
        rows.row(SlotMember.TAKE_AT));
  }
}
